/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Empties mailboxes on command.  What is to go is written into the journal as a
 * whole, in rows that are small enough; apply_clear.c performs each.
 */
#include "backend/agentbox/clean.h"
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

struct clear {
	struct arena *a;
	struct strs regs; /* the ids of registrations */
	struct strs ids, days;
	size_t have; /* messages in these mailboxes */
};

static int
clear_look_one(struct clear *p, struct db *d, struct str address, struct err *e)
{
	struct agentbox_reg reg;
	int got = db_reg_active(d, address, p->a, &reg, e);

	if (got < 0)
		return -1;
	if (got == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "the address has no active registration");
	str_push(p->a, &p->regs, reg.id);
	if (db_clear_list(d, reg.id, p->a, &p->ids, &p->days, e) < 0)
		return -1;
	return db_clear_count(d, reg.id, &p->have, e);
}

static int
clear_look_all(struct clear *p, struct db *d, struct err *e)
{
	struct agentbox_regs l;

	if (db_reg_list(d, p->a, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		str_push(p->a, &p->regs, l.v[i].id);
	if (db_clear_list(d, S(""), p->a, &p->ids, &p->days, e) < 0)
		return -1;
	p->have = p->ids.n;
	return 0;
}

static int
clear_look(struct agentbox_root *r, struct clear *p, struct str address,
    struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	return address.n > 0 ? clear_look_one(p, &d, address, e)
			     : clear_look_all(p, &d, e);
}

static void
clear_put_some(struct json *j, const char *key, const struct strs *l,
    size_t from)
{
	struct strs some = { 0 };

	if (from < l->n) {
		some.v = l->v + from;
		some.n = l->n - from < LIMIT_UIDS ? l->n - from : LIMIT_UIDS;
	}
	json_put_strs(j, key, &some);
}

/* One row of the journal: what is `from` on. */
static struct str
clear_row(const struct clear *p, size_t from)
{
	struct json *j = json_new(p->a);

	json_open_object(j, NULL);
	clear_put_some(j, "regs", &p->regs, from);
	clear_put_some(j, "ids", &p->ids, from);
	clear_put_some(j, "days", &p->days, from);
	json_close_object(j);
	return json_text(j, p->a);
}

/* Every row after the first. */
static int
clear_add_rows(struct db *own, const void *ctx, struct err *e)
{
	const struct clear *p = ctx;
	int64_t seq;

	for (size_t i = LIMIT_UIDS; i < p->regs.n || i < p->ids.n;
	     i += LIMIT_UIDS)
		if (db_own_row_add(own, "clear", clear_row(p, i), &seq, e) < 0)
			return -1;
	return 0;
}

int
agentbox_clear(struct agentbox_root *r, const struct agentbox_clear *c,
    struct arena *a, struct agentbox_cleared *out, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct clear p = { .a = a };

	if (!c->look_only &&
	    (agentbox_lock_hold(r, &locked, e) < 0 ||
		agentbox_replay(r, e) < 0))
		return -1;
	if (clear_look(r, &p, c->address, e) < 0)
		return -1;
	*out = (struct agentbox_cleared){ .mailboxes = p.regs.n,
		.messages = p.have,
		.removed = p.ids.n };
	if (c->look_only)
		return 0;
	if (c->agreed > 0 && c->agreed != p.have) {
		(void)err_set(e, ERR_CONFIG,
		    "messages came or went in the meantime, and nothing was "
		    "removed: give the command again");
		e->reason = "changed";
		return -1;
	}
	if (agentbox_replay_new(r, "clear", clear_row(&p, 0), clear_add_rows,
		&p, e) != 0)
		return -1;
	return agentbox_replay(r, e) < 0 ? -1 : 0;
}
