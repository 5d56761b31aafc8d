/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how far two texts differ, and whether the reader must be told. */
#include <string.h>

#include "base/limits.h"
#include "mime/diverge.h"

#define TEXT_MAX (2UL << 20) /* longer texts are not compared */

/* The same words in the same order, and no host or address in only one? */
static bool
diverge_is_same(const struct diverge_text *plain,
    const struct diverge_text *html, const struct diverge *d)
{
	return plain->n == html->n &&
	    (plain->n == 0 ||
		memcmp(plain->id, html->id, plain->n * sizeof(*plain->id)) ==
		    0) &&
	    d->plain.addresses + d->plain.hosts + d->plain.links == 0;
}

static void
diverge_measure(struct str plain, struct str html, struct diverge *out)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct diverge_text text[2] = { { 0 }, { 0 } };

	*out = (struct diverge){ 0 };
	if (plain.n > TEXT_MAX || html.n > TEXT_MAX) {
		out->unread = true;
		return;
	}
	a = arena_open(LIMIT_ARENA);
	diverge_words_read(a, plain, html, text);
	diverge_match(&text[0], &text[1]);
	diverge_match(&text[1], &text[0]);
	diverge_facts_find(&text[0], &text[1], out);
	diverge_facts_find(&text[1], &text[0], out);
	diverge_alone_find(&text[0], &text[1], &out->plain);
	diverge_alone_find(&text[1], &text[0], &out->html);
	diverge_place_find(a, &text[0], &text[1], &out->plain);
	diverge_place_find(a, &text[1], &text[0], &out->html);
	diverge_place_compare(&text[0], &text[1], out);
	diverge_place_compare(&text[1], &text[0], out);
	out->same = diverge_is_same(&text[0], &text[1], out);
}

/*
 * Is there an additional sentence that stands out from the other differences?
 * If words are also reworded, the plain text was written independently, and
 * then whole paragraphs are left out.
 */
static bool
diverge_adds(const struct diverge_side *s, const struct diverge_side *other,
    size_t swaps)
{
	size_t rest = s->alone - s->longest;

	if (2 * s->matched < s->words)
		return false;
	if (rest + other->alone + swaps == 0)
		return s->longest >= (s->ends ? 3 : 5);
	if (swaps > 0 && s->longest > 24)
		return false;
	if (!s->ends && s->longest < (rest > 0 ? 12 : 6))
		return false;
	return s->longest >= 4 + rest / 3 + swaps / 2;
}

/*
 * Does the plain text have so many words of its own, or are so many words
 * reworded, that it is another text?  `swaps` are counted from both sides.
 */
static bool
diverge_is_other(const struct diverge *d)
{
	return (5 * d->plain.alone >= 2 * d->plain.words &&
		   d->plain.alone > 1) ||
	    (d->swaps >= 6 && 15 * d->swaps >= d->plain.words);
}

static bool
diverge_facts(const struct diverge *d)
{
	if (d->nots + d->numbers + d->days + d->alone + d->names > 0)
		return true;
	return (d->plain.addresses > 0 && d->html.addresses > 0) ||
	    (d->moved > 0 && (d->moved <= 2 || 2 * d->moved <= d->kept));
}

/*
 * The plain text is read only if it says exactly what the HTML says.  A
 * difference is reported if it changes a fact, or if it adds or removes a
 * sentence in an otherwise equal text; a plain text that leaves out much of a
 * newsletter is not reported.
 */
enum diverge_verdict
diverge_judge(struct str plain, struct str html)
{
	struct diverge d;

	diverge_measure(plain, html, &d);
	if (d.unread)
		return str_eq(plain, html) ? DIVERGE_SAME : DIVERGE_MEANING;
	if (d.same)
		return DIVERGE_SAME;
	if (diverge_facts(&d) || diverge_is_other(&d) ||
	    d.plain.slipped + d.html.slipped > 0 ||
	    diverge_adds(&d.plain, &d.html, d.swaps) ||
	    (2 * d.plain.matched >= d.plain.words && d.html.longest <= 60 &&
		diverge_adds(&d.html, &d.plain, d.swaps)))
		return DIVERGE_MEANING;
	return DIVERGE_WORDING;
}
