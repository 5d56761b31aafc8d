/* SPDX-License-Identifier: Apache-2.0 */
/* Reads colours and backgrounds. */
#include <string.h>

#include "html/css.h"

/* Without a doctype "color: ffffff" is valid. */
static bool
css_paint_is_hashless(const struct css_token *t)
{
	for (size_t i = 0; i < t->text.n; i++)
		if (str_hex(t->text.p[i]) < 0)
			return false;
	return t->kind == CSS_T_NUMBER || t->text.n == 3 || t->text.n == 6;
}

static void
css_paint_add_colour(struct css_block *b, struct css_decl *d, enum css_prop p,
    uint32_t rgba)
{
	d->colours = 1;
	d->colour[0] = rgba;
	css_decl_put(b, d, p, CSS_COLOURS, 0);
}

void
css_paint_colour(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value),
			 hash = { .kind = CSS_T_HASH };
	uint32_t rgba = 0;
	int is = css_colour_read(&t, &rgba);

	if (is > 0) {
		css_paint_add_colour(b, d, p, rgba);
	} else if (is < 0) {
		css_decl_unknown(b, d, p);
	} else if (t.kind == CSS_T_WORD &&
	    str_eq_case(t.text, S("currentcolor"))) {
		css_decl_word(b, d, p, CSS_CURRENT);
	} else if ((t.kind == CSS_T_WORD || t.kind == CSS_T_NUMBER) &&
	    css_paint_is_hashless(&t)) {
		hash.text = css_text_trim(value);
		d->maybe = true;
		if (css_colour_read(&hash, &rgba) > 0)
			css_paint_add_colour(b, d, p, rgba);
	}
}

/* A gradient's colours, as many as fit; with more it is unknown. */
static void
css_paint_read_gradient(struct css_decl *d, struct str args)
{
	size_t n = 0;

	for (;;) {
		struct css_token t = css_token_next(&args);
		uint32_t rgba = 0;
		int is;

		if (t.kind == CSS_T_END)
			break;
		is = css_colour_read(&t, &rgba);
		if (is == 0)
			continue;
		if (is < 0 || n == CSS_STOPS) {
			n = 0;
			break;
		}
		d->colour[n++] = rgba;
	}
	d->colours = (unsigned char)n;
	d->kind = n > 0 ? CSS_COLOURS : CSS_UNKNOWN;
}

static bool
has_escape(struct str s)
{
	return str_has_char(s, CSS_SIGN) || str_has_char(s, '\\');
}

/* One token of a background's picture; false if it is not one. */
static bool
css_paint_read_picture(struct css_decl *d, const struct css_token *t)
{
	static const struct css_words pictures[] = { CSS_W("image-set"),
		CSS_W("-webkit-image-set"), CSS_W("cross-fade"),
		CSS_W("-webkit-cross-fade"), CSS_W("element"),
		CSS_W("-moz-element"), CSS_W("paint"), CSS_W("image"),
		CSS_W("src"), CSS_W("") };
	struct str args = css_text_trim(t->args);

	if (t->kind != CSS_T_CALL)
		return false;
	if (str_ends_case(t->text, S("-gradient"))) {
		css_paint_read_gradient(d, t->args);
		/* Other vendors' prefixes are ignored by some browsers. */
		d->maybe |= t->text.p[0] == '-' &&
		    !str_starts_case(t->text, S("-webkit-"));
		return true;
	}
	if (args.n > 0 && (args.p[0] == '"' || args.p[0] == '\''))
		args = str_from(args, 1);
	if (!str_eq_case(t->text, S("url"))) {
		d->kind = CSS_UNKNOWN;
		return css_words_find(t->text, pictures) != NULL;
	}
	/*
	 * A fetched picture is meant as a background for text; embedded data
	 * may have any colour; other URLs are not found.
	 */
	d->kind = CSS_WORD;
	d->n = CSS_NONE;
	if (str_starts_case(args, S("data:")) || has_escape(args))
		d->kind = CSS_UNKNOWN;
	else if (str_starts_case(args, S("http:")) ||
	    str_starts_case(args, S("https:")) ||
	    str_starts_case(args, S("cid:")) || str_starts(args, S("//")))
		d->n = CSS_IMAGE;
	return true;
}

/* The values that a background may have once, with their counts. */
struct layer {
	struct css_decl picture;
	uint32_t rgba;
	size_t colours, pictures, places, sizes, repeats, boxes, scrolls;
	bool current, unknown, none, slash, odd;
};

/* A word, number or sign of a background other than a colour or picture. */
static void
css_paint_read_part(struct layer *l, const struct css_token *t)
{
	enum {
		PLACE,
		SIZE,
		REPEAT,
		BOX,
		PICTURE,
		SCROLL
	};
	static const struct {
		struct str name;
		int part;
	} list[] = {
		{ SI("none"), PICTURE },
		{ SI("repeat"), REPEAT },
		{ SI("no-repeat"), REPEAT },
		{ SI("repeat-x"), REPEAT },
		{ SI("repeat-y"), REPEAT },
		{ SI("space"), REPEAT },
		{ SI("round"), REPEAT },
		{ SI("scroll"), SCROLL },
		{ SI("fixed"), SCROLL },
		{ SI("local"), SCROLL },
		{ SI("border-box"), BOX },
		{ SI("padding-box"), BOX },
		{ SI("content-box"), BOX },
		{ SI("center"), PLACE },
		{ SI("left"), PLACE },
		{ SI("right"), PLACE },
		{ SI("top"), PLACE },
		{ SI("bottom"), PLACE },
		{ SI("auto"), SIZE },
		{ SI("cover"), SIZE },
		{ SI("contain"), SIZE },
	};
	size_t *count[] = { &l->places, &l->sizes, &l->repeats, &l->boxes,
		&l->pictures, &l->scrolls };
	double n = 0;
	int part = -1;

	if (t->kind == CSS_T_SIGN && t->text.p[0] == '/') {
		l->odd |= l->slash || l->places == 0;
		l->slash = true;
		return;
	}
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (t->kind == CSS_T_WORD && str_eq_case(t->text, list[i].name))
			part = list[i].part;
	if (t->kind == CSS_T_NUMBER ||
	    (t->kind == CSS_T_CALL && css_calc_is(t->text))) {
		enum css_kind kind = css_token_length(t, &n);

		part = l->slash ? SIZE : PLACE;
		l->odd |= kind == CSS_NUMBER || kind == CSS_INVALID;
	}
	if (part < 0) {
		l->odd = true;
		return;
	}
	(*count[part])++;
	l->none |= part == PICTURE;
	l->odd |= part == SIZE && !l->slash;
}

/* One layer of the shorthand; false if a browser drops all of it. */
static bool
css_paint_read_layer(struct layer *l, struct str value)
{
	for (;;) {
		struct css_token t = css_token_next(&value);
		int is;

		if (t.kind == CSS_T_END)
			break;
		is = css_colour_read(&t, &l->rgba);
		l->unknown |= is < 0;
		if (is != 0)
			l->colours++;
		else if (t.kind == CSS_T_WORD &&
		    str_eq_case(t.text, S("currentcolor")))
			l->current = true, l->colours++;
		else if (css_paint_read_picture(&l->picture, &t))
			l->pictures++;
		else
			css_paint_read_part(l, &t);
	}
	return !l->odd && l->colours <= 1 && l->places <= 4 && l->sizes <= 2 &&
	    l->repeats <= 2 && l->boxes <= 2 && l->scrolls <= 1 &&
	    l->pictures <= 1;
}

/*
 * The first layer is on top: with several it is unknown which is seen.  A
 * gradient that may not reach the text does not count as its background.
 */
static void
css_paint_add_picture(struct css_decl *all, const struct layer *l,
    size_t layers)
{
	struct css_decl one = l->picture;

	if (one.kind == CSS_COLOURS && l->places + l->sizes + l->repeats > 0)
		one.kind = CSS_UNKNOWN;
	/* Nothing above it, or a translucent gradient over a picture. */
	if (layers == 0 ||
	    (all->kind == CSS_WORD && (enum css_word)all->n == CSS_NONE) ||
	    (all->kind == CSS_COLOURS && one.kind == CSS_WORD &&
		(enum css_word)one.n == CSS_IMAGE))
		*all = one;
	else if (!l->none)
		all->kind = CSS_UNKNOWN;
}

/* The shorthand: layers, of which only the last may have a colour. */
void
css_paint_background(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_decl picture = *d;
	struct layer l;
	size_t i = 0, layers = 0;

	for (;; layers++) {
		size_t end = css_text_span(value, i, ",");

		memset(&l, 0, sizeof(l));
		l.picture = *d;
		l.picture.prop = CSS_BG_IMAGE;
		l.picture.kind = CSS_WORD;
		l.picture.n = CSS_NONE;
		if (!css_paint_read_layer(&l,
			(struct str){ value.p + i, end - i }))
			return;
		css_paint_add_picture(&picture, &l, layers);
		if (end == value.n)
			break;
		if (l.colours > 0)
			return;
		i = end + 1;
	}
	d->maybe = picture.maybe || l.places > 2;
	picture.maybe = d->maybe;
	css_decl_add(b, &picture);
	if (l.current)
		css_decl_word(b, d, p, CSS_CURRENT);
	else if (l.unknown)
		css_decl_unknown(b, d, p);
	else
		css_paint_add_colour(b, d, p, l.colours > 0 ? l.rgba : 0);
}

/* background-image: pictures and "none", in layers. */
void
css_paint_image(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_decl all = *d;
	struct layer l;
	size_t i = 0;

	for (size_t layers = 0;; layers++) {
		size_t end = css_text_span(value, i, ",");
		struct str one = { value.p + i, end - i };
		struct css_token t = css_words_only(css_text_trim(one));

		memset(&l, 0, sizeof(l));
		l.picture = *d;
		l.picture.prop = (unsigned char)p;
		l.picture.kind = CSS_WORD;
		l.picture.n = CSS_NONE;
		l.none = t.kind == CSS_T_WORD && str_eq_case(t.text, S("none"));
		if (!l.none && !css_paint_read_picture(&l.picture, &t))
			return;
		css_paint_add_picture(&all, &l, layers);
		if (end == value.n)
			break;
		i = end + 1;
	}
	css_decl_add(b, &all);
}

/* How visible a filter leaves letters: 1 fully, 0 not, below 0 unknown. */
static double
css_paint_filter_leaves(const struct css_token *t)
{
	static const struct {
		struct str name;
		double low, high; /* readable in between */
	} list[] = {
		{ SI("blur"), 0, 1.5 },
		{ SI("brightness"), 0.4, 2 },
		{ SI("contrast"), 0.4, 1e6 },
		{ SI("grayscale"), 0, 1e6 },
		{ SI("hue-rotate"), -1e6, 1e6 },
		{ SI("invert"), 0, 0.3 },
		{ SI("saturate"), 0, 5 },
		{ SI("sepia"), 0, 1e6 },
		{ SI("drop-shadow"), -1e6, 1e6 },
	};
	struct str args = t->args;
	struct css_token in = css_token_next(&args);
	double n = str_eq(in.text, S("%")) ? in.n / 100 : in.n;

	if (str_eq_case(t->text, S("opacity")) && in.kind == CSS_T_NUMBER)
		return n < 0 ? 0 : n > 1 ? 1 : n;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (str_eq_case(t->text, list[i].name) &&
		    (in.kind == CSS_T_NUMBER || list[i].low < 0) &&
		    n >= list[i].low && n <= list[i].high)
			return 1;
	return -1;
}

/* filter: opacity() is evaluated; most others hide nothing. */
void
css_paint_filter(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words functions[] = { CSS_W("blur"),
		CSS_W("brightness"), CSS_W("contrast"), CSS_W("drop-shadow"),
		CSS_W("grayscale"), CSS_W("hue-rotate"), CSS_W("invert"),
		CSS_W("opacity"), CSS_W("saturate"), CSS_W("sepia"),
		CSS_W("url"), CSS_W("") };
	double opacity = 1;
	bool unknown = false;

	if (str_eq_case(value, S("none"))) {
		css_decl_put(b, d, p, CSS_NUMBER, 1);
		return;
	}
	for (;;) {
		struct css_token t = css_token_next(&value);
		double left;

		if (t.kind == CSS_T_END)
			break;
		if (t.kind != CSS_T_CALL ||
		    css_words_find(t.text, functions) == NULL)
			return; /* also the old "alpha" and "progid:" */
		left = css_paint_filter_leaves(&t);
		unknown |= left < 0;
		opacity *= left < 0 ? 1 : left;
	}
	if (unknown)
		css_decl_unknown(b, d, p);
	else
		css_decl_put(b, d, p, CSS_NUMBER, opacity);
}
