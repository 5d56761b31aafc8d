/* SPDX-License-Identifier: Apache-2.0 */
/* Media queries, Media Queries 4, for a screen of 800 by 600. */
#include "html/css.h"

#define DEPTH 16 /* of nested brackets */

static enum css_match
css_media_both(enum css_match x, enum css_match y)
{
	return x < y ? x : y;
}

/* "(max-width: 600px)", the part in parentheses. */
static enum css_match
css_media_feature(struct str s)
{
	static const struct {
		struct str name;
		double window;
		int sense; /* -1: at most */
	} sizes[] = {
		{ SI("max-width"), 800, -1 },
		{ SI("max-device-width"), 800, -1 },
		{ SI("max-height"), 600, -1 },
		{ SI("max-device-height"), 600, -1 },
		{ SI("min-width"), 800, 1 },
		{ SI("min-device-width"), 800, 1 },
		{ SI("min-height"), 600, 1 },
		{ SI("min-device-height"), 600, 1 },
	};
	/* Features that only a person can turn on. */
	static const struct {
		struct str name, asked;
	} wishes[] = {
		{ SI("prefers-color-scheme"), SI("dark") },
		{ SI("prefers-reduced-motion"), SI("reduce") },
		{ SI("prefers-reduced-transparency"), SI("reduce") },
		{ SI("prefers-reduced-data"), SI("reduce") },
		{ SI("prefers-contrast"), SI("more") },
		{ SI("forced-colors"), SI("active") },
		{ SI("inverted-colors"), SI("inverted") },
		{ SI("scripting"), SI("enabled") },
	};
	struct str name, value;
	struct css_token t;
	double n = 0;
	enum css_kind kind;

	if (!str_cut(s, ':', &name, &value))
		return CSS_MAYBE;
	name = css_text_trim(name);
	value = css_text_trim(value);
	for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++)
		if (str_eq_case(name, wishes[i].name))
			return str_eq_case(value, wishes[i].asked) ? CSS_NO
								   : CSS_MAYBE;
	t = css_words_only(value);
	kind = css_token_length(&t, &n);
	if (kind == CSS_EM)
		n *= 16;
	if (kind != CSS_PX && kind != CSS_EM)
		return CSS_MAYBE;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (str_eq_case(name, sizes[i].name)) {
			/*
			 * Window sizes differ: only a distant limit is certain.
			 */
			if (sizes[i].sense < 0)
				return n < sizes[i].window ? CSS_NO
				    : n > 4000             ? CSS_YES
							   : CSS_MAYBE;
			return n <= sizes[i].window ? CSS_YES
			    : n > 4000              ? CSS_NO
						    : CSS_MAYBE;
		}
	return CSS_MAYBE;
}

static enum css_match
css_media_type(struct str word)
{
	static const struct str others[] = { SI("print"), SI("speech"),
		SI("aural"), SI("braille"), SI("embossed"), SI("handheld"),
		SI("projection"), SI("tty"), SI("tv") };

	if (str_eq_case(word, S("all")) || str_eq_case(word, S("screen")))
		return CSS_YES;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (str_eq_case(word, others[i]))
			return CSS_NO;
	return CSS_MAYBE;
}

/* One query of the list. */
static enum css_match
css_media_one(struct str s)
{
	enum css_match all = CSS_YES, it;
	bool not = false, first = true;
	size_t i = 0;

	while (i < s.n) {
		size_t from = i;

		if (css_text_is_space(s.p[i])) {
			i++;
			continue;
		}
		if (s.p[i] == '(') {
			size_t end = css_text_span(s, i + 1, ")");

			it = css_media_feature(
			    (struct str){ s.p + i + 1, end - i - 1 });
			i = end < s.n ? end + 1 : end;
		} else {
			struct str word;

			while (i < s.n && css_text_is_name(s.p[i]))
				i++;
			i += i == from;
			word = (struct str){ s.p + from, i - from };
			if (first && str_eq_case(word, S("not"))) {
				not = true;
				continue;
			}
			if (str_eq_case(word, S("only")) ||
			    str_eq_case(word, S("and")))
				continue;
			it = css_media_type(word);
		}
		first = false;
		all = css_media_both(all, it);
	}
	if (!not || all == CSS_MAYBE)
		return all;
	return all == CSS_YES ? CSS_NO : CSS_YES;
}

enum css_match
css_media_holds(struct str query)
{
	enum css_match any = CSS_NO;
	size_t i = 0;

	query = css_text_trim(query);
	if (query.n == 0)
		return CSS_YES;
	while (i < query.n && any != CSS_YES) {
		size_t end = css_text_span(query, i, ",");
		enum css_match it =
		    css_media_one((struct str){ query.p + i, end - i });

		any = it > any ? it : any;
		i = end + 1;
	}
	return any;
}

static enum css_match css_media_supports_all(struct css_block *b, struct str s,
    size_t depth);

/*
 * "(display: grid)": the part in brackets; a property that is in no table may
 * be supported.
 */
static enum css_match
css_media_supports_one(struct css_block *b, struct str s, size_t depth)
{
	size_t n = b->n;
	struct str name, value;
	enum css_match is = CSS_MAYBE;

	s = css_text_trim(s);
	if (!str_cut(s, ':', &name, &value) || str_has_char(name, '('))
		return css_media_supports_all(b, s, depth + 1);
	css_decl_read_one(b, s);
	if (b->n > n)
		is = CSS_YES;
	else if (css_decl_is_known(css_text_trim(name)))
		is = CSS_NO;
	b->n = n;
	return is;
}

/* Conditions 3 section 6: "not", "and" and "or", and nested brackets. */
static enum css_match
css_media_supports_all(struct css_block *b, struct str s, size_t depth)
{
	enum css_match all = CSS_MAYBE, it = CSS_MAYBE;
	bool not = false, first = true, any = false;

	while (depth < DEPTH) {
		struct css_token t;
		size_t end;

		s = css_text_trim(s);
		if (s.n == 0)
			return all;
		if (s.p[0] != '(') {
			t = css_token_next(&s);
			not = str_eq_case(t.text, S("not"));
			any |= str_eq_case(t.text, S("or"));
			if (t.kind == CSS_T_WORD)
				continue;
			it = CSS_MAYBE; /* a function */
		} else {
			end = css_text_span(s, 1, ")");
			it = css_media_supports_one(b,
			    (struct str){ s.p + 1, end - 1 }, depth);
			s = str_from(s, end + 1);
		}
		if (not &&it != CSS_MAYBE)
			it = it == CSS_YES ? CSS_NO : CSS_YES;
		not = false;
		if (first || (any ? it > all : it < all))
			all = it;
		first = false;
	}
	return CSS_MAYBE;
}

enum css_match
css_media_supports(struct css_block *b, struct str condition)
{
	return css_media_supports_all(b, condition, 0);
}
