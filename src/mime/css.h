#ifndef MIME_CSS_H
#define MIME_CSS_H

/*
 * As much of CSS as decides whether words can be seen.  Every answer is one of
 * three: a browser surely does this, surely not, or may: what may hide is
 * carried along as "maybe" and ends as HTML_HIDDEN_UNKNOWN.  The window is
 * 800 by 600, the screen light, scripting off.
 */
#include "base/buf.h"
#include "mime/html.h"

enum css_prop {
	CSS_DISPLAY,
	CSS_VISIBILITY,
	CSS_CONTENT_VISIBILITY,
	CSS_OPACITY,
	CSS_FILTER,
	CSS_MASK,
	CSS_FONT_SIZE,
	CSS_LINE_HEIGHT,
	CSS_LETTER_SPACING,
	CSS_ZOOM,
	CSS_SCALE,
	CSS_MOVE_X, /* `translate` */
	CSS_MOVE_Y,
	CSS_TRANSFORM_SCALE,
	CSS_TRANSFORM_X,
	CSS_TRANSFORM_Y,
	CSS_COLOR,
	CSS_FILL, /* -webkit-text-fill-color */
	CSS_BG_COLOR,
	CSS_BG_IMAGE,
	CSS_BG_CLIP, /* to the text: no background at all */
	CSS_BG_FIT,  /* size, repeat: it may not reach the text */
	CSS_POSITION,
	CSS_LEFT,
	CSS_RIGHT,
	CSS_TOP,
	CSS_BOTTOM,
	CSS_Z_INDEX,
	CSS_MARGIN_LEFT,
	CSS_MARGIN_TOP,
	CSS_MARGIN_RIGHT,
	CSS_MARGIN_BOTTOM,
	CSS_TEXT_INDENT,
	CSS_CLIP,
	CSS_CLIP_PATH,
	CSS_OVERFLOW_X,
	CSS_OVERFLOW_Y,
	CSS_WIDTH,
	CSS_HEIGHT,
	CSS_MAX_WIDTH,
	CSS_MAX_HEIGHT,
	CSS_WHITE_SPACE,
	CSS_FLOAT,
	CSS_BIDI,
	CSS_DIRECTION,
	CSS_OTHER, /* whatever hides and is not weighed any closer */
	CSS_PROPS
};

/* What a value is. */
enum css_kind {
	CSS_WORD,    /* n is an enum css_word */
	CSS_PX,      /* absolute lengths and those of the window, as px */
	CSS_EM,      /* times the font's size */
	CSS_PERCENT, /* of something */
	CSS_NUMBER,
	CSS_COLOURS, /* one; of a gradient up to CSS_STOPS */
	CSS_INHERIT,
	CSS_INITIAL,
	CSS_UNKNOWN, /* a browser may know what it is */
};

enum css_word {
	CSS_NONE, /* also auto, normal, visible: does not hide */
	CSS_HIDE, /* none, hidden, collapse, clip ...: hides */
	CSS_BLOCK,
	CSS_INLINE,
	CSS_CELL,
	CSS_CONTENTS, /* no box: children stand in its place */
	CSS_FLEX,
	CSS_PRE,
	CSS_CURRENT,  /* the element's own colour */
	CSS_IMAGE,    /* a background picture */
	CSS_RELATIVE, /* moved, not out of the flow */
	CSS_ABSOLUTE,
	CSS_RTL,
	CSS_SMALLER,
	CSS_LARGER,
};

#define CSS_STOPS 4

struct css_decl {
	unsigned char prop; /* enum css_prop */
	unsigned char kind; /* enum css_kind */
	unsigned char colours;
	bool important;
	bool maybe; /* a browser may drop it */
	double n;
	uint32_t colour[CSS_STOPS]; /* 0xRRGGBBAA */
};

/* The declarations of one block, in order, bounded. */
#define CSS_BLOCK_MAX 128
struct css_block {
	struct css_decl d[CSS_BLOCK_MAX];
	size_t n;
	bool over;
};

/* Reads "name: value; ..."; css_decl.c. */
void css_decl_read_all(struct css_block *b, struct str text);
void css_decl_read_one(struct css_block *b, struct str text);
/* Adds one; over the bound the block is over. */
void css_decl_add(struct css_block *b, const struct css_decl *d);
void css_decl_put(struct css_block *b, struct css_decl *d, enum css_prop p,
    enum css_kind kind, double n);
void css_decl_word(struct css_block *b, struct css_decl *d, enum css_prop p,
    enum css_word w);
void css_decl_unknown(struct css_block *b, struct css_decl *d, enum css_prop p);

/*
 * Text without comments and escapes: what an escape stands for is a part of a
 * name, so a sign becomes CSS_SIGN.  s itself when there is none; css_text.c.
 */
#define CSS_SIGN '\x01'
struct str css_text_plain(struct arena *a, struct str s);
/* The first of the signs in `stop` (of CSS_CLASS_STOP) from i on that is in no
 * string, bracket or url(), or the end. */
size_t css_text_span(struct str s, size_t i, const char *stop);

#define CSS_CLASS_NAME 1u
#define CSS_CLASS_SPACE 2u
#define CSS_CLASS_STOP 4u /* ends something, or begins what is passed over */
extern const unsigned char css_text_class[256];

static inline bool
css_text_is_space(char c)
{
	return (css_text_class[(unsigned char)c] & CSS_CLASS_SPACE) != 0;
}

static inline bool
css_text_is_name(char c)
{
	return (unsigned char)c >= 0x80 ||
	    (css_text_class[(unsigned char)c] & CSS_CLASS_NAME) != 0;
}

struct str css_text_trim(struct str s);

/* strcmp(3) in place: of two names most differ at once. */
static inline int
css_text_order(const char *x, const char *y)
{
	while (*x != '\0' && *x == *y) {
		x++;
		y++;
	}
	return (unsigned char)*x - (unsigned char)*y;
}

enum css_token_kind {
	CSS_T_END,
	CSS_T_WORD,
	CSS_T_NUMBER, /* n; text is its unit, "%" or "" */
	CSS_T_HASH,   /* text without the "#" */
	CSS_T_CALL,   /* text is the name, args what is in the parentheses */
	CSS_T_STRING,
	CSS_T_SIGN, /* one character */
};

struct css_token {
	enum css_token_kind kind;
	struct str text, args;
	double n;
};

/* The next token of a value; *s moves behind it.  css_token.c. */
struct css_token css_token_next(struct str *s);
/* A length: CSS_PX, _EM, _PERCENT, _NUMBER (no unit) or _UNKNOWN. */
enum css_kind css_token_length(const struct css_token *t, double *n);

/* 1: read; 0: no colour; -1: one we do not know.  css_colour.c. */
int css_colour_read(const struct css_token *t, uint32_t *rgba);
/* As the attributes of old have it, HTML 2.4.6; false when there is none. */
bool css_colour_legacy(struct str s, uint32_t *rgba);
/* What is seen when `over` lies on an opaque colour. */
uint32_t css_colour_mix(uint32_t over, double opacity, uint32_t under);
/* Too close to be told apart. */
bool css_colour_near(uint32_t x, uint32_t y);

/*
 * How the values of the properties are read; *d comes with what holds for the
 * whole declaration.  css_words.c: one word of a list.
 */
struct css_words {
	struct str name;
	enum css_word word;
};
/* A list ends with an empty name; NULL when it is not there. */
const struct css_words *css_words_find(struct str text,
    const struct css_words *w);
/* The only token of a value: CSS_T_END when there are several. */
struct css_token css_words_only(struct str value);
#define CSS_READER(name)                                                       \
	void name(struct css_block *b, enum css_prop p, struct css_decl *d,    \
	    struct str value)
CSS_READER(css_words_display);
CSS_READER(css_words_visibility);
CSS_READER(css_words_position);
CSS_READER(css_words_float);
CSS_READER(css_words_space);
CSS_READER(css_words_turn);
CSS_READER(css_words_bidi);
CSS_READER(css_words_overflow);
CSS_READER(css_words_overflow_one);
CSS_READER(css_words_other);
/* css_paint.c: colours and backgrounds. */
CSS_READER(css_paint_colour);
CSS_READER(css_paint_background);
CSS_READER(css_paint_image);
CSS_READER(css_paint_filter);
/* css_length.c: lengths, numbers, fonts. */
CSS_READER(css_length_one);
CSS_READER(css_length_sides);
CSS_READER(css_length_size);
CSS_READER(css_length_font);
CSS_READER(css_length_number);
CSS_READER(css_length_scale);
CSS_READER(css_length_translate);
/* css_shape.c: transform, clip, clip-path. */
CSS_READER(css_shape_transform);
CSS_READER(css_shape_clip);
CSS_READER(css_shape_path);

enum css_match {
	CSS_NO,
	CSS_MAYBE,
	CSS_YES
};

/* Does a media query list hold in our window?  css_media.c. */
enum css_match css_media_holds(struct str query);

/* An element as a selector sees it. */
struct css_element {
	const char *tag; /* lower case */
	struct str raw;  /* its attributes as written */
	struct str id, class;
	unsigned nth;                   /* among its siblings, from 1 */
	const struct css_element *prev; /* the sibling before, or NULL */
	const struct css_element *up;   /* or NULL */
	unsigned depth;                 /* how many are above */
};

/* The declarations that hold for an element, one a property. */
#define CSS_SET_MAYBES 24
struct css_set {
	uint64_t has; /* bits of enum css_prop */
	struct css_decl d[CSS_PROPS];
	uint64_t rank[CSS_PROPS];
	struct css_decl maybe[CSS_SET_MAYBES];
	uint64_t maybe_rank[CSS_SET_MAYBES];
	size_t maybes;
	bool unknown; /* there was too much of it */
};

/* Ranks: important before inline before specificity before order. */
#define CSS_RANK_HINT 1
#define CSS_RANK_INLINE (1ULL << 60)
#define CSS_RANK_IMPORTANT (1ULL << 61)
void css_set_put(struct css_set *set, const struct css_decl *d, uint64_t rank);
void css_set_put_all(struct css_set *set, const struct css_decl *d, size_t n,
    uint64_t rank);

/* Style sheets: css_sheet.c reads, css_select.c matches. */
struct css_rule;
#define CSS_BUCKETS 512
struct css_sheet {
	struct arena *a;
	struct css_block *block; /* scratch, for all of them */
	struct css_rule *bucket[CSS_BUCKETS];
	size_t rules, order, bytes;
	bool structural; /* what stands around an element counts */
	bool siblings;   /* and what stands before it */
	bool opaque;     /* what cannot be read could hide anything */
	bool over;
};

void css_sheet_add(struct css_sheet *sheet, struct str text, struct str media);
/* Adds what the rules say of an element; *work is what may be spent. */
void css_sheet_apply(const struct css_sheet *sheet, struct css_set *set,
    const struct css_element *e, size_t *work);

/* One selector, right to left; css_select.c. */
#define CSS_COMPOUNDS 6
#define CSS_CLASSES 3
#define CSS_ATTRS 2

struct css_attr {
	struct str name, value;
	char op; /* 0: is there; '=', '~', '|', '^', '$', '*' */
};

struct css_compound {
	struct str tag, id; /* empty: any */
	struct str class[CSS_CLASSES];
	struct css_attr attr[CSS_ATTRS];
	unsigned char classes, attrs;
	char join;        /* to the one on the left: ' ', '>', '+' or 0 */
	int nth_a, nth_b; /* :nth-child(an+b); both 0: any */
	bool root;
	bool maybe; /* there is more that we cannot decide */
};

struct css_selector {
	struct css_compound c[CSS_COMPOUNDS];
	size_t n;
	uint64_t specificity;
	bool never; /* :hover, ::before */
	bool maybe;
};

struct css_rule {
	struct css_rule *next;
	uint32_t key;           /* of what it is looked for by */
	bool plain;             /* one class, and nothing else */
	struct css_compound *c; /* c[0] is the rightmost */
	size_t n;
	uint64_t rank;
	bool maybe;
	const struct css_decl *d;
	size_t ds;
};

/* False when a browser surely drops it. */
bool css_select_read(struct css_selector *out, struct str text);
enum css_match css_select_match(const struct css_rule *r,
    const struct css_element *e, size_t *work);
/* The attribute as written, or false; html_token.c reads tags. */
bool html_token_attr(struct str raw, struct str name, struct str *value);

/* What counts for one element, maybes that may count too at its end. */
struct css_list {
	struct css_decl *d;
	size_t n, room;
	bool unknown;
};
void css_set_list(struct arena *a, const struct css_set *set,
    struct css_list *out);

/* What came of it for one element; css_style.c. */
#define CSS_LAYERS 4
struct css_style {
	double font;    /* px */
	double scale;   /* of all transforms around it */
	double opacity; /* of all around it */
	double indent;  /* px */
	double spacing; /* between letters, in em */
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
	enum html_hidden why;
};

void css_style_root(struct css_style *s);
/* The table of an element's declarations; NULL where there is none. */
struct css_table {
	uint64_t has; /* bits of enum css_prop */
	const struct css_decl *d[CSS_PROPS];
};
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
