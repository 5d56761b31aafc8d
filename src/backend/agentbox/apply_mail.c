/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performs a delivery from its journal row: moves the message file into place,
 * then makes the links, the rows of the index, and the row of each mailbox.
 * Steps that are already done are skipped.  The mailboxes in the row are looked
 * up again: one that was removed since gets nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"

/* A mailbox that gets a copy. */
struct apply_copy {
	struct agentbox_reg reg;
	struct db_copy db;
};

struct apply_mail {
	struct arena *a;
	struct str id, day, digest;
	struct str file;
	struct agentbox_message message;
	struct apply_copy *copy;
	size_t n;
};

static int
apply_mail_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "a message cannot be put into its place");
	return err_errno(e, what);
}

/* Is there a file with that name and the row's digest?  1, 0, -1. */
static int
apply_mail_read(struct apply_mail *m, int folder, const char *name,
    struct err *e)
{
	struct err none = { 0 };
	struct str got;
	int r = agentbox_layout_read(folder, name,
	    LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16, m->a, &got, &none);

	(void)e;
	if (r != 1 || !str_eq(agentbox_attach_digest(m->a, got), m->digest))
		return 0;
	m->file = got;
	return 1;
}

/* The upstream program's repair moves staged files away, ours included. */
static int
apply_mail_unquarantine(const struct agentbox_root *r, struct apply_mail *m,
    const char *staged, int to, const char *name)
{
	CLEANUP(path_close)
	int fd = agentbox_layout_open(r->dir, "staging/quarantine", false);
	CLEANUP(path_dir_close)
	DIR *dir = fd < 0 ? NULL : fdopendir(fcntl(fd, F_DUPFD_CLOEXEC, 0));
	const struct dirent *d;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		CLEANUP(path_close) int one = path_dir_open(fd, d->d_name);
		struct err none = { 0 };

		if (one < 0 || d->d_name[0] == '.' ||
		    apply_mail_read(m, one, staged, &none) != 1)
			continue;
		return renameat(one, staged, to, name) == 0 && fsync(to) == 0;
	}
	return 0;
}

/* Moves it into messages/<day>/: 1 it is there, 0 it does not exist, -1. */
static int
apply_mail_place(struct agentbox_root *r, struct apply_mail *m, struct err *e)
{
	struct str rel = str_fmt(m->a, "messages/%.*s", STR_ARG(m->day));
	struct str name = str_fmt(m->a, "%.*s.md", STR_ARG(m->id));
	struct str staged = str_fmt(m->a, "emcli-%.*s", STR_ARG(name));
	CLEANUP(path_close) int to = agentbox_layout_open(r->dir, rel.p, true);
	CLEANUP(path_close) int from = agentbox_layout_folder(r, "staging", e);
	struct stat was, is;

	if (from < 0)
		return -1;
	if (to < 0 || fstat(to, &was) < 0)
		return apply_mail_fail(e, "the day's folder");
	if (apply_mail_read(m, to, name.p, e) == 1) {
		path_folder_drop(from, staged.p);
		return 1;
	}
	if (apply_mail_read(m, from, staged.p, e) != 1)
		return apply_mail_unquarantine(r, m, staged.p, to, name.p);
	if (renameat(from, staged.p, to, name.p) < 0 || fsync(to) < 0)
		return apply_mail_fail(e, "rename");
	if (fstat(to, &is) == 0)
		agentbox_days_keep(r, m->day, &was, &is);
	return 1;
}

/* 1 it gets a copy, 0 it is no longer registered, -1. */
static int
apply_mail_copy(struct agentbox_root *r, struct db *d, struct apply_mail *m,
    const struct json_value *v, struct apply_copy *c, struct err *e)
{
	struct str id = agentbox_plan_text(v, "id", m->a);
	struct err none = { 0 };
	struct str where;
	int box, got = db_reg_id(d, id, m->a, &c->reg, e);

	if (got <= 0 || c->reg.status != AGENTBOX_ACTIVE)
		return got < 0 ? -1 : 0;
	box = agentbox_box_open(r, &c->reg, &none);
	if (box < 0)
		return 0;
	path_close(&box);
	where = agentbox_box_where(r, &c->reg, m->a);
	c->db = (struct db_copy){ .address = c->reg.address,
		.reg = c->reg.id,
		.is_sender = agentbox_plan_flag(v, "sender"),
		.is_recipient = agentbox_plan_flag(v, "recipient"),
		.box = S("inbox"),
		.box_path = str_fmt(m->a, "%.*s/inbox/%.*s.md", STR_ARG(where),
		    STR_ARG(m->id)),
		.sent_path = str_fmt(m->a, "%.*s/sent/%.*s.md", STR_ARG(where),
		    STR_ARG(m->id)) };
	return 1;
}

static int
apply_mail_copies(struct agentbox_root *r, struct apply_mail *m,
    const struct json_value *list, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	size_t n = json_parse_count(list);

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	m->copy = arena_array(m->a, n, sizeof(*m->copy));
	for (size_t i = 0; i < n; i++) {
		int got = apply_mail_copy(r, &d, m, json_parse_item(list, i),
		    &m->copy[m->n], e);

		if (got < 0)
			return -1;
		if (got == 0)
			agentbox_layout_note(r,
			    "a message was not put into a mailbox that is "
			    "registered no more");
		m->n += (size_t)got;
	}
	return 0;
}

static int
apply_mail_link(const struct agentbox_root *r, const struct apply_mail *m,
    int box, const char *folder, struct err *e)
{
	CLEANUP(path_close) int to = path_dir_open(box, folder);
	struct str name = str_fmt(m->a, "%.*s.md", STR_ARG(m->id));
	struct str target = agentbox_layout_message(r, m->id, m->day, m->a);

	if (to < 0)
		return apply_mail_fail(e, folder);
	if (symlinkat(target.p, to, name.p) < 0 && errno != EEXIST)
		return apply_mail_fail(e, "link");
	return fsync(to) < 0 ? apply_mail_fail(e, "fsync") : 0;
}

static int
apply_mail_links(const struct agentbox_root *r, const struct apply_mail *m,
    struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct apply_copy *c = &m->copy[i];
		CLEANUP(path_close)
		int box = agentbox_box_open(r, &c->reg, e);

		if (box < 0 ||
		    (c->db.is_sender &&
			apply_mail_link(r, m, box, "sent", e) < 0) ||
		    (c->db.is_recipient &&
			apply_mail_link(r, m, box, "inbox", e) < 0))
			return -1;
	}
	return 0;
}

static int
apply_mail_index(struct agentbox_root *r, struct apply_mail *m, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct db_copy *to = arena_array(m->a, m->n, sizeof(*to));
	struct json *j = json_new(m->a);
	struct db_mail mail = { .message = &m->message,
		.file = m->file,
		.canonical = agentbox_layout_message(r, m->id, m->day, m->a),
		.to = to,
		.n = m->n };

	json_open_object(j, NULL);
	for (size_t i = 0; i < m->message.headers; i++)
		json_put_str(j, str_c(m->a, m->message.header[i].name),
		    m->message.header[i].value);
	json_close_object(j);
	mail.headers_json = json_text(j, m->a);
	for (size_t i = 0; i < m->n; i++) {
		to[i] = m->copy[i].db;
		if (to[i].is_sender)
			mail.sender_reg = to[i].reg;
	}
	return db_index_open(&d, r, false, e) < 0 ? -1
						  : db_mail_put(&d, &mail, e);
}

/* One after another, because each is a separate database. */
static int
apply_mail_boxes(struct agentbox_root *r, const struct apply_mail *m,
    struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		CLEANUP(db_stmt_close) struct db d = { 0 };
		CLEANUP(path_close)
		int box = agentbox_box_open(r, &m->copy[i].reg, e);

		if (box < 0 || db_box_open(&d, r, box, true, e) < 0 ||
		    db_box_put(&d, &m->message, !m->copy[i].db.is_recipient,
			e) < 0)
			return -1;
	}
	return 0;
}

static int
apply_mail_do(struct agentbox_root *r, struct apply_mail *m,
    const struct json_value *list, struct err *e)
{
	int got = apply_mail_place(r, m, e);

	if (got < 0)
		return -1;
	if (got == 0) {
		agentbox_layout_note(r,
		    "the file of a message that was being delivered is gone: "
		    "%.*s",
		    STR_ARG(m->id));
		return 0;
	}
	if (agentbox_front_read(m->a, m->file, 1, &m->message, e) < 0 ||
	    apply_mail_copies(r, m, list, e) < 0 ||
	    apply_mail_links(r, m, e) < 0 || apply_mail_index(r, m, e) < 0)
		return -1;
	return apply_mail_boxes(r, m, e);
}

int
agentbox_apply_mail(struct agentbox_root *r, struct str plan, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct apply_mail m = { .a = a };
	const struct json_value *top, *list;

	if (json_parse_open(plan, AGENTBOX_PLAN, &doc, e) < 0)
		return agentbox_plan_broken(e, "not JSON");
	top = json_parse_root(doc);
	list = json_parse_member(top, "copies");
	m.id = agentbox_plan_text(top, "id", a);
	m.day = agentbox_plan_text(top, "day", a);
	m.digest = agentbox_plan_text(top, "digest", a);
	if (!agentbox_name_message(m.id) || !agentbox_name_day(m.day) ||
	    !json_parse_is_array(list))
		return agentbox_plan_broken(e, "a delivery");
	return apply_mail_do(r, &m, list, e);
}
