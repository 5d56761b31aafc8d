/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports this root as one of protocol 1 or 3.  It is made beside its final
 * place, with its final paths, and renamed when it is complete.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "backend/agentbox/port.h"

#define FIRST_1 "---\nprotocol_version: 1\n"
#define FIRST_3 "---\nprotocol_version: 3\n"
#define LAST_3 "notify_block: null\nnotify_auth: null\n"

static int
export_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the root cannot be exported");
	return err_errno(e, what);
}

/* Replaces one file as a whole. */
static int
export_replace(const struct agentbox_root *r, int folder, const char *name,
    struct str bytes, struct err *e)
{
	CLEANUP(path_close)
	int staging = agentbox_layout_folder(r, "staging", e);

	if (staging < 0)
		return -1;
	path_folder_drop(staging, "emcli-export");
	if (path_folder_new(staging, "emcli-export", bytes, e) < 0)
		return -1;
	return renameat(staging, "emcli-export", folder, name) < 0
	    ? export_fail(e, "rename")
	    : 0;
}

/* The document of protocol 3: another version, two more members. */
static int
export_document(struct str file, struct arena *a, struct str *out,
    struct err *e)
{
	struct agentbox_message m;
	ptrdiff_t end;

	if (!str_starts(file, S(FIRST_1)))
		return err_set(e, ERR_CONFIG, "a message is of another form");
	end = str_find(str_from(file, 4), S("\n---\n"));
	if (end < 0)
		return err_set(e, ERR_CONFIG, "a message is of another form");
	*out = str_fmt(a, FIRST_3 "%.*s" LAST_3 "%.*s",
	    (int)((size_t)end + 5 - (sizeof(FIRST_1) - 1)),
	    file.p + sizeof(FIRST_1) - 1, (int)(file.n - (size_t)end - 5),
	    file.p + end + 5);
	return agentbox_front_read(a, *out, 3, &m, e);
}

static int
export_message(struct agentbox_root *r, struct db *d, struct str id,
    struct str created, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close)
	int day = agentbox_layout_folder(r,
	    str_fmt(a, "messages/%.10s", created.p).p, e);
	const char *name = str_fmt(a, "%.*s.md", STR_ARG(id)).p;
	struct str file, new;

	if (day < 0 ||
	    agentbox_layout_read(day, name,
		LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16, a, &file,
		e) != 1 ||
	    export_document(file, a, &new, e) < 0 ||
	    export_replace(r, day, name, new, e) < 0)
		return -1;
	return db_port_document(d, id, new, e);
}

static int
export_messages(struct agentbox_root *r, struct arena *a, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct strs ids = { 0 }, created = { 0 };

	if (db_index_open(&d, r, false, e) < 0 ||
	    db_port_upgrade_index(&d, e) < 0 ||
	    db_fix_ids(&d, a, &ids, &created, e) < 0 ||
	    db_stmt_begin(&d, e) < 0)
		return -1;
	for (size_t i = 0; i < ids.n; i++)
		if (export_message(r, &d, ids.v[i], created.v[i], e) < 0)
			return -1;
	return db_stmt_commit(&d, e);
}

/* Answered flags and boxes, in the columns that protocol 3 has for them. */
static int
export_box(struct agentbox_root *r, const struct agentbox_reg *reg,
    struct arena *a, struct err *e)
{
	CLEANUP(path_close) int box = agentbox_box_open(r, reg, e);
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_want all = { 0 };
	struct agentbox_entries l, sent;

	all.box = S("sent");
	if (box < 0 ||
	    agentbox_view_list(r, reg->address, &all, a, &sent, NULL, e) < 0)
		return -1;
	all.box = (struct str){ 0 };
	if (agentbox_view_list(r, reg->address, &all, a, &l, NULL, e) < 0 ||
	    db_box_open(&d, r, box, false, e) < 0 ||
	    db_port_upgrade_box(&d, e) < 0 || db_port_put_box(&d, &sent, e) < 0)
		return -1;
	/* A message to oneself has the box in which it was received. */
	for (size_t i = 0, n = l.n; i < n; i++)
		if (str_eq(l.v[i].box, S("sent")))
			l.v[i].id = S("");
	return db_port_put_box(&d, &l, e);
}

static int
export_upgrade(struct agentbox_root *r, struct arena *a, struct err *e)
{
	struct agentbox_regs regs;

	if (agentbox_register_list(r, a, &regs, e) < 0)
		return -1;
	for (size_t i = 0; i < regs.n; i++)
		if (regs.v[i].status == AGENTBOX_ACTIVE &&
		    export_box(r, &regs.v[i], a, e) < 0)
			return -1;
	if (export_messages(r, a, e) < 0)
		return -1;
	return export_replace(r, r->dir, AGENTBOX_VERSION_FILE, S("3\n"), e);
}

/* Removes data that is only for this program. */
static int
export_bare(struct agentbox_root *r, struct err *e)
{
	static const char *const ours[] = { "emcli.sqlite", "emcli.sqlite-wal",
		"emcli.sqlite-shm", "locks/emcli.flock" };

	db_own_close(r);
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (unlinkat(r->dir, ours[i], 0) < 0 && errno != ENOENT)
			return export_fail(e, ours[i]);
	return 0;
}

static int
export_fill(struct agentbox_root *r, const char *tmp, struct str to,
    unsigned protocol, struct arena *a, struct agentbox_ported *out,
    struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *new = NULL;
	const char *from = str_c(a, r->path);

	if (agentbox_root_make_as(tmp, to, &r->use, &new, e) < 0 ||
	    agentbox_import(new, from, a, out, e) < 0 ||
	    (protocol == 3 && export_upgrade(new, a, e) < 0))
		return -1;
	out->protocol = protocol;
	return export_bare(new, e);
}

/* The parent's real path, and the last segment after it. */
static int
export_place(const char *to, struct arena *a, struct str *parent,
    struct str *name, struct err *e)
{
	struct str s = str_of(to);
	char real[PATH_MAX];
	size_t n;

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	for (n = s.n; n > 0 && s.p[n - 1] != '/'; n--)
		;
	*name = str_dup(a, str_from(s, n));
	if (name->n == 0 || str_eq(*name, S(".")) || str_eq(*name, S("..")))
		return err_set(e, ERR_USAGE, "name a new folder to export to");
	if (realpath(n == 0 ? "." : str_c(a, str_first(s, n)), real) == NULL) {
		(void)err_set(e, ERR_USAGE,
		    "the folder to export into is not there");
		return err_errno(e, "realpath");
	}
	*parent = str_dup(a, str_of(real));
	return 0;
}

int
agentbox_export(struct agentbox_root *r, const char *to, unsigned protocol,
    struct arena *a, struct agentbox_ported *out, struct err *e)
{
	CLEANUP(path_close) int at = -1;
	struct str parent = { 0 }, name = { 0 }, tmp, whole;
	struct stat st;

	*out = (struct agentbox_ported){ 0 };
	if (protocol != 1 && protocol != 3)
		return err_set(e, ERR_USAGE, "a root is of protocol 1 or 3");
	if (export_place(to, a, &parent, &name, e) < 0)
		return -1;
	at = open(str_c(a, parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (at < 0)
		return export_fail(e, "open");
	if (fstatat(at, name.p, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return err_set(e, ERR_USAGE,
		    "there is something of that name: name a new folder to "
		    "export to");
	tmp = agentbox_name_new(a, ".emcli-export-", 16);
	whole = str_fmt(a, "%s/%s", parent.p, name.p);
	if (export_fill(r, str_fmt(a, "%s/%s", parent.p, tmp.p).p, whole,
		protocol, a, out, e) < 0 ||
	    (renameat2(at, tmp.p, at, name.p, RENAME_NOREPLACE) < 0 &&
		export_fail(e, "rename") < 0)) {
		(void)agentbox_layout_remove(at, tmp.p);
		return -1;
	}
	return path_folder_sync(at, e);
}
