/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performs a change of state from its journal row: emcli.sqlite, the links, the
 * index, and last the mailbox's own rows, in one transaction.  Repeating it
 * changes nothing.
 */
#include <errno.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

struct apply_state {
	struct arena *a;
	struct agentbox_reg reg;
	struct strs ids;
	struct agentbox_change change;
};

static bool
apply_state_flag(const struct json_value *v, const char *key,
    enum agentbox_flag *out)
{
	int64_t n;

	if (!json_parse_int(json_parse_member(v, key), &n) ||
	    n < AGENTBOX_ANY || n > AGENTBOX_NO)
		return false;
	*out = (enum agentbox_flag)n;
	return true;
}

static int
apply_state_read(const struct json_value *v, struct apply_state *s,
    struct err *e)
{
	const struct json_value *ids = json_parse_member(v, "ids");
	struct agentbox_change *c = &s->change;

	c->box = agentbox_plan_text(v, "box", s->a);
	if (!apply_state_flag(v, "read", &c->read) ||
	    !apply_state_flag(v, "answered", &c->answered) ||
	    !apply_state_flag(v, "starred", &c->starred) ||
	    !apply_state_flag(v, "archived", &c->archived) ||
	    !apply_state_flag(v, "deleted", &c->deleted) ||
	    (c->box.n > 0 && !agentbox_name_box(c->box)))
		return agentbox_plan_broken(e, "a change of state");
	for (size_t i = 0; i < json_parse_count(ids); i++) {
		struct str id;

		if (!json_parse_str(json_parse_item(ids, i), &id) ||
		    !agentbox_name_message(id))
			return agentbox_plan_broken(e, "a message");
		str_push(s->a, &s->ids, str_dup(s->a, id));
	}
	return 0;
}

static int
apply_state_own(struct agentbox_root *r, const struct apply_state *s,
    struct err *e)
{
	struct db *own = db_own(r, e);
	const struct agentbox_change *c = &s->change;

	if (own == NULL || db_stmt_begin(own, e) < 0)
		return -1;
	for (size_t i = 0; i < s->ids.n; i++) {
		if (c->answered != AGENTBOX_ANY &&
		    db_keep_answered(own, s->reg.address, s->ids.v[i],
			c->answered == AGENTBOX_YES, e) < 0)
			break;
		if (c->box.n > 0 &&
		    db_keep_box(own, s->reg.address, s->ids.v[i], c->box, e) <
			0)
			break;
		if (i + 1 == s->ids.n)
			return db_stmt_commit(own, e);
	}
	db_stmt_rollback(own);
	return -1;
}

static int
apply_state_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "a message cannot be moved");
	return err_errno(e, what);
}

/* Links it into the new box, then removes the link that the index names. */
static int
apply_state_link(struct agentbox_root *r, const struct apply_state *s,
    struct db *d, int box, int to, struct str id, struct err *e)
{
	struct str name = str_fmt(s->a, "%.*s.md", STR_ARG(id));
	CLEANUP(path_close) int from = -1;
	struct str was = { 0 }, created = { 0 };
	int got = db_mail_box(d, s->reg.id, id, s->a, &was, e);

	if (got == 1)
		got = db_mail_created(d, id, s->a, &created, e);
	if (got <= 0)
		return got;
	if (!agentbox_name_time(created) || !agentbox_name_box(was))
		return 0;
	if (symlinkat(agentbox_layout_message(r, id, str_first(created, 10),
			  s->a)
			  .p,
		to, name.p) < 0 &&
	    errno != EEXIST)
		return apply_state_fail(e, "link");
	if (str_eq(was, s->change.box) || str_eq(was, S("sent")))
		return 0;
	from = path_dir_open(box, str_c(s->a, was));
	if (from >= 0)
		(void)unlinkat(from, name.p, 0);
	return from >= 0 ? path_folder_sync(from, e) : 0;
}

static int
apply_state_move(struct agentbox_root *r, const struct apply_state *s, int box,
    struct err *e)
{
	const char *name = str_c(s->a, s->change.box);
	CLEANUP(path_close) int to = agentbox_layout_open(box, name, true);
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct str where = agentbox_box_where(r, &s->reg, s->a);

	if (to < 0)
		return apply_state_fail(e, "the box");
	if (db_index_open(&d, r, false, e) < 0 || db_stmt_begin(&d, e) < 0)
		return -1;
	for (size_t i = 0; i < s->ids.n; i++) {
		struct str id = s->ids.v[i];
		struct str path = str_fmt(s->a, "%.*s/%s/%.*s.md",
		    STR_ARG(where), name, STR_ARG(id));

		if (apply_state_link(r, s, &d, box, to, id, e) < 0 ||
		    db_mail_move(&d, s->reg.id, id, s->change.box, path, e) < 0)
			return -1;
	}
	return path_folder_sync(to, e) < 0 ? -1 : db_stmt_commit(&d, e);
}

/* Adds missing rows, which the upstream program can leave out. */
static int
apply_state_rows(struct agentbox_root *r, const struct apply_state *s,
    struct agentbox_message *m, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	for (size_t i = 0; i < s->ids.n; i++) {
		int got = db_mail_facts(&d, s->ids.v[i], s->a, &m[i], e);

		if (got < 0)
			return -1;
	}
	return 0;
}

static int
apply_state_box(struct agentbox_root *r, const struct apply_state *s, int box,
    struct err *e)
{
	struct agentbox_message *m = arena_array(s->a, s->ids.n, sizeof(*m));
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (apply_state_rows(r, s, m, e) < 0 ||
	    db_box_open(&d, r, box, true, e) < 0 || db_stmt_begin(&d, e) < 0)
		return -1;
	for (size_t i = 0; i < s->ids.n; i++)
		if (m[i].id.n > 0 &&
		    (db_box_insert(&d, &m[i], false, e) < 0 ||
			db_box_set(&d, m[i].id, &s->change, e) < 0 ||
			db_box_thread(&d, m[i].thread, e) < 0))
			return -1;
	return db_stmt_commit(&d, e);
}

static int
apply_state_do(struct agentbox_root *r, struct apply_state *s, struct err *e)
{
	CLEANUP(path_close) int box = agentbox_box_open(r, &s->reg, e);

	if (box < 0 || apply_state_own(r, s, e) < 0)
		return -1;
	if (s->change.box.n > 0 && apply_state_move(r, s, box, e) < 0)
		return -1;
	return apply_state_box(r, s, box, e);
}

int
agentbox_apply_state(struct agentbox_root *r, struct str plan, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct apply_state s = { .a = a };
	struct str id;
	int got;

	if (json_parse_open(plan, AGENTBOX_PLAN, &doc, e) < 0)
		return agentbox_plan_broken(e, "not JSON");
	id = agentbox_plan_text(json_parse_root(doc), "reg", a);
	if (apply_state_read(json_parse_root(doc), &s, e) < 0)
		return -1;
	{
		CLEANUP(db_stmt_close) struct db d = { 0 };

		if (db_index_open(&d, r, false, e) < 0)
			return -1;
		got = db_reg_id(&d, id, a, &s.reg, e);
	}
	/* A mailbox that is no longer registered has no state to change. */
	if (got <= 0 || s.reg.status != AGENTBOX_ACTIVE || s.ids.n == 0)
		return got < 0 ? -1 : 0;
	return apply_state_do(r, &s, e);
}
