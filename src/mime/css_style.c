/*
 * From declarations to what is seen.  A style is its parent's, changed; what
 * is gone stays gone, while size, colour and visibility are looked at anew for
 * each element.  Thresholds: a person cannot read letters under 3 px, nor what
 * differs from its ground by less than css_colour_near().
 */
#include <string.h>

#include "mime/css.h"

#define FONT 16.0
#define SIZE_MIN 3.0         /* px */
#define OPACITY_MIN 0.1      /* up to here */
#define BOX_MIN 4.0          /* px: no line fits */
#define AWAY (-100.0)        /* px: moved off the screen by so much */
#define AWAY_MARGIN (-300.0) /* px: margins overlap for other reasons too */
#define FAR 2000.0           /* px: nobody scrolls so far */
#define SPACING_MIN (-0.4)   /* em: letters lie on each other */

void
css_style_root(struct css_style *s)
{
	memset(s, 0, sizeof(*s));
	s->font = FONT;
	s->scale = s->opacity = 1;
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

static bool
is_kind(const struct css_decl *d, enum css_kind kind)
{
	return d != NULL && d->kind == kind;
}

static bool
is_word(const struct css_decl *d, enum css_word w)
{
	return is_kind(d, CSS_WORD) && (enum css_word)d->n == w;
}

/* A length in px; false when there is none, or nobody knows. */
static bool
length(const struct css_style *s, const struct css_decl *d, double whole,
    double *px)
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

static void
font(struct css_style *s, const struct css_decl *d)
{
	double px = 0;

	if (d == NULL || d->kind == CSS_INHERIT)
		return;
	s->size_unknown = d->kind == CSS_UNKNOWN;
	if (is_word(d, CSS_SMALLER))
		s->font /= 1.2;
	else if (is_word(d, CSS_LARGER))
		s->font *= 1.2;
	else if (d->kind == CSS_INITIAL)
		s->font = FONT;
	else if (length(s, d, s->font, &px))
		s->font = px;
	if (s->font > 1e6)
		s->font = 1e6;
}

static void
lines(struct css_style *s, const struct css_table *t)
{
	const struct css_decl *d = t->d[CSS_LINE_HEIGHT];
	double px = 0;

	if (is_kind(d, CSS_NUMBER))
		s->flat = d->n * s->font < 1;
	else if (length(s, d, s->font, &px))
		s->flat = px < 1;
	else if (d != NULL && d->kind != CSS_INHERIT)
		s->flat = d->kind == CSS_UNKNOWN;
	d = t->d[CSS_LETTER_SPACING];
	if (length(s, d, s->font, &px))
		s->spacing = s->font > 0 ? px / s->font : 0;
	else if (d != NULL && d->kind != CSS_INHERIT)
		s->spacing = 0;
	if (is_kind(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	d = t->d[CSS_TEXT_INDENT];
	if (length(s, d, 800, &px))
		s->indent = px;
	else if (is_kind(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	else if (d != NULL && d->kind != CSS_INHERIT)
		s->indent = 0;
	d = t->d[CSS_WHITE_SPACE];
	if (d != NULL && d->kind != CSS_INHERIT)
		s->pre = is_word(d, CSS_PRE);
}

static void
show(struct css_style *s, const struct css_style *up, const struct css_table *t)
{
	const struct css_decl *d = t->d[CSS_DISPLAY];
	bool block = is_word(t->d[CSS_FLOAT], CSS_BLOCK) ||
	    is_word(t->d[CSS_POSITION], CSS_ABSOLUTE) || up->flex;

	s->display = CSS_NONE;
	s->flex = is_word(d, CSS_FLEX);
	if (is_word(d, CSS_HIDE))
		css_style_gone(s, HTML_HIDDEN_DISPLAY);
	else if (is_kind(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	else if (is_kind(d, CSS_INITIAL))
		s->display = CSS_INLINE;
	else if (is_kind(d, CSS_WORD))
		s->display = s->flex ? CSS_BLOCK : (unsigned char)d->n;
	if (block && s->display != CSS_CONTENTS)
		s->display = CSS_BLOCK;
	d = t->d[CSS_VISIBILITY];
	if (d != NULL && d->kind != CSS_INHERIT) {
		s->invisible = is_word(d, CSS_HIDE);
		s->invisible_unknown = d->kind == CSS_UNKNOWN;
	}
	d = t->d[CSS_CONTENT_VISIBILITY];
	if (is_word(d, CSS_HIDE))
		css_style_gone(s, HTML_HIDDEN_DISPLAY);
	else if (is_kind(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}

static void
fade(struct css_style *s, const struct css_table *t)
{
	static const enum css_prop by[] = { CSS_OPACITY, CSS_FILTER };
	static const enum css_prop any[] = { CSS_MASK, CSS_OTHER };

	for (size_t i = 0; i < 2; i++) {
		const struct css_decl *d = t->d[by[i]];

		if (is_kind(d, CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
		else if (is_kind(d, CSS_NUMBER) && d->n < 1)
			s->opacity *= d->n > 0 ? d->n : 0;
	}
	if (s->opacity <= OPACITY_MIN)
		css_style_gone(s, HTML_HIDDEN_VISIBILITY);
	for (size_t i = 0; i < 2; i++) {
		const struct css_decl *d = t->d[any[i]];

		if (d != NULL && d->kind != CSS_WORD)
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	}
}

/* Moved beyond an edge by this declaration? */
static void
away(struct css_style *s, const struct css_decl *d, double whole, double low,
    double high)
{
	double px = 0;

	if (is_kind(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	else if (length(s, d, whole, &px) && (px <= low || px >= high))
		css_style_gone(s, HTML_HIDDEN_POSITION);
}

/*
 * A block's left margin moves the block; that of words in a line moves the
 * line.  Below a margin that leads up everything follows.
 */
static void
margins(struct css_style *s, const struct css_table *t)
{
	bool was = s->gone;

	s->gone = false;
	away(s, t->d[CSS_MARGIN_LEFT], 800, AWAY_MARGIN, FAR);
	away(s, t->d[CSS_MARGIN_RIGHT], 800, AWAY_MARGIN, 1e9);
	s->pulls_line = s->gone && !was;
	s->gone = false;
	away(s, t->d[CSS_MARGIN_TOP], 800, 3 * AWAY_MARGIN, FAR);
	away(s, t->d[CSS_MARGIN_BOTTOM], 800, 3 * AWAY_MARGIN, FAR);
	s->pulls_page = s->gone && !was;
	s->gone = was || s->pulls_line || s->pulls_page;
}

static void
move(struct css_style *s, const struct css_table *t)
{
	static const enum css_prop grow[] = { CSS_ZOOM, CSS_SCALE,
		CSS_TRANSFORM_SCALE };
	static const enum css_prop shift[] = { CSS_MOVE_X, CSS_MOVE_Y,
		CSS_TRANSFORM_X, CSS_TRANSFORM_Y };
	static const enum css_prop side[] = { CSS_LEFT, CSS_RIGHT, CSS_TOP,
		CSS_BOTTOM };
	const struct css_decl *d = t->d[CSS_POSITION];
	bool placed = is_word(d, CSS_RELATIVE) || is_word(d, CSS_ABSOLUTE);

	for (size_t i = 0; i < sizeof(grow) / sizeof(grow[0]); i++)
		if (is_kind(t->d[grow[i]], CSS_NUMBER))
			s->scale *= t->d[grow[i]]->n;
		else if (is_kind(t->d[grow[i]], CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	if (s->scale > 1e6)
		s->scale = 1e6;
	if (s->scale <= 0)
		css_style_gone(s, HTML_HIDDEN_SIZE);
	for (size_t i = 0; i < sizeof(shift) / sizeof(shift[0]); i++)
		away(s, t->d[shift[i]], 800, AWAY, FAR);
	margins(s, t);
	if (is_kind(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	for (size_t i = 0; placed && i < sizeof(side) / sizeof(side[0]); i++)
		away(s, t->d[side[i]], 800, AWAY, FAR);
	if (placed && is_kind(t->d[CSS_Z_INDEX], CSS_NUMBER) &&
	    t->d[CSS_Z_INDEX]->n < 0)
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	d = t->d[CSS_DIRECTION];
	if (d != NULL && d->kind != CSS_INHERIT)
		s->rtl = is_word(d, CSS_RTL);
	d = t->d[CSS_BIDI];
	if (is_kind(d, CSS_UNKNOWN) || (is_word(d, CSS_HIDE) && s->rtl))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}

/* Is the box too small for a line?  1: yes; -1: nobody knows. */
static int
is_tiny(const struct css_style *s, const struct css_table *t)
{
	static const enum css_prop size[] = { CSS_WIDTH, CSS_HEIGHT,
		CSS_MAX_WIDTH, CSS_MAX_HEIGHT };
	bool unknown = false;

	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		const struct css_decl *d = t->d[size[i]];
		double px = 0;

		unknown |= is_kind(d, CSS_UNKNOWN);
		if (length(s, d, 800, &px) && px <= BOX_MIN)
			return 1;
	}
	return unknown ? -1 : 0;
}

static void
clip(struct css_style *s, const struct css_table *t)
{
	const struct css_decl *x = t->d[CSS_OVERFLOW_X];
	const struct css_decl *y = t->d[CSS_OVERFLOW_Y];
	bool surely = is_word(x, CSS_HIDE) || is_word(y, CSS_HIDE);
	bool may = is_kind(x, CSS_UNKNOWN) || is_kind(y, CSS_UNKNOWN);
	int tiny = surely || may ? is_tiny(s, t) : 0;
	double px = 0;

	/* Flat lines in a box of their own height. */
	if (tiny == 0 && s->flat && !length(s, t->d[CSS_HEIGHT], 800, &px))
		tiny = 1;
	if (tiny == 0 && s->indent >= 700)
		tiny = 1;
	if (tiny != 0 && (surely || may))
		css_style_gone(s,
		    tiny > 0 && surely ? HTML_HIDDEN_POSITION
				       : HTML_HIDDEN_UNKNOWN);
	if (is_word(t->d[CSS_POSITION], CSS_ABSOLUTE)) {
		if (is_word(t->d[CSS_CLIP], CSS_HIDE))
			css_style_gone(s, HTML_HIDDEN_POSITION);
		else if (is_kind(t->d[CSS_CLIP], CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	}
	if (is_word(t->d[CSS_CLIP_PATH], CSS_HIDE))
		css_style_gone(s, HTML_HIDDEN_POSITION);
	else if (is_kind(t->d[CSS_CLIP_PATH], CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}

static void
hide(struct css_style *s, enum html_hidden why)
{
	s->hidden = true;
	s->why = why;
}

static void
look(struct css_style *s)
{
	s->hidden = false;
	if (s->gone)
		hide(s, s->gone_why);
	else if (s->invisible)
		hide(s, HTML_HIDDEN_VISIBILITY);
	else if (s->invisible_unknown || s->size_unknown)
		hide(s, HTML_HIDDEN_UNKNOWN);
	else if (s->font * s->scale < SIZE_MIN || s->spacing <= SPACING_MIN)
		hide(s, HTML_HIDDEN_SIZE);
	else if (s->indent <= AWAY || s->indent >= FAR)
		hide(s, HTML_HIDDEN_POSITION);
	else
		css_ink_contrast(s);
}

/* What a step of weigh() asks for: without any of it, it changes nothing. */
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
weigh(struct css_style *s, const struct css_style *up,
    const struct css_table *t)
{
	*s = *up;
	font(s, t->d[CSS_FONT_SIZE]);
	if (t->has & LINES)
		lines(s, t);
	show(s, up, t);
	if (t->has & FADE)
		fade(s, t);
	s->pulls_line = s->pulls_page = false;
	if (t->has & MOVE)
		move(s, t);
	if (t->has & CLIP)
		clip(s, t);
	/* A box of no size has no ground, whatever hangs out of it. */
	if (t->has & PAINT)
		css_ink_paint(s, t,
		    is_tiny(s, t) != 0 || s->display == CSS_CONTENTS);
	look(s);
}

static bool
is_paint(const struct css_decl *d)
{
	return d->prop == CSS_COLOR || d->prop == CSS_FILL ||
	    d->prop == CSS_BG_COLOR || d->prop == CSS_BG_IMAGE;
}

/*
 * What may hold as well: each such declaration alone, and all of them.  Where
 * one of these hides what else is seen, nobody knows.  Colours that may be are
 * kept beside those that are.
 */
static void
weigh_maybes(struct css_style *s, const struct css_style *up,
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
		weigh(&other, up, &one);
		hides |= other.hidden && !s->hidden;
		moved = true;
	}
	if (moved) {
		weigh(&other, up, &all);
		hides |= other.hidden && !s->hidden;
	}
	for (size_t i = 0; i < list->n; i++) {
		const struct css_decl *d = &list->d[i];

		if (!d->maybe || !is_paint(d))
			continue;
		css_ink_maybe(s, d);
		/* It may end a gradient, and show what lies below. */
		s->bg_unknown |= d->prop == CSS_BG_IMAGE &&
		    is_kind(t->d[CSS_BG_IMAGE], CSS_COLOURS);
	}
	if (hides)
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	look(s);
}

void
css_style_compute(struct css_style *out, const struct css_style *up,
    const struct css_list *list)
{
	struct css_table t = { 0 };
	bool maybes = false;

	if (list->n == 0 && !up->flex && !list->unknown) {
		/* As its parent: by far the most. */
		*out = *up;
		out->display = CSS_NONE;
		return;
	}
	for (size_t i = 0; i < list->n; i++) {
		const struct css_decl *d = &list->d[i];

		maybes |= d->maybe;
		if (d->maybe)
			continue;
		t.d[d->prop] = d;
		t.has |= 1ULL << d->prop;
	}
	weigh(out, up, &t);
	if (maybes)
		weigh_maybes(out, up, &t, list);
	if (list->unknown)
		css_style_gone(out, HTML_HIDDEN_UNKNOWN);
}
