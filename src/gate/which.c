/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of a call that names none: the one in EMCLI_ACCOUNT, or the
 * caller's only one.
 *
 * Anybody may have set the variable: it chooses among the accounts that the
 * call could have named, and is judged and recorded as if the call had.  It has
 * no effect on the operator's commands, nor on callers whose name does not come
 * from the environment (a token's).
 */
#include "base/near.h"
#include "gate/internal.h"

/* The caller's accounts. */
static int
which_load_names(struct gate *g, struct arena *a, struct strs *out,
    struct err *e)
{
	struct strs all;

	if (store_account_names(g->store, a, &all, e) < 0)
		return -1;
	*out = (struct strs){ 0 };
	for (size_t i = 0; i < all.n; i++)
		if (gate_caller_has(g, all.v[i]))
			str_push(a, out, all.v[i]);
	return 0;
}

static int
say_none(struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "there is no account: the operator adds one with emcli account "
	    "add NAME");
}

int
which_all(struct gate *g, struct arena *a, struct strs *out, struct err *e)
{
	if (which_load_names(g, a, out, e) < 0)
		return -1;
	return out->n == 0 ? say_none(e) : 0;
}

struct str
which_default(const struct gate *g)
{
	if (!str_eq(g->principal, str_of(g->name)) || g->env->account == NULL)
		return S("");
	return str_of(g->env->account);
}

int
which_unknown(struct gate *g, struct arena *a, struct str name, struct err *e)
{
	struct strs known;

	if (which_load_names(g, a, &known, e) < 0)
		return -1;
	if (known.n == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such account, and none here yet: the operator "
		    "adds one with emcli account add NAME");
	return err_set(e, ERR_NOT_FOUND, "there is no such account: %.*s",
	    STR_ARG(near_tell(a, name, &known)));
}

int
which_account(struct gate *g, const struct args *args, struct arena *a,
    struct str *out, struct err *e)
{
	const struct arg *arg = args_find(args, S("account"));
	struct strs known;

	*out = args_text(args, "account");
	if (out->n == 0)
		*out = which_default(g);
	if (out->n > 0)
		return gate_caller_has(g, *out) ? 0
						: which_unknown(g, a, *out, e);
	if (which_load_names(g, a, &known, e) < 0)
		return -1;
	if (known.n == 0)
		return say_none(e);
	if (known.n > 1)
		return err_set(e, ERR_USAGE,
		    "%s is missing: name one of %.*s, or set EMCLI_ACCOUNT",
		    arg->shown, STR_ARG(near_names(a, &known)));
	*out = known.v[0];
	return 0;
}
