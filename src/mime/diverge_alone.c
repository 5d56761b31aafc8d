/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that only one of two texts has: how many, and whether they form a
 * sentence that is inserted into otherwise equal text.
 */
#include "mime/diverge.h"

#define SENTENCE_MIN 4 /* words of an inserted sentence */
#define CLAUSE_MIN 8   /* words of an inserted part without a sentence end */
#define JOIN_MAX 2     /* words in common within a run of other words */

/* Are words i to end of n where newsletters write about themselves? */
static bool
alone_is_edge(size_t i, size_t end, size_t n)
{
	return i <= n / 8 || end >= n - n / 4;
}

/* Are the words from i to end within a paragraph that is otherwise equal? */
static bool
alone_is_slipped(const struct diverge_text *t, const struct diverge_text *other,
    size_t i, size_t end)
{
	bool first, last;

	if (i == 0 || end == t->n || t->to[end] != t->to[i - 1] + 1)
		return false;
	first = t->flags[i] & DIVERGE_BLOCK;
	last = t->flags[end] & DIVERGE_BLOCK;
	return !(first && last) &&
	    (first || last) ==
	    ((other->flags[t->to[end]] & DIVERGE_BLOCK) != 0);
}

/* Words from i to end that only this text has; `own` of them are counted. */
static void
alone_run(const struct diverge_text *t, const struct diverge_text *other,
    size_t i, size_t end, size_t own, struct diverge_side *out)
{
	size_t letter = 0, sending = 0;
	bool ends = false;

	for (size_t k = i; k < end; k++) {
		letter += (t->flags[k] & DIVERGE_LETTER) != 0;
		sending += (t->flags[k] & DIVERGE_SENDING) != 0;
		ends |= (t->flags[k] & DIVERGE_ENDS) != 0;
	}
	if (letter > 0 && 8 * (letter + sending) >= own &&
	    alone_is_edge(i, end, t->n)) {
		out->letters += own;
		return;
	}
	out->alone += own;
	out->slipped += own >= (ends ? SENTENCE_MIN : CLAUSE_MIN) &&
	    alone_is_slipped(t, other, i, end);
	if (own > out->longest) {
		out->longest = own;
		out->ends = ends;
	}
}

void
diverge_alone_find(const struct diverge_text *t,
    const struct diverge_text *other, struct diverge_side *out)
{
	size_t from = 0, end = 0, own = 0;

	out->words = t->n;
	for (size_t i = 0; i <= t->n; i++) {
		if (own > 0 && (i == t->n || i - end > JOIN_MAX)) {
			alone_run(t, other, from, end, own, out);
			own = 0;
		}
		if (i == t->n)
			break;
		if (t->to[i] != DIVERGE_NOWHERE) {
			out->matched++;
		} else if ((t->flags[i] & DIVERGE_MARK) == 0) {
			from = own == 0 ? i : from;
			end = i + 1;
			own++;
		}
	}
}
