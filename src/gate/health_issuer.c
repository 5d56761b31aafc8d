/* SPDX-License-Identifier: Apache-2.0 */
/* The identity provider: can tokens of it be checked?  For the operator. */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/health_report.h"
#include "gate/internal.h"
#include "source/issuer.h"

static void
health_issuer_fault(struct health *h, const struct store_issuer *x,
    const struct err *e, struct health_line *line)
{
	struct arena *a = h->call->arena;

	line->say = str_fmt(a, "tokens of %.*s cannot be checked: %s",
	    STR_ARG(x->issuer), e->say);
	line->detail = str_dup(a, str_of(e->detail));
	line->next = e->kind == ERR_NETWORK
	    ? S("look at the provider, and at the way from this machine to it: "
		"without its answer calls get 503, but for an hour after the "
		"last one if its tokens are signed")
	    : S("see that its document is as emcli help issuer set says, and "
		"run emcli issuer set again");
}

/* Its tokens have that name, and agents are found by it. */
static void
health_issuer_compare(struct health *h, const struct store_issuer *x,
    const struct issuer_tried *got, struct health_line *line)
{
	struct arena *a = h->call->arena;

	line->ok = str_eq(got->issuer, x->issuer);
	line->detail = got->where;
	if (!line->ok) {
		line->say = str_fmt(a,
		    "the identity provider calls itself %.*s now, and %.*s is "
		    "set: its tokens are refused",
		    STR_ARG(got->issuer), STR_ARG(x->issuer));
		line->next = S("emcli issuer set again, and then emcli agent "
			       "add for each agent that has a subject there");
	} else if (x->client.n > 0) {
		line->say = str_fmt(a, "%.*s answers questions about tokens",
		    STR_ARG(x->issuer));
	} else {
		line->say = str_fmt(a, "%.*s has %zu key%s for its tokens",
		    STR_ARG(x->issuer), got->keys, got->keys == 1 ? "" : "s");
	}
}

void
health_issuer(struct health *h)
{
	CLEANUP(secret_close) struct secret *secret = NULL;
	struct health_line line = { .check = S("issuer") };
	struct store *s = h->call->gate->store;
	int64_t began = clock_mono_ms();
	struct issuer_tried got;
	struct store_issuer x = { .issuer = S("the identity provider") };
	struct err e = { 0 };
	int r = store_issuer_get(s, h->call->arena, &x, &e);

	if (r == 0)
		return;
	if (r < 0 ||
	    (x.client.n > 0 && store_issuer_secret(s, &secret, &e) < 0) ||
	    issuer_try(h->call->arena, &x, secret, began + LIMIT_ISSUER_STEP_MS,
		&got, &e) < 0)
		health_issuer_fault(h, &x, &e, &line);
	else
		health_issuer_compare(h, &x, &got, &line);
	line.ms = clock_mono_ms() - began;
	health_line_put(h, &line);
}
