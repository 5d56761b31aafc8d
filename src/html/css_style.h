#ifndef HTML_CSS_STYLE_H
#define HTML_CSS_STYLE_H

/*
 * What declarations come to: how one element looks.  css_style.c weighs them,
 * css_place.c where its box is, css_ink.c its colours.
 */
#include "html/css.h"

/* What came of it for one element; css_style.c. */
#define CSS_LAYERS 4
struct css_vars;
struct css_style {
	double font;    /* px */
	double scale;   /* of all transforms around it */
	double opacity; /* of all around it */
	double indent;  /* px */
	double spacing; /* between letters, in em */
	double adjust; /* what the font's size is taken by; under 0: as it is */
	struct css_vars *vars; /* custom properties; NULL: none */
	uint32_t fg[CSS_LAYERS], fill[CSS_LAYERS], bg[CSS_LAYERS];
	unsigned char fgs, fills, bgs; /* fills 0: the text is fg */
	bool flat;                     /* a line is of no height */
	bool pre, rtl, flex;
	bool invisible, invisible_unknown;
	bool size_unknown, fg_unknown, bg_unknown, bg_image;
	unsigned char display; /* enum css_word; CSS_NONE: as the element is */
	/* It draws what follows it off the screen as well. */
	bool pulls_line, pulls_page;
	bool gone; /* with all within, whatever they say */
	enum html_hidden gone_why;
	bool hidden;
	bool unsure; /* a reader may show it as another page's, with all within
		      */
	bool doubtful; /* seen as it seems, but nobody knows for sure */
	enum html_hidden why;
};

void css_style_root(struct css_style *s);
/* The table of an element's declarations; NULL where there is none. */
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

/* A length in px; false when there is none, or nobody knows. */
bool css_style_length(const struct css_style *s, const struct css_decl *d,
    double whole, double *px);
/* The size of a font, px, where its parent's is known. */
double css_style_font(const struct css_style *up, const struct css_decl *d);
/* Where its box is, and what is cut off: css_place.c. */
void css_place_move(struct css_style *s, const struct css_table *t);
void css_place_clip(struct css_style *s, const struct css_table *t);
/* Is the box too small for a line?  1: yes; -1: nobody knows. */
int css_place_tiny(const struct css_style *s, const struct css_table *t);
/* Colours, css_ink.c; keep: the ground may not reach the text. */
void css_ink_paint(struct css_style *s, const struct css_table *t, bool keep);
/* One more colour or ground that may be. */
void css_ink_maybe(struct css_style *s, const struct css_decl *d);
/* Hides what cannot be told from its ground. */
void css_ink_contrast(struct css_style *s);
void css_style_compute(struct css_style *out, const struct css_style *up,
    const struct css_list *list);
/* Hidden with all within, unless it is already. */
void css_style_gone(struct css_style *s, enum html_hidden why);

#endif
