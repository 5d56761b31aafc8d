/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the accounts for the names in a declaration. */
#include "source/declare.h"

enum {
	NOBODY,
	ONE,
	MANY
};

/* The account of that name, else the only one of that kind. */
static int
declare_bind_find(struct str name, const struct role_source *v, size_t n,
    size_t *out)
{
	int found = NOBODY;

	for (size_t i = 0; i < n; i++) {
		if (str_eq(v[i].name, name)) {
			*out = i;
			return ONE;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (str_eq(v[i].backend, name)) {
			found = found == NOBODY ? ONE : MANY;
			*out = i;
		}
	}
	return found;
}

/* Preferred for an operation that it cannot do now. */
static void
declare_bind_warn_unsupported(struct arena *a, struct declare *d,
    const struct declare_row *r, const struct role_source *s)
{
	unsigned vain = r->prefers & ~s->supports;

	if (vain != 0)
		declare_remark(a, d, DECLARE_WARNING, r->line,
		    "\"%.*s\" is preferred for %.*s, which it cannot do",
		    STR_ARG(r->name), STR_ARG(role_ops_text(a, vain)));
}

void
declare_bind(struct arena *a, struct declare *d, const struct role_source *v,
    size_t n, size_t **to)
{
	size_t *at = arena_array(a, d->n, sizeof(*at));
	size_t *taken = arena_array(a, n, sizeof(*taken));

	*to = at;
	for (size_t i = 0; i < d->n; i++) {
		const struct declare_row *r = &d->v[i];
		int found = declare_bind_find(r->name, v, n, &at[i]);

		if (found == NOBODY)
			declare_remark(a, d, DECLARE_ERROR, r->line,
			    "no account is called \"%.*s\", and none has that "
			    "backend: emcli account add",
			    STR_ARG(r->name));
		else if (found == MANY)
			declare_remark(a, d, DECLARE_ERROR, r->line,
			    "more than one account has the backend \"%.*s\": "
			    "write the account's name",
			    STR_ARG(r->name));
		else if (taken[at[i]] > 0)
			declare_remark(a, d, DECLARE_ERROR, r->line,
			    "\"%.*s\" and \"%.*s\" are the same account",
			    STR_ARG(d->v[taken[at[i]] - 1].name),
			    STR_ARG(r->name));
		else {
			taken[at[i]] = i + 1;
			declare_bind_warn_unsupported(a, d, r, &v[at[i]]);
		}
	}
}
