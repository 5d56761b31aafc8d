/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations: "name: value".  Each property that can hide or show words is a
 * row with the function that reads its value.  An invalid value is dropped as
 * in a browser; an unknown function may be anything.
 */
#include <string.h>

#include "html/css.h"

#define NAME_MAX_LEN 32

struct row {
	const char *name;
	void (*read)(struct css_block *b, enum css_prop p, struct css_decl *d,
	    struct str value);
	enum css_prop prop;
	/* Values that do not hide are dropped: they must not override values
	 * that do, because browsers may ignore this property or treat it as
	 * another. */
	bool weak;
};

void
css_decl_add(struct css_block *b, const struct css_decl *d)
{
	if (b->n < CSS_BLOCK_MAX)
		b->d[b->n++] = *d;
	else
		b->over = true;
}

void
css_decl_put(struct css_block *b, struct css_decl *d, enum css_prop p,
    enum css_kind kind, double n)
{
	d->prop = (unsigned char)p;
	d->kind = (unsigned char)kind;
	d->n = n;
	css_decl_add(b, d);
}

void
css_decl_word(struct css_block *b, struct css_decl *d, enum css_prop p,
    enum css_word w)
{
	css_decl_put(b, d, p, CSS_WORD, (double)w);
}

void
css_decl_unknown(struct css_block *b, struct css_decl *d, enum css_prop p)
{
	css_decl_put(b, d, p, CSS_UNKNOWN, 0);
}

/* In the order of strcmp(3). */
static const struct row rows[] = {
	{ "-webkit-background-clip", css_words_other, CSS_BG_CLIP, true },
	{ "-webkit-clip-path", css_shape_path, CSS_CLIP_PATH, false },
	{ "-webkit-filter", css_paint_filter, CSS_FILTER, false },
	{ "-webkit-mask", css_words_other, CSS_MASK, true },
	{ "-webkit-mask-image", css_words_other, CSS_MASK, true },
	{ "-webkit-text-fill-color", css_paint_colour, CSS_FILL, false },
	{ "-webkit-text-security", css_words_other, CSS_OTHER, false },
	{ "-webkit-transform", css_shape_transform, CSS_TRANSFORM_X, false },
	{ "all", NULL, CSS_OTHER, false },
	{ "animation", css_motion_all, CSS_ANIM_NAME, false },
	{ "animation-delay", css_motion_time, CSS_ANIM_DELAY, false },
	{ "animation-direction", css_motion_way, CSS_ANIM_WAY, false },
	{ "animation-duration", css_motion_time, CSS_ANIM_TIME, false },
	{ "animation-fill-mode", css_motion_stay, CSS_ANIM_STAY, false },
	{ "animation-iteration-count", css_motion_count, CSS_ANIM_COUNT,
	    false },
	{ "animation-name", css_motion_name, CSS_ANIM_NAME, false },
	{ "animation-play-state", css_motion_pause, CSS_ANIM_PAUSE, false },
	{ "animation-timeline", css_motion_pause, CSS_ANIM_PAUSE, false },
	{ "background", css_paint_background, CSS_BG_COLOR, false },
	{ "background-clip", css_words_other, CSS_BG_CLIP, true },
	{ "background-color", css_paint_colour, CSS_BG_COLOR, false },
	{ "background-image", css_paint_image, CSS_BG_IMAGE, false },
	{ "background-repeat", css_words_other, CSS_BG_FIT, true },
	{ "background-size", css_words_other, CSS_BG_FIT, true },
	{ "block-size", css_length_one, CSS_HEIGHT, true },
	{ "bottom", css_length_one, CSS_BOTTOM, false },
	{ "clip", css_shape_clip, CSS_CLIP, false },
	{ "clip-path", css_shape_path, CSS_CLIP_PATH, false },
	{ "color", css_paint_colour, CSS_COLOR, false },
	{ "contain", css_words_contain, CSS_OTHER, false },
	{ "content", css_words_content, CSS_OTHER, false },
	{ "content-visibility", css_words_one, CSS_CONTENT_VISIBILITY, false },
	{ "direction", css_words_one, CSS_DIRECTION, false },
	{ "display", css_words_display, CSS_DISPLAY, false },
	{ "filter", css_paint_filter, CSS_FILTER, false },
	{ "float", css_words_one, CSS_FLOAT, false },
	{ "font", css_length_font, CSS_FONT_SIZE, false },
	{ "font-size", css_length_size, CSS_FONT_SIZE, false },
	{ "font-size-adjust", css_length_adjust, CSS_FONT_ADJUST, false },
	{ "height", css_length_one, CSS_HEIGHT, false },
	{ "inline-size", css_length_one, CSS_WIDTH, true },
	{ "inset", css_length_sides, CSS_TOP, false },
	{ "inset-block-end", css_length_one, CSS_BOTTOM, true },
	{ "inset-block-start", css_length_one, CSS_TOP, true },
	{ "inset-inline-end", css_length_one, CSS_RIGHT, true },
	{ "inset-inline-start", css_length_one, CSS_LEFT, true },
	{ "left", css_length_one, CSS_LEFT, false },
	{ "letter-spacing", css_length_one, CSS_LETTER_SPACING, false },
	{ "line-height", css_length_one, CSS_LINE_HEIGHT, false },
	{ "margin", css_length_sides, CSS_MARGIN_TOP, false },
	{ "margin-block", css_length_sides, CSS_MARGIN_TOP, true },
	{ "margin-block-end", css_length_one, CSS_MARGIN_BOTTOM, true },
	{ "margin-block-start", css_length_one, CSS_MARGIN_TOP, true },
	{ "margin-bottom", css_length_one, CSS_MARGIN_BOTTOM, false },
	{ "margin-inline", css_length_one, CSS_MARGIN_LEFT, true },
	{ "margin-inline-end", css_length_one, CSS_MARGIN_RIGHT, true },
	{ "margin-inline-start", css_length_one, CSS_MARGIN_LEFT, true },
	{ "margin-left", css_length_one, CSS_MARGIN_LEFT, false },
	{ "margin-right", css_length_one, CSS_MARGIN_RIGHT, false },
	{ "margin-top", css_length_one, CSS_MARGIN_TOP, false },
	{ "mask", css_words_other, CSS_MASK, true },
	{ "mask-image", css_words_other, CSS_MASK, true },
	{ "max-block-size", css_length_one, CSS_MAX_HEIGHT, true },
	{ "max-height", css_length_one, CSS_MAX_HEIGHT, false },
	{ "max-inline-size", css_length_one, CSS_MAX_WIDTH, true },
	{ "max-width", css_length_one, CSS_MAX_WIDTH, false },
	{ "min-block-size", css_length_one, CSS_MIN_HEIGHT, true },
	{ "min-height", css_length_one, CSS_MIN_HEIGHT, false },
	{ "mix-blend-mode", css_words_blend, CSS_OTHER, false },
	{ "offset", css_words_other, CSS_OTHER, false },
	{ "offset-path", css_words_other, CSS_OTHER, false },
	{ "opacity", css_length_number, CSS_OPACITY, false },
	{ "overflow", css_words_overflow, CSS_OVERFLOW_X, false },
	{ "overflow-x", css_words_one, CSS_OVERFLOW_X, false },
	{ "overflow-y", css_words_one, CSS_OVERFLOW_Y, false },
	{ "position", css_words_one, CSS_POSITION, false },
	{ "right", css_length_one, CSS_RIGHT, false },
	{ "rotate", css_words_rotate, CSS_OTHER, false },
	{ "scale", css_length_scale, CSS_SCALE, false },
	{ "text-indent", css_length_one, CSS_TEXT_INDENT, false },
	{ "top", css_length_one, CSS_TOP, false },
	{ "transform", css_shape_transform, CSS_TRANSFORM_X, false },
	{ "translate", css_length_translate, CSS_MOVE_X, false },
	{ "unicode-bidi", css_words_one, CSS_BIDI, true },
	{ "visibility", css_words_one, CSS_VISIBILITY, false },
	{ "white-space", css_words_one, CSS_WHITE_SPACE, false },
	{ "white-space-collapse", css_words_one, CSS_WHITE_SPACE, false },
	{ "width", css_length_one, CSS_WIDTH, false },
	{ "z-index", css_length_number, CSS_Z_INDEX, false },
	{ "zoom", css_length_number, CSS_ZOOM, false },
};

static const struct row *
css_decl_find_row(struct str name)
{
	size_t lo = 0, hi = sizeof(rows) / sizeof(rows[0]);
	char low[NAME_MAX_LEN];

	if (name.n >= sizeof(low))
		return NULL;
	for (size_t i = 0; i < name.n; i++)
		low[i] =
		    (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] + 32
								: name.p[i]);
	low[name.n] = '\0';
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = css_text_order(low, rows[mid].name);

		if (c == 0)
			return &rows[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* The same, remembered in the block; its text lives as long as the block. */
static const struct row *
css_decl_recall_row(struct css_block *b, struct str name)
{
	size_t k = name.n, first, middle, last;

	if (name.n == 0)
		return NULL;
	first = (unsigned char)name.p[0];
	middle = (unsigned char)name.p[k / 2];
	last = (unsigned char)name.p[k - 1];
	k = (k * 7 + first * 3 + middle * 5 + last) % CSS_BLOCK_RECENT;
	if (!str_eq(b->recent[k].name, name)) {
		const struct row *r = css_decl_find_row(name);

		b->recent[k].name = name;
		b->recent[k].row = r != NULL ? (int)(r - rows) : -1;
	}
	return b->recent[k].row < 0 ? NULL : &rows[b->recent[k].row];
}

bool
css_decl_is_known(struct str name)
{
	return css_decl_find_row(name) != NULL;
}

/* Removes "!important" from the end. */
static bool
css_decl_is_important(struct str *value)
{
	struct str s = css_text_trim(*value);

	if (!str_ends_case(s, S("important")))
		return false;
	s.n -= 9;
	s = css_text_trim(s);
	if (!str_ends(s, S("!")))
		return false;
	s.n--;
	*value = css_text_trim(s);
	return true;
}

bool
css_decl_is_inherited(enum css_prop p)
{
	static const uint64_t passed_on = 1ULL << CSS_VISIBILITY |
	    1ULL << CSS_FONT_SIZE | 1ULL << CSS_FONT_ADJUST |
	    1ULL << CSS_LINE_HEIGHT | 1ULL << CSS_LETTER_SPACING |
	    1ULL << CSS_COLOR | 1ULL << CSS_FILL | 1ULL << CSS_TEXT_INDENT |
	    1ULL << CSS_WHITE_SPACE | 1ULL << CSS_DIRECTION;

	return (passed_on >> p & 1) != 0;
}

/* Words that every property accepts, CSS Cascade 5 section 7; else false. */
static bool
css_decl_is_wide(struct css_decl *d, struct str value)
{
	static const struct css_words list[] = {
		{ SI("inherit"), 1 },
		{ SI("initial"), 0 },
		{ SI("unset"), 2 },
		{ SI("revert"), 3 },
		{ SI("revert-layer"), 3 },
		{ SI(""), 0 },
	};
	const struct css_words *w = css_words_find(value, list);

	if (w == NULL)
		return false;
	switch ((int)w->word) {
	case 0:
		d->kind = CSS_INITIAL;
		break;
	case 1:
		d->kind = CSS_INHERIT;
		break;
	case 2:
		d->kind = css_decl_is_inherited((enum css_prop)d->prop)
		    ? CSS_INHERIT
		    : CSS_INITIAL;
		break;
	default:
		d->kind = CSS_REVERT;
		break;
	}
	return true;
}

/* "all": every property except the direction of text. */
static void
css_decl_put_everything(struct css_block *b, struct css_decl *d,
    struct str value)
{
	for (size_t p = 0; p < CSS_OTHER; p++) {
		d->prop = (unsigned char)p;
		if (p == CSS_DIRECTION || p == CSS_BIDI ||
		    !css_decl_is_wide(d, value))
			continue;
		css_decl_add(b, d);
	}
}

/* Functions whose value is known only at the element. */
static bool
css_decl_has_substitute(struct str value)
{
	static const struct str calls[] = { SI("var("), SI("env("), SI("attr("),
		SI("if(") };

	if (value.n == 0 || memchr(value.p, '(', value.n) == NULL)
		return false;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (str_find_case(value, calls[i]) >= 0)
			return true;
	return false;
}

/* Arithmetic with values that depend on the element. */
static bool
css_decl_has_relative(struct str value)
{
	while (value.n > 0) {
		struct css_token t = css_token_next(&value);
		struct css_calc c = { 16, 800, false };
		double n;

		if (t.kind == CSS_T_CALL &&
		    css_calc_read(&c, &t, &n) != CSS_INVALID && c.relative)
			return true;
	}
	return false;
}

/* Every property that a shorthand's value sets. */
static void
css_decl_put_all(struct css_block *b, const struct row *r, struct css_decl *d)
{
	static const unsigned char more[][2] = {
		{ CSS_BG_COLOR, CSS_BG_IMAGE },
		{ CSS_MARGIN_TOP, CSS_MARGIN_LEFT },
		{ CSS_MARGIN_TOP, CSS_MARGIN_RIGHT },
		{ CSS_MARGIN_TOP, CSS_MARGIN_BOTTOM },
		{ CSS_TOP, CSS_LEFT },
		{ CSS_TOP, CSS_RIGHT },
		{ CSS_TOP, CSS_BOTTOM },
		{ CSS_OVERFLOW_X, CSS_OVERFLOW_Y },
		{ CSS_TRANSFORM_X, CSS_TRANSFORM_SCALE },
		{ CSS_TRANSFORM_X, CSS_TRANSFORM_Y },
		{ CSS_MOVE_X, CSS_MOVE_Y },
		{ CSS_ANIM_NAME, CSS_ANIM_TIME },
		{ CSS_ANIM_NAME, CSS_ANIM_DELAY },
		{ CSS_ANIM_NAME, CSS_ANIM_COUNT },
		{ CSS_ANIM_NAME, CSS_ANIM_WAY },
		{ CSS_ANIM_NAME, CSS_ANIM_STAY },
		{ CSS_ANIM_NAME, CSS_ANIM_PAUSE },
	};
	bool is_shorthand = r->read == css_length_sides ||
	    r->read == css_length_translate || r->read == css_words_overflow ||
	    r->read == css_paint_background || r->read == css_motion_all ||
	    r->read == css_shape_transform;

	d->prop = (unsigned char)r->prop;
	css_decl_add(b, d);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (more[i][0] == r->prop && is_shorthand) {
			d->prop = more[i][1];
			css_decl_add(b, d);
		}
}

bool
css_decl_is_harmless(const struct css_decl *d)
{
	switch (d->kind) {
	case CSS_WORD:
		return (enum css_word)d->n == CSS_NONE;
	case CSS_NUMBER:
		return d->n >= 0.5;
	case CSS_PX:
	case CSS_EM:
	case CSS_PERCENT:
		if (d->prop >= CSS_WIDTH && d->prop <= CSS_MIN_HEIGHT)
			return d->n > 10;
		return d->n > (d->prop == CSS_LETTER_SPACING ? -0.2 : -2.0) &&
		    d->n < 200;
	default:
		return d->kind == CSS_INHERIT || d->kind == CSS_INITIAL ||
		    d->kind == CSS_REVERT;
	}
}

/* Removes what a weak property declared from the first on. */
static void
css_decl_drop_harmless(struct css_block *b, size_t first)
{
	size_t n = first;

	for (size_t i = first; i < b->n; i++)
		if (!css_decl_is_harmless(&b->d[i]))
			b->d[n++] = b->d[i];
	b->n = n;
}

static void
css_decl_put_later(struct css_block *b, const struct row *r, struct css_decl *d,
    struct str value)
{
	d->kind = CSS_LATER;
	d->row = (unsigned char)(r - rows);
	d->text = value;
	css_decl_put_all(b, r, d);
}

/* A value without var() or other text to fill in. */
static void
css_decl_put_value(struct css_block *b, const struct row *r, struct css_decl *d,
    struct str value)
{
	size_t first = b->n;

	if (css_decl_is_wide(d, value)) {
		css_decl_put_all(b, r, d);
	} else if (value.n > 0 && r->read != NULL) {
		r->read(b, r->prop, d, value);
		if (b->em <= 0 && b->n > first &&
		    css_decl_has_relative(value)) {
			struct css_decl later = { .important = d->important };

			b->n = first;
			css_decl_put_later(b, r, &later, value);
			return;
		}
	}
	if (r->weak)
		css_decl_drop_harmless(b, first);
}

/* "--name: value": kept as written; case counts. */
static void
css_decl_put_custom(struct css_block *b, struct css_decl *d, struct str name,
    struct str value)
{
	d->prop = CSS_CUSTOM;
	d->kind = CSS_TEXT;
	d->text = name;
	/* The whole text, from the name on: css_var.c splits it again. */
	d->text.n = (size_t)(value.p + value.n - name.p);
	css_decl_add(b, d);
}

void
css_decl_read_one(struct css_block *b, struct str text)
{
	struct css_decl d = { 0 };
	struct str name, value;
	const struct row *r;

	if (!str_cut(text, ':', &name, &value))
		return;
	name = css_text_trim(name);
	value = css_text_trim(value);
	if (str_starts(name, S("--"))) {
		d.important = css_decl_is_important(&value);
		css_decl_put_custom(b, &d, name, value);
		return;
	}
	r = css_decl_recall_row(b, name);
	if (r == NULL)
		return;
	d.important = css_decl_is_important(&value);
	d.prop = (unsigned char)r->prop;
	if (css_decl_has_substitute(value))
		css_decl_put_later(b, r, &d, value);
	else if (r->read == NULL)
		css_decl_put_everything(b, &d, value);
	else
		css_decl_put_value(b, r, &d, value);
}

int
css_decl_later(struct css_block *b, const struct css_decl *d, struct str value,
    struct css_decl *out)
{
	const struct row *r = &rows[d->row];
	struct css_decl one = { .prop = (unsigned char)r->prop };

	b->n = 0;
	b->over = false;
	value = css_text_trim(value);
	if (r->read == NULL) {
		css_decl_put_everything(b, &one, value);
	} else {
		css_decl_put_value(b, r, &one, value);
		if (b->n == 0 && r->weak)
			return 0;
	}
	for (size_t i = b->n; i-- > 0;)
		if (b->d[i].prop == d->prop) {
			*out = b->d[i];
			out->important = d->important;
			out->maybe |= d->maybe;
			return 1;
		}
	return b->n > 0 ? 0 : -1;
}

void
css_decl_read_all(struct css_block *b, struct str text)
{
	size_t i = 0;

	b->over = b->over || css_text_is_deep(text);
	while (i < text.n && !b->over) {
		size_t end = css_text_span(text, i, ";");

		css_decl_read_one(b, (struct str){ text.p + i, end - i });
		i = end + 1;
	}
}
