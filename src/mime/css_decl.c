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

static bool
is_negative_bad(enum css_prop p)
{
	return p == CSS_FONT_SIZE || p == CSS_LINE_HEIGHT || p == CSS_WIDTH ||
	    p == CSS_HEIGHT || p == CSS_MAX_WIDTH || p == CSS_MAX_HEIGHT;
}

/* One token as a length; false when a browser drops it. */
static bool
add_length(struct css_block *b, struct css_decl *d, enum css_prop p,
    const struct css_token *t)
{
	struct css_decl one = *d;
	double n = 0;
	enum css_kind kind = css_token_length(t, &n);

	if (t->kind == CSS_T_WORD) {
		css_decl_word(b, &one, p,
		    CSS_NONE); /* auto, none, normal ... */
		return true;
	}
	if (t->kind != CSS_T_NUMBER && t->kind != CSS_T_CALL)
		return false;
	if (n < 0 && is_negative_bad(p))
		return false;
	if (kind == CSS_NUMBER && p != CSS_LINE_HEIGHT) {
		kind = CSS_PX; /* where there is no doctype */
		one.maybe = true;
	}
	css_decl_put(b, &one, p, kind, n);
	return true;
}

static void
read_length(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	(void)add_length(b, d, p, &t);
}

/* margin and inset: one to four lengths, from the top round. */
static void
read_sides(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t[4];
	size_t n = 0;

	for (; n < 4; n++) {
		t[n] = css_token_next(&value);
		if (t[n].kind == CSS_T_END)
			break;
	}
	if (n == 0 || css_text_trim(value).n > 0)
		return;
	if (p == CSS_TOP) {
		(void)add_length(b, d, CSS_TOP, &t[0]);
		(void)add_length(b, d, CSS_RIGHT, &t[n > 1 ? 1 : 0]);
		(void)add_length(b, d, CSS_BOTTOM, &t[n > 2 ? 2 : 0]);
		(void)add_length(b, d, CSS_LEFT, &t[n > 3 ? 3 : n > 1 ? 1 : 0]);
		return;
	}
	(void)add_length(b, d, CSS_MARGIN_TOP, &t[0]);
	(void)add_length(b, d, CSS_MARGIN_LEFT, &t[n > 3 ? 3 : n > 1 ? 1 : 0]);
}

/* A font's size as a word, CSS Fonts 4 section 2.5; 0: none of them. */
static bool
add_size_word(struct css_block *b, struct css_decl *d, struct str text)
{
	static const struct {
		struct str name;
		double px;
	} sizes[] = {
		{ SI("medium"), 16 },
		{ SI("small"), 13 },
		{ SI("x-small"), 10 },
		{ SI("xx-small"), 9 },
		{ SI("large"), 18 },
		{ SI("x-large"), 24 },
		{ SI("xx-large"), 32 },
		{ SI("xxx-large"), 48 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (str_eq_case(text, sizes[i].name)) {
			css_decl_put(b, d, CSS_FONT_SIZE, CSS_PX, sizes[i].px);
			return true;
		}
	if (str_eq_case(text, S("smaller")))
		css_decl_word(b, d, CSS_FONT_SIZE, CSS_SMALLER);
	else if (str_eq_case(text, S("larger")))
		css_decl_word(b, d, CSS_FONT_SIZE, CSS_LARGER);
	else
		return false;
	return true;
}

static void
read_size(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	if (t.kind == CSS_T_WORD)
		(void)add_size_word(b, d, t.text);
	else
		(void)add_length(b, d, p, &t);
}

/* The shorthand: the first length or size word is the size. */
static void
read_font(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	for (;;) {
		struct css_token t = css_token_next(&value);
		double n = 0;

		if (t.kind == CSS_T_END)
			return; /* a system font, or invalid */
		if (t.kind == CSS_T_CALL)
			break;
		if (t.kind == CSS_T_WORD && add_size_word(b, d, t.text))
			return;
		/* A number without unit is a weight. */
		if (t.kind == CSS_T_NUMBER &&
		    css_token_length(&t, &n) != CSS_NUMBER) {
			(void)add_length(b, d, p, &t);
			if (css_token_next(&value).kind != CSS_T_END)
				return;
			b->n -= b->n > 0; /* without a family: invalid */
			return;
		}
	}
	css_decl_unknown(b, d, p);
}

/* opacity, zoom, scale, z-index: a number or a percentage. */
static void
read_number(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_token_next(&value);

	if (t.kind == CSS_T_CALL)
		css_decl_unknown(b, d, p);
	else if (t.kind == CSS_T_WORD)
		css_decl_word(b, d, p, CSS_NONE);
	else if (t.kind == CSS_T_NUMBER && str_eq(t.text, S("%")))
		css_decl_put(b, d, p, CSS_NUMBER, t.n / 100);
	else if (t.kind == CSS_T_NUMBER && t.text.n == 0)
		css_decl_put(b, d, p, CSS_NUMBER, t.n);
	/* "scale: 1 0" is as flat. */
	t = css_token_next(&value);
	if (p == CSS_SCALE && t.kind == CSS_T_NUMBER && t.n < 0.1)
		css_decl_put(b, d, p, CSS_NUMBER, t.n);
}

static void
read_translate(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token x = css_token_next(&value);
	struct css_token y = css_token_next(&value);

	(void)p;
	(void)add_length(b, d, CSS_MOVE_X, &x);
	if (y.kind != CSS_T_END)
		(void)add_length(b, d, CSS_MOVE_Y, &y);
}

/* In the order of strcmp(3). */
static const struct row rows[] = {
	{ "-webkit-background-clip", CSS_BG_CLIP, css_words_other },
	{ "-webkit-clip-path", CSS_CLIP_PATH, css_shape_path },
	{ "-webkit-filter", CSS_FILTER, css_paint_filter },
	{ "-webkit-mask", CSS_MASK, css_words_other },
	{ "-webkit-mask-image", CSS_MASK, css_words_other },
	{ "-webkit-text-fill-color", CSS_FILL, css_paint_colour },
	{ "-webkit-text-security", CSS_OTHER, css_words_other },
	{ "-webkit-transform", CSS_TRANSFORM_X, css_shape_transform },
	{ "all", CSS_OTHER, css_words_other },
	{ "animation", CSS_OTHER, css_words_other },
	{ "animation-name", CSS_OTHER, css_words_other },
	{ "background", CSS_BG_COLOR, css_paint_background },
	{ "background-clip", CSS_BG_CLIP, css_words_other },
	{ "background-color", CSS_BG_COLOR, css_paint_colour },
	{ "background-image", CSS_BG_IMAGE, css_paint_background },
	{ "block-size", CSS_HEIGHT, read_length },
	{ "background-repeat", CSS_BG_FIT, css_words_other },
	{ "background-size", CSS_BG_FIT, css_words_other },
	{ "bottom", CSS_BOTTOM, read_length },
	{ "clip", CSS_CLIP, css_shape_clip },
	{ "clip-path", CSS_CLIP_PATH, css_shape_path },
	{ "color", CSS_COLOR, css_paint_colour },
	{ "content-visibility", CSS_CONTENT_VISIBILITY, css_words_other },
	{ "direction", CSS_DIRECTION, css_words_turn },
	{ "display", CSS_DISPLAY, css_words_display },
	{ "filter", CSS_FILTER, css_paint_filter },
	{ "float", CSS_FLOAT, css_words_float },
	{ "font", CSS_FONT_SIZE, read_font },
	{ "font-size", CSS_FONT_SIZE, read_size },
	{ "height", CSS_HEIGHT, read_length },
	{ "inline-size", CSS_WIDTH, read_length },
	{ "inset", CSS_TOP, read_sides },
	{ "inset-block-end", CSS_BOTTOM, read_length },
	{ "inset-block-start", CSS_TOP, read_length },
	{ "inset-inline-end", CSS_RIGHT, read_length },
	{ "inset-inline-start", CSS_LEFT, read_length },
	{ "left", CSS_LEFT, read_length },
	{ "letter-spacing", CSS_LETTER_SPACING, read_length },
	{ "line-height", CSS_LINE_HEIGHT, read_length },
	{ "margin", CSS_MARGIN_TOP, read_sides },
	{ "margin-block-start", CSS_MARGIN_TOP, read_length },
	{ "margin-inline-start", CSS_MARGIN_LEFT, read_length },
	{ "margin-left", CSS_MARGIN_LEFT, read_length },
	{ "margin-top", CSS_MARGIN_TOP, read_length },
	{ "mask", CSS_MASK, css_words_other },
	{ "mask-image", CSS_MASK, css_words_other },
	{ "max-block-size", CSS_MAX_HEIGHT, read_length },
	{ "max-height", CSS_MAX_HEIGHT, read_length },
	{ "max-inline-size", CSS_MAX_WIDTH, read_length },
	{ "max-width", CSS_MAX_WIDTH, read_length },
	{ "opacity", CSS_OPACITY, read_number },
	{ "overflow", CSS_OVERFLOW_X, css_words_overflow },
	{ "overflow-x", CSS_OVERFLOW_X, css_words_overflow_one },
	{ "overflow-y", CSS_OVERFLOW_Y, css_words_overflow_one },
	{ "position", CSS_POSITION, css_words_position },
	{ "right", CSS_RIGHT, read_length },
	{ "rotate", CSS_OTHER, css_words_other },
	{ "scale", CSS_SCALE, read_number },
	{ "text-indent", CSS_TEXT_INDENT, read_length },
	{ "top", CSS_TOP, read_length },
	{ "transform", CSS_TRANSFORM_X, css_shape_transform },
	{ "translate", CSS_MOVE_X, read_translate },
	{ "unicode-bidi", CSS_BIDI, css_words_turn },
	{ "visibility", CSS_VISIBILITY, css_words_visibility },
	{ "white-space", CSS_WHITE_SPACE, css_words_space },
	{ "white-space-collapse", CSS_WHITE_SPACE, css_words_space },
	{ "width", CSS_WIDTH, read_length },
	{ "z-index", CSS_Z_INDEX, read_number },
	{ "zoom", CSS_ZOOM, read_number },
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
		{ CSS_OVERFLOW_X, CSS_OVERFLOW_Y },
		{ CSS_TRANSFORM_X, CSS_TRANSFORM_SCALE },
		{ CSS_TRANSFORM_X, CSS_TRANSFORM_Y },
		{ CSS_MOVE_X, CSS_MOVE_Y },
	};

	d->prop = (unsigned char)r->prop;
	css_decl_add(b, d);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (more[i][0] == r->prop &&
		    str_find(str_of(r->name), S("-t")) < 0 &&
		    str_find(str_of(r->name), S("-c")) < 0) {
			d->prop = more[i][1];
			css_decl_add(b, d);
		}
}

void
css_decl_read_one(struct css_block *b, struct str text)
{
	struct css_decl d = { 0 };
	struct str name, value;
	const struct row *r;

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
