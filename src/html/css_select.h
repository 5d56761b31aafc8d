/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HTML_CSS_SELECT_H
#define HTML_CSS_SELECT_H

/*
 * Selectors, Selectors 4.  css_select.c and css_pseudo.c read them,
 * css_match.c and css_test.c match them.
 */
#include "html/css.h"

/* One selector, right to left; css_select.c. */
#define CSS_COMPOUNDS 12
#define CSS_CLASSES 4

struct css_attr {
	struct css_attr *next;
	struct str name, value;
	char op;      /* 0: it exists; '=', '~', '|', '^', '$', '*' */
	bool no_case; /* for the value */
};

enum css_test_kind {
	CSS_TEST_IS,  /* one of the list matches */
	CSS_TEST_NOT, /* none of the list matches */
	CSS_TEST_HAS,
	CSS_TEST_NTH, /* an+b */
	CSS_TEST_NTH_LAST,
	CSS_TEST_NTH_TYPE,
	CSS_TEST_NTH_LAST_TYPE,
	CSS_TEST_EMPTY,
	CSS_TEST_ROOT,
	CSS_TEST_LINK,
	CSS_TEST_LANG,
	CSS_TEST_DIR,
	CSS_TEST_DEFINED,
	CSS_TEST_TAGS, /* may match these elements, and no others */
	CSS_TEST_NEVER,
	CSS_TEST_MAYBE,
};

/* A pseudo-class. */
struct css_test {
	struct css_test *next;
	enum css_test_kind kind;
	int a, b;
	struct str text;
	const struct css_selector *list; /* linked by css_selector.next */
};

struct css_compound {
	struct str tag, id; /* empty: any */
	struct str class[CSS_CLASSES];
	struct css_attr *attr;
	struct css_test *test;
	unsigned char classes;
	char join;   /* the combinator to its left: ' ', '>', '+', '~' or 0 */
	bool anchor; /* the element to which :has() applies */
	bool maybe;  /* it has a part that cannot be decided */
};

struct css_selector {
	const struct css_selector *next;
	struct css_compound *c; /* c[0] is the rightmost */
	size_t n;
	uint64_t specificity;
	bool never; /* ::before */
	bool maybe;
};

struct css_rule {
	struct css_rule *next;
	uint32_t key; /* see css_bucket.c */
	bool plain;   /* only one class */
	const struct css_selector *s;
	uint64_t rank;
	bool maybe;
	const struct css_decl *d;
	size_t ds;
};

/* The result of reading a selector or a list of them. */
enum css_read {
	CSS_READ_BAD,   /* a browser drops the whole rule */
	CSS_READ_OTHER, /* another browser may support it */
	CSS_READ_GOOD,
};

struct css_reader {
	struct arena *a;
	const struct css_selector *parent; /* meaning of "&", or NULL */
	/* Set to what the selectors depend on, see struct css_sheet. */
	bool structural, siblings, whole;
	/* Private to css_select.c and css_pseudo.c. */
	size_t depth;
	bool in_has;
};

/* Reads a whole list; css_select.c.  *out is in the order written. */
enum css_read css_select_read(struct css_reader *r, struct str text,
    const struct css_selector **out);
/*
 * The same within :is(), where invalid selectors are skipped, and within
 * :has().
 */
enum css_read css_select_forgive(struct css_reader *r, struct str text,
    const struct css_selector **out);
enum css_read css_select_relative(struct css_reader *r, struct str text,
    const struct css_selector **out);
/* The index after the name that begins at i. */
size_t css_select_name(struct str s, size_t i);
/* Reads from the ":" at i; *i moves after it.  css_pseudo.c. */
enum css_read css_pseudo_read(struct css_reader *r, struct css_selector *s,
    struct css_compound *c, struct str text, size_t *i);
/*
 * Does it match e?  css_match.c; anchor is the element to which :has() applies.
 */
enum css_match css_match_selector(const struct css_selector *s,
    const struct css_element *e, const struct css_element *anchor,
    size_t *work);
/* Does one of a list match? */
enum css_match css_match_list(const struct css_selector *s,
    const struct css_element *e, const struct css_element *anchor,
    size_t *work);
/* Are they equal?  A sign may be any character. */
enum css_match css_match_same(struct str want, struct str have);
/* A pseudo-class; css_test.c. */
enum css_match css_test_match(const struct css_test *t,
    const struct css_element *e, const struct css_element *anchor,
    size_t *work);
/*
 * An attribute as text, in a buffer of n bytes if it must be changed; false:
 * there is none, or it does not fit.
 */
bool css_match_value(const struct css_element *e, struct str name, char *room,
    size_t n, struct str *value, size_t *work);

#endif
