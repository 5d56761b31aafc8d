/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HTML_TREE_H
#define HTML_TREE_H

/*
 * Shared by the parsers of HTML: token.c tokenizes, build.h makes the tree,
 * walk.c walks it, style.c computes the look of each element, inline.c reads
 * style attributes, element.c says what each element means for text, fall.c
 * computes its vertical position, out.c writes lines, link.c and image.c check
 * targets, unseen.c counts.
 */
#include <string.h>

#include "base/limits.h"
#include "html/css_style.h"

/* By length, see token.c. */
enum html_attr {
	HTML_A_ID,
	HTML_A_SRC,
	HTML_A_ALT,
	HTML_A_DIR,
	HTML_A_REL,
	HTML_A_HREF,
	HTML_A_TEXT,
	HTML_A_LINK,
	HTML_A_SIZE,
	HTML_A_OPEN,
	HTML_A_TYPE,
	HTML_A_STYLE,
	HTML_A_CLASS,
	HTML_A_COLOR,
	HTML_A_WIDTH,
	HTML_A_MEDIA,
	HTML_A_HIDDEN,
	HTML_A_HEIGHT,
	HTML_A_BGCOLOR,
	HTML_A_POPOVER,
	HTML_A_BACKGROUND,
	HTML_ATTRS,
};

/* The known elements, in the order of strcmp(3): element.c. */
enum html_name {
	HTML_N_A,
	HTML_N_ADDRESS,
	HTML_N_ANNOTATION_XML,
	HTML_N_APPLET,
	HTML_N_AREA,
	HTML_N_ARTICLE,
	HTML_N_ASIDE,
	HTML_N_AUDIO,
	HTML_N_B,
	HTML_N_BASE,
	HTML_N_BASEFONT,
	HTML_N_BDO,
	HTML_N_BGSOUND,
	HTML_N_BIG,
	HTML_N_BLOCKQUOTE,
	HTML_N_BODY,
	HTML_N_BR,
	HTML_N_BUTTON,
	HTML_N_CANVAS,
	HTML_N_CAPTION,
	HTML_N_CENTER,
	HTML_N_CODE,
	HTML_N_COL,
	HTML_N_COLGROUP,
	HTML_N_DATALIST,
	HTML_N_DD,
	HTML_N_DESC,
	HTML_N_DETAILS,
	HTML_N_DIALOG,
	HTML_N_DIR,
	HTML_N_DIV,
	HTML_N_DL,
	HTML_N_DT,
	HTML_N_EM,
	HTML_N_EMBED,
	HTML_N_FIELDSET,
	HTML_N_FIGCAPTION,
	HTML_N_FIGURE,
	HTML_N_FONT,
	HTML_N_FOOTER,
	HTML_N_FOREIGNOBJECT,
	HTML_N_FORM,
	HTML_N_FRAME,
	HTML_N_FRAMESET,
	HTML_N_H1,
	HTML_N_H2,
	HTML_N_H3,
	HTML_N_H4,
	HTML_N_H5,
	HTML_N_H6,
	HTML_N_HEAD,
	HTML_N_HEADER,
	HTML_N_HGROUP,
	HTML_N_HR,
	HTML_N_HTML,
	HTML_N_I,
	HTML_N_IFRAME,
	HTML_N_IMAGE,
	HTML_N_IMG,
	HTML_N_INPUT,
	HTML_N_KEYGEN,
	HTML_N_LEGEND,
	HTML_N_LI,
	HTML_N_LINK,
	HTML_N_LISTING,
	HTML_N_MAIN,
	HTML_N_MALIGNMARK,
	HTML_N_MARK,
	HTML_N_MARQUEE,
	HTML_N_MATH,
	HTML_N_MENU,
	HTML_N_META,
	HTML_N_METER,
	HTML_N_MGLYPH,
	HTML_N_MI,
	HTML_N_MN,
	HTML_N_MO,
	HTML_N_MS,
	HTML_N_MTEXT,
	HTML_N_NAV,
	HTML_N_NOBR,
	HTML_N_NOEMBED,
	HTML_N_NOFRAMES,
	HTML_N_NOSCRIPT,
	HTML_N_OBJECT,
	HTML_N_OL,
	HTML_N_OPTGROUP,
	HTML_N_OPTION,
	HTML_N_P,
	HTML_N_PARAM,
	HTML_N_PLAINTEXT,
	HTML_N_PRE,
	HTML_N_PROGRESS,
	HTML_N_RB,
	HTML_N_RP,
	HTML_N_RT,
	HTML_N_RTC,
	HTML_N_RUBY,
	HTML_N_S,
	HTML_N_SCRIPT,
	HTML_N_SEARCH,
	HTML_N_SECTION,
	HTML_N_SELECT,
	HTML_N_SMALL,
	HTML_N_SOURCE,
	HTML_N_SPAN,
	HTML_N_STRIKE,
	HTML_N_STRONG,
	HTML_N_STYLE,
	HTML_N_SUB,
	HTML_N_SUMMARY,
	HTML_N_SUP,
	HTML_N_SVG,
	HTML_N_TABLE,
	HTML_N_TBODY,
	HTML_N_TD,
	HTML_N_TEMPLATE,
	HTML_N_TEXTAREA,
	HTML_N_TFOOT,
	HTML_N_TH,
	HTML_N_THEAD,
	HTML_N_TITLE,
	HTML_N_TR,
	HTML_N_TRACK,
	HTML_N_TT,
	HTML_N_U,
	HTML_N_UL,
	HTML_N_VAR,
	HTML_N_VIDEO,
	HTML_N_WBR,
	HTML_N_XMP,
	HTML_NAMES
};

struct html_element;

struct html_tag {
	const struct html_element *kind; /* NULL: unknown */
	struct str raw;                  /* its attributes as written */
	struct str attr[HTML_ATTRS];     /* as written; p NULL if absent */
	uint32_t has; /* bits of enum html_attr: which are present */
	bool *said; /* of a link: its target was shown, in this piece or another
		     */
};

/*
 * The meaning of an element for a person; bits.  Its meaning for the tree is in
 * rule.c.
 */
#define HTML_RAW 1u     /* contains no tags except its own end */
#define HTML_SHOWN 2u   /* raw, but visible */
#define HTML_DROP 4u    /* never visible, with its content */
#define HTML_BLOCK 8u   /* has lines of its own */
#define HTML_VOID 16u   /* has no end tag */
#define HTML_TABLE 128u /* no words are directly in it */
#define HTML_FOREIGN 256u
#define HTML_LOOKS 1024u /* has a default style, style.c */

struct html;
struct html_node;

struct html_element {
	char name[16];
	unsigned is;
	int lines; /* line ends around it: 1 a block, 2 a paragraph */
	void (*open)(struct html *h, const struct html_tag *t);
	void (*close)(struct html *h);
};

struct html_node {
	const struct html_element *kind; /* NULL: unknown */
	char name[16];
	struct css_element e;
	bool closed_details;
	bool summarized; /* and its summary was seen */
	bool data;       /* a table with headings, a row with cells */
	size_t row_line; /* a row's, see out.c */
	/* The run of hidden words that contains it: at an outermost node. */
	struct html_node *root;
	bool counted;
	unsigned children;
	/* The position of its box, fall.c: px below the start of counting. */
	bool measured, apart, placed;
	double least, most; /* its height, if known */
	double from, aside; /* its start; the end of boxes beside it */
	/* What was written and pending before it. */
	size_t written;
	int lines;
	bool space;
	/*
	 * Everything above is zero in a new node; everything below is written
	 * before it is read, and the list keeps its room.
	 */
	struct css_style style;
	struct css_list list;
	/*
	 * The last child and this one's previous sibling, if rules need them.
	 */
	char last_name[16], prev_name[16];
	struct css_element last, prev;
};

/* A parsed style attribute, inline.c. */
#define HTML_INLINES 64
struct html_inline {
	struct str text; /* as written */
	struct css_decl *d;
	size_t n;
};

/* The vertical distance from the last words, fall.c. */
struct html_fall {
	bool on;          /* a tall box was seen; y is 0 until then */
	double y, bottom; /* px: here, and of everything visible */
	size_t breaks;    /* consecutive empty lines */
	bool said;        /* words too far down were counted */
};

struct html {
	struct arena *a;
	struct html_found *found;
	struct css_sheet sheet;
	struct html_inline inline_style[HTML_INLINES];
	size_t work;        /* remaining budget for matching */
	size_t depth, made; /* nodes: open, and with allocated room */
	size_t beyond;      /* the number of further open ones, all invisible */
	bool quirks;        /* no standards-mode doctype */
	bool lost;          /* visibility is unknown from here on */
	bool literal;       /* the current text has no references */
	uint32_t link_colour;
	bool doubted; /* html_unseen_doubt() said so */
	/* The elements in order, and the number already walked. */
	struct css_element *ahead;
	size_t ahead_n, ahead_at;
	bool menu; /* a <select> of one line is open, which shows: */
	const struct html_dom *chosen;
	struct str base;

	struct buf out;
	size_t line;    /* number of lines begun */
	int lines;      /* line ends to write before the next word: 0 to 2 */
	int ended;      /* line ends already at the end of out */
	bool fresh;     /* at the start of a line */
	bool space;     /* white space was seen */
	unsigned cells; /* table cells began */
	bool bullet;    /* a list item began */
	bool pre;       /* white space stays */
	bool pre_new;   /* directly after <pre>: a line end is ignored */
	int lists, quotes;

	struct str url; /* of the open link */
	bool in_link;
	bool url_new; /* nothing was written in it */
	bool url_image;
	bool *url_said; /* html_tag.said */
	size_t url_at;  /* start of its text in out */

	struct html_node image; /* scratch */
	struct html_fall fall;
	struct strs alts;
	struct html_link *links;
	size_t links_n;

	/* Everything above is zero at first. */
	struct html_node *node[LIMIT_HTML_DEPTH];
	struct css_set set; /* scratch */
	struct css_block block;
};

enum html_token_type {
	HTML_T_TEXT,
	HTML_T_START,
	HTML_T_END,
	HTML_T_COMMENT, /* and what is read as one */
	HTML_T_DOCTYPE,
	HTML_T_END_OF_PAGE,
};

struct html_token {
	enum html_token_type type;
	struct str s;  /* as written; for a tag its attributes */
	bool literal;  /* a text: it has no references */
	size_t name_n; /* a tag: its name is directly before s */
	char name[16]; /* lower case; "" if longer than any known name */
	const struct html_element *kind; /* NULL: unknown */
	bool selfclosing;
	struct html_tag *tag; /* where its attributes go, or NULL */
};

/*
 * The token at i; returns the index after it.  foreign: it is in SVG or MathML.
 * A text is never empty.
 */
size_t html_token_next(struct str s, size_t i, bool foreign,
    struct html_token *t);
/*
 * Clears the attributes, then sets those of a tag as written.  *t is all zero
 * before the first.
 */
void html_token_clear(struct html_tag *t);
void html_token_attrs(struct str raw, struct html_tag *t);
/* The attribute at *i; false if there is none. */
bool html_token_attr_next(struct str raw, size_t *i, struct str *name,
    struct str *value);

enum html_ns {
	HTML_NS_HTML,
	HTML_NS_SVG,
	HTML_NS_MATH,
};

/* An attribute; copies of an element share theirs. */
struct html_kept {
	struct str value;
	unsigned char which; /* enum html_attr */
	bool said;           /* html_tag.said, in the first of them */
};

/* A node of the page: an element, or a text between tags. */
struct html_dom {
	const struct html_element *kind; /* NULL: unknown */
	struct html_dom *up, *first, *last, *prev, *next;
	struct str s;           /* as written; for an element its attributes */
	struct html_kept *kept; /* the known ones */
	unsigned name_n;        /* its name is before s; 0: there was no tag */
	unsigned is;            /* rule.c */
	unsigned char ns;       /* enum html_ns */
	unsigned char kepts;
	bool text;    /* it is a text */
	bool literal; /* one without references */
	bool merged;  /* attributes were added later */
};

/* Its name as it was written. */
struct str html_dom_name(const struct html_dom *n);
/* An element's tag as written. */
void html_dom_tag(const struct html_dom *n, struct html_tag *t);
/*
 * Builds the tree of a page and returns its root.  Records tags of the head,
 * sheets, quirks and comments.  *rest: the text after a limit was reached.
 * build.c
 */
struct html_dom *html_build(struct html *h, struct str page, struct str *rest);
/* Lists all elements in the form for selectors in h->ahead.  ahead.c */
void html_ahead(struct html *h, const struct html_dom *root);
/* Is it a menu that shows one option?  The option, or NULL. */
bool html_ahead_is_menu(const struct html_dom *select);
const struct html_dom *html_ahead_chosen(const struct html_dom *select);
/* Writes its visible text, walk.c. */
void html_walk(struct html *h, const struct html_dom *root);
/* Ends everything that is still open. */
void html_walk_end(struct html *h);
/* Text at this place: written, or counted if it is hidden. */
void html_walk_text(struct html *h, struct str s);
/* Are there words, visible or not, that a person would miss? */
bool html_walk_has_words(const struct html_dom *root);

extern const struct html_element html_element_table[HTML_NAMES];
/* NULL for an element that only passes its content on. */
const struct html_element *html_element_find(const char name[16]);

static inline bool
html_is(const struct html_element *e, enum html_name name)
{
	return e == &html_element_table[name];
}

/*
 * An attribute as text: references decoded, controls removed; s itself if there
 * are none.
 */
struct str html_element_value(struct arena *a, struct str s);

/* Names are padded with NUL. */
static inline bool
html_element_same(const char x[16], const char y[16])
{
	uint64_t a[2], b[2];

	memcpy(a, x, sizeof(a));
	memcpy(b, y, sizeof(b));
	return a[0] == b[0] && a[1] == b[1];
}

/* Adds the declarations of a style attribute to the set. */
void html_inline_put(struct html *h, struct str style);

/* Computes the look of an element that will be a child of `up`. */
void html_style_of(struct html *h, struct html_node *n, struct html_node *up,
    const struct html_tag *t);
/* <style> and <link>: reads the rules for all elements. */
void html_style_sheet(struct html *h, const struct html_tag *t, struct str s);

/* Does the text contain anything that a person would call a word? */
bool html_unseen_words(struct str s);
/* Counts hidden words: once for each outermost node. */
void html_unseen_count(struct html *h, struct html_node *n);
/* Counts words that are shown but uncertain: only once. */
void html_unseen_doubt(struct html *h, struct str s);
void html_unseen_comment(struct html *h, struct str s);
/* At the end: counts alternative texts whose words the text does not have. */
void html_unseen_alts(struct html *h);

void html_link_base(struct html *h, const struct html_tag *t);
void html_link_open(struct html *h, const struct html_tag *t);
void html_link_close(struct html *h);

void html_image(struct html *h, const struct html_tag *t);

/*
 * The height and position of a new element.  Needed if h->set has one of these
 * declarations or the element has the attribute.
 */
#define HTML_FALL_HEIGHTS                                                      \
	(1ULL << CSS_HEIGHT | 1ULL << CSS_MAX_HEIGHT | 1ULL << CSS_MIN_HEIGHT)
#define HTML_FALL_PLACES (1ULL << CSS_POSITION | 1ULL << CSS_FLOAT)
void html_fall_measure(struct html *h, struct html_node *n,
    const struct html_tag *t);
/* The next three apply after a tall box was seen. */
void html_fall_open(struct html *h, struct html_node *n, struct html_node *up);
void html_fall_close(struct html *h, const struct html_node *n,
    struct html_node *up);
/* Words at this place: false if they are too far down. */
bool html_fall_text(struct html *h, struct str s);
void html_fall_break(struct html *h);
void html_fall_image(struct html *h, double wide, double high);
/* Is it so far below all words that nobody scrolls there? */
bool html_fall_is_far(const struct html *h);

/* Text between tags: white space collapses, references are decoded. */
void html_out_text(struct html *h, struct str s);
/* Writes bytes unchanged, after any pending white space. */
void html_out_word(struct html *h, struct str s);
/* At least n line ends (1 or 2) before the next word. */
void html_out_lines(struct html *h, int n);
/* One more line end: a <br>. */
void html_out_break(struct html *h);
/* A cell of a row that began at that line. */
void html_out_cell(struct html *h, size_t row_line, bool data);
/* Bytes directly after the last word, before any pending white space. */
void html_out_behind(struct html *h, struct str s);

/* entity_table.c: the names, by their first letter, capitals first. */
#define HTML_ENTITY_LETTERS 52
extern const struct str html_entity_table[HTML_ENTITY_LETTERS];

#endif
