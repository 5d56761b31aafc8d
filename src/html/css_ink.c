/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Letters and their background.  If it is uncertain which colour counts, all
 * possible ones are kept; text close to any of them may be hidden.
 */
#include "html/css_style.h"

#define CLEAR 40 /* of 255 */

static bool
css_ink_is_kind(const struct css_decl *d, enum css_kind kind)
{
	return d != NULL && d->kind == kind;
}

static bool
css_ink_is_word(const struct css_decl *d, enum css_word w)
{
	return css_ink_is_kind(d, CSS_WORD) && (enum css_word)d->n == w;
}

static void
css_ink_add_layer(uint32_t *layer, unsigned char *n, uint32_t c, bool *unknown)
{
	for (size_t i = 0; i < *n; i++)
		if (layer[i] == c)
			return;
	if (*n == CSS_LAYERS)
		*unknown = true;
	else
		layer[(*n)++] = c;
}

static void
css_ink_ink(struct css_style *s, const struct css_decl *d, bool maybe)
{
	if (d == NULL || d->kind == CSS_INHERIT ||
	    css_ink_is_word(d, CSS_CURRENT))
		return;
	if (!maybe)
		s->fgs = 0;
	s->fg_unknown = (maybe && s->fg_unknown) || d->kind == CSS_UNKNOWN;
	css_ink_add_layer(s->fg, &s->fgs,
	    d->kind == CSS_COLOURS ? d->colour[0] : 0x000000FF, &s->fg_unknown);
}

static void
css_ink_fill(struct css_style *s, const struct css_decl *d, bool maybe)
{
	if (d == NULL || d->kind == CSS_INHERIT)
		return;
	if (d->kind == CSS_UNKNOWN) {
		s->fg_unknown = true;
	} else if (d->kind == CSS_COLOURS) {
		if (!maybe)
			s->fills = 0;
		css_ink_add_layer(s->fill, &s->fills, d->colour[0],
		    &s->fg_unknown);
		if (maybe)
			css_ink_add_layer(s->fill, &s->fills, s->fg[0],
			    &s->fg_unknown);
	} else if (!maybe) {
		s->fills = 0;
	}
}

/* The colours of d over the background; keep: the old one may still be seen. */
static void
css_ink_ground(struct css_style *s, const struct css_decl *d, bool keep)
{
	struct css_style was = *s;
	bool opaque = true;

	if (!css_ink_is_kind(d, CSS_COLOURS))
		return;
	for (size_t i = 0; i < d->colours; i++)
		opaque &= (d->colour[i] & 0xFF) == 0xFF;
	if (d->colours == 1 && (d->colour[0] & 0xFF) == 0)
		return;
	if (!keep) {
		s->bgs = 0;
		s->bg_unknown = s->bg_unknown && !opaque;
		s->bg_image = s->bg_image && !opaque;
	}
	for (size_t i = 0; i < d->colours; i++)
		for (size_t k = 0; k < was.bgs; k++)
			css_ink_add_layer(s->bg, &s->bgs,
			    css_colour_mix(d->colour[i], 1, was.bg[k]),
			    &s->bg_unknown);
}

void
css_ink_paint(struct css_style *s, const struct css_table *t, bool keep)
{
	const struct css_decl *d = t->d[CSS_BG_COLOR], own = { .kind = 0 };
	const struct css_decl *image = t->d[CSS_BG_IMAGE];
	struct css_decl current = own;

	css_ink_ink(s, t->d[CSS_COLOR], false);
	css_ink_fill(s, t->d[CSS_FILL], false);
	if (css_ink_is_word(d, CSS_CURRENT)) {
		current.kind = CSS_COLOURS;
		current.colours = 1;
		current.colour[0] = s->fg[0];
		d = &current;
	}
	css_ink_ground(s, d, keep);
	s->bg_image |= css_ink_is_word(image, CSS_IMAGE);
	css_ink_ground(s, image,
	    keep || css_ink_is_kind(t->d[CSS_BG_FIT], CSS_UNKNOWN));
	s->bg_unknown |= css_ink_is_kind(d, CSS_UNKNOWN) ||
	    css_ink_is_kind(image, CSS_UNKNOWN) ||
	    css_ink_is_kind(t->d[CSS_BG_CLIP], CSS_UNKNOWN);
}

/* Letters without a colour are visible on no background. */
static bool
css_ink_is_clear(const struct css_style *s, const uint32_t *fg, size_t fgs)
{
	for (size_t i = 0; i < fgs; i++)
		if ((fg[i] & 0xFF) * s->opacity < CLEAR)
			return true;
	return false;
}

/*
 * Can the letters be distinguished from their background?  On a fetched picture
 * they are meant to be readable: they are shown, but counted as uncertain.
 */
void
css_ink_contrast(struct css_style *s)
{
	const uint32_t *fg = s->fills > 0 ? s->fill : s->fg;
	size_t fgs = s->fills > 0 ? s->fills : s->fgs, hits = 0;
	bool unknown = s->fg_unknown || s->bg_unknown;

	for (size_t i = 0; i < fgs; i++)
		for (size_t k = 0; k < s->bgs; k++)
			hits += css_colour_near(css_colour_mix(fg[i],
						    s->opacity, s->bg[k]),
			    s->bg[k]);
	if (hits == 0 && !unknown)
		return;
	if (s->bg_image && !unknown && !css_ink_is_clear(s, fg, fgs)) {
		s->doubtful = true;
		return;
	}
	s->hidden = true;
	s->why = hits == fgs * s->bgs && !s->bg_image && !unknown
	    ? HTML_HIDDEN_COLOUR
	    : HTML_HIDDEN_UNKNOWN;
}

void
css_ink_maybe(struct css_style *s, const struct css_decl *d)
{
	if (d->prop == CSS_COLOR)
		css_ink_ink(s, d, true);
	else if (d->prop == CSS_FILL)
		css_ink_fill(s, d, true);
	else if (d->kind == CSS_UNKNOWN)
		s->bg_unknown = true;
	else if (css_ink_is_word(d, CSS_CURRENT))
		for (size_t i = 0; i < s->fgs; i++)
			css_ink_add_layer(s->bg, &s->bgs,
			    css_colour_mix(s->fg[i], 1, s->bg[0]),
			    &s->bg_unknown);
	else
		css_ink_ground(s, d, true);
}
