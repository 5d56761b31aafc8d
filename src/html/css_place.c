/* SPDX-License-Identifier: Apache-2.0 */
/* The position of a box: moved off the screen, shrunk to nothing, clipped. */
#include "html/css_style.h"

#define WIDE 800.0 /* px: the size of the window */
#define HIGH 600.0
#define BOX_MIN 4.0          /* px: no line fits */
#define AWAY (-100.0)        /* px: moved this far off the screen */
#define AWAY_MARGIN (-300.0) /* px: margins overlap for other reasons too */
#define FAR 2000.0           /* px: nobody scrolls this far */

/* Does this declaration move it beyond an edge? */
static void
css_place_away(struct css_style *s, const struct css_decl *d, double whole,
    double low, double high)
{
	double px = 0;

	if (css_style_is(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	else if (css_style_length(s, d, whole, &px) &&
	    (px <= low || px >= high))
		css_style_gone(s, HTML_HIDDEN_POSITION);
}

/*
 * A block's left margin moves the block; the margin of an inline element moves
 * the line.  Everything below a negative top margin moves up with it.
 */
static void
css_place_margins(struct css_style *s, const struct css_table *t)
{
	bool was = s->gone;

	s->gone = false;
	css_place_away(s, t->d[CSS_MARGIN_LEFT], 800, AWAY_MARGIN, FAR);
	css_place_away(s, t->d[CSS_MARGIN_RIGHT], 800, AWAY_MARGIN, 1e9);
	s->pulls_line = s->gone && !was;
	s->gone = false;
	css_place_away(s, t->d[CSS_MARGIN_TOP], 800, 3 * AWAY_MARGIN, FAR);
	css_place_away(s, t->d[CSS_MARGIN_BOTTOM], 800, 3 * AWAY_MARGIN, FAR);
	s->pulls_page = s->gone && !was;
	s->gone = was || s->pulls_line || s->pulls_page;
}

/* Nobody can scroll to a box that is fixed to the window. */
static void
css_place_place(struct css_style *s, const struct css_table *t, bool fixed)
{
	double wide = fixed ? WIDE : FAR, high = fixed ? HIGH : FAR;

	css_place_away(s, t->d[CSS_LEFT], WIDE, AWAY, wide);
	css_place_away(s, t->d[CSS_RIGHT], WIDE, AWAY, wide);
	css_place_away(s, t->d[CSS_TOP], fixed ? HIGH : WIDE, AWAY, high);
	css_place_away(s, t->d[CSS_BOTTOM], fixed ? HIGH : WIDE, AWAY, high);
}

void
css_place_move(struct css_style *s, const struct css_table *t)
{
	static const enum css_prop grow[] = { CSS_ZOOM, CSS_SCALE,
		CSS_TRANSFORM_SCALE };
	static const enum css_prop shift[] = { CSS_MOVE_X, CSS_MOVE_Y,
		CSS_TRANSFORM_X, CSS_TRANSFORM_Y };
	const struct css_decl *d = t->d[CSS_POSITION];
	bool placed = css_style_says(d, CSS_RELATIVE) ||
	    css_style_says(d, CSS_ABSOLUTE) || css_style_says(d, CSS_FIXED);

	for (size_t i = 0; i < sizeof(grow) / sizeof(grow[0]); i++)
		if (css_style_is(t->d[grow[i]], CSS_NUMBER))
			s->scale *= t->d[grow[i]]->n;
		else if (css_style_is(t->d[grow[i]], CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	if (s->scale > 1e6)
		s->scale = 1e6;
	if (s->scale <= 0)
		css_style_gone(s, HTML_HIDDEN_SIZE);
	for (size_t i = 0; i < sizeof(shift) / sizeof(shift[0]); i++)
		css_place_away(s, t->d[shift[i]], 800, AWAY, FAR);
	css_place_margins(s, t);
	if (css_style_is(d, CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	if (placed)
		css_place_place(s, t, css_style_says(d, CSS_FIXED));
	if (placed && css_style_is(t->d[CSS_Z_INDEX], CSS_NUMBER) &&
	    t->d[CSS_Z_INDEX]->n < 0)
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	d = t->d[CSS_DIRECTION];
	if (d != NULL && d->kind != CSS_INHERIT)
		s->rtl = css_style_says(d, CSS_RTL);
	d = t->d[CSS_BIDI];
	if (css_style_is(d, CSS_UNKNOWN) ||
	    (css_style_says(d, CSS_HIDE) && s->rtl))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}

int
css_place_tiny(const struct css_style *s, const struct css_table *t)
{
	static const enum css_prop size[] = { CSS_WIDTH, CSS_HEIGHT,
		CSS_MAX_WIDTH, CSS_MAX_HEIGHT };
	bool unknown = false;

	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		const struct css_decl *d = t->d[size[i]];
		double px = 0;

		unknown |= css_style_is(d, CSS_UNKNOWN);
		if (css_style_length(s, d, 800, &px) && px <= BOX_MIN)
			return 1;
	}
	return unknown ? -1 : 0;
}

void
css_place_clip(struct css_style *s, const struct css_table *t)
{
	const struct css_decl *x = t->d[CSS_OVERFLOW_X];
	const struct css_decl *y = t->d[CSS_OVERFLOW_Y];
	bool surely =
	    css_style_says(x, CSS_HIDE) || css_style_says(y, CSS_HIDE);
	bool may = css_style_is(x, CSS_UNKNOWN) || css_style_is(y, CSS_UNKNOWN);
	int tiny = surely || may ? css_place_tiny(s, t) : 0;
	double px = 0;

	/* Lines without height in a box with a height of its own. */
	if (tiny == 0 && s->flat &&
	    !css_style_length(s, t->d[CSS_HEIGHT], 800, &px))
		tiny = 1;
	if (tiny == 0 && s->indent >= 700)
		tiny = 1;
	if (tiny != 0 && (surely || may))
		css_style_gone(s,
		    tiny > 0 && surely ? HTML_HIDDEN_POSITION
				       : HTML_HIDDEN_UNKNOWN);
	if (css_style_says(t->d[CSS_POSITION], CSS_ABSOLUTE) ||
	    css_style_says(t->d[CSS_POSITION], CSS_FIXED)) {
		if (css_style_says(t->d[CSS_CLIP], CSS_HIDE))
			css_style_gone(s, HTML_HIDDEN_POSITION);
		else if (css_style_is(t->d[CSS_CLIP], CSS_UNKNOWN))
			css_style_gone(s, HTML_HIDDEN_UNKNOWN);
	}
	if (css_style_says(t->d[CSS_CLIP_PATH], CSS_HIDE))
		css_style_gone(s, HTML_HIDDEN_POSITION);
	else if (css_style_is(t->d[CSS_CLIP_PATH], CSS_UNKNOWN))
		css_style_gone(s, HTML_HIDDEN_UNKNOWN);
}
