/* SPDX-License-Identifier: Apache-2.0 */
/* The only account, or the names of the accounts. */
#include "gate/sole.h"

#include "base/near.h"
#include "base/utf8.h"
#include "gate/internal.h"

enum {
	QUOTE_MAX = 40
};

static int
sole_fill_one(struct store *s, struct arena *a, struct arg *arg, struct err *e)
{
	struct strs known;

	if (store_account_names(s, a, &known, e) < 0)
		return -1;
	if (known.n == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no account yet: emcli account add NAME");
	if (known.n > 1)
		return err_set(e, ERR_USAGE, "%s is missing: name one of %.*s",
		    arg->shown, STR_ARG(near_names(a, &known)));
	str_push(a, &arg->text, known.v[0]);
	return 0;
}

int
sole_fill(struct store *s, struct arena *a, struct args *args, struct err *e)
{
	for (size_t i = 0; i < args->n; i++)
		if (args->v[i].spec->flags & ARG_SOLE &&
		    args->v[i].text.n == 0 &&
		    sole_fill_one(s, a, &args->v[i], e) < 0)
			return -1;
	return 0;
}

/* A named account that does not exist. */
static bool
sole_find_stranger(const struct args *args, const struct strs *known,
    struct str *name)
{
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		if (arg->spec->type != ARG_ACCOUNT)
			continue;
		for (size_t k = 0; k < arg->text.n; k++)
			if (!str_among(known, arg->text.v[k])) {
				*name = arg->text.v[k];
				return true;
			}
	}
	return false;
}

bool
sole_explain(struct store *s, struct arena *a, const struct args *args,
    struct err *e)
{
	struct err unused = { 0 };
	struct strs known;
	struct str name, tell;

	if (e->kind != ERR_NOT_FOUND || s == NULL ||
	    store_account_names(s, a, &known, &unused) < 0 ||
	    !sole_find_stranger(args, &known, &name))
		return false;
	tell = near_tell(a, name, &known);
	(void)err_set(e, ERR_NOT_FOUND,
	    "there is no such account as \"%.*s%s\"%s%.*s",
	    STR_ARG(utf8_first(name, QUOTE_MAX)),
	    name.n > QUOTE_MAX ? "..." : "",
	    tell.n > 0 ? ": " : ", and none yet: emcli account add NAME",
	    STR_ARG(tell));
	return true;
}
