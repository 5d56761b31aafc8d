/*
 * Declarations: "name: value".  Each property that can hide words, or show
 * them, is a row that says how its value is read.  An invalid value is dropped
 * as in a browser; a function we do not know may be anything.
 */
#include <string.h>

#include "mime/css.h"

#define NAME_MAX_LEN 32

struct row {
	const char *name;
	enum css_prop prop;
	void (*read)(struct css_block *b, enum css_prop p, struct css_decl *d,
	    struct str value);
	/* What does not hide is left out: it must not undo what does, as it
	 * may be another property, or none. */
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
	{ "-webkit-background-clip", CSS_BG_CLIP, css_words_other, true },
	{ "-webkit-clip-path", CSS_CLIP_PATH, css_shape_path, true },
	{ "-webkit-filter", CSS_FILTER, css_paint_filter, true },
	{ "-webkit-mask", CSS_MASK, css_words_other, true },
	{ "-webkit-mask-image", CSS_MASK, css_words_other, true },
	{ "-webkit-text-fill-color", CSS_FILL, css_paint_colour, false },
	{ "-webkit-text-security", CSS_OTHER, css_words_other, false },
	{ "-webkit-transform", CSS_TRANSFORM_X, css_shape_transform, true },
	{ "all", CSS_OTHER, css_words_other, false },
	{ "animation", CSS_OTHER, css_words_other, false },
	{ "animation-name", CSS_OTHER, css_words_other, false },
	{ "background", CSS_BG_COLOR, css_paint_background, false },
	{ "background-clip", CSS_BG_CLIP, css_words_other, true },
	{ "background-color", CSS_BG_COLOR, css_paint_colour, false },
	{ "background-image", CSS_BG_IMAGE, css_paint_image, false },
	{ "background-repeat", CSS_BG_FIT, css_words_other, true },
	{ "background-size", CSS_BG_FIT, css_words_other, true },
	{ "block-size", CSS_HEIGHT, css_length_one, true },
	{ "bottom", CSS_BOTTOM, css_length_one, false },
	{ "clip", CSS_CLIP, css_shape_clip, true },
	{ "clip-path", CSS_CLIP_PATH, css_shape_path, true },
	{ "color", CSS_COLOR, css_paint_colour, false },
	{ "content-visibility", CSS_CONTENT_VISIBILITY, css_words_other, true },
	{ "direction", CSS_DIRECTION, css_words_turn, true },
	{ "display", CSS_DISPLAY, css_words_display, false },
	{ "filter", CSS_FILTER, css_paint_filter, true },
	{ "float", CSS_FLOAT, css_words_float, false },
	{ "font", CSS_FONT_SIZE, css_length_font, false },
	{ "font-size", CSS_FONT_SIZE, css_length_size, false },
	{ "height", CSS_HEIGHT, css_length_one, false },
	{ "inline-size", CSS_WIDTH, css_length_one, true },
	{ "inset", CSS_TOP, css_length_sides, false },
	{ "inset-block-end", CSS_BOTTOM, css_length_one, true },
	{ "inset-block-start", CSS_TOP, css_length_one, true },
	{ "inset-inline-end", CSS_RIGHT, css_length_one, true },
	{ "inset-inline-start", CSS_LEFT, css_length_one, true },
	{ "left", CSS_LEFT, css_length_one, false },
	{ "letter-spacing", CSS_LETTER_SPACING, css_length_one, true },
	{ "line-height", CSS_LINE_HEIGHT, css_length_one, false },
	{ "margin", CSS_MARGIN_TOP, css_length_sides, false },
	{ "margin-block", CSS_MARGIN_TOP, css_length_sides, true },
	{ "margin-block-end", CSS_MARGIN_BOTTOM, css_length_one, true },
	{ "margin-block-start", CSS_MARGIN_TOP, css_length_one, true },
	{ "margin-bottom", CSS_MARGIN_BOTTOM, css_length_one, false },
	{ "margin-inline", CSS_MARGIN_LEFT, css_length_one, true },
	{ "margin-inline-end", CSS_MARGIN_RIGHT, css_length_one, true },
	{ "margin-inline-start", CSS_MARGIN_LEFT, css_length_one, true },
	{ "margin-left", CSS_MARGIN_LEFT, css_length_one, false },
	{ "margin-right", CSS_MARGIN_RIGHT, css_length_one, false },
	{ "margin-top", CSS_MARGIN_TOP, css_length_one, false },
	{ "mask", CSS_MASK, css_words_other, true },
	{ "mask-image", CSS_MASK, css_words_other, true },
	{ "max-block-size", CSS_MAX_HEIGHT, css_length_one, true },
	{ "max-height", CSS_MAX_HEIGHT, css_length_one, false },
	{ "max-inline-size", CSS_MAX_WIDTH, css_length_one, true },
	{ "max-width", CSS_MAX_WIDTH, css_length_one, false },
	{ "opacity", CSS_OPACITY, css_length_number, false },
	{ "overflow", CSS_OVERFLOW_X, css_words_overflow, false },
	{ "overflow-x", CSS_OVERFLOW_X, css_words_overflow_one, false },
	{ "overflow-y", CSS_OVERFLOW_Y, css_words_overflow_one, false },
	{ "position", CSS_POSITION, css_words_position, false },
	{ "right", CSS_RIGHT, css_length_one, false },
	{ "rotate", CSS_OTHER, css_words_other, false },
	{ "scale", CSS_SCALE, css_length_scale, true },
	{ "text-indent", CSS_TEXT_INDENT, css_length_one, false },
	{ "top", CSS_TOP, css_length_one, false },
	{ "transform", CSS_TRANSFORM_X, css_shape_transform, true },
	{ "translate", CSS_MOVE_X, css_length_translate, true },
	{ "unicode-bidi", CSS_BIDI, css_words_bidi, true },
	{ "visibility", CSS_VISIBILITY, css_words_visibility, false },
	{ "white-space", CSS_WHITE_SPACE, css_words_space, false },
	{ "white-space-collapse", CSS_WHITE_SPACE, css_words_space, false },
	{ "width", CSS_WIDTH, css_length_one, false },
	{ "z-index", CSS_Z_INDEX, css_length_number, true },
	{ "zoom", CSS_ZOOM, css_length_number, true },
};

static const struct row *
find_row(struct str name)
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
		int c = strcmp(low, rows[mid].name);

		if (c == 0)
			return &rows[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* Takes "!important" off the end. */
static bool
is_important(struct str *value)
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

/* Words every property knows, CSS Cascade 5 section 7; false: none of them. */
static bool
is_wide(struct css_decl *d, struct str value)
{
	static const struct css_words list[] = {
		{ SI("inherit"), 1 },
		{ SI("initial"), 0 },
		{ SI("unset"), 2 },
		{ SI("revert"), 2 },
		{ SI("revert-layer"), 2 },
		{ SI(""), 0 },
	};
	static const uint64_t passed_on = 1ULL << CSS_VISIBILITY |
	    1ULL << CSS_FONT_SIZE | 1ULL << CSS_LINE_HEIGHT |
	    1ULL << CSS_LETTER_SPACING | 1ULL << CSS_COLOR | 1ULL << CSS_FILL |
	    1ULL << CSS_TEXT_INDENT | 1ULL << CSS_WHITE_SPACE |
	    1ULL << CSS_DIRECTION;
	const struct css_words *w = css_words_find(value, list);

	if (w == NULL)
		return false;
	d->kind = (int)w->word == 1 ||
		((int)w->word == 2 && (passed_on >> d->prop & 1))
	    ? CSS_INHERIT
	    : CSS_INITIAL;
	return true;
}

/* var() and its like may stand for anything. */
static bool
has_substitute(struct str value)
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

/* Every property that a shorthand's value would have set. */
static void
put_all(struct css_block *b, const struct row *r, struct css_decl *d)
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
	};

	bool is_shorthand = r->read == css_length_sides ||
	    r->read == css_length_translate || r->read == css_words_overflow ||
	    r->read == css_paint_background || r->read == css_shape_transform;

	d->prop = (unsigned char)r->prop;
	css_decl_add(b, d);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (more[i][0] == r->prop && is_shorthand) {
			d->prop = more[i][1];
			css_decl_add(b, d);
		}
}

static bool
is_harmless(const struct css_decl *d)
{
	switch (d->kind) {
	case CSS_WORD:
		return (enum css_word)d->n == CSS_NONE;
	case CSS_NUMBER:
		return d->n >= 0.5;
	case CSS_PX:
	case CSS_EM:
	case CSS_PERCENT:
		if (d->prop == CSS_WIDTH || d->prop == CSS_HEIGHT ||
		    d->prop == CSS_MAX_WIDTH || d->prop == CSS_MAX_HEIGHT)
			return d->n > 10;
		return d->n > (d->prop == CSS_LETTER_SPACING ? -0.2 : -2.0) &&
		    d->n < 200;
	default:
		return d->kind == CSS_INHERIT || d->kind == CSS_INITIAL;
	}
}

/* Takes back what a weak property said from the first on. */
static void
drop_harmless(struct css_block *b, size_t first)
{
	size_t n = first;

	for (size_t i = first; i < b->n; i++)
		if (!is_harmless(&b->d[i]))
			b->d[n++] = b->d[i];
	b->n = n;
}

void
css_decl_read_one(struct css_block *b, struct str text)
{
	struct css_decl d = { 0 };
	struct str name, value;
	const struct row *r;
	size_t first = b->n;

	if (!str_cut(text, ':', &name, &value))
		return;
	r = find_row(css_text_trim(name));
	if (r == NULL)
		return;
	value = css_text_trim(value);
	d.important = is_important(&value);
	d.prop = (unsigned char)r->prop;
	if (has_substitute(value)) {
		d.kind = CSS_UNKNOWN;
		put_all(b, r, &d);
	} else if (is_wide(&d, value)) {
		put_all(b, r, &d);
	} else if (value.n > 0) {
		r->read(b, r->prop, &d, value);
	}
	if (r->weak)
		drop_harmless(b, first);
}

void
css_decl_read_all(struct css_block *b, struct str text)
{
	size_t i = 0;

	while (i < text.n && !b->over) {
		size_t end = css_text_span(text, i, ";");

		css_decl_read_one(b, (struct str){ text.p + i, end - i });
		i = end + 1;
	}
}
