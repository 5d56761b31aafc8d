/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change of the state of a mailbox's messages: checked as a whole, then
 * written as one journal row (apply_state.c performs it).
 */
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static int
state_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "there is no such message");
}

static int
state_box(struct err *e)
{
	(void)err_set(e, ERR_USAGE,
	    "the message cannot be moved there: a box is a plain name, and "
	    "sent mail stays where it is");
	e->reason = "box";
	return -1;
}

/* Archiving is moving, and the other way round. */
static int
state_settle(struct agentbox_change *c, struct err *e)
{
	if (c->box.n == 0 && c->archived == AGENTBOX_YES)
		c->box = S("archive");
	if (c->box.n == 0 && c->archived == AGENTBOX_NO)
		c->box = S("inbox");
	if (c->box.n == 0)
		return 0;
	if (!agentbox_name_box(c->box) || str_eq(c->box, S("sent")) ||
	    str_eq(c->box, S("drafts")))
		return state_box(e);
	c->archived = str_eq(c->box, S("archive")) ? AGENTBOX_YES : AGENTBOX_NO;
	return 0;
}

static int
state_look(struct agentbox_root *r, struct str address, const struct strs *ids,
    const struct agentbox_change *c, struct arena *a, struct agentbox_reg *reg,
    struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct str box;
	int got;

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	got = db_reg_active(&d, address, a, reg, e);
	for (size_t i = 0; got == 1 && i < ids->n; i++) {
		got = agentbox_name_message(ids->v[i])
		    ? db_mail_box(&d, reg->id, ids->v[i], a, &box, e)
		    : 0;
		if (got == 1 && c->box.n > 0 && str_eq(box, S("sent")))
			return state_box(e);
	}
	return got < 0 ? -1 : got == 0 ? state_absent(e) : 0;
}

static struct str
state_plan(const struct agentbox_reg *reg, const struct strs *ids,
    const struct agentbox_change *c, struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_str(j, "reg", reg->id);
	json_put_strs(j, "ids", ids);
	json_put_int(j, "read", c->read);
	json_put_int(j, "answered", c->answered);
	json_put_int(j, "starred", c->starred);
	json_put_int(j, "archived", c->archived);
	json_put_int(j, "deleted", c->deleted);
	json_put_str(j, "box", c->box);
	json_close_object(j);
	return json_text(j, a);
}

int
agentbox_state_change(struct agentbox_root *r, struct str address,
    const struct strs *ids, const struct agentbox_change *change, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct agentbox_change c = *change;
	struct agentbox_reg reg;

	if (ids->n > LIMIT_UIDS)
		return err_set(e, ERR_LIMIT, "too many messages at once");
	if (state_settle(&c, e) < 0 || agentbox_lock_hold(r, &locked, e) < 0)
		return -1;
	if (agentbox_replay(r, e) < 0 ||
	    state_look(r, address, ids, &c, a, &reg, e) < 0)
		return -1;
	if (ids->n == 0)
		return 0;
	return agentbox_replay_new(r, "state", state_plan(&reg, ids, &c, a),
		   NULL, NULL, e) == 0
	    ? 0
	    : -1;
}
