/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HTML_CSS_STYLE_H
#define HTML_CSS_STYLE_H

/*
 * Computes the look of one element from its declarations.  css_style.c does the
 * cascade, css_place.c the position of its box, css_ink.c its colours.
 */
#include "html/css.h"

/* The result for one element; css_style.c. */
#define CSS_LAYERS 4
struct css_vars;
struct css_style {
	double font;           /* px */
	double scale;          /* of all surrounding transforms */
	double opacity;        /* including all ancestors */
	double indent;         /* px */
	double spacing;        /* between letters, in em */
	double adjust;         /* font-size-adjust; below 0: none */
	struct css_vars *vars; /* custom properties; NULL: none */
	uint32_t fg[CSS_LAYERS], fill[CSS_LAYERS], bg[CSS_LAYERS];
	unsigned char fgs, fills, bgs; /* fills 0: the text has colour fg */
	bool flat;                     /* a line has no height */
	bool pre, rtl, flex;
	bool invisible, invisible_unknown;
	bool size_unknown, fg_unknown, bg_unknown, bg_image;
	unsigned char
	    display; /* enum css_word; CSS_NONE: the element's default */
	/* It also moves what follows it off the screen. */
	bool pulls_line, pulls_page;
	bool gone; /* hidden with its content, whatever that declares */
	enum html_hidden gone_why;
	bool hidden;
	bool
	    unsure; /* a reader may show it and its content as another page's */
	bool doubtful; /* seems visible, but not certainly */
	enum html_hidden why;
};

void css_style_root(struct css_style *s);
/* The table of an element's declarations; NULL if there is none. */
struct css_table {
	uint64_t has; /* bits of enum css_prop */
	const struct css_decl *d[CSS_PROPS];
};

static inline bool
css_style_is(const struct css_decl *d, enum css_kind kind)
{
	return d != NULL && d->kind == kind;
}

static inline bool
css_style_says(const struct css_decl *d, enum css_word w)
{
	return css_style_is(d, CSS_WORD) && (enum css_word)d->n == w;
}

/* A length in px; false if there is none, or it is unknown. */
bool css_style_length(const struct css_style *s, const struct css_decl *d,
    double whole, double *px);
/* The font size, px, if its parent's is known. */
double css_style_font(const struct css_style *up, const struct css_decl *d);
/* The position of its box, and what is cut off: css_place.c. */
void css_place_move(struct css_style *s, const struct css_table *t);
void css_place_clip(struct css_style *s, const struct css_table *t);
/* Is the box too small for a line?  1: yes; -1: unknown. */
int css_place_tiny(const struct css_style *s, const struct css_table *t);
/* Colours, css_ink.c; keep: the background may not reach the text. */
void css_ink_paint(struct css_style *s, const struct css_table *t, bool keep);
/* One more possible colour or background. */
void css_ink_maybe(struct css_style *s, const struct css_decl *d);
/* Hides text that cannot be distinguished from its background. */
void css_ink_contrast(struct css_style *s);
void css_style_compute(struct css_style *out, const struct css_style *up,
    const struct css_list *list);
/* Hides it with its content, unless it is already hidden. */
void css_style_gone(struct css_style *s, enum html_hidden why);

#endif
