/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that are kept between calls, of one store. */
#include "store/internal.h"
#include "store/stmt.h"

enum {
	KEPT = 96
};

static struct {
	const struct store *of;
	size_t n;
	struct stmt *v[KEPT];
} kept;

void
stmt_kept_begin(struct store *s)
{
	if (kept.of != NULL)
		return;
	kept.of = s;
	kept.n = 0;
}

bool
stmt_kept_by(const struct store *s)
{
	return kept.of == s;
}

bool
stmt_kept_rested(const struct store *s)
{
	for (size_t i = 0; kept.of == s && i < kept.n; i++)
		if (kept.v[i]->used)
			return false;
	return true;
}

void
stmt_kept_end(struct store *s)
{
	if (kept.of != s)
		return;
	for (size_t i = 0; i < kept.n; i++)
		if (!kept.v[i]->used) {
			s->driver->finish(kept.v[i]);
			free(kept.v[i]);
		}
	kept.of = NULL;
	kept.n = 0;
}

struct stmt *
stmt_kept_find(const struct store *s, const char *sql)
{
	for (size_t i = 0; kept.of == s && i < kept.n; i++)
		if (!kept.v[i]->used && strcmp(kept.v[i]->sql, sql) == 0) {
			kept.v[i]->used = true;
			return kept.v[i];
		}
	return NULL;
}

void
stmt_kept_put(struct stmt *st)
{
	if (kept.n == KEPT)
		return;
	st->kept = st->used = true;
	kept.v[kept.n++] = st;
}
