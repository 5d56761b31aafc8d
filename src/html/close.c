/* SPDX-License-Identifier: Apache-2.0 */
/* The end tags in the body, HTML 13.2.6.4.7. */
#include "html/build.h"

/* Any other: the nearest with that name, with no block above it. */
bool
html_close_other(struct html_build *b, struct html_token *t)
{
	size_t i = b->depth;

	if (t->kind != NULL &&
	    !html_stack_holds(b,
		(enum html_name)(t->kind - html_element_table)))
		return false;
	while (i-- > 0) {
		struct html_dom *n = b->open[i];

		if (n->ns == HTML_NS_HTML && html_dom_named(n, t)) {
			/*
			 * Ends the elements with implied end tags, except those
			 * with this name.
			 */
			while (html_build_top(b) != n)
				html_stack_pop(b);
			html_stack_pop(b);
			return false;
		}
		if (n->is & HTML_B_SPECIAL)
			break;
	}
	html_build_pay(b, b->depth - i);
	return false;
}

/* The nearest with that name in scope. */
static struct html_dom *
close_scope(struct html_build *b, const struct html_token *t, unsigned barrier)
{
	return html_stack_scope(b,
	    (enum html_name)(t->kind - html_element_table), barrier);
}

bool
html_close_block(struct html_build *b, struct html_token *t)
{
	(void)html_stack_close(b, close_scope(b, t, HTML_B_SCOPE));
	return false;
}

bool
html_close_form(struct html_build *b, struct html_token *t)
{
	struct html_dom *n = b->form;

	if (html_stack_holds(b, HTML_N_TEMPLATE))
		return html_close_block(b, t);
	b->form = NULL;
	if (n == NULL || !html_stack_in_scope(b, n))
		return false;
	html_stack_implied(b, NULL);
	/* Only the form ends: elements in it stay open. */
	html_stack_take(b, html_stack_find(b, n));
	return false;
}

bool
html_close_p(struct html_build *b, struct html_token *t)
{
	struct html_dom *n = close_scope(b, t, HTML_B_SCOPE | HTML_B_BUTTON);

	if (n == NULL)
		n = html_build_imply(b, HTML_N_P);
	html_stack_pop_to(b, n);
	return false;
}

bool
html_close_li(struct html_build *b, struct html_token *t)
{
	struct html_dom *n = close_scope(b, t, HTML_B_SCOPE | HTML_B_LIST);

	if (n == NULL)
		return false;
	html_stack_pop_to(b, n);
	return false;
}

bool
html_close_term(struct html_build *b, struct html_token *t)
{
	struct html_dom *n = close_scope(b, t, HTML_B_SCOPE);

	if (n != NULL)
		html_stack_pop_to(b, n);
	return false;
}

bool
html_close_heading(struct html_build *b, struct html_token *t)
{
	(void)t;
	(void)html_stack_close(b,
	    html_stack_scope_any(b, HTML_B_HEADING, HTML_B_SCOPE));
	return false;
}

bool
html_close_format(struct html_build *b, struct html_token *t)
{
	html_adopt(b, t);
	return false;
}

bool
html_close_marked(struct html_build *b, struct html_token *t)
{
	if (html_stack_close(b, close_scope(b, t, HTML_B_SCOPE)))
		html_active_unmark(b);
	return false;
}

/* </br> means <br>. */
bool
html_close_br(struct html_build *b, struct html_token *t)
{
	struct html_token br = { .type = HTML_T_START, .kind = t->kind };

	return html_body_void(b, &br);
}

bool
html_close_body(struct html_build *b, struct html_token *t)
{
	(void)t;
	if (html_stack_scope(b, HTML_N_BODY, HTML_B_SCOPE) != NULL)
		b->mode = HTML_MODE_AFTER_BODY;
	return false;
}

bool
html_close_html(struct html_build *b, struct html_token *t)
{
	(void)html_close_body(b, t);
	return b->mode == HTML_MODE_AFTER_BODY;
}

bool
html_close_template(struct html_build *b, struct html_token *t)
{
	struct html_dom *n = html_stack_scope(b, HTML_N_TEMPLATE, 0);

	(void)t;
	if (n == NULL)
		return false;
	html_stack_pop_to(b, n);
	html_active_unmark(b);
	if (b->templates > 0)
		b->templates--;
	html_build_reset(b);
	return false;
}
