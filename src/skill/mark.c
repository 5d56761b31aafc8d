/* SPDX-License-Identifier: Apache-2.0 */
/* Every part is preceded by its length, so parts cannot run into each other. */
#include "skill/mark.h"

#include "base/buf.h"
#include "base/limits.h"
#include "store/mark.h"

static struct str
mark_join(struct arena *a, const struct str *part, size_t n)
{
	struct buf b;

	buf_init(&b, a, LIMIT_ARENA);
	for (size_t i = 0; i < n; i++) {
		buf_fmt(&b, "%zu:", part[i].n);
		buf_str(&b, part[i]);
	}
	if (b.over)
		err_bug("mark: too long");
	return buf_view(&b);
}

int
mark_turn(struct store *s, struct arena *a, const struct mark_place *p,
    struct str input, struct str *token, struct err *e)
{
	const struct str part[] = { p->principal, p->conversation, input };

	return store_mark(s, a, STORE_LABEL_TURN, mark_join(a, part, 3), token,
	    e);
}

int
mark_load(struct store *s, struct arena *a, const struct mark_place *p,
    struct str token, struct str skill, struct str call, struct str *mark,
    struct err *e)
{
	const struct str part[] = { p->principal, p->conversation, token, skill,
		call };

	return store_mark(s, a, STORE_LABEL_LOAD, mark_join(a, part, 5), mark,
	    e);
}

bool
mark_same(struct str x, struct str y)
{
	unsigned char diff = 0;

	if (x.n != y.n)
		return false;
	for (size_t i = 0; i < x.n; i++)
		diff |= (unsigned char)(x.p[i] ^ y.p[i]);
	return diff == 0;
}
