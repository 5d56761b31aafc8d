/* SPDX-License-Identifier: Apache-2.0 */
/* The files and folders that calls reach. */
#include "gate/reach.h"

#include <stdlib.h>

#include "base/path.h"
#include "gate/internal.h"

struct reaches {
	struct arena *a;
	struct reach *v;
	size_t n;
};

static void
reach_add(struct reaches *r, struct str path, bool write)
{
	if (path.n == 0)
		return;
	r->v = arena_grow(r->a, r->v, r->n * sizeof(*r->v),
	    (r->n + 1) * sizeof(*r->v));
	r->v[r->n++] = (struct reach){ str_dup(r->a, path), write };
}

/* "none" is what a setting says of no folder. */
static int
reach_add_setting(struct reaches *r, struct store *st, struct str name,
    struct err *e)
{
	struct str dir = { 0 };
	int found = store_setting_get(st, r->a, name, &dir, e);

	if (found > 0 && !str_eq(dir, S("none")))
		reach_add(r, dir, false);
	return found < 0 ? -1 : 0;
}

static void
reach_add_account(struct reaches *r, const struct store_account *acct)
{
	struct strs dirs = path_among_list(r->a, acct->attach_dir);

	for (size_t i = 0; i < dirs.n; i++)
		reach_add(r, dirs.v[i], false);
}

struct reach
reach_store(const struct env *env, struct arena *a)
{
	char *real = realpath(env->db, NULL);
	struct str path = str_dup(a, str_of(real != NULL ? real : env->db));
	size_t n = path.n;

	free(real);
	while (n > 0 && path.p[n - 1] != '/')
		n--;
	/* SQLite makes files beside it. */
	return (struct reach){ n > 0 ? str_first(path, n) : S("."), true };
}

int
reach_list(struct gate *g, struct arena *a, struct reach **out, size_t *n,
    struct err *e)
{
	struct reaches r = { .a = a };
	const struct reach store = reach_store(g->env, a);
	struct store_account *v = NULL;
	size_t count = 0;

	reach_add(&r, store.path, store.write);
	if (reach_add_setting(&r, g->store, S("skills_dir"), e) < 0 ||
	    store_account_list(g->store, a, &v, &count, e) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		reach_add_account(&r, &v[i]);
	*out = r.v;
	*n = r.n;
	return 0;
}
