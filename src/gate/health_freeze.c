/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of doctor: freezes, since when and why. */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/health_report.h"
#include "gate/internal.h"
#include "store/freeze.h"

/* An agent learns only of freezes that affect it. */
static bool
health_freeze_concerns_caller(const struct health *h,
    const struct store_freeze *f)
{
	const struct gate *g = h->call->gate;

	return (f->agent.n == 0 || str_eq_case(f->agent, g->principal)) &&
	    (f->account.n == 0 || gate_caller_has(g, f->account));
}

static void
put_freeze(struct health *h, const struct store_freeze *f)
{
	struct arena *a = h->call->arena;
	struct str who = S("every agent is"), where = S("");
	struct health_line line = {
		.check = S("freeze"),
		.next = S("to end it: emcli thaw, with the same --agent and "
			  "--account"),
	};

	if (f->agent.n > 0)
		who = str_fmt(a, "agent %.*s is", STR_ARG(f->agent));
	if (f->account.n > 0)
		where = str_fmt(a, " on account %.*s", STR_ARG(f->account));
	line.say = str_fmt(a, "%.*s frozen%.*s since %.*s%s%.*s", STR_ARG(who),
	    STR_ARG(where), STR_ARG(clock_rfc3339(a, f->at_s)),
	    f->why.n > 0 ? ": " : "", STR_ARG(f->why));
	health_line_put(h, &line);
}

static void
health_freeze_put_more(struct health *h, size_t n)
{
	const struct health_line line = {
		.check = S("freeze"),
		.say = str_fmt(h->call->arena, "and %zu more freezes", n),
		.next = S("emcli thaw --all lifts every one"),
	};

	health_line_put(h, &line);
}

int
health_freeze_all(struct health *h, struct err *e)
{
	const struct gate *g = h->call->gate;
	bool operator= health_line_operator(h->call);
	struct store_freezes f;
	size_t n = 0;

	if (store_freeze_list(g->store,
		h->call->arena, operator? S("") : g->principal, &f, e) < 0)
		return -1;
	for (size_t i = 0; i < f.n; i++) {
		if (!operator&& !health_freeze_concerns_caller(h, &f.v[i]))
			continue;
		if (n++ < LIMIT_FREEZES_SHOWN)
			put_freeze(h, &f.v[i]);
	}
	if (operator)
		n = f.all;
	if (n > LIMIT_FREEZES_SHOWN)
		health_freeze_put_more(h, n - LIMIT_FREEZES_SHOWN);
	return 0;
}
