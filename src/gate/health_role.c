/* SPDX-License-Identifier: Apache-2.0 */
/* As which role emcli uses a store in PostgreSQL, and whether that fits. */
#include "gate/health.h"
#include "gate/health_report.h"
#include "store/roles.h"

/* What the agents' side needs is the gate's role, and no more. */
static void
health_role_gate(struct arena *a, const struct store_roles *r,
    struct health_line *line)
{
	line->note = r->owns || r->more.n > 0;
	if (r->owns)
		line->say = str_fmt(a,
		    "%.*s owns the store: an agent that has EMCLI_DB may "
		    "change policy",
		    STR_ARG(r->role));
	else if (r->more.n > 0)
		line->say = str_fmt(a,
		    "%.*s may change more than the agents' work needs: %.*s",
		    STR_ARG(r->role), STR_ARG(r->more));
	if (line->note)
		line->next = S("give agents another role: emcli store roles");
}

static void
health_role_operator(struct arena *a, const struct store_roles *r,
    struct health_line *line)
{
	if (r->owns)
		return;
	line->note = true;
	line->say = str_fmt(a,
	    "%.*s may not change policy, as an operator's command does",
	    STR_ARG(r->role));
	line->next = S("name the operator's role in EMCLI_DB: emcli store "
		       "roles");
}

void
health_role(struct health *h)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .check = S("store.role"), .ok = true };
	struct store_roles is;
	struct err e = { 0 };
	int r = store_roles_look(h->call->gate->store, a, &is, &e);

	if (r == 0)
		return;
	if (r < 0) {
		line.ok = false;
		line.say = str_dup(a, str_of(e.say));
		health_line_put(h, &line);
		return;
	}
	line.say = str_fmt(a, "%.*s %s", STR_ARG(is.role),
	    is.owns ? "owns the store" : "does what agents need, and no more");
	if (h->call->gate->env->admin_key != NULL)
		health_role_operator(a, &is, &line);
	else
		health_role_gate(a, &is, &line);
	if (!is.owns && is.less.n > 0) {
		line.ok = line.note = false;
		line.say =
		    str_fmt(a, "%.*s lacks rights that agents need: %.*s",
			STR_ARG(is.role), STR_ARG(is.less));
		line.next = S("run again, as a superuser or the store's owner: "
			      "emcli store roles | psql");
	}
	health_line_put(h, &line);
}
