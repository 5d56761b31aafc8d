/* SPDX-License-Identifier: Apache-2.0 */
/* How many names a worker may ask: one that was taken over would tell by them
 * what it knows. */
#include "door/serve/names.h"

/* Its place, or one whose worker has its whole allowance; NULL: there is none.
 */
static struct serve_names_asker *
serve_names_place(struct serve_names_asked *x, uint32_t of, int64_t now_ms)
{
	struct serve_names_asker *free_one = NULL;

	for (size_t i = 0; i < LIMIT_KEEPER_JOINED; i++) {
		if (x->v[i].of == of)
			return &x->v[i];
		if (x->v[i].until_ms <= now_ms)
			free_one = &x->v[i];
	}
	return free_one;
}

bool
serve_names_may(struct serve_names_asked *x, uint32_t of, int64_t now_ms)
{
	const int64_t most =
	    (LIMIT_NAMES_AT_ONCE - 1) * (int64_t)LIMIT_NAMES_EACH_MS;
	struct serve_names_asker *s = serve_names_place(x, of, now_ms);

	if (s == NULL)
		return false;
	s->of = of;
	if (s->until_ms < now_ms)
		s->until_ms = now_ms;
	if (s->until_ms - now_ms > most)
		return false;
	s->until_ms += LIMIT_NAMES_EACH_MS;
	return true;
}
