/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small differences within the parts that two texts have in common, and which
 * of them change a fact.
 */
#include "mime/diverge.h"

#define EDIT_MAX 6    /* words of a small difference, in either text */
#define CONTEXT_MIN 4 /* equal words around it */
#define EDGE 3        /* words that the beginning or end of a text counts for */

/* The words between two matched words, in both texts. */
struct facts_edit {
	size_t i, j; /* of the plain text */
	size_t k, l; /* of the HTML */
};

/* How many words from i on, or back, are matched consecutively. */
static size_t
facts_run(const struct diverge_text *t, size_t i, int step)
{
	size_t n = 1;

	for (; n < CONTEXT_MIN; n++) {
		size_t k = i + (size_t)(step * (int)n);

		if (k >= t->n)
			return n + EDGE;
		if (t->to[k] != t->to[i] + (uint32_t)(step * (int)n))
			break;
	}
	return n;
}

struct facts_count {
	size_t words, nots, alone, names, days, numbers;
};

static void
facts_add(const struct diverge_text *t, size_t i, struct facts_count *c)
{
	unsigned f = t->flags[i];

	if (f & DIVERGE_MARK)
		return;
	c->words++;
	c->nots += (f & DIVERGE_NOT) != 0;
	c->alone += (f & DIVERGE_ALONE) != 0;
	c->days += (f & DIVERGE_DAY) != 0;
	c->names +=
	    (f & (DIVERGE_CAPITAL | DIVERGE_SMALL)) == DIVERGE_CAPITAL &&
	    t->word[i].n > 2;
	c->numbers += t->kind[i] == DIVERGE_NUMBER;
}

/* Is the word at i of t among the words of u from k to l? */
static bool
facts_among(const struct diverge_text *t, size_t i,
    const struct diverge_text *u, size_t k, size_t l)
{
	for (; k < l; k++)
		if (u->id[k] == t->id[i])
			return true;
	return false;
}

/* Are the words from i to j whole lines or sentences? */
static bool
facts_whole(const struct diverge_text *t, size_t i, size_t j)
{
	return i < j && (t->flags[i] & DIVERGE_BEGINS) &&
	    (j == t->n || t->flags[j] & DIVERGE_BEGINS);
}

/* Are they the same letters, with spaces in different places? */
static bool
facts_same_letters(const struct diverge_text *p, const struct diverge_text *h,
    const struct facts_edit *e)
{
	size_t i = e->i, k = e->k, u = 0, v = 0;

	for (;;) {
		for (; i < e->j && u == p->word[i].n; i++)
			u = 0;
		for (; k < e->l && v == h->word[k].n; k++)
			v = 0;
		if (i == e->j || k == e->l)
			return i == e->j && k == e->l;
		if (p->word[i].p[u++] != h->word[k].p[v++])
			return false;
	}
}

static size_t
facts_ascii(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += (unsigned char)s.p[i] < 0x80;
	return n;
}

/*
 * Are they equal except for one letter at the end, "Acme(R)", or beyond ASCII,
 * "Rene"?
 */
static bool
facts_same_stem(struct str x, struct str y)
{
	size_t n = facts_ascii(x), m = facts_ascii(y), i = 0, k = 0;

	if (2 * n <= x.n || 2 * m <= y.n || n > m + 1 || m > n + 1 || n < 3 ||
	    m < 3)
		return false;
	for (size_t same = 0; same < (n < m ? n : m); same++) {
		while ((unsigned char)x.p[i] >= 0x80)
			i++;
		while ((unsigned char)y.p[k] >= 0x80)
			k++;
		if (x.p[i++] != y.p[k++])
			return false;
	}
	return true;
}

/*
 * Is a small difference one of spelling?  Examples: a word is split at a line
 * end, a trademark sign is written as a letter, an accent is lost.  In numbers,
 * and in "can" and "can't", each letter counts.
 */
static bool
facts_alike(const struct diverge_text *p, const struct diverge_text *h,
    const struct facts_edit *e, bool exact)
{
	if (facts_same_letters(p, h, e))
		return true;
	if (exact || e->j - e->i != e->l - e->k)
		return false;
	for (size_t i = 0; i < e->j - e->i; i++)
		if (!facts_same_stem(p->word[e->i + i], h->word[e->k + i]))
			return false;
	return true;
}

static void
facts_weigh(const struct facts_count *p, const struct facts_count *h,
    bool whole, struct diverge *out)
{
	bool both = p->words > 0 && h->words > 0;

	if (p->words + h->words == 0)
		return;
	out->edits++;
	if (p->nots != h->nots &&
	    (both || (!whole && p->words + h->words <= 3)))
		out->nots++;
	else if (p->numbers > 0 && h->numbers > 0)
		out->numbers++;
	else if (p->days > 0 && h->days > 0)
		out->days++;
	else if (p->alone > 0 && h->alone > 0)
		out->alone++;
	else if (p->names > 0 && h->names > 0 && !whole && p->words <= 3 &&
	    h->words <= 3)
		out->names++;
	else if (both)
		out->swaps++;
}

static void
facts_edit(const struct diverge_text *p, const struct diverge_text *h,
    const struct facts_edit *e, struct diverge *out)
{
	struct facts_count a = { 0 }, b = { 0 };
	bool whole = facts_whole(p, e->i, e->j) || facts_whole(h, e->k, e->l);

	for (size_t i = e->i; i < e->j; i++)
		if (!facts_among(p, i, h, e->k, e->l))
			facts_add(p, i, &a);
	for (size_t i = e->k; i < e->l; i++)
		if (!facts_among(h, i, p, e->i, e->j))
			facts_add(h, i, &b);
	if (a.words > 0 && b.words > 0 &&
	    facts_alike(p, h, e, a.numbers + b.numbers > 0 || a.nots != b.nots))
		return;
	facts_weigh(&a, &b, whole, out);
}

void
diverge_facts_find(const struct diverge_text *p, const struct diverge_text *h,
    struct diverge *out)
{
	size_t last = DIVERGE_NOWHERE; /* the last matched word */

	for (size_t i = 0; i <= p->n; i++) {
		struct facts_edit e = { .j = i, .l = h->n };
		size_t context = (size_t)2 * EDGE;

		if (i < p->n && p->to[i] == DIVERGE_NOWHERE)
			continue;
		if (last != DIVERGE_NOWHERE) {
			e.i = last + 1;
			e.k = p->to[last] + 1;
			context += facts_run(p, last, -1) - EDGE;
		}
		if (i < p->n) {
			e.l = p->to[i];
			context += facts_run(p, i, 1) - EDGE;
		}
		last = i;
		if (e.l < e.k || e.j - e.i > EDIT_MAX || e.l - e.k > EDIT_MAX ||
		    e.j - e.i + e.l - e.k == 0 || context < CONTEXT_MIN)
			continue;
		facts_edit(p, h, &e, out);
	}
}
