/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which child of a multipart/alternative is read.  A person sees the HTML, as
 * the last and richest (RFC 2046 section 5.1.4), so that is read; the plain
 * text replaces it only if both say the same.
 */
#include "mime/reading.h"

#define COMPARED_MAX 4 /* alternatives compared with the chosen one */

struct choice {
	size_t plain, html; /* the last of each kind that has words, or 0 */
};

/* Does part i, or one within it, have text of that kind with words in it? */
static bool
reading_choice_speaks(const struct reading_plan *pl, struct reading_texts *t,
    size_t i, bool html)
{
	for (size_t k = i; k < pl->end[i]; k++)
		if (pl->role[k] == READING_TEXT &&
		    reading_type_is_html(&pl->m->part[k]) == html &&
		    reading_text_speaks(t, k))
			return true;
	return false;
}

/* The whole text of part i; a single text is not copied. */
static struct str
reading_choice_text_within(const struct reading_plan *pl,
    struct reading_texts *t, struct arena *a, size_t i)
{
	struct str one = S("");
	struct buf b;
	size_t n = 0;

	buf_init(&b, a, LIMIT_MIME_TEXT);
	for (size_t k = i; k < pl->end[i]; k++) {
		if (pl->role[k] != READING_TEXT || !reading_text_speaks(t, k))
			continue;
		if (n == 1)
			buf_str(&b, one);
		if (n > 0)
			buf_char(&b, '\n');
		one = reading_text(t, k);
		if (n > 0)
			buf_str(&b, one);
		n++;
	}
	return n > 1 ? buf_view(&b) : one;
}

static enum diverge_verdict
reading_choice_compare(const struct reading_plan *pl, struct reading_texts *t,
    size_t plain, size_t html)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct str p, h;

	if (plain == html)
		return DIVERGE_WORDING;
	a = arena_open(LIMIT_ARENA);
	p = reading_choice_text_within(pl, t, a, plain);
	h = reading_choice_text_within(pl, t, a, html);
	if (p.n + h.n > t->comparable)
		return DIVERGE_MEANING;
	t->comparable -= p.n + h.n;
	return diverge_judge(p, h);
}

/*
 * Is there HTML without readable text?  Then a person sees a picture, or
 * nothing, and not the words of the plain text.
 */
static bool
reading_choice_is_mute(const struct reading_plan *pl, struct reading_texts *t,
    size_t i, const struct choice *c)
{
	if (c->plain == 0 || c->html != 0 ||
	    diverge_judge(reading_choice_text_within(pl, t, t->a, c->plain),
		S("")) != DIVERGE_MEANING)
		return false;
	for (size_t k = i + 1; k < pl->end[i]; k++)
		if (pl->role[k] == READING_TEXT &&
		    reading_type_is_html(&pl->m->part[k]))
			return true;
	return false;
}

static size_t
reading_choice_best_of(const struct reading_plan *pl, struct reading_texts *t,
    const struct choice *c, enum mime_part_choice want, bool *divergent)
{
	enum diverge_verdict v;

	if (c->plain == 0 || c->html == 0)
		return c->plain + c->html;
	v = reading_choice_compare(pl, t, c->plain, c->html);
	*divergent |= v == DIVERGE_MEANING;
	if (want == MIME_PART_PLAIN)
		return c->plain;
	return want == MIME_PART_AUTO && v == DIVERGE_SAME ? c->plain : c->html;
}

/* The child that is read, or 0 if none has words. */
static size_t
reading_choice_choose(const struct reading_plan *pl, struct reading_texts *t,
    size_t i, enum mime_part_choice want, bool *divergent)
{
	struct choice c = { 0 };
	size_t best, compared = 0;

	for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k]) {
		if (reading_choice_speaks(pl, t, k, true))
			c.html = k;
		else if (reading_choice_speaks(pl, t, k, false))
			c.plain = k;
	}
	best = reading_choice_best_of(pl, t, &c, want, divergent);
	*divergent |= reading_choice_is_mute(pl, t, i, &c);
	/* The other children, which other readers may show. */
	for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k]) {
		if (k == c.plain || k == c.html ||
		    (!reading_choice_speaks(pl, t, k, true) &&
			!reading_choice_speaks(pl, t, k, false)))
			continue;
		*divergent |= ++compared > COMPARED_MAX ||
		    reading_choice_compare(pl, t, k, best) == DIVERGE_MEANING;
	}
	return best;
}

bool
reading_choice_make(struct reading_plan *pl, struct reading_texts *t,
    enum mime_part_choice want)
{
	bool divergent = false;

	/* The innermost choices are made first. */
	for (size_t i = pl->m->n; i-- > 0;) {
		size_t best;

		if (!reading_type_is(&pl->m->part[i], "multipart/alternative"))
			continue;
		best = reading_choice_choose(pl, t, i, want, &divergent);
		for (size_t k = i + 1; k < pl->end[i]; k++)
			if (pl->role[k] == READING_TEXT &&
			    (best == 0 || k < best || k >= pl->end[best]))
				pl->role[k] = READING_LEFT;
	}
	return divergent;
}
