/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the words of one text in the other.  Runs of three or more words are
 * searched everywhere, because parts of a newsletter are moved around; the few
 * words between two such runs are matched one by one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "mime/diverge.h"

#define RUN_MIN 3
#define TRIES                                                                  \
	12         /* places of a run that are looked at, about the likely one \
		    */
#define GAP_MAX 32 /* words between two runs that are matched one by one */

/* Three words and where they are. */
struct match_gram {
	uint32_t id[RUN_MIN], at;
};

static int
match_by_gram(const void *x, const void *y)
{
	const struct match_gram *a = x, *b = y;

	for (size_t i = 0; i < RUN_MIN; i++)
		if (a->id[i] != b->id[i])
			return a->id[i] < b->id[i] ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static struct match_gram *
match_index(struct arena *a, const struct diverge_text *t, size_t *n)
{
	struct match_gram *g = arena_array(a, t->n + 1, sizeof(*g));

	*n = t->n < RUN_MIN ? 0 : t->n - RUN_MIN + 1;
	for (size_t i = 0; i < *n; i++) {
		memcpy(g[i].id, t->id + i, sizeof(g[i].id));
		g[i].at = (uint32_t)i;
	}
	qsort(g, *n, sizeof(*g), match_by_gram);
	return g;
}

/* The first gram that is not before `want`. */
static size_t
match_lower(const struct match_gram *g, size_t n, const struct match_gram *want)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (match_by_gram(&g[mid], want) < 0)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

static size_t
match_length(const struct diverge_text *x, size_t i,
    const struct diverge_text *y, size_t k)
{
	size_t n = 0;

	while (i + n < x->n && k + n < y->n && x->id[i + n] == y->id[k + n])
		n++;
	return n;
}

/* The longest run at x's i, near `likely`; 0 if there is none. */
static size_t
match_run(const struct diverge_text *x, size_t i, const struct diverge_text *y,
    const struct match_gram *g, size_t n, size_t likely, size_t *at)
{
	struct match_gram want = { .at = (uint32_t)likely };
	size_t best = 0, from, k;

	if (i + RUN_MIN > x->n)
		return 0;
	memcpy(want.id, x->id + i, sizeof(want.id));
	from = k = match_lower(g, n, &want);
	/* Those from the likely place on, then those before it. */
	for (; k < n && k < from + TRIES &&
	     memcmp(g[k].id, want.id, sizeof(want.id)) == 0;
	     k++) {
		size_t length = match_length(x, i, y, g[k].at);

		if (length > best) {
			best = length;
			*at = g[k].at;
		}
	}
	for (k = from; k-- > 0 && from - k <= TRIES &&
	     memcmp(g[k].id, want.id, sizeof(want.id)) == 0;) {
		size_t length = match_length(x, i, y, g[k].at);

		if (length > best) {
			best = length;
			*at = g[k].at;
		}
	}
	return best;
}

static void
match_runs(struct diverge_text *x, const struct diverge_text *y,
    const struct match_gram *g, size_t n)
{
	size_t likely = 0;

	for (size_t i = 0; i < x->n;) {
		size_t at = 0, length = match_run(x, i, y, g, n, likely, &at);

		if (length == 0) {
			x->to[i++] = DIVERGE_NOWHERE;
			continue;
		}
		for (size_t k = 0; k < length; k++)
			x->to[i + k] = (uint32_t)(at + k);
		i += length;
		likely = at + length;
	}
}

/* The longest common words of x from i to j and y from k to l, in order. */
static void
match_gap(struct diverge_text *x, size_t i, size_t j,
    const struct diverge_text *y, size_t k, size_t l)
{
	unsigned char same[GAP_MAX + 1][GAP_MAX + 1];
	size_t n = j - i, m = l - k, p = 0, q = 0;

	memset(same, 0, sizeof(same));
	for (size_t u = n; u-- > 0;)
		for (size_t v = m; v-- > 0;)
			if (x->id[i + u] == y->id[k + v])
				same[u][v] = same[u + 1][v + 1] + 1;
			else
				same[u][v] = same[u + 1][v] > same[u][v + 1]
				    ? same[u + 1][v]
				    : same[u][v + 1];
	while (p < n && q < m)
		if (x->id[i + p] == y->id[k + q] &&
		    same[p][q] == same[p + 1][q + 1] + 1)
			x->to[i + p++] = (uint32_t)(k + q++);
		else if (same[p + 1][q] >= same[p][q + 1])
			p++;
		else
			q++;
}

static void
match_gaps(struct diverge_text *x, const struct diverge_text *y)
{
	size_t i = 0;

	while (i < x->n) {
		size_t j = i, k, l;

		if (x->to[i] != DIVERGE_NOWHERE) {
			i++;
			continue;
		}
		while (j < x->n && x->to[j] == DIVERGE_NOWHERE)
			j++;
		k = i == 0 ? 0 : x->to[i - 1] + 1;
		l = j == x->n ? y->n : x->to[j];
		if (j - i <= GAP_MAX && k < l && l - k <= GAP_MAX)
			match_gap(x, i, j, y, k, l);
		i = j;
	}
}

void
diverge_match(struct diverge_text *from, const struct diverge_text *in)
{
	CLEANUP(arena_close) struct arena *passing = arena_open(LIMIT_ARENA);
	size_t n;
	struct match_gram *g = match_index(passing, in, &n);

	match_runs(from, in, g, n);
	match_gaps(from, in);
}
