/* SPDX-License-Identifier: Apache-2.0 */
/* Which roles accounts can have beside each other. */
#include "desk/source_rules.h"

/* There is one primary, and one first choice for each operation. */
static int
source_rules_check_others(const struct store_source *v, size_t n, size_t at,
    struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (i == at)
			continue;
		if (str_eq(v[at].role, S("primary")) &&
		    str_eq(v[i].role, S("primary")))
			return err_set(e, ERR_USAGE,
			    "%.*s is already the primary, and there can be "
			    "only one",
			    STR_ARG(v[i].name));
		for (size_t k = 0; k < v[i].ops.n; k++)
			if (str_among(&v[at].ops, v[i].ops.v[k]))
				return err_set(e, ERR_USAGE,
				    "%.*s is already preferred for %.*s, "
				    "and there can be only one",
				    STR_ARG(v[i].name), STR_ARG(v[i].ops.v[k]));
	}
	return 0;
}

static int
source_rules_check_one(const struct store_source *x, struct err *e)
{
	bool chain =
	    !str_eq(x->role, S("none")) && !str_eq(x->role, S("optional"));

	if (!chain && x->ops.n > 0)
		return err_set(e, ERR_USAGE,
		    "a source that is preferred for something cannot have "
		    "the role %.*s",
		    STR_ARG(x->role));
	if (str_eq(x->role, S("preferred")) && x->ops.n == 0)
		return err_set(e, ERR_USAGE,
		    "the role preferred needs --preferred-for OPERATION");
	if (str_eq(x->role, S("none")) && x->mandatory)
		return err_set(e, ERR_USAGE,
		    "a mandatory account must be a source: give --role");
	return 0;
}

int
source_rules_check(const struct store_source *v, size_t n, size_t at,
    struct err *e)
{
	return source_rules_check_one(&v[at], e) < 0
	    ? -1
	    : source_rules_check_others(v, n, at, e);
}
