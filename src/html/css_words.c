/* Values that are one word of a list; any other word is dropped. */
#include <string.h>

#include "html/css.h"

/* The only token of a value: CSS_T_END when there are several. */
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

/* One word of a list; any other is dropped, and so is a function. */
static void
css_words_one_of(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value, const struct css_words *list)
{
	struct css_token t = css_words_only(value);
	const struct css_words *w;

	if (t.kind == CSS_T_WORD) {
		w = css_words_find(t.text, list);
		if (w != NULL)
			css_decl_word(b, d, p, w->word);
	}
}

/* Two words and more: what it is outside, and inside; CSS Display 3. */
static void
display_words(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
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
		/* Either inside or outside, and each once. */
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
	static const struct css_words list[] = {
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

	if (css_words_only(value).kind == CSS_T_END)
		display_words(b, p, d, value);
	else
		css_words_one_of(b, p, d, value, list);
}

void
css_words_visibility(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("visible"), CSS_NONE },
		{ SI("hidden"), CSS_HIDE },
		{ SI("collapse"), CSS_HIDE },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

void
css_words_position(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("static"), CSS_NONE },
		{ SI("relative"), CSS_RELATIVE },
		{ SI("sticky"), CSS_RELATIVE },
		{ SI("-webkit-sticky"), CSS_RELATIVE },
		{ SI("absolute"), CSS_ABSOLUTE },
		{ SI("fixed"), CSS_FIXED },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

void
css_words_float(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("none"), CSS_NONE },
		{ SI("left"), CSS_BLOCK },
		{ SI("right"), CSS_BLOCK },
		{ SI("inline-start"), CSS_BLOCK },
		{ SI("inline-end"), CSS_BLOCK },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

void
css_words_space(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("normal"), CSS_NONE },
		{ SI("nowrap"), CSS_NONE },
		{ SI("pre"), CSS_PRE },
		{ SI("pre-wrap"), CSS_PRE },
		{ SI("pre-line"), CSS_PRE },
		{ SI("break-spaces"), CSS_PRE },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

/* direction and unicode-bidi: who turns letters round writes another text. */
void
css_words_turn(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("rtl"), CSS_RTL },
		{ SI("ltr"), CSS_NONE },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

void
css_words_bidi(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("bidi-override"), CSS_HIDE },
		{ SI("isolate-override"), CSS_HIDE },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

void
css_words_overflow_one(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("visible"), CSS_NONE },
		{ SI("hidden"), CSS_HIDE },
		{ SI("clip"), CSS_HIDE },
		{ SI("scroll"), CSS_HIDE },
		{ SI("auto"), CSS_HIDE },
		{ SI("overlay"), CSS_HIDE },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

/* One word for both axes, or one each; both must be good. */
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
	css_words_overflow_one(b, p, d, x);
	if (b->n > first)
		css_words_overflow_one(b, CSS_OVERFLOW_Y, d, y);
	if (b->n == first + 1)
		b->n = first;
}

/* Boxes, sizes and repeats of a background: only the picture may be lost. */
static bool
css_words_is_of_background(enum css_prop p, struct str word)
{
	static const struct css_words list[] = {
		{ SI("border-box"), 0 },
		{ SI("padding-box"), 0 },
		{ SI("content-box"), 0 },
		{ SI("auto"), 0 },
		{ SI("cover"), 0 },
		{ SI("repeat"), 0 },
		{ SI(""), 0 },
	};

	return (p == CSS_BG_CLIP || p == CSS_BG_FIT) &&
	    css_words_find(word, list) != NULL;
}

/*
 * What is only fit to hide, unless it says no.  CSS_OTHER stands for several:
 * one's "none" ends not another.
 */
void
css_words_other(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("none"), 0 },
		{ SI("auto"), 0 },
		{ SI("normal"), 0 },
		{ SI("visible"), 0 },
		{ SI(""), 0 },
	};
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

void
css_words_content_visibility(struct css_block *b, enum css_prop p,
    struct css_decl *d, struct str value)
{
	static const struct css_words list[] = {
		{ SI("visible"), CSS_NONE },
		{ SI("auto"), CSS_NONE },
		{ SI("hidden"), CSS_HIDE },
		{ SI(""), CSS_NONE },
	};

	css_words_one_of(b, p, d, value, list);
}

/* These words of a property hide, or may; any other does not. */
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

/* A picture in the place of what an element holds. */
void
css_words_content(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("url"), 0 },
		{ SI("image-set"), 0 },
		{ SI("-webkit-image-set"), 0 },
		{ SI("cross-fade"), 0 },
		{ SI("-webkit-cross-fade"), 0 },
		{ SI("element"), 0 },
		{ SI("paint"), 0 },
		{ SI("image"), 0 },
		{ SI("linear-gradient"), 0 },
		{ SI("radial-gradient"), 0 },
		{ SI("conic-gradient"), 0 },
		{ SI(""), 0 },
	};

	(void)p;
	css_words_may_hide(b, d, value, list);
}

/* A box that is as large as if it held nothing. */
void
css_words_contain(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("strict"), 0 },
		{ SI("size"), 0 },
		{ SI("block-size"), 0 },
		{ SI(""), 0 },
	};

	(void)p;
	css_words_may_hide(b, d, value, list);
}

/* Black on white stays what it is when it is made darker. */
void
css_words_blend(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("screen"), 0 },
		{ SI("overlay"), 0 },
		{ SI("lighten"), 0 },
		{ SI("color-dodge"), 0 },
		{ SI("color-burn"), 0 },
		{ SI("hard-light"), 0 },
		{ SI("soft-light"), 0 },
		{ SI("difference"), 0 },
		{ SI("exclusion"), 0 },
		{ SI("hue"), 0 },
		{ SI("saturation"), 0 },
		{ SI("color"), 0 },
		{ SI("luminosity"), 0 },
		{ SI("plus-lighter"), 0 },
		{ SI(""), 0 },
	};

	(void)p;
	css_words_may_hide(b, d, value, list);
}

/* rotate: about the eye's own axis a little is nothing. */
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
