/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the account that serves an operation of the contract. */
#include "gate/resolve.h"

#include "gate/internal.h"
#include "gate/sources.h"
#include "gate/thread.h"
#include "gate/thread_address.h"

#define REASON_MAX 200

/*
 * A caller that names an account wants that one, whatever the state of others.
 */
static enum choose_reason
named_is_there(void *ctx, const struct role_source *s)
{
	(void)ctx;
	(void)s;
	return CHOOSE_AVAILABLE;
}

/* For a named account, the gate itself reports what policy refuses. */
static int
resolve_find_named(struct resolve *r, struct gate *g, struct str name,
    struct choose_ask *ask, struct err *e)
{
	if (roster_find(r->v, r->n, name, &ask->override, e) < 0)
		return which_unknown(g, r->ctx.a, name, e);
	sources_roster_unbar(&r->v[ask->override - r->v]);
	return 0;
}

static int
resolve_overridden(struct resolve *r, struct gate *g, const struct args *args,
    struct choose_ask *ask, struct err *e)
{
	struct str account = args_text(args, "account");
	struct str source = args_text(args, "source");
	struct str reason = args_text(args, "reason");

	if (account.n > 0 && source.n > 0)
		return err_set(e, ERR_USAGE,
		    "account and source name the same thing: give one");
	if (reason.n > REASON_MAX)
		return err_set(e, ERR_USAGE, "a reason has at most %d bytes",
		    REASON_MAX);
	if ((source.n > 0) != (reason.n > 0))
		return err_set(e, ERR_USAGE,
		    "source and reason go together: give the reason for "
		    "overriding the roles");
	if (source.n > 0) {
		ask->override_reason = reason;
		return resolve_find_named(r, g, source, ask, e);
	}
	if (account.n == 0)
		return 0;
	ask->override_reason = S("named as the account");
	ask->under_way = true;
	ask->available = named_is_there;
	return resolve_find_named(r, g, account, ask, e);
}

/*
 * Resolves the open facts of accounts that may be chosen: without roles, that
 * is every account.
 */
static void
resolve_settle(struct resolve *r, const struct choose_ask *ask)
{
	bool declared = roster_declared(r->v, r->n);

	for (size_t i = 0; i < r->n; i++) {
		struct role_source *s = &r->v[i];
		bool asked = ask->override != NULL ? s == ask->override
		    : declared                     ? s->role > ROLE_OPTIONAL
						   : true;

		if (asked && !s->declined && roster_settle_needed(s, ask->op))
			roster_settle(&r->ctx, s);
	}
}

/* For a named account, the error says more than that none can. */
static int
resolve_refuse(const struct resolve *r, const struct args *args,
    const struct choose_ask *ask, struct str *account, struct err *e)
{
	const struct choose *c = &r->choice;
	const char *why, *option;

	if (ask->override == NULL || c->n == 0 ||
	    c->skip[c->n - 1].cause != CHOOSE_UNSUPPORTED)
		return resolve_say(r, args, account, e);
	why = roster_why(ask->override, ask->op);
	option = matrix_option(ask->override->backend, ask->op);
	return err_set(e, ERR_UNSUPPORTED, "this source does not do %s: %s%s%s",
	    role_op_name(ask->op), why != NULL ? why : "it said so",
	    option != NULL ? ": emcli account edit NAME " : "",
	    option != NULL ? option : "");
}

/* The name of a thread in this call, or empty. */
static struct str
resolve_thread_of_call(const struct args *args)
{
	const struct arg *id = args_find(args, S("id"));

	if (id == NULL)
		id = args_find(args, S("thread"));
	return id == NULL || id->text.n == 0 ? S("") : str_trim(id->text.v[0]);
}

/*
 * An address belongs to one source: the others cannot read it.  A source that
 * made it but cannot parse it is chosen only if no other can.
 */
static int
resolve_place_address(struct resolve *r, struct gate *g, struct str url,
    struct err *e)
{
	enum thread_address_kind best = THREAD_ADDRESS_FOREIGN;
	struct thread_address *at = arena_array(r->ctx.a, r->n, sizeof(*at));

	for (size_t i = 0; i < r->n; i++) {
		struct store_account acct = { 0 };

		if (store_account_get(g->store, r->ctx.a, r->v[i].name, &acct,
			e) < 0)
			return -1;
		thread_address_read(r->ctx.a, &acct, url, &at[i]);
		if (at[i].kind > best)
			best = at[i].kind;
	}
	if (best > THREAD_ADDRESS_ONE_WAY)
		best = THREAD_ADDRESS_ID;
	for (size_t i = 0; i < r->n; i++)
		r->v[i].elsewhere =
		    best == THREAD_ADDRESS_FOREIGN || at[i].kind < best;
	return 0;
}

/* Of several that can, the one that EMCLI_ACCOUNT names: roles come first. */
static int
resolve_prefer_default(struct resolve *r, struct gate *g,
    struct choose_ask *ask, struct err *e)
{
	struct str name = which_default(g);

	if (name.n == 0)
		return 0;
	ask->override_reason = S("EMCLI_ACCOUNT");
	ask->under_way = true;
	ask->available = named_is_there;
	if (resolve_find_named(r, g, name, ask, e) < 0)
		return -1;
	choose_source(r->ctx.a, ask, &r->choice);
	return 0;
}

int
resolve_account(struct resolve *r, struct gate *g, const struct op *op,
    const struct args *args, struct arena *a, struct str *account,
    struct err *e)
{
	struct str thread = resolve_thread_of_call(args);
	struct choose_ask ask = { .op = op->serves,
		.kind = str_of(thread_name_bound(thread)),
		.available = roster_available,
		.ctx = &r->ctx };

	if (r->v == NULL) {
		r->ctx = (struct roster){ .store = g->store, .a = a };
		if (store_setting_timeout(g->store, &r->ctx.timeout_ms, e) <
			0 ||
		    sources_roster(g->store, a, &r->v, &r->n, e) < 0)
			return -1;
		r->n = gate_caller_keep(g, r->v, r->n);
	}
	ask.v = r->v;
	ask.n = r->n;
	ask.under_way = r->under_way;
	if (resolve_overridden(r, g, args, &ask, e) < 0 ||
	    (ask.override == NULL && thread_address_is(thread) &&
		resolve_place_address(r, g, thread, e) < 0))
		return -1;
	resolve_settle(r, &ask);
	choose_source(a, &ask, &r->choice);
	if (r->choice.outcome == CHOOSE_AMBIGUOUS &&
	    resolve_prefer_default(r, g, &ask, e) < 0)
		return -1;
	r->made = true;
	if (r->choice.outcome != CHOOSE_CHOSEN)
		return resolve_refuse(r, args, &ask, account, e);
	*account = r->choice.source->name;
	return 0;
}

bool
resolve_declined(struct resolve *r)
{
	if (!r->made || r->choice.outcome != CHOOSE_CHOSEN ||
	    r->choice.rule == CHOOSE_OVERRIDE || r->choice.rule == CHOOSE_SOLE)
		return false;
	r->v[r->choice.source - r->v].declined = true;
	r->under_way = true;
	return true;
}

struct str
resolve_text(const struct resolve *r, struct arena *a)
{
	return r->made ? choose_record_text(a, &r->choice) : S("");
}

void
resolve_put(struct json *j, const struct resolve *r)
{
	const struct role_source *s = r->choice.source;
	const char *kind = s != NULL ? matrix_id_kind(s->backend) : NULL;

	choose_record_put(j, "resolution", &r->choice);
	json_put_text(j, "thread_id_kind", kind);
}
