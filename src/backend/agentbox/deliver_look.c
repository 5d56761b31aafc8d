/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks up the recipients of a message, and the message that it answers, before
 * anything is written.
 */
#include "backend/agentbox/delivering.h"

int
agentbox_deliver_look_refuse(struct err *e, const char *reason, const char *say)
{
	(void)err_set(e, ERR_USAGE, "%s", say);
	e->reason = reason;
	return -1;
}

/* The index of an address in the list of copies; added if it is new. */
static int
deliver_copy_of(struct deliver *d, struct db *db, struct str address,
    struct deliver_copy **out, struct err *e)
{
	struct deliver_copy *c;
	int got;

	for (size_t i = 0; i < d->n; i++)
		if (str_eq(d->copy[i].reg.address, address)) {
			*out = &d->copy[i];
			return 1;
		}
	c = &d->copy[d->n];
	got = agentbox_name_address(address)
	    ? db_reg_active(db, address, d->a, &c->reg, e)
	    : 0;
	if (got <= 0)
		return got;
	d->n++;
	*out = c;
	return 1;
}

static int
deliver_nobody(struct deliver *d, struct db *db, struct str address,
    struct err *e)
{
	struct str entry = str_fmt(d->a, "%.*s/mailboxes/%.*s",
	    STR_ARG(d->r->shown), STR_ARG(address));
	struct agentbox_reg reg;

	if (agentbox_name_address(address) &&
	    db_reg_claims(db, entry, d->a, &reg, e) == 1)
		(void)agentbox_deliver_look_refuse(e, "inactive_recipient",
		    "a recipient's mailbox is registered no more");
	else
		(void)agentbox_deliver_look_refuse(e, "unknown_recipient",
		    "a recipient has no mailbox here");
	return err_because(e, "recipient %.*s", STR_ARG(address));
}

static int
deliver_parties(struct deliver *d, struct db *db, const struct strs *l,
    bool is_recipient, struct agentbox_parties *out, struct err *e)
{
	struct deliver_copy *c;

	out->v = arena_array(d->a, l->n, sizeof(*out->v));
	for (size_t i = 0; i < l->n; i++) {
		int got = deliver_copy_of(d, db, l->v[i], &c, e);

		if (got <= 0)
			return got < 0 ? -1 : deliver_nobody(d, db, l->v[i], e);
		c->is_recipient = c->is_recipient || is_recipient;
		out->v[out->n++] =
		    (struct agentbox_party){ .principal = c->reg.owner,
			    .address = c->reg.address };
	}
	return 0;
}

static int
deliver_sender(struct deliver *d, struct db *db, struct err *e)
{
	const struct agentbox_send *s = d->s;
	struct deliver_copy *c;
	int got = deliver_copy_of(d, db, s->address, &c, e);

	if (got < 0)
		return -1;
	if (got == 0 || !str_eq(c->reg.owner, s->principal))
		return agentbox_deliver_look_refuse(e, "sender",
		    "the sender's mailbox is not registered to it");
	c->is_sender = true;
	d->m.from = (struct agentbox_party){ .principal = s->principal,
		.address = s->address,
		.display_name = s->display_name,
		.role = s->role };
	return 0;
}

/* Every mailbox that gets a copy must be able to store it. */
static int
deliver_boxes(const struct deliver *d, struct err *e)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct deliver_copy *c = &d->copy[i];
		CLEANUP(path_close) int fd = -1;

		if (!c->is_sender && !c->is_recipient)
			continue;
		fd = agentbox_box_open(d->r, &c->reg, e);
		if (fd < 0)
			return err_because(e, "%.*s", STR_ARG(c->reg.address));
	}
	return 0;
}

static int
deliver_parent(struct deliver *d, struct db *db, struct err *e)
{
	struct str parent = d->s->parent;
	struct agentbox_loaded p;
	int got;

	d->m.thread = d->m.id;
	if (parent.n == 0)
		return 0;
	got = db_mail_is_projected(db, d->copy[0].reg.id, parent, e);
	if (got == 1)
		got = agentbox_load(d->r, parent, d->a, &p, e);
	if (got <= 0)
		return got < 0
		    ? -1
		    : err_set(e, ERR_NOT_FOUND, "there is no such message");
	d->m.thread = p.message.thread;
	d->m.in_reply_to = parent;
	d->m.references = p.message.references;
	str_push(d->a, &d->m.references, parent);
	return 0;
}

int
agentbox_deliver_look(struct deliver *d, struct err *e)
{
	CLEANUP(db_stmt_close) struct db db = { 0 };
	const struct agentbox_send *s = d->s;

	d->copy = arena_array(d->a, s->to.n + s->cc.n + s->reply_to.n + 1,
	    sizeof(*d->copy));
	if (db_index_open(&db, d->r, false, e) < 0 ||
	    deliver_sender(d, &db, e) < 0 || deliver_parent(d, &db, e) < 0 ||
	    deliver_parties(d, &db, &s->to, true, &d->m.to, e) < 0 ||
	    deliver_parties(d, &db, &s->cc, true, &d->m.cc, e) < 0 ||
	    deliver_parties(d, &db, &s->reply_to, false, &d->m.reply_to, e) < 0)
		return -1;
	return deliver_boxes(d, e);
}
