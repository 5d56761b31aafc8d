/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is prepared on a connection.  To prepare costs a round trip, so a text
 * is sent as it is a few times before that: most processes end earlier.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres.h"

enum {
	KNOWN = 512,
	PREPARED_AT = 5 /* the run that prepares it */
};

struct known {
	uint64_t hash;
	char *text;
	Oid *types; /* 0: of a NULL; any will do */
	int n, runs;
	bool prepared;
};

struct postgres_known {
	struct known v[KNOWN];
	size_t n;
};

/* What was a NULL then may be one now; another type it was not prepared for. */
static bool
postgres_known_fits(const struct known *k, const struct postgres_stmt *st,
    const Oid *types)
{
	if (k->hash != st->hash || k->n != st->n ||
	    strcmp(k->text, st->sql.text.p) != 0)
		return false;
	for (int i = 0; i < st->n; i++)
		if (types[i] != 0 && types[i] != k->types[i])
			return false;
	return true;
}

static void *
postgres_known_copy(const void *p, size_t n)
{
	void *to = malloc(n > 0 ? n : 1);

	if (to == NULL)
		err_bug("out of memory");
	return memcpy(to, p, n);
}

static void
postgres_known_add(struct postgres_known *all, const struct postgres_stmt *st,
    const Oid *types)
{
	if (all->n == KNOWN)
		return;
	all->v[all->n++] = (struct known){ .hash = st->hash,
		.text = postgres_known_copy(st->sql.text.p, st->sql.text.n + 1),
		.types =
		    postgres_known_copy(types, (size_t)st->n * sizeof(*types)),
		.n = st->n,
		.runs = 1 };
}

enum postgres_use
postgres_known_find(struct postgres *pg, const struct postgres_stmt *st,
    const Oid *types, char name[POSTGRES_NAME])
{
	/* Where others add a column, `*` is another result. */
	if (pg->uri.pooled || str_find(st->sql.text, S(" * ")) >= 0)
		return POSTGRES_ONCE;
	if (pg->known == NULL)
		pg->known = calloc(1, sizeof(*pg->known));
	if (pg->known == NULL)
		err_bug("out of memory");
	for (size_t i = 0; i < pg->known->n; i++) {
		struct known *k = &pg->known->v[i];

		if (!postgres_known_fits(k, st, types))
			continue;
		(void)snprintf(name, POSTGRES_NAME, "s%zu", i);
		if (k->prepared)
			return POSTGRES_KNOWN;
		if (++k->runs < PREPARED_AT)
			return POSTGRES_ONCE;
		/* As it is prepared now, so it is run later. */
		memcpy(k->types, types, (size_t)st->n * sizeof(*types));
		return POSTGRES_PREPARE;
	}
	postgres_known_add(pg->known, st, types);
	return POSTGRES_ONCE;
}

void
postgres_known_prepared(struct postgres *pg, const char name[POSTGRES_NAME])
{
	const size_t i = strtoul(name + 1, NULL, 10);

	if (pg->known != NULL && i < pg->known->n)
		pg->known->v[i].prepared = true;
}

void
postgres_known_forget(struct postgres *pg)
{
	if (pg->known == NULL)
		return;
	for (size_t i = 0; i < pg->known->n; i++) {
		free(pg->known->v[i].text);
		free(pg->known->v[i].types);
	}
	free(pg->known);
	pg->known = NULL;
}
