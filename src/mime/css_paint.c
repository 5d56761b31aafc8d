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

static bool
is_background_word(const struct css_token *t)
{
	static const struct css_words list[] = {
		{ SI("none"), 0 },
		{ SI("repeat"), 0 },
		{ SI("no-repeat"), 0 },
		{ SI("repeat-x"), 0 },
		{ SI("repeat-y"), 0 },
		{ SI("space"), 0 },
		{ SI("round"), 0 },
		{ SI("scroll"), 0 },
		{ SI("fixed"), 0 },
		{ SI("local"), 0 },
		{ SI("center"), 0 },
		{ SI("left"), 0 },
		{ SI("right"), 0 },
		{ SI("top"), 0 },
		{ SI("bottom"), 0 },
		{ SI("border-box"), 0 },
		{ SI("padding-box"), 0 },
		{ SI("content-box"), 0 },
		{ SI("auto"), 0 },
		{ SI("cover"), 0 },
		{ SI("contain"), 0 },
		{ SI(""), 0 },
	};

	if (t->kind == CSS_T_WORD)
		return css_words_find(t->text, list) != NULL;
	if (t->kind == CSS_T_SIGN)
		return t->text.p[0] == ',' || t->text.p[0] == '/';
	return t->kind == CSS_T_NUMBER;
}

void
css_paint_background(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_decl picture = *d;
	uint32_t rgba = 0;
	bool colour = false, invalid = false, fits = true;
	size_t pictures = 0;

	picture.prop = CSS_BG_IMAGE;
	picture.kind = CSS_WORD;
	picture.n = CSS_NONE;
	for (;;) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			break;
		if (is_background_word(&t)) {
			fits &= t.kind == CSS_T_WORD &&
			    !str_starts_case(t.text, S("no-"));
			continue;
		}
		if (css_colour_read(&t, &rgba) > 0)
			colour = true;
		else if (read_picture(&picture, &t))
			pictures++;
		else
			invalid = true;
	}
	/* The first one lies on top: which of them is seen nobody knows. */
	if (pictures > 1)
		picture.kind = CSS_UNKNOWN;
	/* A gradient that may not reach the text is none to read it on. */
	if (!fits && picture.kind == CSS_COLOURS)
		picture.kind = CSS_UNKNOWN;
	if (p == CSS_BG_IMAGE && invalid)
		return;
	/* A browser drops it, we think: "currentcolor" and the like. */
	invalid |= picture.maybe;
	d->maybe = picture.maybe = invalid;
	css_decl_add(b, &picture);
	if (p == CSS_BG_COLOR && (colour || !invalid))
		add_colour(b, d, CSS_BG_COLOR, colour ? rgba : 0);
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
		if (t.kind != CSS_T_CALL)
			return; /* none, or the old "alpha" and "progid:" */
		in = css_token_next(&args);
		if (str_eq_case(t.text, S("alpha")) ||
		    str_eq_case(t.text, S("drop-shadow")))
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
