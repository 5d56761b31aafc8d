/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start tags in the body, HTML 13.2.6.4.7: a function for each kind; rule.c
 * assigns them to elements.
 */
#include "html/build.h"

/* The place for a block. */
static void
body_block_place(struct html_build *b)
{
	html_stack_close_p(b);
}

/* The place for words. */
static void
body_word_place(struct html_build *b)
{
	html_active_again(b);
}

bool
html_body_other(struct html_build *b, struct html_token *t)
{
	body_word_place(b);
	(void)html_build_open(b, t);
	return false;
}

bool
html_body_html(struct html_build *b, struct html_token *t)
{
	if (!html_stack_holds(b, HTML_N_TEMPLATE))
		html_build_merge(b, b->root, &b->root_more, t);
	return false;
}

bool
html_body_head(struct html_build *b, struct html_token *t)
{
	return html_head(b, t);
}

bool
html_body_body(struct html_build *b, struct html_token *t)
{
	if (b->depth < 2 || !html_dom_is(b->open[1], HTML_N_BODY) ||
	    html_stack_holds(b, HTML_N_TEMPLATE))
		return false;
	b->frames = false;
	html_build_merge(b, b->open[1], &b->body_more, t);
	return false;
}

/* It replaces a body that has shown nothing. */
bool
html_body_frameset(struct html_build *b, struct html_token *t)
{
	if (b->depth < 2 || !html_dom_is(b->open[1], HTML_N_BODY) || !b->frames)
		return false;
	html_dom_take(b->open[1]);
	while (b->depth > 1)
		html_stack_pop(b);
	(void)html_build_open(b, t);
	b->mode = HTML_MODE_FRAMESET;
	return false;
}

bool
html_body_block(struct html_build *b, struct html_token *t)
{
	body_block_place(b);
	(void)html_build_open(b, t);
	return false;
}

bool
html_body_heading(struct html_build *b, struct html_token *t)
{
	body_block_place(b);
	if (html_build_top(b)->is & HTML_B_HEADING)
		html_stack_pop(b);
	(void)html_build_open(b, t);
	return false;
}

bool
html_body_pre(struct html_build *b, struct html_token *t)
{
	b->frames = false;
	return html_body_block(b, t);
}

bool
html_body_form(struct html_build *b, struct html_token *t)
{
	bool within = html_stack_holds(b, HTML_N_TEMPLATE);
	struct html_dom *n;

	if (b->form != NULL && !within)
		return false;
	body_block_place(b);
	n = html_build_open(b, t);
	if (!within)
		b->form = n;
	return false;
}

/* Ends the previous item or term: one of these two names. */
static void
body_end_item(struct html_build *b, enum html_name x, enum html_name y)
{
	size_t i = b->depth;

	if (!html_stack_holds(b, x) && !html_stack_holds(b, y))
		return;
	while (i-- > 0) {
		struct html_dom *n = b->open[i];

		if (html_dom_is(n, x) || html_dom_is(n, y)) {
			html_stack_implied(b, n->kind);
			html_stack_pop_to(b, n);
			return;
		}
		if ((n->is & (HTML_B_SPECIAL | HTML_B_NEAR)) == HTML_B_SPECIAL)
			break;
	}
	html_build_pay(b, b->depth - i);
}

bool
html_body_li(struct html_build *b, struct html_token *t)
{
	b->frames = false;
	body_end_item(b, HTML_N_LI, HTML_N_LI);
	return html_body_block(b, t);
}

bool
html_body_term(struct html_build *b, struct html_token *t)
{
	b->frames = false;
	body_end_item(b, HTML_N_DD, HTML_N_DT);
	return html_body_block(b, t);
}

bool
html_body_plaintext(struct html_build *b, struct html_token *t)
{
	struct html_token text = { .type = HTML_T_TEXT,
		.literal = true,
		.tag = t->tag };

	body_block_place(b);
	(void)html_build_open(b, t);
	/* Open elements are not closed: formatting continues within. */
	text.s = str_from(b->page, b->at);
	b->at = b->page.n;
	if (text.s.n == 0)
		return false;
	*t = text;
	return true;
}

bool
html_body_button(struct html_build *b, struct html_token *t)
{
	(void)html_stack_close(b,
	    html_stack_scope(b, HTML_N_BUTTON, HTML_B_SCOPE));
	b->frames = false;
	return html_body_other(b, t);
}

bool
html_body_format(struct html_build *b, struct html_token *t)
{
	body_word_place(b);
	html_active_push(b, html_build_open(b, t));
	return false;
}

/* A link within a link ends the outer one. */
bool
html_body_a(struct html_build *b, struct html_token *t)
{
	size_t i = html_active_named(b, t->kind);

	if (i != HTML_NOWHERE) {
		struct html_dom *n = b->active[i];
		struct html_token end = *t;

		end.type = HTML_T_END;
		html_adopt(b, &end);
		i = html_active_find(b, n);
		if (i != HTML_NOWHERE)
			html_active_take(b, i);
		i = html_stack_find(b, n);
		if (i != HTML_NOWHERE)
			html_stack_take(b, i);
	}
	return html_body_format(b, t);
}

bool
html_body_nobr(struct html_build *b, struct html_token *t)
{
	body_word_place(b);
	if (html_stack_scope(b, HTML_N_NOBR, HTML_B_SCOPE) != NULL) {
		struct html_token end = *t;

		end.type = HTML_T_END;
		html_adopt(b, &end);
	}
	return html_body_format(b, t);
}

bool
html_body_marked(struct html_build *b, struct html_token *t)
{
	(void)html_body_other(b, t);
	html_active_mark(b);
	b->frames = false;
	return false;
}

bool
html_body_table(struct html_build *b, struct html_token *t)
{
	if (!b->h->quirks)
		html_stack_close_p(b);
	(void)html_build_open(b, t);
	b->frames = false;
	b->mode = HTML_MODE_TABLE;
	return false;
}

bool
html_body_void(struct html_build *b, struct html_token *t)
{
	body_word_place(b);
	html_build_void(b, t);
	b->frames = false;
	return false;
}

/* Closes the <select> that a tag cannot be in; false if there is none. */
static bool
body_end_select(struct html_build *b)
{
	struct html_dom *n = html_stack_scope(b, HTML_N_SELECT, HTML_B_SCOPE);

	/* A <select> is itself a barrier: the innermost is found first. */
	if (n == NULL)
		return false;
	html_stack_pop_to(b, n);
	return true;
}

bool
html_body_input(struct html_build *b, struct html_token *t)
{
	struct str type = S("");

	(void)body_end_select(b);
	body_word_place(b);
	html_build_void(b, t);
	if (!html_token_attr(t->s, S("type"), &type) ||
	    !str_eq_case(type, S("hidden")))
		b->frames = false;
	return false;
}

bool
html_body_param(struct html_build *b, struct html_token *t)
{
	html_build_void(b, t);
	return false;
}

static bool
body_in_select(struct html_build *b)
{
	return html_stack_scope(b, HTML_N_SELECT, HTML_B_SCOPE) != NULL;
}

bool
html_body_hr(struct html_build *b, struct html_token *t)
{
	body_block_place(b);
	if (body_in_select(b))
		html_stack_implied(b, NULL);
	html_build_void(b, t);
	b->frames = false;
	return false;
}

bool
html_body_image(struct html_build *b, struct html_token *t)
{
	t->kind = &html_element_table[HTML_N_IMG];
	t->name_n = 0; /* its kind's */
	return html_body_void(b, t);
}

bool
html_body_textarea(struct html_build *b, struct html_token *t)
{
	b->frames = false;
	html_build_raw(b, t);
	return false;
}

bool
html_body_xmp(struct html_build *b, struct html_token *t)
{
	body_block_place(b);
	body_word_place(b);
	return html_body_textarea(b, t);
}

bool
html_body_iframe(struct html_build *b, struct html_token *t)
{
	return html_body_textarea(b, t);
}

bool
html_body_noembed(struct html_build *b, struct html_token *t)
{
	html_build_raw(b, t);
	return false;
}

bool
html_body_select(struct html_build *b, struct html_token *t)
{
	if (body_end_select(b))
		return false;
	b->frames = false;
	return html_body_other(b, t);
}

bool
html_body_option(struct html_build *b, struct html_token *t)
{
	if (body_in_select(b))
		html_stack_implied(b, &html_element_table[HTML_N_OPTGROUP]);
	else if (html_dom_is(html_build_top(b), HTML_N_OPTION))
		html_stack_pop(b);
	return html_body_other(b, t);
}

bool
html_body_optgroup(struct html_build *b, struct html_token *t)
{
	if (body_in_select(b))
		html_stack_implied(b, NULL);
	else if (html_dom_is(html_build_top(b), HTML_N_OPTION))
		html_stack_pop(b);
	return html_body_other(b, t);
}

bool
html_body_ruby(struct html_build *b, struct html_token *t)
{
	if (html_stack_scope(b, HTML_N_RUBY, HTML_B_SCOPE) != NULL)
		html_stack_implied(b, NULL);
	(void)html_build_open(b, t);
	return false;
}

bool
html_body_ruby_text(struct html_build *b, struct html_token *t)
{
	if (html_stack_scope(b, HTML_N_RUBY, HTML_B_SCOPE) != NULL)
		html_stack_implied(b, &html_element_table[HTML_N_RTC]);
	(void)html_build_open(b, t);
	return false;
}

/* <svg> and <math>. */
bool
html_body_foreign(struct html_build *b, struct html_token *t)
{
	struct html_dom *n;

	body_word_place(b);
	n = html_dom_element(b, t,
	    html_is(t->kind, HTML_N_SVG) ? HTML_NS_SVG : HTML_NS_MATH);
	html_build_put(b, html_build_top(b), n);
	if (!t->selfclosing)
		html_stack_push(b, n);
	return false;
}

/* Parts of a table outside of a table, and similar tags. */
bool
html_body_none(struct html_build *b, struct html_token *t)
{
	(void)b;
	(void)t;
	return false;
}

static void
body_text(struct html_build *b, struct html_token *t)
{
	body_word_place(b);
	html_build_text(b, t);
	if (b->frames && !html_build_is_blank(t))
		b->frames = false;
}

bool
html_body(struct html_build *b, struct html_token *t)
{
	const struct html_rule *r =
	    t->kind != NULL ? &html_rule[t->kind - html_element_table] : NULL;

	switch (t->type) {
	case HTML_T_TEXT:
		body_text(b, t);
		return false;
	case HTML_T_START:
		return r != NULL && r->start != NULL ? r->start(b, t)
						     : html_body_other(b, t);
	case HTML_T_END:
		return r != NULL && r->end != NULL ? r->end(b, t)
						   : html_close_other(b, t);
	case HTML_T_END_OF_PAGE:
		if (b->templates > 0)
			return html_late_template(b, t);
		b->done = true;
		return false;
	case HTML_T_COMMENT:
	case HTML_T_DOCTYPE:
		break;
	}
	return false;
}
