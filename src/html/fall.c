/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vertical position of words on the page.  Tall boxes and lines without
 * words push the content after them down; nobody scrolls over thirty screens of
 * nothing.  All estimates make the distance too short: words count as taller
 * than they are, only one of several boxes side by side counts, and boxes that
 * are not understood have no height.
 */
#include "html/tree.h"

#define FAR 20000.0      /* px of empty space */
#define TALL 300.0       /* px: smaller boxes are not added up */
#define LINES_FREE 300   /* empty lines that are not counted */
#define PICTURE 4000.0   /* px: the height of a picture that declares none */
#define PICTURE_THIN 4.0 /* px: a picture this thin is a spacer */
#define ENDLESS 1e9

static const struct css_decl *
fall_decl(const struct html *h, enum css_prop p)
{
	return h->set.has >> p & 1 ? &h->set.d[p] : NULL;
}

/* Parts of a table are at least as tall as they declare. */
static bool
fall_is_table(const struct html_node *n)
{
	return n->kind != NULL &&
	    ((n->kind->is & HTML_TABLE) || html_is(n->kind, HTML_N_TD) ||
		html_is(n->kind, HTML_N_TH));
}

/* Percentages of an unknown length are ignored. */
static bool
fall_length(const struct html *h, const struct html_node *n, enum css_prop p,
    double *px)
{
	const struct css_decl *d = fall_decl(h, p);
	double scale = n->style.scale < 1 ? n->style.scale : 1;

	if (d == NULL || d->kind == CSS_PERCENT ||
	    !css_style_length(&n->style, d, 0, px))
		return false;
	*px = *px * scale < ENDLESS ? *px * scale : ENDLESS;
	return true;
}

static void
fall_measure_height(struct html *h, struct html_node *n)
{
	double px = 0;
	bool caps = fall_decl(h, CSS_MAX_HEIGHT) != NULL &&
	    !css_style_says(fall_decl(h, CSS_MAX_HEIGHT), CSS_NONE);

	n->measured = true;
	n->most = ENDLESS;
	if (fall_length(h, n, CSS_HEIGHT, &px)) {
		n->least = px;
		if (!fall_is_table(n))
			n->most = px;
	}
	if (caps && !fall_length(h, n, CSS_MAX_HEIGHT, &px))
		n->least = px = 0;
	if (caps && px < n->most)
		n->most = px;
	if (n->least > n->most)
		n->least = n->most;
	if (fall_length(h, n, CSS_MIN_HEIGHT, &px) && px > n->least)
		n->least = px;
	if (n->most < n->least)
		n->most = n->least;
}

/* height=20000 of a table or a part of one. */
static void
fall_measure_attribute(struct html_node *n, struct str s)
{
	double px = 0;

	if (s.n < 3 || css_token_number(s, &px) != s.n || px < TALL)
		return;
	if (!n->measured)
		n->most = ENDLESS;
	n->measured = true;
	if (px > n->least && px <= n->most)
		n->least = px;
}

void
html_fall_measure(struct html *h, struct html_node *n, const struct html_tag *t)
{
	const struct css_decl *d;

	if (h->set.has & HTML_FALL_HEIGHTS)
		fall_measure_height(h, n);
	if (t->attr[HTML_A_HEIGHT].n > 0 && fall_is_table(n))
		fall_measure_attribute(n, t->attr[HTML_A_HEIGHT]);
	if (!(h->set.has & HTML_FALL_PLACES))
		return;
	d = fall_decl(h, CSS_POSITION);
	n->placed =
	    css_style_says(d, CSS_ABSOLUTE) || css_style_says(d, CSS_FIXED);
	n->apart =
	    n->placed || css_style_says(fall_decl(h, CSS_FLOAT), CSS_BLOCK);
	n->placed = n->placed &&
	    (h->set.has & (1ULL << CSS_TOP | 1ULL << CSS_BOTTOM)) != 0;
}

static bool
fall_is_block(const struct html_node *n)
{
	return n->style.display == CSS_BLOCK || n->style.display == CSS_CELL ||
	    (n->style.display == CSS_NONE && n->kind != NULL &&
		((n->kind->is & HTML_BLOCK) || fall_is_table(n)));
}

/* Is it beside its siblings, or could it be? */
static bool
fall_is_aside(const struct html_node *n, const struct html_node *up)
{
	return n->style.display == CSS_CELL || html_is(n->kind, HTML_N_TD) ||
	    html_is(n->kind, HTML_N_TH) || (up != NULL && up->style.flex) ||
	    !fall_is_block(n);
}

static void
fall_stand_aside(struct html_node *up, double end)
{
	if (up->aside < end)
		up->aside = end;
}

/* The boxes side by side in n end; words in it may be at its very end. */
static void
fall_end_aside(struct html *h, const struct html_node *n)
{
	if (n->aside <= h->fall.y)
		return;
	if (h->out.n > n->written && h->fall.bottom < n->aside)
		h->fall.bottom = n->aside;
	h->fall.y = n->aside;
}

void
html_fall_open(struct html *h, struct html_node *n, struct html_node *up)
{
	if (!h->fall.on && n->least < TALL)
		return;
	h->fall.on = true;
	if (up != NULL && !n->apart && !fall_is_aside(n, up)) {
		fall_end_aside(h, up);
		up->aside = 0;
	}
	n->from = h->fall.y;
	/* Its position is unknown. */
	if (n->placed && h->fall.y > h->fall.bottom)
		h->fall.y = h->fall.bottom;
}

/* It takes no room at all; an invisible box may take room. */
static bool
fall_is_out(const struct html_node *n)
{
	return n->apart ||
	    (n->style.gone && n->style.gone_why != HTML_HIDDEN_VISIBILITY);
}

/* Does a declared height apply to it?  Not to an inline element. */
static bool
fall_is_box(const struct html_node *n)
{
	return fall_is_block(n) || n->style.display == CSS_INLINE;
}

void
html_fall_close(struct html *h, const struct html_node *n, struct html_node *up)
{
	if (fall_is_out(n)) {
		h->fall.y = n->from;
		return;
	}
	if (up != NULL && !fall_is_box(n)) {
		fall_stand_aside(up, n->aside);
		return;
	}
	fall_end_aside(h, n);
	if (n->measured && h->fall.y < n->from + n->least)
		h->fall.y = n->from + n->least;
	if (n->measured && h->fall.y > n->from + n->most)
		h->fall.y = n->from + n->most;
	if (up == NULL || !fall_is_aside(n, up))
		return;
	fall_stand_aside(up, h->fall.y);
	h->fall.y = n->from;
}

/* A line that ends without words: the line before was ended by another. */
void
html_fall_break(struct html *h)
{
	const struct css_style *s = &h->node[h->depth - 1]->style;

	if (h->lines < 2)
		h->fall.breaks = 0;
	else if (++h->fall.breaks > LINES_FREE && !s->flat) {
		h->fall.on = true;
		h->fall.y += s->font * (s->scale < 1 ? s->scale : 1);
	}
}

/* People scroll over pictures. */
void
html_fall_image(struct html *h, double wide, double high)
{
	bool thin = wide <= PICTURE_THIN;

	if (!h->fall.on && !(thin && high >= TALL))
		return;
	h->fall.on = true;
	if (thin) {
		fall_stand_aside(h->node[h->depth - 1], h->fall.y + high);
		return;
	}
	if (html_fall_is_far(h))
		return;
	h->fall.y += high > PICTURE ? high : PICTURE;
	if (h->fall.bottom < h->fall.y)
		h->fall.bottom = h->fall.y;
}

bool
html_fall_is_far(const struct html *h)
{
	return h->fall.y > h->fall.bottom + FAR;
}

bool
html_fall_text(struct html *h, struct str s)
{
	const struct css_style *style = &h->node[h->depth - 1]->style;
	bool words;

	words = html_unseen_words(s);
	if (html_fall_is_far(h)) {
		h->found->hidden[HTML_HIDDEN_POSITION] +=
		    words && !h->fall.said;
		h->fall.said |= words;
		return false;
	}
	if (!words)
		return true;
	/* At most one line per letter; real lines are never so narrow. */
	h->fall.y += style->font * (2 + (double)s.n / 2);
	if (h->fall.bottom < h->fall.y)
		h->fall.bottom = h->fall.y;
	h->fall.said = false;
	return true;
}
