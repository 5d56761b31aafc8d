#ifndef MIME_HTML_TREE_H
#define MIME_HTML_TREE_H

/*
 * What the readers of HTML share: html_token.c reads, html_tree.c keeps the
 * elements that are open, html_style.c finds out how each looks,
 * html_inline.c what its style attribute says,
 * html_element.c knows what each means for text, html_out.c writes lines,
 * html_link.c and html_image.c look at targets, html_unseen.c counts.
 */
#include <string.h>

#include "base/limits.h"
#include "mime/css.h"

/* By length, see html_token.c. */
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
	HTML_A_BACKGROUND,
	HTML_ATTRS,
};

/* The elements we know, in the order of strcmp(3): html_element.c. */
enum html_name {
	HTML_N_A,
	HTML_N_ADDRESS,
	HTML_N_APPLET,
	HTML_N_AREA,
	HTML_N_ARTICLE,
	HTML_N_ASIDE,
	HTML_N_AUDIO,
	HTML_N_B,
	HTML_N_BASE,
	HTML_N_BDO,
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
	HTML_N_IMG,
	HTML_N_INPUT,
	HTML_N_LEGEND,
	HTML_N_LI,
	HTML_N_LINK,
	HTML_N_LISTING,
	HTML_N_MAIN,
	HTML_N_MARK,
	HTML_N_MARQUEE,
	HTML_N_MATH,
	HTML_N_MENU,
	HTML_N_META,
	HTML_N_NAV,
	HTML_N_NOBR,
	HTML_N_NOEMBED,
	HTML_N_NOFRAMES,
	HTML_N_OBJECT,
	HTML_N_OL,
	HTML_N_OPTGROUP,
	HTML_N_OPTION,
	HTML_N_P,
	HTML_N_PARAM,
	HTML_N_PLAINTEXT,
	HTML_N_PRE,
	HTML_N_RP,
	HTML_N_S,
	HTML_N_SCRIPT,
	HTML_N_SEARCH,
	HTML_N_SECTION,
	HTML_N_SELECT,
	HTML_N_SMALL,
	HTML_N_SOURCE,
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
	HTML_N_VIDEO,
	HTML_N_WBR,
	HTML_N_XMP,
	HTML_NAMES
};

struct html_element;

struct html_tag {
	char name[16]; /* lower case; "" when it is longer than any we know */
	const struct html_element *kind; /* NULL: one we do not know */
	bool closing;
	struct str raw;              /* its attributes as written */
	struct str attr[HTML_ATTRS]; /* as written; p NULL when absent */
	uint32_t has; /* bits of enum html_attr: which there are */
};

/* What an element is; bits. */
#define HTML_RAW 1u     /* holds no tags but its own end */
#define HTML_SHOWN 2u   /* raw, but seen */
#define HTML_DROP 4u    /* never seen, with all within */
#define HTML_BLOCK 8u   /* ends a paragraph (HTML 13.2.6.4.7) */
#define HTML_VOID 16u   /* has no end */
#define HTML_FORMAT 32u /* lives on when what it stands in ends */
#define HTML_SCOPE 64u  /* nothing within ends what is around it */
#define HTML_TABLE 128u /* text directly in it moves before the table */
#define HTML_FOREIGN 256u
#define HTML_ODD 512u   /* html.c or html_style.c knows it by name */
#define HTML_MARK 2048u /* formatting within does not go on behind it */
#define HTML_LIST 4096u
#define HTML_CONTROL                                                           \
	8192u /* a button, a choice: ends no paragraph around it               \
	       */
#define HTML_SPECIAL (HTML_BLOCK | HTML_SCOPE | HTML_TABLE | HTML_CONTROL)
#define HTML_LOOKS 1024u /* has a look by nature, html_style.c */

/* Elements that end each other: an <li> ends an <li>. */
enum html_group {
	HTML_NO_GROUP,
	HTML_ITEM,
	HTML_TERM,
	HTML_CELL,
	HTML_ROW,
	HTML_ROWS,
	HTML_OPTION,
	HTML_BUTTON,
	HTML_HEADING,
	HTML_LINK,
};

struct html;
struct html_node;

struct html_element {
	char name[16];
	unsigned is;
	enum html_group group;
	int lines; /* line ends around it: 1 a block, 2 a paragraph */
	void (*open)(struct html *h, const struct html_tag *t);
	void (*close)(struct html *h);
};

struct html_node {
	const struct html_element *kind; /* NULL: one we do not know */
	char name[16];
	struct css_element e;
	unsigned *count; /* html_scope_count() of its name */
	bool closed_details;
	bool doubtful;   /* hidden, should its formatting end out of order */
	bool data;       /* a table with headings, a row with cells */
	size_t row_line; /* a row's, see html_out.c */
	/* The run of hidden words this stands in: at an outermost node. */
	struct html_node *root;
	bool counted;
	unsigned children;
	/* What is above is zero in a new node; what is below is not looked at
	 * before it was written, and the list keeps its room. */
	struct css_style style;
	struct css_list list;
	/* The last child and this one's elder sibling, where rules ask. */
	char last_name[16], prev_name[16];
	struct css_element last, prev;
};

/* A style attribute that was read, html_inline.c. */
#define HTML_INLINES 64
struct html_inline {
	struct str text; /* as written */
	struct css_decl *d;
	size_t n;
};

#define HTML_WAITS 64 /* within one cell */
#define HTML_WAITS_ALL 1024

struct html {
	struct arena *a;
	struct html_found *found;
	struct css_sheet sheet;
	struct css_set set; /* scratch */
	struct css_block block;
	struct html_inline inline_style[HTML_INLINES];
	size_t work; /* what may still be spent on matching */
	struct html_node *node[LIMIT_HTML_DEPTH];
	size_t depth;
	bool misnested; /* styled formatting ended out of order */
	bool careful;   /* and that is known beforehand */
	bool began;     /* more than white space was met */
	bool quirks;    /* no doctype that a browser keeps to */
	bool lost;      /* nobody knows what is seen from here on */
	/* Formatting that waits for words, html_format.c. */
	struct html_node *wait[HTML_WAITS_ALL];
	struct html_node *spare[LIMIT_HTML_DEPTH];
	size_t waits, spares;
	unsigned open[64]; /* how many are open, by hash of their name */
	uint32_t link_colour;
	struct str base;

	struct buf out;
	size_t line;    /* how many lines were begun */
	int lines;      /* line ends to write before the next word: 0 to 2 */
	int ended;      /* line ends already at the end of out */
	bool fresh;     /* at the begin of a line */
	bool space;     /* white space was met */
	unsigned cells; /* table cells began */
	bool bullet;    /* a list item began */
	bool pre;       /* white space stays */
	bool pre_new;   /* directly behind <pre>: a line end does not count */
	int lists, quotes;

	struct str url; /* of the link that is open */
	bool in_link;
	bool url_new; /* nothing was written within it */
	bool url_image;
	size_t url_at; /* where its text begins in out */

	struct html_node image; /* scratch */
	struct strs alts;
	struct html_link *links;
	size_t links_n, links_room;
};

/*
 * What begins with the "<" at i: *t is filled in for a tag (its name is empty
 * for one we do not know), *inside is what a raw element holds, or a comment
 * with its signs.  Returns what follows it, or i when it is text.  *t is all
 * zero before the first, and as the last one left it from then on.
 */
size_t html_token(struct str s, size_t i, struct html_tag *t, bool *is_tag,
    struct str *inside);

extern const struct html_element html_element_table[HTML_NAMES];
/* NULL for an element that only passes its content on. */
const struct html_element *html_element_find(const char name[16]);

static inline bool
html_is(const struct html_element *e, enum html_name name)
{
	return e == &html_element_table[name];
}

/* An attribute as text: references decoded, controls left out; s itself when
 * there are none. */
struct str html_element_value(struct arena *a, struct str s);

void html_tree_init(struct html *h);
void html_tree_open(struct html *h, const struct html_tag *t);
/* What the start of an element without content ends, or brings back. */
void html_tree_imply(struct html *h, const struct html_element *e);
void html_tree_close(struct html *h, const struct html_tag *t);
/* What a step costs beyond its own tag. */
void html_tree_pay(struct html *h, size_t n);
/* Opens an element again that waited. */
void html_tree_again(struct html *h, struct html_node *n);
/* Ends whatever is open. */
void html_tree_end(struct html *h);
/* Where text stands that comes now. */
struct html_node *html_tree_here(struct html *h);

/* Names are padded with NUL. */
static inline bool
html_scope_same(const char x[16], const char y[16])
{
	uint64_t a[2], b[2];

	memcpy(a, x, sizeof(a));
	memcpy(b, y, sizeof(b));
	return a[0] == b[0] && a[1] == b[1];
}

/* How many of that name are open, and others that share its place. */
unsigned *html_scope_count(struct html *h, const char *name);
/* The nearest open element of that name with no barrier above it; or 0. */
size_t html_scope_find(struct html *h, const char name[16], unsigned barrier);
/* Where a part of a table is put; 0 outside of any. */
size_t html_scope_table(struct html *h, enum html_group part);
/* The item or term, the heading that a tag ends; or 0. */
size_t html_scope_item(struct html *h, enum html_group g);
size_t html_scope_heading(struct html *h);

/* Nodes not in use. */
struct html_node *html_format_take(struct html *h);
void html_format_spare(struct html *h, struct html_node *n);
/* Its place ended, not itself: it waits. */
void html_format_keep(struct html *h, struct html_node *n);
void html_format_mark(struct html *h);
void html_format_unmark(struct html *h);
/* Its end, while it waits: true when it did. */
bool html_format_end(struct html *h, const char *name);
/* Words come: all that waits is open again. */
void html_format_again(struct html *h);

/* Adds what a style attribute says to the set. */
void html_inline_put(struct html *h, struct str style);

/* How an element looks that is about to stand within `up`. */
void html_style_of(struct html *h, struct html_node *n,
    const struct html_node *up, const struct html_tag *t);
/*
 * Would the top element be hidden, were formatting around it moved into the
 * blocks it holds?  That is what happens when it ends before they do.
 */
bool html_style_doubtful(struct html *h);
/* The same again, since what is around it changed. */
void html_style_again(struct html_node *n, const struct html_node *up);
/* <style> and <link>: what they say of all elements. */
void html_style_sheet(struct html *h, const struct html_tag *t, struct str s);

/* Are there words, as a person would call them? */
bool html_unseen_words(struct str s);
/* Words that are hidden here: counts once for each outermost node. */
void html_unseen_count(struct html *h, struct html_node *n);
void html_unseen_comment(struct html *h, struct str s);
/* At the end: alternative texts that say what the text does not. */
void html_unseen_alts(struct html *h);

void html_link_open(struct html *h, const struct html_tag *t);
void html_link_close(struct html *h);
/* Does the text look like another address than the target's? */
bool html_link_mismatch(struct arena *a, struct str text, struct str url);

void html_image(struct html *h, const struct html_tag *t);

/* Text between tags: white space collapses, references are decoded. */
void html_out_text(struct html *h, struct str s);
/* Bytes as they stand, behind whatever white space is due. */
void html_out_word(struct html *h, struct str s);
/* At least n line ends (1 or 2) before the next word. */
void html_out_lines(struct html *h, int n);
/* One line end more: a <br>. */
void html_out_break(struct html *h);
/* A cell of a row that began at that line. */
void html_out_cell(struct html *h, size_t row_line, bool data);
/* Bytes directly behind the last word, whatever is due after it. */
void html_out_behind(struct html *h, struct str s);

#endif
