/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: reads every message again, and makes what is missing.  It trusts
 * nothing that mailboxes say about their messages.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "backend/agentbox/repair.h"
#include "base/clock.h"

struct repair {
	struct agentbox_root *r;
	struct arena *a;
	struct agentbox_report *out;
	/* About the current mailbox. */
	struct db *db;
	int box;
	bool look_only;
};

static int
repair_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the mailbox root cannot be repaired");
	return err_errno(e, what);
}

/* "index.sqlite.20260408T101112Z.damaged", with its journal if it has one. */
static int
repair_aside(struct repair *p, int folder, const char *name, struct err *e)
{
	static const char *const ends[] = { "", "-journal", "-wal", "-shm" };
	struct str t = clock_rfc3339(p->a, clock_now());
	struct str to;

	*e = (struct err){ 0 }; /* it is what is being repaired */

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct str from = str_fmt(p->a, "%s%s", name, ends[i]);

		to = str_fmt(p->a, "%s.%.4s%.2s%.2sT%.2s%.2s%.2sZ.damaged%s",
		    name, t.p, t.p + 5, t.p + 8, t.p + 11, t.p + 14, t.p + 17,
		    ends[i]);
		if (renameat(folder, from.p, folder, to.p) < 0 &&
		    errno != ENOENT)
			return repair_fail(e, "rename");
		if (i == 0)
			str_push(p->a, &p->out->set_aside, to);
	}
	return 0;
}

/* A file that is not an SQLite database, unlike one that is busy. */
static bool
repair_is_broken(const struct err *e)
{
	return e->reason != NULL && strcmp(e->reason, "damaged") == 0;
}

static int
repair_own(struct repair *p, struct err *e)
{
	if (db_own(p->r, e) != NULL)
		return 0;
	if (!repair_is_broken(e) ||
	    repair_aside(p, p->r->dir, "emcli.sqlite", e) < 0)
		return -1;
	return db_own(p->r, e) != NULL ? 0 : -1;
}

static int
repair_index_make(struct repair *p, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	return db_index_open(&d, p->r, true, e);
}

/*
 * Until registrations are in the new index again, the root says that they are
 * missing: a repair that was killed must not look like an empty root.
 */
static int
repair_index(struct repair *p, struct err *e)
{
	struct db *own = db_own(p->r, e);
	struct str lost = { 0 };

	if (own == NULL || db_own_meta(own, AGENTBOX_LOST, p->a, &lost, e) < 0)
		return -1;
	if (repair_index_make(p, e) < 0) {
		if (!repair_is_broken(e) ||
		    db_own_meta_put(own, AGENTBOX_LOST, S("yes"), e) < 0 ||
		    repair_aside(p, p->r->dir, "index.sqlite", e) < 0 ||
		    repair_index_make(p, e) < 0)
			return -1;
	} else if (lost.n == 0) {
		return 0;
	}
	return agentbox_regain(p->r, e) < 0
	    ? -1
	    : db_own_meta_put(own, AGENTBOX_LOST, S(""), e);
}

static int
repair_box_open(struct repair *p, struct db *d, struct err *e)
{
	if (db_box_open(d, p->r, p->box, true, e) == 0)
		return 0;
	db_stmt_close(d);
	if (p->look_only || !repair_is_broken(e) ||
	    repair_aside(p, p->box, "mailbox.sqlite", e) < 0)
		return -1;
	return db_box_open(d, p->r, p->box, true, e);
}

/* The link of a message in a box, to the current path of its file. */
static int
repair_link(struct repair *p, const struct agentbox_message *m, struct str box,
    struct err *e)
{
	struct str name = str_fmt(p->a, "%.*s.md", STR_ARG(m->id));
	struct str want = agentbox_layout_message(p->r, m->id,
	    str_first(m->created, 10), p->a);
	CLEANUP(path_close)
	int fd = agentbox_layout_open(p->box, str_c(p->a, box), !p->look_only);
	char text[PATH_MAX];
	ssize_t n;

	if (fd < 0 && p->look_only)
		return 0;
	if (fd < 0)
		return repair_fail(e, "a box");
	n = readlinkat(fd, name.p, text, sizeof(text));
	if (n >= 0 && str_eq((struct str){ text, (size_t)n }, want))
		return 0;
	p->out->links++;
	if (p->look_only)
		return 0;
	(void)unlinkat(fd, name.p, 0);
	return symlinkat(want.p, fd, name.p) < 0 ? repair_fail(e, "a link") : 0;
}

static int
repair_one(void *ctx, const struct agentbox_message *m, struct str box,
    struct err *e)
{
	struct repair *p = ctx;
	struct str thread;
	int got;

	if (!agentbox_name_message(m->id) || !agentbox_name_time(m->created) ||
	    !agentbox_name_box(box))
		return 0;
	if (repair_link(p, m, box, e) < 0)
		return -1;
	got = db_box_has(p->db, m->id, p->a, &thread, e);
	if (got != 0)
		return got < 0 ? -1 : 0;
	p->out->rows++;
	if (p->look_only)
		return 0;
	if (db_box_insert(p->db, m, str_eq(box, S("sent")), e) < 0)
		return -1;
	return db_box_thread(p->db, m->thread, e);
}

static int
repair_box(const struct repair *all, struct db *index,
    const struct agentbox_reg *reg, struct err *e)
{
	struct repair of_this = *all, *p = &of_this;
	CLEANUP(db_stmt_close) struct db d = { 0 };
	CLEANUP(path_close)
	int box = p->look_only ? agentbox_box_open(p->r, reg, e)
			       : agentbox_box_make(p->r, reg, e);

	if (box < 0)
		return -1;
	p->box = box;
	p->db = &d;
	if (repair_box_open(p, &d, e) < 0 || db_stmt_begin(&d, e) < 0 ||
	    db_fix_each(index, reg->id, p->a, repair_one, p, e) < 0)
		return -1;
	return db_stmt_commit(&d, e);
}

static int
repair_boxes(struct repair *p, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_regs regs;

	if (db_index_open(&d, p->r, false, e) < 0 ||
	    db_reg_list(&d, p->a, &regs, e) < 0)
		return -1;
	for (size_t i = 0; i < regs.n; i++) {
		if (regs.v[i].status != AGENTBOX_ACTIVE)
			continue;
		p->out->registrations++;
		if (repair_box(p, &d, &regs.v[i], e) == 0)
			continue;
		/* A missing private folder is reported, not created. */
		if (e->reason == NULL ||
		    strcmp(e->reason, "mailbox_missing") != 0)
			return -1;
		str_push(p->a, &p->out->damaged,
		    str_fmt(p->a, "mailboxes/%.*s",
			STR_ARG(regs.v[i].address)));
		*e = (struct err){ 0 };
	}
	return 0;
}

/* Rows whose file is missing. */
static int
repair_files(struct repair *p, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct strs ids = { 0 }, created = { 0 };
	struct db *own = db_own(p->r, e);

	if (own == NULL || db_index_open(&d, p->r, false, e) < 0 ||
	    db_fix_ids(&d, p->a, &ids, &created, e) < 0 ||
	    db_keep_damaged(own, p->a, &p->out->damaged, e) < 0)
		return -1;
	p->out->messages = ids.n;
	for (size_t i = 0; i < ids.n; i++) {
		struct str rel = str_fmt(p->a, "messages/%.10s/%.*s.md",
		    created.v[i].p, STR_ARG(ids.v[i]));
		struct stat st;

		if (!agentbox_name_message(ids.v[i]) ||
		    !agentbox_name_time(created.v[i]))
			str_push(p->a, &p->out->damaged,
			    S("index.sqlite: a message whose name is none"));
		else if (fstatat(p->r->dir, rel.p, &st, AT_SYMLINK_NOFOLLOW) <
			0 ||
		    !S_ISREG(st.st_mode))
			str_push(p->a, &p->out->damaged, rel);
	}
	return 0;
}

static int
repair_paths(struct repair *p, struct err *e)
{
	struct db *own = db_own(p->r, e);
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct str was = p->r->path;

	if (own == NULL || db_own_meta(own, "path", p->a, &was, e) < 0 ||
	    db_index_open(&d, p->r, false, e) < 0)
		return -1;
	p->out->moved = !str_eq(was, p->r->path);
	if (p->look_only)
		return 0;
	/* Always: a root of the upstream program does not have our path yet. */
	if (db_fix_paths(&d, p->r->path, e) < 0)
		return -1;
	return db_own_meta_put(own, "path", p->r->path, e);
}

static int
repair_do(struct repair *p, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct db *own;

	if (agentbox_layout_make(p->r, e) < 0 ||
	    agentbox_lock_hold(p->r, &locked, e) < 0)
		return -1;
	p->out->locks = agentbox_lock_sweep(p->r);
	if (repair_own(p, e) < 0 || repair_index(p, e) < 0 ||
	    repair_paths(p, e) < 0)
		return -1;
	own = db_own(p->r, e);
	if (own == NULL || db_keep_damaged_clear(own, e) < 0 ||
	    agentbox_replay(p->r, e) < 0 || agentbox_sweep(p->r, e) < 0 ||
	    agentbox_rules_put(p->r, e) < 0)
		return -1;
	return repair_boxes(p, e) < 0 ? -1 : repair_files(p, e);
}

int
agentbox_repair(const char *path, const struct agentbox_use *use,
    struct arena *a, struct agentbox_report *out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;
	struct repair p = { .a = a, .out = out };

	*out = (struct agentbox_report){ 0 };
	if (agentbox_root_plain(path, use, &r, e) < 0)
		return -1;
	p.r = r;
	return repair_do(&p, e);
}

int
agentbox_repair_look(struct agentbox_root *r, struct arena *a,
    struct agentbox_report *out, struct err *e)
{
	struct repair p = { .r = r, .a = a, .out = out, .look_only = true };

	*out = (struct agentbox_report){ 0 };
	if (repair_paths(&p, e) < 0 || repair_boxes(&p, e) < 0)
		return -1;
	return repair_files(&p, e);
}
