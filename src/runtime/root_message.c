/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a mailbox, each read from its file. */
#include "base/limits.h"
#include "runtime/root.h"

static struct agentbox_party
root_message_party(struct arena *a, const struct agentbox_party *p)
{
	return (struct agentbox_party){
		.principal = str_dup(a, p->principal),
		.address = str_dup(a, p->address),
		.display_name = str_dup(a, p->display_name),
		.role = str_dup(a, p->role),
	};
}

static struct agentbox_parties
root_message_parties(struct arena *a, const struct agentbox_parties *l)
{
	struct agentbox_parties out = { arena_array(a, l->n, sizeof(*l->v)),
		l->n };

	for (size_t i = 0; i < l->n; i++)
		out.v[i] = root_message_party(a, &l->v[i]);
	return out;
}

/*
 * A message whose file is missing or is none is still listed.  Bodies do not
 * stay in memory.
 */
static int
root_message_read(struct root *r, struct root_message *m, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct agentbox_loaded l;
	struct err why = { 0 };
	int got = agentbox_load(r->box, m->entry.id, a, &l, &why);

	if (got < 0 && why.scope != ERR_SCOPE_MESSAGE &&
	    why.kind != ERR_LIMIT) {
		*e = why;
		return -1;
	}
	m->damaged = got != 1;
	if (m->damaged)
		return 0;
	m->authentic = l.authentic;
	m->from = root_message_party(r->a, &l.message.from);
	m->to = root_message_parties(r->a, &l.message.to);
	m->cc = root_message_parties(r->a, &l.message.cc);
	m->attachments = l.message.attachments;
	return 0;
}

int
root_message_list(struct root *r, struct str address,
    const struct agentbox_want *w, struct root_messages *out, struct err *e)
{
	struct agentbox_entries l;

	*out = (struct root_messages){ 0 };
	if (agentbox_view_list(r->box, address, w, r->a, &l, &out->total, e) <
	    0)
		return -1;
	out->v = arena_array(r->a, l.n, sizeof(*out->v));
	for (size_t i = 0; i < l.n; i++) {
		out->v[i].entry = l.v[i];
		if (root_message_read(r, &out->v[i], e) < 0)
			return -1;
	}
	out->n = l.n;
	return 0;
}
