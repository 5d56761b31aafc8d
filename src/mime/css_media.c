/* Media queries, Media Queries 4, for a screen of 800 by 600. */
#include "mime/css.h"

static enum css_match
both(enum css_match x, enum css_match y)
{
	return x < y ? x : y;
}

/* "(max-width: 600px)", what is in the parentheses. */
static enum css_match
feature(struct str s)
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
	struct str name, value;
	struct css_token t;
	double n = 0;
	enum css_kind kind;

	if (!str_cut(s, ':', &name, &value))
		return CSS_MAYBE;
	name = css_text_trim(name);
	value = css_text_trim(value);
	if (str_eq_case(name, S("prefers-color-scheme")))
		return str_eq_case(value, S("dark")) ? CSS_NO : CSS_MAYBE;
	t = css_words_only(value);
	kind = css_token_length(&t, &n);
	if (kind == CSS_EM)
		n *= 16;
	if (kind != CSS_PX && kind != CSS_EM)
		return CSS_MAYBE;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (str_eq_case(name, sizes[i].name)) {
			/* Windows differ: only a far bound is sure. */
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
type(struct str word)
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
one(struct str s)
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

			it = feature((struct str){ s.p + i + 1, end - i - 1 });
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
			it = type(word);
		}
		first = false;
		all = both(all, it);
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
		enum css_match it = one((struct str){ query.p + i, end - i });

		any = it > any ? it : any;
		i = end + 1;
	}
	return any;
}
