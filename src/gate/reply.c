/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To whom an answer to all goes.  The fields were written by others: an address
 * counts only as the strict parser reads it, and one that it cannot read stops
 * the answer, because nobody may be left out silently.
 */
#include "gate/reply.h"

#include "base/limits.h"
#include "gate/internal.h"

struct reply_gather {
	struct arena *a;
	struct strs seen; /* canonical: given, ours, or added */
	struct reply_people *out;
};

static void
reply_gather_known(struct reply_gather *g, struct str addr)
{
	struct err none = { 0 };
	struct str one;

	if (addr.n > 0 && address_canonical(g->a, addr, &one, &none) == 0 &&
	    !str_among(&g->seen, one))
		str_push(g->a, &g->seen, one);
}

static int
reply_gather_refuse(struct err *e)
{
	return err_set(e, ERR_USAGE,
	    "the message has an address that cannot be written to: leave "
	    "reply_all out and name the recipients");
}

static int
reply_gather_one(struct reply_gather *g, struct str addr, struct strs *to,
    struct err *e)
{
	struct err none = { 0 };
	struct str one;

	if (address_canonical(g->a, addr, &one, &none) < 0)
		return reply_gather_refuse(e);
	if (str_among(&g->seen, one))
		return 0;
	if (g->out->to.n + g->out->cc.n >= LIMIT_RECIPIENTS)
		return err_set(e, ERR_LIMIT,
		    "at most %d recipients per message", LIMIT_RECIPIENTS);
	str_push(g->a, &g->seen, one);
	str_push(g->a, &g->out->added, one);
	str_push(g->a, to, one);
	return 0;
}

static int
reply_gather_list(struct reply_gather *g, const struct addresses *l,
    struct strs *to, struct err *e)
{
	if (l->over)
		return err_set(e, ERR_LIMIT,
		    "the message has more than %d addresses in one field",
		    LIMIT_ADDRESSES);
	/* The lenient reading guessed what somebody meant. */
	if (!l->clean)
		return reply_gather_refuse(e);
	for (size_t i = 0; i < l->n; i++)
		if (reply_gather_one(g, l->v[i].addr, to, e) < 0)
			return -1;
	return 0;
}

int
reply_people(struct arena *a, const struct mime_envelope *v,
    const struct store_account *us, struct reply_people *out, struct err *e)
{
	const struct addresses *author =
	    v->reply_to.n > 0 || !v->reply_to.clean ? &v->reply_to : &v->from;
	struct reply_gather g = { .a = a, .out = out };

	for (size_t i = 0; i < out->to.n; i++)
		reply_gather_known(&g, out->to.v[i]);
	for (size_t i = 0; i < out->cc.n; i++)
		reply_gather_known(&g, out->cc.v[i]);
	reply_gather_known(&g, us->from_addr);
	reply_gather_known(&g, us->username);
	if (reply_gather_list(&g, author, &out->to, e) < 0 ||
	    reply_gather_list(&g, &v->to, out->to.n == 0 ? &out->to : &out->cc,
		e) < 0 ||
	    reply_gather_list(&g, &v->cc, &out->cc, e) < 0)
		return -1;
	if (out->to.n + out->cc.n == 0)
		return err_set(e, ERR_USAGE,
		    "nobody but this account is in that message: name a "
		    "recipient with to");
	return 0;
}

int
reply_people_of(struct outbox *o, const struct mime_envelope *v,
    struct reply_people *out, struct err *e)
{
	return reply_people(o->arena, v, &o->src->acct, out, e);
}
