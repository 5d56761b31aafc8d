/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads lengths and numbers.  Values that browsers drop are dropped; values
 * that a browser may drop are "maybe", so that they cannot override one that
 * hides.
 */
#include <string.h>

#include "html/css.h"

static bool
is_negative_bad(enum css_prop p)
{
	return p == CSS_FONT_SIZE || p == CSS_LINE_HEIGHT || p == CSS_WIDTH ||
	    (p >= CSS_HEIGHT && p <= CSS_MIN_HEIGHT);
}

/* Sizes that depend on the content or on the container. */
static bool
css_length_is_of_content(struct str s)
{
	static const struct css_words list[] = { CSS_W("min-content"),
		CSS_W("max-content"), CSS_W("fit-content"), CSS_W("stretch"),
		CSS_W("-webkit-fill-available"), CSS_W("-webkit-fit-content"),
		CSS_W("-webkit-max-content"), CSS_W("-webkit-min-content"),
		CSS_W("") };

	return css_words_find(s, list) != NULL;
}

/* Words in place of a length, by property. */
static bool
css_length_is_word(enum css_prop p, struct str s)
{
	switch ((int)p) {
	case CSS_MAX_WIDTH:
	case CSS_MAX_HEIGHT:
		return str_eq_case(s, S("none")) || css_length_is_of_content(s);
	case CSS_WIDTH:
	case CSS_HEIGHT:
	case CSS_MIN_HEIGHT:
		return str_eq_case(s, S("auto")) || css_length_is_of_content(s);
	case CSS_LEFT:
	case CSS_RIGHT:
	case CSS_TOP:
	case CSS_BOTTOM:
	case CSS_MARGIN_LEFT:
	case CSS_MARGIN_TOP:
	case CSS_MARGIN_RIGHT:
	case CSS_MARGIN_BOTTOM:
		return str_eq_case(s, S("auto"));
	case CSS_LINE_HEIGHT:
	case CSS_LETTER_SPACING:
		return str_eq_case(s, S("normal"));
	default:
		return false;
	}
}

/* A function as a length: arithmetic, or one that few properties accept. */
static enum css_kind
css_length_read_call(struct css_block *b, enum css_prop p,
    const struct css_token *t, double *n)
{
	bool of_font = p == CSS_FONT_SIZE || p == CSS_LINE_HEIGHT ||
	    p == CSS_LETTER_SPACING;
	double em = b->em > 0 ? b->em : 16;
	struct css_calc c = { em, of_font ? em : 800, false };
	enum css_kind kind;

	if (str_eq_case(t->text, S("fit-content")))
		return p >= CSS_WIDTH && p <= CSS_MIN_HEIGHT ? CSS_UNKNOWN
							     : CSS_INVALID;
	if (str_eq_case(t->text, S("anchor")) ||
	    str_eq_case(t->text, S("anchor-size")) ||
	    str_eq_case(t->text, S("calc-size")))
		return CSS_UNKNOWN;
	kind = css_calc_read(&c, t, n);
	/* Numbers, even 0, are not lengths here. */
	if (kind == CSS_NUMBER && p != CSS_LINE_HEIGHT)
		return CSS_INVALID;
	if ((kind == CSS_PX || kind == CSS_NUMBER) && is_negative_bad(p))
		*n = *n < 0 ? 0 : *n;
	return kind;
}

/* One token as a length; false if a browser drops it. */
static bool
css_length_read_one(struct css_block *b, struct css_decl *d, enum css_prop p,
    const struct css_token *t)
{
	double n = 0;
	enum css_kind kind;

	d->prop = (unsigned char)p;
	d->kind = CSS_WORD;
	d->n = CSS_NONE;
	if (t->kind == CSS_T_WORD)
		return css_length_is_word(p, t->text);
	kind = t->kind == CSS_T_CALL ? css_length_read_call(b, p, t, &n)
				     : css_token_length(t, &n);
	if (kind == CSS_INVALID || (n < 0 && is_negative_bad(p)))
		return false;
	if (kind == CSS_NUMBER && p != CSS_LINE_HEIGHT) {
		kind = CSS_PX; /* without a doctype */
		d->maybe = true;
	}
	d->kind = (unsigned char)kind;
	d->n = n;
	return true;
}

void
css_length_one(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	if (css_length_read_one(b, d, p, &t))
		css_decl_add(b, d);
}

/* margin and inset: one to four lengths, clockwise from the top. */
void
css_length_sides(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const enum css_prop sides[2][4] = {
		{ CSS_MARGIN_TOP, CSS_MARGIN_RIGHT, CSS_MARGIN_BOTTOM,
		    CSS_MARGIN_LEFT },
		{ CSS_TOP, CSS_RIGHT, CSS_BOTTOM, CSS_LEFT },
	};
	/* Which of n values applies to each side. */
	static const unsigned char which[5][4] = { { 0 }, { 0 }, { 0, 1, 0, 1 },
		{ 0, 1, 2, 1 }, { 0, 1, 2, 3 } };
	struct css_decl one[4] = { *d, *d, *d, *d };
	struct css_token t[4];
	size_t n = 0;

	for (; n < 4; n++) {
		t[n] = css_token_next(&value);
		if (t[n].kind == CSS_T_END)
			break;
		if (!css_length_read_one(b, &one[n], CSS_LEFT, &t[n]))
			return;
	}
	if (n == 0 || css_text_trim(value).n > 0)
		return;
	for (size_t i = 0; i < 4; i++) {
		struct css_decl side = one[which[n][i]];

		side.prop = (unsigned char)sides[p == CSS_TOP][i];
		css_decl_add(b, &side);
	}
}

/* A font size as a word, CSS Fonts 4 section 2.5; false if not one of them. */
static bool
css_length_size_word(struct css_block *b, struct css_decl *d, struct str text)
{
	static const struct {
		struct str name;
		double px;
	} sizes[] = {
		{ SI("medium"), 16 },
		{ SI("small"), 13 },
		{ SI("x-small"), 10 },
		{ SI("xx-small"), 9 },
		{ SI("large"), 18 },
		{ SI("x-large"), 24 },
		{ SI("xx-large"), 32 },
		{ SI("xxx-large"), 48 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (str_eq_case(text, sizes[i].name)) {
			css_decl_put(b, d, CSS_FONT_SIZE, CSS_PX, sizes[i].px);
			return true;
		}
	if (str_eq_case(text, S("smaller")))
		css_decl_word(b, d, CSS_FONT_SIZE, CSS_SMALLER);
	else if (str_eq_case(text, S("larger")))
		css_decl_word(b, d, CSS_FONT_SIZE, CSS_LARGER);
	else
		return false;
	return true;
}

void
css_length_size(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	if (t.kind != CSS_T_WORD)
		css_length_one(b, p, d, value);
	else
		(void)css_length_size_word(b, d, t.text);
}

/* The values allowed before the size in the shorthand. */
static bool
css_length_is_face(const struct css_token *t)
{
	static const struct css_words list[] = { CSS_W("normal"),
		CSS_W("italic"), CSS_W("oblique"), CSS_W("small-caps"),
		CSS_W("bold"), CSS_W("bolder"), CSS_W("lighter"), CSS_W("") };

	return t->kind == CSS_T_WORD && css_words_find(t->text, list) != NULL;
}

/* After the size: "/" and the line height, then families. */
static bool
css_length_is_family(struct css_block *b, struct str value)
{
	struct css_token t = css_token_next(&value);
	bool families = false;

	if (t.kind == CSS_T_SIGN && t.text.p[0] == '/') {
		struct css_decl d = { 0 };

		t = css_token_next(&value);
		if (!css_length_read_one(b, &d, CSS_LINE_HEIGHT, &t))
			return false;
		t = css_token_next(&value);
	}
	for (; t.kind != CSS_T_END; t = css_token_next(&value)) {
		if (t.kind != CSS_T_WORD && t.kind != CSS_T_STRING &&
		    !(families && t.kind == CSS_T_SIGN && t.text.p[0] == ','))
			return false;
		families = true;
	}
	return families;
}

/* System fonts: the word is the whole shorthand. */
static bool
css_length_is_system_font(struct str value)
{
	static const struct css_words list[] = { CSS_W("caption"),
		CSS_W("icon"), CSS_W("menu"), CSS_W("message-box"),
		CSS_W("small-caption"), CSS_W("status-bar"),
		CSS_W("-webkit-small-control"), CSS_W("-webkit-mini-control"),
		CSS_W("") };

	return css_words_find(value, list) != NULL;
}

/* The shorthand: the first length or size word is the size. */
void
css_length_font(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	if (css_length_is_system_font(value)) {
		css_decl_put(b, d, p, CSS_PX, 13);
		return;
	}
	for (size_t faces = 0; faces <= 4; faces++) {
		struct css_token t = css_token_next(&value);
		double n = 0;

		if (t.kind == CSS_T_END)
			return;
		if (t.kind == CSS_T_WORD && css_length_is_family(b, value) &&
		    css_length_size_word(b, d, t.text))
			return;
		/* A number without unit is a weight. */
		if (t.kind == CSS_T_CALL ||
		    (t.kind == CSS_T_NUMBER &&
			css_token_length(&t, &n) != CSS_NUMBER)) {
			if (css_length_is_family(b, value) &&
			    css_length_read_one(b, d, p, &t))
				css_decl_add(b, d);
			return;
		}
		if (!css_length_is_face(&t) &&
		    (t.kind != CSS_T_NUMBER || t.n < 1 || t.n > 1000))
			return;
	}
}

/* font-size-adjust: a factor of the size, relative to a letter's. */
void
css_length_adjust(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_token_next(&value);
	static const struct css_words metric[] = { CSS_W("ex-height"),
		CSS_W("cap-height"), CSS_W("ch-width"), CSS_W("ic-width"),
		CSS_W("ic-height"), CSS_W("") };

	if (t.kind == CSS_T_WORD && css_words_find(t.text, metric) != NULL)
		t = css_token_next(&value);
	if (css_text_trim(value).n > 0)
		return;
	if (t.kind == CSS_T_WORD &&
	    (str_eq_case(t.text, S("none")) ||
		str_eq_case(t.text, S("from-font"))))
		css_decl_word(b, d, p, CSS_NONE);
	else if (t.kind == CSS_T_NUMBER && t.text.n == 0 && t.n >= 0)
		css_decl_put(b, d, p, CSS_NUMBER, t.n);
	else if (t.kind == CSS_T_CALL && css_calc_is(t.text))
		css_decl_unknown(b, d, p);
}

/* opacity, zoom, z-index: a number or a percentage. */
void
css_length_number(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);
	struct css_calc c = { 16, 1, false };
	double n = t.n;

	if (t.kind == CSS_T_CALL) {
		enum css_kind kind = css_calc_read(&c, &t, &n);

		/* A sum of percentages has px here, except for opacity. */
		if (kind == CSS_UNKNOWN || (kind == CSS_PX && c.relative))
			css_decl_unknown(b, d, p);
		else if (kind == CSS_NUMBER)
			css_decl_put(b, d, p, CSS_NUMBER, n);
	} else if (t.kind == CSS_T_NUMBER && str_eq(t.text, S("%"))) {
		if (p != CSS_Z_INDEX)
			css_decl_put(b, d, p, CSS_NUMBER, n / 100);
	} else if (t.kind == CSS_T_NUMBER && t.text.n == 0) {
		css_decl_put(b, d, p, CSS_NUMBER, n);
	} else if (t.kind == CSS_T_WORD &&
	    ((p == CSS_Z_INDEX && str_eq_case(t.text, S("auto"))) ||
		(p == CSS_ZOOM && str_eq_case(t.text, S("normal"))))) {
		css_decl_word(b, d, p, CSS_NONE);
	}
}

/* scale: the smallest of its numbers counts. */
void
css_length_scale(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	double least = 1;
	size_t n = 0;

	for (;; n++) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			break;
		if (n == 0 && str_eq_case(t.text, S("none")) &&
		    css_text_trim(value).n == 0)
			break;
		if (t.kind == CSS_T_CALL && css_calc_is(t.text)) {
			css_decl_unknown(b, d, p);
			return;
		}
		if (n == 3 || t.kind != CSS_T_NUMBER ||
		    (t.text.n > 0 && !str_eq(t.text, S("%"))))
			return;
		t.n = t.text.n > 0 ? t.n / 100 : t.n;
		least = n < 2 && t.n < least ? t.n : least;
	}
	css_decl_put(b, d, p, CSS_NUMBER, least);
}

/* translate: each of its lengths may move the box away. */
void
css_length_translate(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_decl one[3] = { *d, *d, *d };
	size_t n = 0;

	for (; n < 3; n++) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			break;
		if (n == 0 && str_eq_case(t.text, S("none"))) {
			one[0].kind = CSS_PX;
			one[0].n = 0;
		} else if (!css_length_read_one(b, &one[n], p, &t)) {
			return;
		}
	}
	if (n == 0 || css_text_trim(value).n > 0)
		return;
	if (n == 1) {
		one[1].kind = CSS_PX;
		one[1].n = 0;
	}
	one[0].prop = CSS_MOVE_X;
	one[1].prop = CSS_MOVE_Y;
	css_decl_add(b, &one[0]);
	css_decl_add(b, &one[1]);
}
