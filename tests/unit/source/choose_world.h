/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_SOURCE_CHOOSE_WORLD_H
#define UNIT_SOURCE_CHOOSE_WORLD_H

/* Sources of a made-up store, and what of them is up. */
#include "../rows.h"

#include "base/limits.h"
#include "source/choose.h"
#include "source/matrix.h"

#define OP(op) (1U << ROLE_##op)
#define ALL ((1U << ROLE_OPS) - 1)

static struct arena *a;

/* What is up, by its place; and how often it was asked. */
struct world {
	const struct role_source *v;
	enum choose_reason down[4];
	unsigned asked[4];
};

static inline enum choose_reason
available(void *ctx, const struct role_source *s)
{
	struct world *w = ctx;
	size_t i = (size_t)(s - w->v);

	w->asked[i]++;
	return w->down[i];
}

static inline void
choose(struct world *w, size_t n, enum role_op op, struct choose *out)
{
	struct choose_ask ask = { .op = op,
		.v = w->v,
		.n = n,
		.available = available,
		.ctx = w };

	choose_source(a, &ask, out);
}

static inline struct role_source
source(const char *backend, enum role role, unsigned prefers, bool mandatory)
{
	static const struct matrix_facts none;

	return (struct role_source){ .name = str_of(backend),
		.backend = str_of(backend),
		.role = role,
		.prefers = prefers,
		.supports = matrix_supports(str_of(backend), &none),
		.mandatory = mandatory };
}

static inline struct choose_ask
ask_of(struct world *w, size_t n, enum role_op op)
{
	return (struct choose_ask){ .op = op,
		.v = w->v,
		.n = n,
		.available = available,
		.ctx = w };
}

#endif
