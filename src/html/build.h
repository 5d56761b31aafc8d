/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HTML_BUILD_H
#define HTML_BUILD_H

/*
 * Builds the tree of a page, HTML 13.2.6.  build.c passes one token at a time
 * to the rules of the insertion mode: head.c, body.c and close.c, table.c,
 * late.c; foreign.c has those of SVG and MathML.  stack.c has the open
 * elements, active.c the active formatting, adopt.c handles formatting that
 * ends out of order.
 *
 * Scripting is off.  No step recurses on the input; LIMIT_HTML_DEPTH limits
 * open elements, LIMIT_HTML_NODES all nodes, html_build.work searching.  Beyond
 * any limit the rest of the page becomes one text that is treated as invisible.
 */
#include "html/tree.h"

/* The properties of an element for the builder; bits, rule.c. */
#define HTML_B_SPECIAL 1u
#define HTML_B_SCOPE 2u    /* a barrier for end tags within */
#define HTML_B_LIST 4u     /* also a barrier for <li> */
#define HTML_B_BUTTON 8u   /* also a barrier for <p> */
#define HTML_B_TABLE 16u   /* also a barrier for parts of a table */
#define HTML_B_IMPLIED 32u /* ends with its parent */
#define HTML_B_HEADING 64u
#define HTML_B_FOSTER 128u /* other content moves before it */
#define HTML_B_FORMAT 256u
#define HTML_B_BREAKOUT 512u   /* ends surrounding SVG and MathML */
#define HTML_B_NEAR 1024u      /* <li> may end beyond it: address, div, p */
#define HTML_B_ROWS 2048u      /* tbody, thead, tfoot */
#define HTML_B_CELL 4096u      /* td, th */
#define HTML_B_MATH_TEXT 8192u /* contains HTML, except for two elements */
#define HTML_B_POINT 16384u    /* an HTML integration point */
#define HTML_B_ROW 32768u
#define HTML_B_PART 65536u /* affects a surrounding cell */

enum html_mode {
	HTML_MODE_INITIAL,
	HTML_MODE_BEFORE_HTML,
	HTML_MODE_BEFORE_HEAD,
	HTML_MODE_HEAD,
	HTML_MODE_NOSCRIPT,
	HTML_MODE_AFTER_HEAD,
	HTML_MODE_BODY,
	HTML_MODE_TABLE,
	HTML_MODE_CAPTION,
	HTML_MODE_COLUMNS,
	HTML_MODE_ROWS,
	HTML_MODE_ROW,
	HTML_MODE_CELL,
	HTML_MODE_TEMPLATE,
	HTML_MODE_AFTER_BODY,
	HTML_MODE_FRAMESET,
	HTML_MODE_AFTER_FRAMESET,
	HTML_MODE_AFTER_ALL,
	HTML_MODE_AFTER_FRAMES,
	HTML_MODES
};

#define HTML_ACTIVE_MAX LIMIT_HTML_DEPTH

struct html_build {
	struct html *h;
	struct str page;
	size_t at; /* index after the token */
	enum html_mode mode;
	size_t templates, depth, actives; /* of the lists below */
	unsigned count[HTML_NAMES];       /* open ones, only HTML's */
	struct html_dom *root, *head, *form;
	struct buf root_more, body_more; /* attributes of later tags */
	struct html_dom *free;           /* allocated nodes not used yet */
	size_t free_n, nodes;
	size_t copied;        /* bytes of attributes that may still be copied */
	size_t work;          /* remaining budget for searching */
	struct html_tag read; /* the token's */
	struct html_tag tag;  /* scratch */
	struct html_kept *kept;
	size_t kept_n; /* not used yet */
	bool foster;   /* foster parenting is enabled */
	bool frames;   /* a <frameset> may still replace the body */
	bool lost, done;
	/*
	 * Everything above is zero at first; everything below is written before
	 * it is read.
	 */
	unsigned char template_mode[LIMIT_HTML_DEPTH]; /* enum html_mode */
	struct html_dom *open[LIMIT_HTML_DEPTH + 1];
	/* The list of active formatting elements; NULL is a marker. */
	struct html_dom *active[HTML_ACTIVE_MAX];
};

/* The current node. */
static inline struct html_dom *
html_build_top(struct html_build *b)
{
	return b->open[b->depth - 1];
}

static inline void
html_build_pay(struct html_build *b, size_t n)
{
	if (n < b->work) {
		b->work -= n;
	} else {
		b->work = 0;
		b->lost = true;
	}
}

/*
 * A rule takes a token; true if the token must be processed again, because the
 * mode has changed or a part of its text is left.
 */
typedef bool html_rule_fn(struct html_build *b, struct html_token *t);

struct html_rule {
	unsigned is;
	html_rule_fn *start, *end; /* "in body"; NULL: like any other */
};
extern const struct html_rule html_rule[HTML_NAMES];

static inline bool
html_dom_is(const struct html_dom *n, enum html_name name)
{
	return n->ns == HTML_NS_HTML && html_is(n->kind, name);
}

/* build.c */
/* Makes an element from the token at the current place, and opens it. */
struct html_dom *html_build_open(struct html_build *b,
    const struct html_token *t);
/* The same without a token. */
struct html_dom *html_build_imply(struct html_build *b, enum html_name name);
/* An element without content. */
void html_build_void(struct html_build *b, const struct html_token *t);
/* An element that contains only text, with all of its text. */
void html_build_raw(struct html_build *b, const struct html_token *t);
void html_build_text(struct html_build *b, const struct html_token *t);
/* Reads the rules in a closed <style> of SVG, which apply to all elements. */
void html_build_sheet(struct html_build *b, const struct html_dom *n);
/*
 * Removes leading white space from a text where none is visible; true if more
 * follows.
 */
bool html_build_skip(struct html_token *t);
bool html_build_is_blank(const struct html_token *t);
/* Text that is in no element. */
void html_build_drop(struct html_build *b, struct str s);
/* A second <html> or <body>. */
void html_build_merge(struct html_build *b, struct html_dom *n,
    struct buf *more, const struct html_token *t);
void html_build_reset(struct html_build *b);
/* Applies the rules of the insertion mode, whatever is open. */
bool html_build_rules(struct html_build *b, struct html_token *t);
/*
 * Inserts a node at the current place; `into` is the current node or another.
 */
void html_build_put(struct html_build *b, struct html_dom *into,
    struct html_dom *n);

/* dom.c */
struct html_dom *html_dom_new(struct html_build *b);
struct html_dom *html_dom_element(struct html_build *b,
    const struct html_token *t, enum html_ns ns);
struct html_dom *html_dom_copy(struct html_build *b, const struct html_dom *n);
void html_dom_put(struct html_dom *up, struct html_dom *before,
    struct html_dom *n);
void html_dom_take(struct html_dom *n);
void html_dom_move_all(struct html_build *b, struct html_dom *from,
    struct html_dom *to);
bool html_dom_named(const struct html_dom *n, const struct html_token *t);

/* stack.c */
void html_stack_push(struct html_build *b, struct html_dom *n);
void html_stack_pop(struct html_build *b);
/* Closes it and everything above it. */
void html_stack_pop_to(struct html_build *b, const struct html_dom *n);
void html_stack_take(struct html_build *b, size_t i);
void html_stack_put(struct html_build *b, size_t i, struct html_dom *n);
bool html_stack_holds(const struct html_build *b, enum html_name name);
/* The index of a node, or HTML_NOWHERE. */
#define HTML_NOWHERE SIZE_MAX
size_t html_stack_find(struct html_build *b, const struct html_dom *n);
/* The nearest one with that name without a barrier above it, or NULL. */
struct html_dom *html_stack_scope(struct html_build *b, enum html_name name,
    unsigned barrier);
/* The nearest one of these, in table scope or another. */
struct html_dom *html_stack_scope_any(struct html_build *b, unsigned bits,
    unsigned barrier);
bool html_stack_in_scope(struct html_build *b, const struct html_dom *n);
/* Closes elements with implied ends, except those with that name. */
void html_stack_implied(struct html_build *b,
    const struct html_element *but_for);
/*
 * Implied ends, then everything up to and including n; false if there is no n.
 */
bool html_stack_close(struct html_build *b, const struct html_dom *n);
void html_stack_close_p(struct html_build *b);
/* Closes everything above the nearest of these. */
void html_stack_clear_to(struct html_build *b, unsigned bits);

/* active.c */
void html_active_push(struct html_build *b, struct html_dom *n);
void html_active_mark(struct html_build *b);
void html_active_unmark(struct html_build *b);
void html_active_again(struct html_build *b);
/*
 * The index of the last one with that name after the last marker, or
 * HTML_NOWHERE.
 */
size_t html_active_named(struct html_build *b, const struct html_element *e);
size_t html_active_find(struct html_build *b, const struct html_dom *n);
void html_active_take(struct html_build *b, size_t i);
void html_active_put(struct html_build *b, size_t i, struct html_dom *n);

/* adopt.c: an end tag of formatting. */
void html_adopt(struct html_build *b, struct html_token *t);

/* close.c */
bool html_close_other(struct html_build *b, struct html_token *t);
html_rule_fn html_close_block, html_close_form, html_close_p, html_close_li,
    html_close_term, html_close_heading, html_close_format, html_close_marked,
    html_close_br, html_close_body, html_close_html, html_close_template;

/* body.c: start tags in the body. */
html_rule_fn html_body, html_body_other, html_body_html, html_body_head,
    html_body_body, html_body_frameset, html_body_block, html_body_heading,
    html_body_pre, html_body_form, html_body_li, html_body_term,
    html_body_plaintext, html_body_button, html_body_a, html_body_format,
    html_body_nobr, html_body_marked, html_body_table, html_body_void,
    html_body_input, html_body_param, html_body_hr, html_body_image,
    html_body_textarea, html_body_xmp, html_body_iframe, html_body_noembed,
    html_body_select, html_body_option, html_body_optgroup, html_body_ruby,
    html_body_ruby_text, html_body_foreign, html_body_none;

/* head.c, table.c, late.c: the other modes. */
html_rule_fn html_head_initial, html_head_before_html, html_head_before,
    html_head, html_head_noscript, html_head_after, html_table,
    html_table_caption, html_table_columns, html_table_rows, html_table_row,
    html_table_cell, html_late_template, html_late_body, html_late_frameset,
    html_late_after_frameset, html_late_all, html_late_frames;

/* foreign.c */
bool html_foreign_rules(struct html_build *b, const struct html_token *t);
html_rule_fn html_foreign;
unsigned html_foreign_is(const struct html_token *t, enum html_ns ns);

/* doctype.c: does a browser use quirks mode for the page? */
bool html_doctype_quirks(struct str doctype);

/* token.c has the tags, raw.c what holds none: where its text ends.
 */
size_t html_raw_end(struct str s, size_t i, const struct html_element *e);

#endif
