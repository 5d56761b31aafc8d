/* SPDX-License-Identifier: Apache-2.0 */
/* The idempotency key of a request, and its earlier result. */
#include "backend/agentbox/delivering.h"

static void
deliver_sum(struct buf *b, struct str s)
{
	buf_fmt(b, "%zu:", s.n);
	buf_str(b, s);
}

static void
deliver_sum_list(struct buf *b, const struct strs *l)
{
	buf_fmt(b, "%zu/", l->n);
	for (size_t i = 0; i < l->n; i++)
		deliver_sum(b, l->v[i]);
}

/* A digest of all parts that identify a request. */
static struct str
deliver_digest(struct deliver *d)
{
	const struct agentbox_send *s = d->s;
	struct buf b;

	buf_init(&b, d->a, LIMIT_AGENTBOX_BODY + (16 << 20));
	deliver_sum_list(&b, &s->to);
	deliver_sum_list(&b, &s->cc);
	deliver_sum_list(&b, &s->reply_to);
	deliver_sum(&b, s->subject);
	deliver_sum(&b, s->body);
	deliver_sum(&b, s->parent);
	for (size_t i = 0; i < s->headers; i++) {
		deliver_sum(&b, s->header[i].name);
		deliver_sum(&b, s->header[i].value);
	}
	for (size_t i = 0; i < s->files; i++) {
		deliver_sum(&b, s->file[i].name);
		deliver_sum(&b, agentbox_attach_digest(d->a, s->file[i].bytes));
	}
	return agentbox_attach_digest(d->a, buf_view(&b));
}

void
agentbox_deliver_key_said(const struct agentbox_message *m, bool again,
    struct agentbox_sent *out)
{
	*out = (struct agentbox_sent){ .id = m->id,
		.thread = m->thread,
		.created = m->created,
		.again = again };
	for (size_t i = 0; i < m->to.n + m->cc.n; i++) {
		const struct agentbox_party *p =
		    i < m->to.n ? &m->to.v[i] : &m->cc.v[i - m->to.n];
		size_t k = 0;

		while (k < i &&
		    !str_eq(p->address,
			k < m->to.n ? m->to.v[k].address
				    : m->cc.v[k - m->to.n].address))
			k++;
		out->recipients += k == i;
	}
}

/* Was this key used?  1 with its result, 0, -1. */
int
agentbox_deliver_key(struct deliver *d, struct agentbox_sent *out,
    struct err *e)
{
	struct db *own;
	struct str digest, id;
	struct agentbox_loaded was;
	int got;

	if (d->s->key.n == 0)
		return 0;
	d->request = deliver_digest(d);
	own = db_own(d->r, e);
	if (own == NULL)
		return -1;
	got = db_keep_key(own, d->s->address, d->s->key, d->a, &digest, &id, e);
	if (got <= 0)
		return got;
	if (!str_eq(digest, d->request))
		return agentbox_deliver_look_refuse(e, "idempotency_conflict",
		    "the idempotency key was used for another message");
	got = agentbox_load(d->r, id, d->a, &was, e);
	if (got < 0)
		return -1;
	if (got == 0)
		was.message = (struct agentbox_message){ .id = id };
	agentbox_deliver_key_said(&was.message, true, out);
	return 1;
}
