/* Values that are one word of a list; any other word is dropped. */
#include <string.h>

#include "mime/css.h"

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

/* One word of a list; any other is dropped, a function is unknown. */
static void
one_of(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value, const struct css_words *list)
{
	struct css_token t = css_words_only(value);
	const struct css_words *w;

	if (t.kind == CSS_T_CALL) {
		css_decl_unknown(b, d, p);
	} else if (t.kind == CSS_T_WORD) {
		w = css_words_find(t.text, list);
		if (w != NULL)
			css_decl_word(b, d, p, w->word);
	}
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
		{ SI(""), CSS_NONE },
	};

	d->maybe = css_words_only(value).kind == CSS_T_END;
	if (d->maybe)
		css_decl_unknown(b, d, p);
	else
		one_of(b, p, d, value, list);
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

	one_of(b, p, d, value, list);
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
		{ SI("fixed"), CSS_ABSOLUTE },
		{ SI(""), CSS_NONE },
	};

	one_of(b, p, d, value, list);
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

	one_of(b, p, d, value, list);
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

	one_of(b, p, d, value, list);
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

	one_of(b, p, d, value, list);
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

	one_of(b, p, d, value, list);
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

	one_of(b, p, d, value, list);
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

/* What is only fit to hide, unless it says no. */
void
css_words_other(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	static const struct css_words list[] = {
		{ SI("none"), CSS_NONE },
		{ SI("auto"), CSS_NONE },
		{ SI("normal"), CSS_NONE },
		{ SI("visible"), CSS_NONE },
		{ SI("border-box"), CSS_NONE },
		{ SI("padding-box"), CSS_NONE },
		{ SI("cover"), CSS_NONE },
		{ SI("repeat"), CSS_NONE },
		{ SI(""), CSS_NONE },
	};
	struct css_token t = css_words_only(value);

	/* CSS_OTHER stands for several: one's "none" ends not another. */
	if (t.kind == CSS_T_WORD && css_words_find(t.text, list) != NULL) {
		if (p != CSS_OTHER)
			css_decl_word(b, d, p, CSS_NONE);
	} else if (p == CSS_CONTENT_VISIBILITY &&
	    str_eq_case(t.text, S("hidden")))
		css_decl_word(b, d, p, CSS_HIDE);
	else
		css_decl_unknown(b, d, p);
}
