/* Colours and backgrounds as values. */
#include <string.h>

#include "mime/css.h"

/* "color: ffffff" counts where there is no doctype. */
static bool
is_hashless(const struct css_token *t)
{
	for (size_t i = 0; i < t->text.n; i++)
		if (str_hex(t->text.p[i]) < 0)
			return false;
	return t->kind == CSS_T_NUMBER || t->text.n == 3 || t->text.n == 6;
}

static void
add_colour(struct css_block *b, struct css_decl *d, enum css_prop p,
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
		add_colour(b, d, p, rgba);
	} else if (is < 0) {
		css_decl_unknown(b, d, p);
	} else if (str_eq_case(t.text, S("currentcolor"))) {
		css_decl_word(b, d, p, CSS_CURRENT);
	} else if ((t.kind == CSS_T_WORD || t.kind == CSS_T_NUMBER) &&
	    is_hashless(&t)) {
		hash.text = css_text_trim(value);
		d->maybe = true;
		if (css_colour_read(&hash, &rgba) > 0)
			add_colour(b, d, p, rgba);
	}
}

/* A gradient's colours, as many as fit; more of them are unknown. */
static void
read_gradient(struct css_decl *d, struct str args)
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

/* One token of a background's picture; false when it is none. */
static bool
read_picture(struct css_decl *d, const struct css_token *t)
{
	struct str args = css_text_trim(t->args);

	if (t->kind != CSS_T_CALL)
		return false;
	if (str_ends_case(t->text, S("-gradient"))) {
		read_gradient(d, t->args);
		/* Another browser's name for it is none. */
		d->maybe |= t->text.p[0] == '-' &&
		    !str_starts_case(t->text, S("-webkit-"));
		return true;
	}
	if (args.n > 0 && (args.p[0] == '"' || args.p[0] == '\''))
		args = str_from(args, 1);
	d->kind = CSS_UNKNOWN;
	/* Nobody knows what a picture hides, but here it is at hand. */
	if (str_eq_case(t->text, S("url")) &&
	    !str_starts_case(args, S("data:"))) {
		d->kind = CSS_WORD;
		d->n = CSS_IMAGE;
	}
	return true;
}

/* What a background may say once, and how often it was said. */
struct layer {
	struct css_decl picture;
	uint32_t rgba;
	size_t colours, pictures, places, sizes, repeats, others, scrolls;
	bool current, none, slash, odd;
};

/* A word, number or sign of a background that is no colour or picture. */
static void
read_part(struct layer *l, const struct css_token *t)
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
		{ SI("scroll"), SCROLL },
		{ SI("fixed"), SCROLL },
		{ SI("border-box"), BOX },
		{ SI("padding-box"), BOX },
		{ SI("center"), PLACE },
		{ SI("left"), PLACE },
		{ SI("right"), PLACE },
		{ SI("top"), PLACE },
		{ SI("bottom"), PLACE },
		{ SI("auto"), SIZE },
		{ SI("cover"), SIZE },
		{ SI("contain"), SIZE },
	};
	size_t *count[] = { &l->places, &l->sizes, &l->repeats, &l->others,
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
	if (t->kind == CSS_T_NUMBER) {
		part = l->slash ? SIZE : PLACE;
		l->odd |= css_token_length(t, &n) == CSS_NUMBER ||
		    css_token_length(t, &n) == CSS_UNKNOWN;
	}
	if (part < 0) {
		l->odd = true;
		return;
	}
	(*count[part])++;
	l->none |= part == PICTURE;
	l->odd |= part == SIZE && !l->slash;
}

/* The shorthand.  What is odd about it may have a browser drop it. */
void
css_paint_background(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct layer l = { .picture = *d };

	l.picture.prop = CSS_BG_IMAGE;
	l.picture.kind = CSS_WORD;
	l.picture.n = CSS_NONE;
	for (;;) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			break;
		if (css_colour_read(&t, &l.rgba) > 0)
			l.colours++;
		else if (str_eq_case(t.text, S("currentcolor")))
			l.current = true, l.colours++;
		else if (read_picture(&l.picture, &t))
			l.pictures++;
		else
			read_part(&l, &t);
	}
	d->maybe = l.picture.maybe = l.odd || l.colours > 1 || l.places > 2 ||
	    l.sizes > 2 || l.repeats > 1 || l.others > 2 || l.scrolls > 1 ||
	    l.picture.maybe || (l.none && l.pictures > 1);
	/* The first one lies on top: which of them is seen nobody knows.  A
	 * gradient that may not reach the text is none to read it on. */
	if (l.pictures > 1 ||
	    (l.picture.kind == CSS_COLOURS &&
		l.places + l.sizes + l.repeats > 0))
		l.picture.kind = CSS_UNKNOWN;
	css_decl_add(b, &l.picture);
	if (l.current)
		css_decl_word(b, d, p, CSS_CURRENT);
	else if (l.colours > 0 || !d->maybe)
		add_colour(b, d, p, l.colours > 0 ? l.rgba : 0);
}

/* background-image: one picture, or none. */
void
css_paint_image(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	d->prop = (unsigned char)p;
	if (str_find(value, S(",")) >= 0 && t.kind == CSS_T_END)
		css_decl_unknown(b, d, p); /* several */
	else if (t.kind == CSS_T_WORD && str_eq_case(t.text, S("none")))
		css_decl_word(b, d, p, CSS_NONE);
	else if (read_picture(d, &t))
		css_decl_add(b, d);
}

/* filter: opacity() is weighed, shadows hide nothing. */
void
css_paint_filter(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	double opacity = 1;

	for (;;) {
		struct css_token t = css_token_next(&value), in;
		struct str args = t.args;

		if (t.kind == CSS_T_END)
			break;
		if (t.kind != CSS_T_CALL || str_eq_case(t.text, S("alpha")))
			return; /* none, or the old "alpha" and "progid:" */
		in = css_token_next(&args);
		if (str_eq_case(t.text, S("drop-shadow")))
			continue;
		if (!str_eq_case(t.text, S("opacity")) ||
		    in.kind != CSS_T_NUMBER) {
			css_decl_unknown(b, d, p);
			return;
		}
		opacity *= in.text.n > 0 ? in.n / 100 : in.n;
	}
	css_decl_put(b, d, p, CSS_NUMBER, opacity);
}
