/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HTML_CSS_H
#define HTML_CSS_H

/*
 * The part of CSS that decides whether words are visible.  Every answer is one
 * of three: a browser certainly does this, certainly does not, or may: what may
 * hide is kept as "maybe" and ends as HTML_HIDDEN_UNKNOWN.  The window is 800
 * by 600, the screen is light, scripting is off.
 */
#include "base/buf.h"
#include "html/html.h"

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
	CSS_BG_CLIP, /* to the text: no background elsewhere */
	CSS_BG_FIT,  /* size, repeat: it may not cover the text */
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
	CSS_MIN_HEIGHT,
	CSS_WHITE_SPACE,
	CSS_FLOAT,
	CSS_BIDI,
	CSS_DIRECTION,
	CSS_FONT_ADJUST,
	CSS_ANIM_NAME, /* the names as written */
	CSS_ANIM_TIME, /* s */
	CSS_ANIM_DELAY,
	CSS_ANIM_COUNT,
	CSS_ANIM_WAY, /* bits of CSS_ANIM_... */
	CSS_ANIM_STAY,
	CSS_ANIM_PAUSE,
	CSS_OTHER, /* other properties that may hide */
	CSS_PROPS,
	CSS_CUSTOM /* a custom property, css_var.c */
};

/* The type of a value. */
enum css_kind {
	CSS_WORD,    /* n is an enum css_word */
	CSS_PX,      /* absolute and viewport lengths, as px */
	CSS_EM,      /* multiples of the font's size */
	CSS_PERCENT, /* of something */
	CSS_NUMBER,
	CSS_COLOURS, /* a colour; for a gradient up to CSS_STOPS */
	CSS_INHERIT,
	CSS_INITIAL,
	CSS_REVERT,  /* the browser's default */
	CSS_TEXT,    /* text as written */
	CSS_LATER,   /* text that becomes a value at an element */
	CSS_UNKNOWN, /* some browser may support it */
	CSS_INVALID, /* no browser does: the declaration is dropped */
};

enum css_word {
	CSS_NONE, /* also auto, normal, visible: does not hide */
	CSS_HIDE, /* none, hidden, collapse, clip ...: hides */
	CSS_BLOCK,
	CSS_INLINE,
	CSS_CELL,
	CSS_CONTENTS, /* no box: its children take its place */
	CSS_FLEX,
	CSS_PRE,
	CSS_CURRENT,  /* the element's own colour */
	CSS_IMAGE,    /* a background image */
	CSS_RELATIVE, /* moved, but in the flow */
	CSS_ABSOLUTE,
	CSS_FIXED, /* to the window */
	CSS_RTL,
	CSS_SMALLER,
	CSS_LARGER,
};

#define CSS_STOPS 4

struct css_decl {
	unsigned char prop; /* enum css_prop */
	unsigned char kind; /* enum css_kind */
	unsigned char colours;
	unsigned char row; /* for CSS_LATER: how to read it, css_decl.c */
	bool important;
	bool maybe; /* a browser may drop it */
	double n;
	union {
		uint32_t colour[CSS_STOPS]; /* 0xRRGGBBAA */
		struct str text;
	};
};

/* The declarations of one block, in order, limited. */
#define CSS_BLOCK_MAX 256
#define CSS_BLOCK_RECENT 64
struct css_block {
	size_t n;
	bool over;
	double em; /* px; 0: unknown, as in a sheet */
	/* The most recent properties: mail repeats the same ones. */
	struct {
		struct str name;
		int row; /* below 0: not one of ours */
	} recent[CSS_BLOCK_RECENT];
	/* Everything above is zero at first. */
	struct css_decl d[CSS_BLOCK_MAX];
};

/* Reads "name: value; ..."; css_decl.c. */
void css_decl_read_all(struct css_block *b, struct str text);
void css_decl_read_one(struct css_block *b, struct str text);
/*
 * The value of d with its text replaced by `value`, for a known em of the
 * block: 1; 0: irrelevant; -1: invalid.
 */
int css_decl_later(struct css_block *b, const struct css_decl *d,
    struct str value, struct css_decl *out);
/* Could it hide something? */
bool css_decl_is_harmless(const struct css_decl *d);
/* Is it one of our properties? */
bool css_decl_is_known(struct str name);
/* Is the property handed on to children? */
bool css_decl_is_inherited(enum css_prop p);
/* Adds one; over the limit the block is marked over. */
void css_decl_add(struct css_block *b, const struct css_decl *d);
void css_decl_put(struct css_block *b, struct css_decl *d, enum css_prop p,
    enum css_kind kind, double n);
void css_decl_word(struct css_block *b, struct css_decl *d, enum css_prop p,
    enum css_word w);
void css_decl_unknown(struct css_block *b, struct css_decl *d, enum css_prop p);

/*
 * Text without comments and escapes: an escaped character is part of a name, so
 * a sign becomes CSS_SIGN.  Returns s itself if there are none; css_text.c.
 */
#define CSS_SIGN '\x01'
struct str css_text_plain(struct arena *a, struct str s);
/*
 * The index of the first of the signs in `stop` (of CSS_CLASS_STOP) from i on
 * that is not in a string, bracket or url(), or the end.
 */
size_t css_text_span(struct str s, size_t i, const char *stop);
/*
 * Are brackets nested deeper than css_text_span() follows?  Browsers follow
 * them, so the rest is then unknown.
 */
bool css_text_is_deep(struct str s);

#define CSS_CLASS_NAME 1u
#define CSS_CLASS_SPACE 2u
#define CSS_CLASS_STOP 4u /* ends something, or begins something to skip */
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

/* strcmp(3) inline: most names differ at the first character. */
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
	CSS_T_CALL,   /* text is the name, args is the part in parentheses */
	CSS_T_STRING, /* args is what is in it */
	CSS_T_SIGN,   /* one character */
};

struct css_token {
	enum css_token_kind kind;
	struct str text, args;
	double n;
};

/* The next token of a value; *s moves after it.  css_token.c. */
struct css_token css_token_next(struct str *s);
/* A length: CSS_PX, _EM, _PERCENT, _NUMBER (no unit), _UNKNOWN or _INVALID. */
enum css_kind css_token_length(const struct css_token *t, double *n);
/* The number at the start of s with its sign; returns its length. */
size_t css_token_number(struct str s, double *n);

/*
 * calc() and similar, CSS Values 4 section 10: CSS_PX, _NUMBER, _UNKNOWN or
 * _INVALID; CSS_PERCENT is relative to `whole` and becomes px.  css_calc.c.
 */
struct css_calc {
	double em, whole;
	bool relative; /* set: em or whole was used */
};
enum css_kind css_calc_read(struct css_calc *c, const struct css_token *t,
    double *n);
bool css_calc_is(struct str name);

/* 1: read; 0: not a colour; -1: an unknown one.  css_colour.c. */
int css_colour_read(const struct css_token *t, uint32_t *rgba);
/* A colour in old attributes, HTML 2.4.6; false if there is none. */
bool css_colour_legacy(struct str s, uint32_t *rgba);
/* The result of `over` on an opaque colour. */
uint32_t css_colour_mix(uint32_t over, double opacity, uint32_t under);
/* Too similar to distinguish. */
bool css_colour_near(uint32_t x, uint32_t y);

/*
 * Readers of the properties' values; *d comes with the data for the whole
 * declaration.  css_words.c: one word of a list.
 */
struct css_words {
	struct str name;
	enum css_word word;
};
/* A word that is only to be found; CSS_W("") ends a list. */
#define CSS_W(lit)                                                             \
	{                                                                      \
		.name = SI(lit)                                                \
	}
/* A list ends with an empty name; NULL if not found. */
const struct css_words *css_words_find(struct str text,
    const struct css_words *w);
/* The only token of a value: CSS_T_END if there are several. */
struct css_token css_words_only(struct str value);
#define CSS_READER(name)                                                       \
	void name(struct css_block *b, enum css_prop p, struct css_decl *d,    \
	    struct str value)
CSS_READER(css_words_display);
/* A property with one list of words. */
CSS_READER(css_words_one);
CSS_READER(css_words_overflow);
CSS_READER(css_words_other);
CSS_READER(css_words_content);
CSS_READER(css_words_contain);
CSS_READER(css_words_blend);
CSS_READER(css_words_rotate);
/* css_motion.c: animations. */
CSS_READER(css_motion_all);
CSS_READER(css_motion_name);
CSS_READER(css_motion_time);
CSS_READER(css_motion_way);
CSS_READER(css_motion_stay);
CSS_READER(css_motion_count);
CSS_READER(css_motion_pause);
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
CSS_READER(css_length_adjust);
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

/* Does a media query list match our window?  css_media.c. */
enum css_match css_media_holds(struct str query);
/*
 * Does a condition of @supports hold?  The block is scratch, and is returned
 * unchanged.
 */
enum css_match css_media_supports(struct css_block *b, struct str condition);

/* An element as a selector sees it. */
struct css_element {
	const char *tag; /* lower case */
	struct str raw;  /* its attributes as written */
	struct str id, class;
	unsigned nth;                   /* index among its siblings, from 1 */
	const struct css_element *prev; /* the previous sibling, or NULL */
	const struct css_element *up;   /* or NULL */
	unsigned depth;                 /* number of ancestors */
	/* The same with its surroundings, if rules need them; or NULL. */
	const struct css_element *whole;
	/* Only in that case: */
	const struct css_element *next, *first;
	unsigned children;
	bool text; /* it contains text */
};

/* The declarations that apply to an element, one per property. */
#define CSS_SET_MAYBES 24
#define CSS_SET_CUSTOMS 256
struct css_set {
	uint64_t has; /* bits of enum css_prop */
	size_t maybes;
	/* Custom properties: the certain one, and a maybe. */
	struct arena *a;
	struct css_decl *custom; /* CSS_SET_CUSTOMS, once there is one */
	uint64_t *custom_rank;
	size_t customs;
	bool reverts; /* there is a CSS_REVERT */
	bool later;   /* there is a CSS_LATER */
	bool unknown; /* there were too many */
	/*
	 * Everything above is zero at first; `has` and `maybes` say which
	 * entries below are set.
	 */
	struct css_decl d[CSS_PROPS];
	uint64_t rank[CSS_PROPS];
	struct css_decl maybe[CSS_SET_MAYBES];
	uint64_t maybe_rank[CSS_SET_MAYBES];
};

/* Ranks: important before inline before specificity before order. */
#define CSS_RANK_HINT 1
#define CSS_RANK_LAYER 50 /* ten bits: later layers, then no layer */
#define CSS_RANK_INLINE (1ULL << 60)
#define CSS_RANK_IMPORTANT (1ULL << 61)
void css_set_put(struct css_set *set, const struct css_decl *d, uint64_t rank);
/* Removes what is reverted, so that it can be added again; false: nothing. */
bool css_set_revert(struct css_set *set);
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
	struct strs layers;        /* in order of appearance */
	struct css_frames *frames; /* the last first */
	bool structural;           /* surroundings of an element matter */
	bool siblings;             /* its previous sibling matters too */
	bool whole;                /* everything else matters too: ahead.c */
	bool opaque;               /* unreadable parts could hide anything */
	bool doubtful;             /* unsupported parts would hide */
	bool registered;           /* there is an @property */
	bool over;
};

/* @keyframes: the declarations of each, and its time in per cent. */
struct css_frame {
	struct css_frame *next;
	double at;
	const struct css_decl *d;
	size_t n;
};
struct css_frames {
	struct css_frames *next;
	struct str name;
	struct css_frame *frame, **end;
	bool maybe;
};

void css_sheet_add(struct css_sheet *sheet, struct str text, struct str media);
/* The same from a "data:" URL; other URLs are not fetched. */
void css_sheet_link(struct css_sheet *sheet, struct str url, struct str media);
/*
 * The contents of a "data:" URL, RFC 2397; false if it is not a sheet.
 * css_data.c
 */
bool css_data_read(struct arena *a, struct str url, struct str *text);
/* css_bucket.c: stores a rule. */
void css_bucket_put(struct css_sheet *sheet, struct css_rule *r);
/*
 * Adds the rules' declarations for an element; *work is the remaining budget.
 */
void css_bucket_apply(const struct css_sheet *sheet, struct css_set *set,
    const struct css_element *e, size_t *work);

/* The attribute as written, or false; token.c reads tags. */
bool html_token_attr(struct str raw, struct str name, struct str *value);

/*
 * The declarations that apply to an element; possible ones (maybe) at the end.
 */
struct css_list {
	struct css_decl *d;
	size_t n, room;
	bool unknown;
	/* The alternative declarations of animations, css_motion.c. */
	struct css_state *state;
	size_t states;
	bool sure;  /* there is an animation, and it persists */
	bool turns; /* endless: each state is seen, and the base style */
};
void css_set_list(struct arena *a, struct css_set *set, struct css_list *out);

struct css_var_env;
/* Adds the declarations of an element's animations to the list. */
void css_motion_read(const struct css_sheet *sheet, const struct css_set *set,
    struct css_var_env *e, struct css_list *out);

/* Declarations of keyframes that apply at one time. */
struct css_state {
	struct css_decl *d;
	size_t n;
};

/* The element for which var() is filled in; css_var.c. */
struct css_vars;
struct css_style;
struct css_var_env {
	struct arena *a;
	struct css_block *block; /* scratch */
	size_t *work;
	struct css_vars *vars; /* of the element; NULL: none */
	double em;             /* px */
	bool registered;       /* @property may give names a value */
	/* Private to css_var.c. */
	struct css_var *top;
	size_t depth;
	bool unknown;
};
/* The element's own custom properties, added to its parent's. */
struct css_vars *css_var_scope(struct css_var_env *e, const struct css_set *set,
    struct css_vars *up);
/* Fills in each CSS_LATER; false: d no longer counts. */
bool css_var_fill(struct css_var_env *e, struct css_decl *d);
void css_var_fill_set(struct css_var_env *e, struct css_set *set,
    const struct css_style *up);

#endif
