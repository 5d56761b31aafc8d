/* SPDX-License-Identifier: Apache-2.0 */
/* Tests every source, resolves every cell, chooses for every operation. */
#include "gate/sources.h"

#include "gate/internal.h"

/* Answers the rule's questions with the results of the tests. */
static enum choose_reason
sources_known(void *ctx, const struct role_source *s)
{
	const struct sources *all = ctx;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].source == s)
			return all->v[i].reason;
	return CHOOSE_MISCONFIGURED;
}

static enum choose_reason
sources_reason_of(const struct source_health *h, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(h[i].acct.name, name))
			return roster_reason(&h[i]);
	return CHOOSE_MISCONFIGURED;
}

int
sources_look(struct call *c, struct sources *out, struct err *e)
{
	struct roster r = { .store = c->gate->store, .a = c->arena };
	struct source_trial what = { 0 };
	struct source_health *h = NULL;
	struct role_source *v;
	size_t n, tried = 0;
	bool any;

	*out = (struct sources){ 0 };
	if (store_setting_timeout(r.store, &r.timeout_ms, e) < 0 ||
	    sources_roster(r.store, r.a, &v, &n, e) < 0)
		return -1;
	n = gate_caller_keep(c->gate, v, n);
	any = roster_declared(v, n);
	what.timeout_ms = r.timeout_ms;
	for (size_t i = 0; i < n; i++)
		if (!any || v[i].role != ROLE_NONE)
			str_push(r.a, &what.names, v[i].name);
	if (what.names.n > 0 &&
	    source_probe(r.store, r.a, &what, &h, &tried, e) < 0)
		return -1;
	out->v = arena_array(r.a, n, sizeof(*out->v));
	for (size_t i = 0; i < n; i++) {
		enum choose_reason reason;

		if (any && v[i].role == ROLE_NONE)
			continue;
		reason = sources_reason_of(h, tried, v[i].name);
		if (reason == CHOOSE_AVAILABLE)
			roster_settle(&r, &v[i]);
		out->v[out->n++] = (struct sources_row){ &v[i], reason };
	}
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		const struct choose_ask ask = { .op = op,
			.v = v,
			.n = n,
			.available = sources_known,
			.ctx = out };

		choose_source(r.a, &ask, &out->choice[op]);
	}
	return 0;
}
