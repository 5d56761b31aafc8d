/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are one word of a list; other words are dropped. */
#include <string.h>

#include "html/css.h"

/* The only token of a value: CSS_T_END if there are several. */
struct css_token
css_words_only(struct str value)
{
	struct css_token t = css_token_next(&value);

	if (css_text_trim(value).n > 0)
		t.kind = CSS_T_END;
	return t;
}

const struct css_words *
css_words_find(struct str text, const struct css_words *w)
{
	for (; w->name.n > 0; w++)
		if (str_eq_case(text, w->name))
			return w;
	return NULL;
}

static const struct css_words display_words[] = {
	{ SI("none"), CSS_HIDE },
	{ SI("block"), CSS_BLOCK },
	{ SI("inline"), CSS_INLINE },
	{ SI("inline-block"), CSS_INLINE },
	{ SI("inline-table"), CSS_INLINE },
	{ SI("inline-flex"), CSS_INLINE },
	{ SI("inline-grid"), CSS_INLINE },
	{ SI("contents"), CSS_CONTENTS },
	{ SI("ruby"), CSS_INLINE },
	{ SI("ruby-text"), CSS_INLINE },
	{ SI("-webkit-inline-box"), CSS_INLINE },
	{ SI("-webkit-inline-flex"), CSS_INLINE },
	{ SI("flex"), CSS_FLEX },
	{ SI("grid"), CSS_FLEX },
	{ SI("-webkit-box"), CSS_FLEX },
	{ SI("-webkit-flex"), CSS_FLEX },
	{ SI("table"), CSS_BLOCK },
	{ SI("table-row"), CSS_BLOCK },
	{ SI("table-row-group"), CSS_BLOCK },
	{ SI("table-header-group"), CSS_BLOCK },
	{ SI("table-footer-group"), CSS_BLOCK },
	{ SI("table-caption"), CSS_BLOCK },
	{ SI("table-column"), CSS_HIDE },
	{ SI("table-column-group"), CSS_HIDE },
	{ SI("list-item"), CSS_BLOCK },
	{ SI("flow-root"), CSS_BLOCK },
	{ SI("table-cell"), CSS_CELL },
	{ SI("flow"), CSS_BLOCK },
	{ SI("math"), CSS_INLINE },
	{ SI("ruby-base"), CSS_INLINE },
	{ SI("inline-flow-root"), CSS_INLINE },
	{ SI("-webkit-inline-grid"), CSS_INLINE },
	{ SI("grid-lanes"), CSS_FLEX },
	{ SI("inline-grid-lanes"), CSS_INLINE },
	{ SI(""), CSS_NONE },
};

static const struct css_words visibility_words[] = {
	{ SI("visible"), CSS_NONE },
	{ SI("hidden"), CSS_HIDE },
	{ SI("collapse"), CSS_HIDE },
	{ SI(""), CSS_NONE },
};

static const struct css_words position_words[] = {
	{ SI("static"), CSS_NONE },
	{ SI("relative"), CSS_RELATIVE },
	{ SI("sticky"), CSS_RELATIVE },
	{ SI("-webkit-sticky"), CSS_RELATIVE },
	{ SI("absolute"), CSS_ABSOLUTE },
	{ SI("fixed"), CSS_FIXED },
	{ SI(""), CSS_NONE },
};

static const struct css_words float_words[] = {
	{ SI("none"), CSS_NONE },
	{ SI("left"), CSS_BLOCK },
	{ SI("right"), CSS_BLOCK },
	{ SI("inline-start"), CSS_BLOCK },
	{ SI("inline-end"), CSS_BLOCK },
	{ SI(""), CSS_NONE },
};

static const struct css_words space_words[] = {
	{ SI("normal"), CSS_NONE },
	{ SI("nowrap"), CSS_NONE },
	{ SI("pre"), CSS_PRE },
	{ SI("pre-wrap"), CSS_PRE },
	{ SI("pre-line"), CSS_PRE },
	{ SI("break-spaces"), CSS_PRE },
	{ SI(""), CSS_NONE },
};

/* direction and unicode-bidi: reversed letters make another text. */
static const struct css_words turn_words[] = {
	{ SI("rtl"), CSS_RTL },
	{ SI("ltr"), CSS_NONE },
	{ SI(""), CSS_NONE },
};

static const struct css_words bidi_words[] = {
	{ SI("bidi-override"), CSS_HIDE },
	{ SI("isolate-override"), CSS_HIDE },
	{ SI(""), CSS_NONE },
};

static const struct css_words overflow_words[] = {
	{ SI("visible"), CSS_NONE },
	{ SI("hidden"), CSS_HIDE },
	{ SI("clip"), CSS_HIDE },
	{ SI("scroll"), CSS_HIDE },
	{ SI("auto"), CSS_HIDE },
	{ SI("overlay"), CSS_HIDE },
	{ SI(""), CSS_NONE },
};

static const struct css_words content_visibility_words[] = {
	{ SI("visible"), CSS_NONE },
	{ SI("auto"), CSS_NONE },
	{ SI("hidden"), CSS_HIDE },
	{ SI(""), CSS_NONE },
};

/* By property. */
static const struct css_words *const words_of[] = {
	[CSS_DISPLAY] = display_words,
	[CSS_VISIBILITY] = visibility_words,
	[CSS_POSITION] = position_words,
	[CSS_FLOAT] = float_words,
	[CSS_WHITE_SPACE] = space_words,
	[CSS_DIRECTION] = turn_words,
	[CSS_BIDI] = bidi_words,
	[CSS_OVERFLOW_X] = overflow_words,
	[CSS_OVERFLOW_Y] = overflow_words,
	[CSS_CONTENT_VISIBILITY] = content_visibility_words,
};

/* One word of the property's; any other is dropped, and so is a function. */
void
css_words_one(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);
	const struct css_words *w;

	if (t.kind == CSS_T_WORD) {
		w = css_words_find(t.text, words_of[p]);
		if (w != NULL)
			css_decl_word(b, d, p, w->word);
	}
}

/* Two or more words: the outer and the inner display; CSS Display 3. */
static void
css_words_display_several(struct css_block *b, enum css_prop p,
    struct css_decl *d, struct str value)
{
	static const struct css_words list[] = {
		{ SI("block"), 1 },
		{ SI("inline"), 2 },
		{ SI("list-item"), 4 },
		{ SI("flow"), 8 },
		{ SI("flow-root"), 8 },
		{ SI("table"), 8 },
		{ SI("flex"), 8 },
		{ SI("grid"), 8 },
		{ SI("ruby"), 8 },
		{ SI("math"), 8 },
		{ SI(""), 0 },
	};
	unsigned seen = 0;

	for (;;) {
		struct css_token t = css_token_next(&value);
		const struct css_words *w = css_words_find(t.text, list);
		unsigned one;

		if (t.kind == CSS_T_END)
			break;
		one = t.kind == CSS_T_WORD && w != NULL ? w->word : 0;
		/* Either an outer or an inner word, and each once. */
		if (one == 0 || (seen & one) || (one < 4 && (seen & 3)))
			return;
		seen |= one;
	}
	css_decl_word(b, d, p, seen & 2 ? CSS_INLINE : CSS_BLOCK);
}

void
css_words_display(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	if (css_words_only(value).kind == CSS_T_END)
		css_words_display_several(b, p, d, value);
	else
		css_words_one(b, p, d, value);
}

/* One word for both axes, or one each; both must be valid. */
void
css_words_overflow(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct str x = value, y = value;
	struct css_token t = css_token_next(&y);
	size_t first = b->n;

	y = css_text_trim(y);
	if (y.n == 0)
		y = value;
	else
		x = t.text;
	css_words_one(b, p, d, x);
	if (b->n > first)
		css_words_one(b, CSS_OVERFLOW_Y, d, y);
	if (b->n == first + 1)
		b->n = first;
}

/* Boxes, sizes and repeats of a background: only the picture may disappear. */
static bool
css_words_is_of_background(enum css_prop p, struct str word)
{
	static const struct css_words list[] = { CSS_W("border-box"),
		CSS_W("padding-box"), CSS_W("content-box"), CSS_W("auto"),
		CSS_W("cover"), CSS_W("repeat"), CSS_W("") };

	return (p == CSS_BG_CLIP || p == CSS_BG_FIT) &&
	    css_words_find(word, list) != NULL;
}

/*
 * Properties that can only hide, unless the value is "none".  CSS_OTHER is
 * shared by several: "none" for one does not end another.
 */
void
css_words_other(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = { CSS_W("none"), CSS_W("auto"),
		CSS_W("normal"), CSS_W("visible"), CSS_W("") };
	struct css_token t = css_words_only(value);

	if (t.kind == CSS_T_WORD &&
	    (css_words_find(t.text, list) != NULL ||
		css_words_is_of_background(p, t.text))) {
		if (p != CSS_OTHER)
			css_decl_word(b, d, p, CSS_NONE);
	} else {
		css_decl_unknown(b, d, p);
	}
}

/* These words of a property hide, or may hide; others do not. */
static void
css_words_may_hide(struct css_block *b, struct css_decl *d, struct str value,
    const struct css_words *list)
{
	for (;;) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			return;
		if ((t.kind == CSS_T_WORD || t.kind == CSS_T_CALL) &&
		    css_words_find(t.text, list) != NULL) {
			css_decl_unknown(b, d, CSS_OTHER);
			return;
		}
	}
}

/* A picture that replaces an element's content. */
void
css_words_content(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = { CSS_W("url"),
		CSS_W("image-set"), CSS_W("-webkit-image-set"),
		CSS_W("cross-fade"), CSS_W("-webkit-cross-fade"),
		CSS_W("element"), CSS_W("paint"), CSS_W("image"),
		CSS_W("linear-gradient"), CSS_W("radial-gradient"),
		CSS_W("conic-gradient"), CSS_W("") };

	(void)p;
	css_words_may_hide(b, d, value, list);
}

/* A box with the size of an empty one. */
void
css_words_contain(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = { CSS_W("strict"), CSS_W("size"),
		CSS_W("block-size"), CSS_W("") };

	(void)p;
	css_words_may_hide(b, d, value, list);
}

/* Black on white stays the same when darkened. */
void
css_words_blend(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = { CSS_W("screen"),
		CSS_W("overlay"), CSS_W("lighten"), CSS_W("color-dodge"),
		CSS_W("color-burn"), CSS_W("hard-light"), CSS_W("soft-light"),
		CSS_W("difference"), CSS_W("exclusion"), CSS_W("hue"),
		CSS_W("saturation"), CSS_W("color"), CSS_W("luminosity"),
		CSS_W("plus-lighter"), CSS_W("") };

	(void)p;
	css_words_may_hide(b, d, value, list);
}

/* rotate: a small angle in the plane of the screen changes nothing. */
void
css_words_rotate(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	if (t.kind == CSS_T_WORD && str_eq_case(t.text, S("none")))
		return;
	if (t.kind == CSS_T_NUMBER && t.n >= -50 && t.n <= 50 &&
	    (str_eq_case(t.text, S("deg")) || str_eq_case(t.text, S("grad"))))
		return;
	css_decl_unknown(b, d, p);
}
