/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimal string alignment: how many letters to add, drop, change or swap.
 * Words are short and cut at 32, so that the work is bounded.
 */
#include "base/near.h"

#include "base/buf.h"

enum {
	WORD_MAX = 32,
	NAMES_MAX = 100 /* bytes: an error has no room for more */
};

static unsigned
near_least(unsigned x, unsigned y)
{
	return x < y ? x : y;
}

static unsigned
near_distance(struct str x, struct str y)
{
	unsigned d[WORD_MAX + 1][WORD_MAX + 1];

	for (unsigned i = 0; i <= x.n; i++)
		d[i][0] = i;
	for (unsigned k = 0; k <= y.n; k++)
		d[0][k] = k;
	for (size_t i = 1; i <= x.n; i++) {
		for (size_t k = 1; k <= y.n; k++) {
			unsigned other = x.p[i - 1] != y.p[k - 1];

			d[i][k] = near_least(d[i - 1][k] + 1, d[i][k - 1] + 1);
			d[i][k] = near_least(d[i][k], d[i - 1][k - 1] + other);
			if (i > 1 && k > 1 && x.p[i - 1] == y.p[k - 2] &&
			    x.p[i - 2] == y.p[k - 1])
				d[i][k] =
				    near_least(d[i][k], d[i - 2][k - 2] + 1);
		}
	}
	return d[x.n][y.n];
}

/* The number of mistakes that a word of that length may have. */
static unsigned
near_patience(size_t n)
{
	if (n <= 3)
		return 1;
	return n <= 6 ? 2 : 3;
}

struct str
near_pick(struct str word, const struct strs *known)
{
	struct str best = S("");
	unsigned least_so_far = near_patience(word.n) + 1;

	if (word.n == 0 || word.n > WORD_MAX)
		return best;
	for (size_t i = 0; i < known->n; i++) {
		struct str k = known->v[i];
		unsigned d;

		if (k.n > WORD_MAX)
			continue;
		/* A prefix of a word counts as one mistake. */
		d = str_starts(k, word) && word.n > 1 ? 1
						      : near_distance(word, k);
		if (d < least_so_far) {
			best = k;
			least_so_far = d;
		}
	}
	return best;
}

struct str
near_names(struct arena *a, const struct strs *known)
{
	struct buf b;

	buf_init(&b, a, 1 << 10);
	for (size_t i = 0; i < known->n; i++) {
		if (b.n > 0)
			buf_text(&b, ", ");
		if (b.n + known->v[i].n > NAMES_MAX) {
			buf_text(&b, "...");
			break;
		}
		buf_str(&b, known->v[i]);
	}
	return buf_view(&b);
}

struct str
near_tell(struct arena *a, struct str word, const struct strs *known)
{
	struct str best = near_pick(word, known);

	if (best.n > 0)
		return str_fmt(a, "did you mean %.*s?", STR_ARG(best));
	if (known->n == 0)
		return S("");
	return str_fmt(a, "there %s %.*s", known->n == 1 ? "is" : "are",
	    STR_ARG(near_names(a, known)));
}
