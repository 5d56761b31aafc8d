/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dry run: the steps of a send up to the row, in their order, with every
 * finding instead of the first.  Nothing is written and nothing is sent.
 */
#include "base/buf.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

/* What the transaction of the row would say: the limits, and the key. */
static int
outbox_try_row(struct outbox *o, const struct outbox_draft *d, const char *hold,
    struct outbox_tried *out, bool *again, struct err *e)
{
	struct store_outbox_limits l;
	struct store_outbox row;

	outbox_make_row(o, d, hold, &row);
	outbox_make_limits(o, d->m->as_is, &l);
	if (store_outbox_add_try(o->gate->store, o->arena, &row, &l, again,
		e) == 0)
		return 0;
	*again = false;
	return outbox_check_found(o->arena, &out->found, e);
}

static const char *
outbox_try_verdict(const struct outbox_tried *t, bool again)
{
	const char *v = t->found.n > 0 ? "hold" : "send";

	if (again)
		return "again";
	for (size_t i = 0; i < t->found.n; i++)
		if (t->found.v[i].refuses)
			v = "refuse";
	return v;
}

static void
outbox_try_put_people(struct outbox *o, const struct outbox_draft *d,
    struct sent *out)
{
	struct recipient *to = arena_array(o->arena, d->p.n, sizeof(*to));

	for (size_t i = 0; i < d->p.n; i++)
		to[i] = (struct recipient){ .addr = d->p.rcpt[i].addr,
			.status = S("not sent") };
	out->to = to;
	out->n = d->p.n;
}

/*
 * The operator reads the kind of secret too: whoever tries texts until one
 * passes leaves a row for each.
 */
static void
outbox_try_note(struct outbox *o, const struct outbox_draft *d,
    const struct outbox_tried *t)
{
	struct buf b;

	buf_init(&b, o->arena, 256);
	buf_text(&b, "dry run: ");
	buf_text(&b, t->verdict);
	for (size_t i = 0; i < t->found.n; i++) {
		buf_text(&b, i == 0 ? ": " : ", ");
		buf_text(&b, t->found.v[i].reason);
	}
	if (d->carries != NULL) {
		buf_text(&b, "; it seems to contain: ");
		buf_text(&b, d->carries);
	}
	gate_note(o->call, buf_view(&b));
}

int
outbox_try(struct outbox *o, const struct outgoing *m, struct outbox_tried *out,
    struct err *e)
{
	struct outbox_draft d = { .m = m };
	const char *hold = NULL;
	bool again = false;

	*out = (struct outbox_tried){ 0 };
	if (outbox_compose_gather(o, m, &d.p, e) < 0 ||
	    outbox_judge(o, &d, e) < 0 || outbox_compose(o, &d, e) < 0 ||
	    outbox_check(o, &d, &out->found, &hold, e) < 0 ||
	    outbox_try_row(o, &d, hold, out, &again, e) < 0)
		return -1;
	out->verdict = outbox_try_verdict(out, again);
	out->bytes = d.s.message.n;
	out->digest = store_digest_file(o->arena, d.s.message);
	outbox_try_put_people(o, &d, &out->sent);
	outbox_try_note(o, &d, out);
	return 0;
}
