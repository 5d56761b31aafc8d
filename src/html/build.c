/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the tree of a page, one token at a time: where each is put, HTML
 * 13.2.6.1, and which rules process it.
 */
#include <string.h>

#include "html/build.h"

#define WORK_BYTE 64UL
#define WORK_MIN (4UL << 20)
#define WORK_MAX (256UL << 20)
#define COPIED_BYTE 4UL
#define COPIED_MIN (1UL << 20)
#define COPIED_MAX (16UL << 20)

/* Foster parenting: before the table, or in the template within it. */
static struct html_dom *
build_foster(struct html_build *b, struct html_dom **before)
{
	size_t i = b->depth;

	while (--i > 0) {
		struct html_dom *n = b->open[i];

		if (html_dom_is(n, HTML_N_TEMPLATE))
			break;
		if (!html_dom_is(n, HTML_N_TABLE))
			continue;
		html_build_pay(b, b->depth - i);
		*before = n->up != NULL ? n : NULL;
		return n->up != NULL ? n->up : b->open[i - 1];
	}
	html_build_pay(b, b->depth - i);
	return b->open[i];
}

void
html_build_put(struct html_build *b, struct html_dom *into, struct html_dom *n)
{
	struct html_dom *before = NULL;

	if (b->foster && (into->is & HTML_B_FOSTER))
		into = build_foster(b, &before);
	html_dom_put(into, before, n);
}

struct html_dom *
html_build_open(struct html_build *b, const struct html_token *t)
{
	struct html_dom *n = html_dom_element(b, t, HTML_NS_HTML);

	html_build_put(b, html_build_top(b), n);
	html_stack_push(b, n);
	return n;
}

struct html_dom *
html_build_imply(struct html_build *b, enum html_name name)
{
	struct html_token t = { .kind = &html_element_table[name] };

	return html_build_open(b, &t);
}

/* Reads the tag into b->tag; false within a <template>. */
static bool
build_tag(struct html_build *b, const struct html_dom *n)
{
	if (html_stack_holds(b, HTML_N_TEMPLATE))
		return false;
	html_dom_tag(n, &b->tag);
	return true;
}

void
html_build_void(struct html_build *b, const struct html_token *t)
{
	struct html_dom *n = html_dom_element(b, t, HTML_NS_HTML);
	struct html *h = b->h;

	html_build_put(b, html_build_top(b), n);
	if (html_is(t->kind, HTML_N_LINK) && build_tag(b, n))
		html_style_sheet(h, &b->tag, S(""));
	if (html_is(t->kind, HTML_N_BASE) && build_tag(b, n))
		html_link_base(h, &b->tag);
}

static struct html_dom *
build_text_node(struct html_build *b, struct str s, bool literal)
{
	struct html_dom *n = html_dom_new(b);

	n->text = true;
	n->literal = literal;
	n->s = s;
	return n;
}

void
html_build_drop(struct html_build *b, struct str s)
{
	if (html_unseen_words(s))
		b->h->found->hidden[HTML_HIDDEN_UNKNOWN]++;
}

void
html_build_raw(struct html_build *b, const struct html_token *t)
{
	struct html_dom *n = html_build_open(b, t);
	size_t end = html_raw_end(b->page, b->at, t->kind);
	struct str s = { b->page.p + b->at, end - b->at };
	struct html_token last = { .tag = &b->tag };

	if (s.n > 0)
		html_dom_put(n, NULL,
		    build_text_node(b, s,
			!html_is(t->kind, HTML_N_TITLE) &&
			    !html_is(t->kind, HTML_N_TEXTAREA)));
	if (html_is(t->kind, HTML_N_STYLE) && build_tag(b, n))
		html_style_sheet(b->h, &b->tag, s);
	html_stack_pop(b);
	/* Without an end it takes the rest of the page. */
	if (end == b->page.n && !(t->kind->is & HTML_SHOWN))
		html_build_drop(b, s);
	/* Its end tag, if there is one. */
	b->at = html_token_next(b->page, end, false, &last);
}

/* In SVG the text of an element has references, comments and elements. */
void
html_build_sheet(struct html_build *b, const struct html_dom *n)
{
	struct html *h = b->h;
	struct buf text;

	if (!html_is(n->kind, HTML_N_STYLE) || !build_tag(b, n))
		return;
	buf_init(&text, h->a, b->page.n);
	for (const struct html_dom *k = n->first; k != NULL; k = k->next)
		if (k->text)
			buf_str(&text,
			    k->literal ? k->s : html_element_value(h->a, k->s));
	html_style_sheet(h, &b->tag, buf_view(&text));
}

void
html_build_text(struct html_build *b, const struct html_token *t)
{
	html_build_put(b, html_build_top(b),
	    build_text_node(b, t->s, t->literal));
}

static bool
build_is_space(uint32_t cp)
{
	return cp == ' ' || cp == '\t' || cp == '\n' || cp == '\f' ||
	    cp == '\r';
}

/* White space at the start of a text, also as references. */
static size_t
build_blank(const struct html_token *t, bool is_nul)
{
	size_t i = 0;

	while (i < t->s.n) {
		uint32_t cp[2] = { (unsigned char)t->s.p[i] };
		size_t n = 1;

		if (cp[0] == '&' && !t->literal)
			n = html_entity_read(t->s, i, false, cp);
		if (!build_is_space(cp[0]) && !(cp[0] == 0 && is_nul))
			return i;
		i += n;
	}
	return i;
}

/* In the body a NUL is ignored. */
bool
html_build_is_blank(const struct html_token *t)
{
	return build_blank(t, true) == t->s.n;
}

bool
html_build_skip(struct html_token *t)
{
	t->s = str_from(t->s, build_blank(t, false));
	return t->s.n > 0;
}

/*
 * Of two attributes with the same name the first counts.  The separator is an
 * empty value, in case the last attribute needs one.
 */
void
html_build_merge(struct html_build *b, struct html_dom *n, struct buf *more,
    const struct html_token *t)
{
	if (t->s.n == 0)
		return;
	if (more->a == NULL) {
		buf_init(more, b->h->a, 2 * b->page.n + 16);
		buf_str(more, n->s);
	}
	buf_text(more, " \"\" ");
	buf_str(more, t->s);
	n->s = buf_view(more);
	n->name_n = 0; /* its name is its kind's */
	n->merged = true;
}

/* "Reset the insertion mode appropriately", 13.2.4.1. */
void
html_build_reset(struct html_build *b)
{
	static const struct {
		enum html_name name;
		enum html_mode mode;
	} modes[] = {
		{ HTML_N_TD, HTML_MODE_CELL },
		{ HTML_N_TH, HTML_MODE_CELL },
		{ HTML_N_TR, HTML_MODE_ROW },
		{ HTML_N_TBODY, HTML_MODE_ROWS },
		{ HTML_N_THEAD, HTML_MODE_ROWS },
		{ HTML_N_TFOOT, HTML_MODE_ROWS },
		{ HTML_N_CAPTION, HTML_MODE_CAPTION },
		{ HTML_N_COLGROUP, HTML_MODE_COLUMNS },
		{ HTML_N_TABLE, HTML_MODE_TABLE },
		{ HTML_N_HEAD, HTML_MODE_HEAD },
		{ HTML_N_BODY, HTML_MODE_BODY },
		{ HTML_N_FRAMESET, HTML_MODE_FRAMESET },
	};

	for (size_t i = b->depth; i-- > 1;) {
		const struct html_dom *n = b->open[i];

		html_build_pay(b, 1);
		if (n->ns != HTML_NS_HTML || n->kind == NULL)
			continue;
		if (html_dom_is(n, HTML_N_TEMPLATE) && b->templates > 0) {
			b->mode =
			    (enum html_mode)b->template_mode[b->templates - 1];
			return;
		}
		for (size_t k = 0; k < sizeof(modes) / sizeof(modes[0]); k++)
			if (html_is(n->kind, modes[k].name)) {
				b->mode = modes[k].mode;
				return;
			}
	}
	b->mode =
	    b->head == NULL ? HTML_MODE_BEFORE_HEAD : HTML_MODE_AFTER_HEAD;
}

static html_rule_fn *const modes[HTML_MODES] = {
	[HTML_MODE_INITIAL] = html_head_initial,
	[HTML_MODE_BEFORE_HTML] = html_head_before_html,
	[HTML_MODE_BEFORE_HEAD] = html_head_before,
	[HTML_MODE_HEAD] = html_head,
	[HTML_MODE_NOSCRIPT] = html_head_noscript,
	[HTML_MODE_AFTER_HEAD] = html_head_after,
	[HTML_MODE_BODY] = html_body,
	[HTML_MODE_TABLE] = html_table,
	[HTML_MODE_CAPTION] = html_table_caption,
	[HTML_MODE_COLUMNS] = html_table_columns,
	[HTML_MODE_ROWS] = html_table_rows,
	[HTML_MODE_ROW] = html_table_row,
	[HTML_MODE_CELL] = html_table_cell,
	[HTML_MODE_TEMPLATE] = html_late_template,
	[HTML_MODE_AFTER_BODY] = html_late_body,
	[HTML_MODE_FRAMESET] = html_late_frameset,
	[HTML_MODE_AFTER_FRAMESET] = html_late_after_frameset,
	[HTML_MODE_AFTER_ALL] = html_late_all,
	[HTML_MODE_AFTER_FRAMES] = html_late_frames,
};

bool
html_build_rules(struct html_build *b, struct html_token *t)
{
	return modes[b->mode](b, t);
}

/* Without its delimiters; "<?xml" and "<![if" are for programs. */
static void
build_comment(struct html_build *b, struct str s)
{
	if (str_starts_case(s, S("<?xml")) || str_starts_case(s, S("<![if")) ||
	    str_starts_case(s, S("<![endif")))
		return;
	if (str_starts(s, S("<!--"))) {
		s = str_from(s, 4);
		s.n -= s.n >= 3 && str_ends(s, S("-->")) ? 3 : 0;
	} else {
		s = str_from(s, 2);
		s.n -= str_ends(s, S(">"));
	}
	html_unseen_comment(b->h, s);
}

static bool
build_is_foreign(struct html_build *b)
{
	return b->depth > 0 && html_build_top(b)->ns != HTML_NS_HTML;
}

struct html_dom *
html_build(struct html *h, struct str page, struct str *rest)
{
	/* Not in the arena: it is large, and the result is in the tree. */
	struct html_build build, *b = &build;
	struct html_token t = { .tag = &build.read };
	bool again;

	memset(b, 0, offsetof(struct html_build, template_mode));
	b->h = h;
	b->page = page;
	b->frames = true;
	b->work = page.n < WORK_MAX / WORK_BYTE ? WORK_BYTE * page.n + WORK_MIN
						: WORK_MAX;
	b->copied = page.n < COPIED_MAX / COPIED_BYTE
	    ? COPIED_BYTE * page.n + COPIED_MIN
	    : COPIED_MAX;
	while (!b->done && !b->lost) {
		b->at = html_token_next(page, b->at, build_is_foreign(b), &t);
		if (t.type == HTML_T_COMMENT)
			build_comment(b, t.s);
		again = t.type != HTML_T_COMMENT;
		while (again && !b->lost)
			again = build_is_foreign(b) && html_foreign_rules(b, &t)
			    ? html_foreign(b, &t)
			    : html_build_rules(b, &t);
	}
	*rest = str_from(page, b->at);
	return b->root;
}
