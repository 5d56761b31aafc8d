/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From declarations to visibility.  A style starts as a copy of its parent's;
 * hidden stays hidden, while size, colour and visibility are computed again for
 * each element.  Thresholds: a person cannot read letters under 3 px, or
 * letters that differ from their background by less than css_colour_near().
 */
#include <string.h>

#include "html/css_style.h"

#define FONT 16.0
#define SIZE_MIN 3.0       /* px */
#define OPACITY_MIN 0.1    /* invisible up to this */
#define AWAY (-100.0)      /* px: moved this far off the screen */
#define FAR 2000.0         /* px: nobody scrolls this far */
#define SPACING_MIN (-0.4) /* em: letters overlap */

void
css_style_root(struct css_style *s)
{
	memset(s, 0, sizeof(*s));
	s->font = FONT;
	s->scale = s->opacity = 1;
	s->adjust = -1;
	s->fg[0] = 0x000000FF;
	s->bg[0] = 0xFFFFFFFF;
	s->fgs = s->bgs = 1;
}

void
css_style_gone(struct css_style *s, enum html_hidden why)
{
	if (!s->gone)
		s->gone_why = why;
	s->gone = s->hidden = true;
	s->why = s->gone_why;
}

bool
css_style_length(const struct css_style *s, const struct css_decl *d,
    double whole, double *px)
{
	if (d == NULL)
		return false;
	if (d->kind == CSS_PX || d->kind == CSS_NUMBER)
		*px = d->n;
	else if (d->kind == CSS_EM)
		*px = d->n * s->font;
	else if (d->kind == CSS_PERCENT)
		*px = d->n * whole / 100;
	else
		return false;
	return true;
}

double
css_style_font(const struct css_style *up, const struct css_decl *d)
{
	double px = up->font;

	if (css_style_says(d, CSS_SMALLER))
		px /= 1.2;
	else if (css_style_says(d, CSS_LARGER))
		px *= 1.2;
	else if (d->kind == CSS_INITIAL)
		px = FONT;
	else
		(void)css_style_length(up, d, up->font, &px);
	return px > 1e6 ? 1e6 : px;
}

static void
css_style_set_font(struct css_style *s, const struct css_table *t)
{
	const struct css_decl *d = t->d[CSS_FONT_SIZE];

	if (d != NULL && d->kind != CSS_INHERIT) {
		s->size_unknown = d->kind == CSS_UNKNOWN;
		s->font = css_style_font(s, d);
	}
	d = t->d[CSS_FONT_ADJUST];
	if (d == NULL || d->kind == CSS_INHERIT)
		return;
	s->adjust = d->kind == CSS_NUMBER ? d->n : -1;
	s->size_unknown |= d->kind == CSS_UNKNOWN;
}

static void
css_style_lines(struct css_style *s, const struct css_table *t)
{
	const struct css_decl *d = t->d[CSS_LINE_HEIGHT];
	double px = 0;

	if (css_style_is(d, CSS_NUMBER))
		s->flat = d->n * s->font < 1;
	else if (css_style_length(s, d, s->font, &px))
		s->flat = px < 1;
	else if (d != NULL && d->kind != CSS_INHERIT)
		s->flat = d->kind == CSS_UNKNOWN;
	d = t->d[CSS_LETTER_SPACING];
	if (css_style_length(s, d, s->font, &px))
		s->spacing = s->font > 0 ? px / s->font : 0;
	else if (d != NULL && d->kind != CSS_INHERIT)
		s->spacing = 0;
	if (css_style_is(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	d = t->d[CSS_TEXT_INDENT];
	if (css_style_length(s, d, 800, &px))
		s->indent = px;
	else if (css_style_is(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	else if (d != NULL && d->kind != CSS_INHERIT)
		s->indent = 0;
	d = t->d[CSS_WHITE_SPACE];
	if (d != NULL && d->kind != CSS_INHERIT)
		s->pre = css_style_says(d, CSS_PRE);
}

static void
css_style_show(struct css_style *s, const struct css_style *up,
    const struct css_table *t)
{
	const struct css_decl *d = t->d[CSS_DISPLAY];
	bool block = css_style_says(t->d[CSS_FLOAT], CSS_BLOCK) ||
	    css_style_says(t->d[CSS_POSITION], CSS_ABSOLUTE) ||
	    css_style_says(t->d[CSS_POSITION], CSS_FIXED) || up->flex;

	s->display = CSS_NONE;
	s->flex = css_style_says(d, CSS_FLEX);
	if (css_style_says(d, CSS_HIDE))
		css_style_gone(s, HTML_HIDDEN_DISPLAY);
	else if (css_style_is(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	else if (css_style_is(d, CSS_INITIAL))
		s->display = CSS_INLINE;
	else if (css_style_is(d, CSS_WORD))
		s->display = s->flex ? CSS_BLOCK : (unsigned char)d->n;
	if (block && s->display != CSS_CONTENTS)
		s->display = CSS_BLOCK;
	d = t->d[CSS_VISIBILITY];
	if (d != NULL && d->kind != CSS_INHERIT) {
		s->invisible = css_style_says(d, CSS_HIDE);
		s->invisible_unknown = d->kind == CSS_UNKNOWN;
	}
	d = t->d[CSS_CONTENT_VISIBILITY];
	if (css_style_says(d, CSS_HIDE))
		css_style_gone(s, HTML_HIDDEN_DISPLAY);
	else if (css_style_is(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}

static void
css_style_fade(struct css_style *s, const struct css_table *t)
{
	static const enum css_prop by[] = { CSS_OPACITY, CSS_FILTER };
	static const enum css_prop any[] = { CSS_MASK, CSS_OTHER };

	for (size_t i = 0; i < 2; i++) {
		const struct css_decl *d = t->d[by[i]];

		if (css_style_is(d, CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
		else if (css_style_is(d, CSS_NUMBER) && d->n < 1)
			s->opacity *= d->n > 0 ? d->n : 0;
	}
	if (s->opacity <= OPACITY_MIN)
		css_style_gone(s, HTML_HIDDEN_VISIBILITY);
	for (size_t i = 0; i < 2; i++) {
		const struct css_decl *d = t->d[any[i]];

		if (css_style_is(d, CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	}
}

static void
css_style_hide(struct css_style *s, enum html_hidden why)
{
	s->hidden = true;
	s->why = why;
}

/* The size of letters; an "x" has half of it. */
static double
css_style_size(const struct css_style *s)
{
	double px = s->font * s->scale;

	return s->adjust < 0 ? px : px * s->adjust * 2;
}

static void
css_style_look(struct css_style *s)
{
	s->hidden = false;
	s->doubtful = s->unsure;
	if (s->gone)
		css_style_hide(s, s->gone_why);
	else if (s->invisible)
		css_style_hide(s, HTML_HIDDEN_VISIBILITY);
	else if (s->invisible_unknown || s->size_unknown)
		css_style_hide(s, HTML_HIDDEN_UNKNOWN);
	else if (css_style_size(s) < SIZE_MIN || s->spacing <= SPACING_MIN)
		css_style_hide(s, HTML_HIDDEN_SIZE);
	else if (s->indent <= AWAY || s->indent >= FAR)
		css_style_hide(s, HTML_HIDDEN_POSITION);
	else
		css_ink_contrast(s);
}

/*
 * The properties that a step of css_style_weigh() reads: without any of them
 * the step changes nothing.
 */
#define BIT(p) (1ULL << CSS_##p)
#define LINES                                                                  \
	(BIT(LINE_HEIGHT) | BIT(LETTER_SPACING) | BIT(TEXT_INDENT) |           \
	    BIT(WHITE_SPACE))
#define FADE (BIT(OPACITY) | BIT(FILTER) | BIT(MASK) | BIT(OTHER))
#define CLIP (BIT(OVERFLOW_X) | BIT(OVERFLOW_Y) | BIT(CLIP) | BIT(CLIP_PATH))
#define PAINT                                                                  \
	(BIT(COLOR) | BIT(FILL) | BIT(BG_COLOR) | BIT(BG_IMAGE) | BIT(BG_CLIP))
#define MOVE                                                                   \
	(BIT(ZOOM) | BIT(SCALE) | BIT(TRANSFORM_SCALE) | BIT(MOVE_X) |         \
	    BIT(MOVE_Y) | BIT(TRANSFORM_X) | BIT(TRANSFORM_Y) |                \
	    BIT(POSITION) | BIT(MARGIN_LEFT) | BIT(MARGIN_RIGHT) |             \
	    BIT(MARGIN_TOP) | BIT(MARGIN_BOTTOM) | BIT(DIRECTION) | BIT(BIDI))

static void
css_style_weigh(struct css_style *s, const struct css_style *up,
    const struct css_table *t)
{
	*s = *up;
	css_style_set_font(s, t);
	if (t->has & LINES)
		css_style_lines(s, t);
	css_style_show(s, up, t);
	if (t->has & FADE)
		css_style_fade(s, t);
	s->pulls_line = s->pulls_page = false;
	if (t->has & MOVE)
		css_place_move(s, t);
	if (t->has & CLIP)
		css_place_clip(s, t);
	/*
	 * A box without size has no background, even if content overflows it.
	 */
	if (t->has & PAINT)
		css_ink_paint(s, t,
		    css_place_tiny(s, t) != 0 || s->display == CSS_CONTENTS);
	css_style_look(s);
}

static bool
is_paint(const struct css_decl *d)
{
	return d->prop == CSS_COLOR || d->prop == CSS_FILL ||
	    d->prop == CSS_BG_COLOR || d->prop == CSS_BG_IMAGE;
}

/*
 * Tries the maybes: each such declaration alone, and all together.  If one of
 * these hides visible text, the result is unknown.  Possible colours are kept
 * beside the certain ones.
 */
static void
css_style_weigh_maybes(struct css_style *s, const struct css_style *up,
    const struct css_table *t, const struct css_list *list)
{
	struct css_table all = *t, one;
	struct css_style other;
	bool hides = false, moved = false;

	for (size_t i = 0; i < list->n; i++) {
		const struct css_decl *d = &list->d[i];

		if (!d->maybe || is_paint(d))
			continue;
		one = *t;
		one.d[d->prop] = all.d[d->prop] = d;
		one.has |= 1ULL << d->prop;
		all.has |= 1ULL << d->prop;
		css_style_weigh(&other, up, &one);
		hides |= other.hidden && !s->hidden;
		moved = true;
	}
	if (moved) {
		css_style_weigh(&other, up, &all);
		hides |= other.hidden && !s->hidden;
	}
	for (size_t i = 0; i < list->n; i++) {
		const struct css_decl *d = &list->d[i];

		if (!d->maybe || !is_paint(d))
			continue;
		css_ink_maybe(s, d);
		/* It may end a gradient, and show the background below it. */
		s->bg_unknown |= d->prop == CSS_BG_IMAGE &&
		    css_style_is(t->d[CSS_BG_IMAGE], CSS_COLOURS);
	}
	if (hides)
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	css_style_look(s);
}

/* Animations override everything except important declarations. */
static void
css_style_lay(struct css_table *t, const struct css_state *state)
{
	for (size_t i = 0; i < state->n; i++) {
		const struct css_decl *d = &state->d[i];

		if (t->d[d->prop] != NULL && t->d[d->prop]->important)
			continue;
		t->d[d->prop] = d;
		t->has |= 1ULL << d->prop;
	}
}

/*
 * For an endless animation, text that is seen in one state is seen.  For others
 * it is unknown which state a person sees.
 */
static void
css_style_weigh_states(struct css_style *s, const struct css_style *up,
    const struct css_table *t, const struct css_list *list)
{
	bool hides = s->hidden;

	for (size_t i = 0; i < list->states; i++) {
		struct css_table at = *t;
		struct css_style other;

		css_style_lay(&at, &list->state[i]);
		css_style_weigh(&other, up, &at);
		if (list->turns && s->hidden && !other.hidden)
			*s = other;
		hides |= other.hidden;
	}
	if (!list->turns && hides && !s->hidden)
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}

/* Computes the style from the list of declarations. */
static void
css_style_compute_list(struct css_style *out, const struct css_style *up,
    const struct css_list *list)
{
	struct css_table t;
	bool maybes = false;

	arena_clear(&t, sizeof(t));
	for (size_t i = 0; i < list->n; i++) {
		const struct css_decl *d = &list->d[i];

		maybes |= d->maybe;
		if (d->maybe)
			continue;
		t.d[d->prop] = d;
		t.has |= 1ULL << d->prop;
	}
	if (list->sure)
		css_style_lay(&t, &list->state[0]);
	css_style_weigh(out, up, &t);
	if (list->states > 0 && !list->sure)
		css_style_weigh_states(out, up, &t, list);
	if (maybes)
		css_style_weigh_maybes(out, up, &t, list);
	if (list->unknown)
		css_style_gone(out, HTML_HIDDEN_UNKNOWN);
}

void
css_style_compute(struct css_style *out, const struct css_style *up,
    const struct css_list *list)
{
	if (list->n > 0 || up->flex || list->unknown) {
		css_style_compute_list(out, up, list);
		return;
	}
	/* A copy of its parent's style: by far the most common case. */
	*out = *up;
	out->display = CSS_NONE;
}
