/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens before the body, HTML 13.2.6.4.1 to 6. */
#include "html/build.h"

static bool
head_is(const struct html_token *t, enum html_token_type type,
    enum html_name name)
{
	return t->type == type && html_is(t->kind, name);
}

/* An end tag other than these three, which is ignored. */
static bool
head_is_stray_end(const struct html_token *t)
{
	return t->type == HTML_T_END && !html_is(t->kind, HTML_N_BODY) &&
	    !html_is(t->kind, HTML_N_HTML) && !html_is(t->kind, HTML_N_BR);
}

bool
html_head_initial(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_TEXT && !html_build_skip(t))
		return false;
	b->mode = HTML_MODE_BEFORE_HTML;
	if (t->type != HTML_T_DOCTYPE)
		return true;
	b->h->quirks = html_doctype_quirks(t->s);
	return false;
}

static void
head_root(struct html_build *b, const struct html_token *t)
{
	b->root = html_dom_element(b, t, HTML_NS_HTML);
	html_stack_push(b, b->root);
	b->mode = HTML_MODE_BEFORE_HEAD;
}

bool
html_head_before_html(struct html_build *b, struct html_token *t)
{
	struct html_token html = { .kind = &html_element_table[HTML_N_HTML] };

	if (t->type == HTML_T_DOCTYPE ||
	    (t->type == HTML_T_TEXT && !html_build_skip(t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_HTML)) {
		head_root(b, t);
		return false;
	}
	if (head_is_stray_end(t) && !html_is(t->kind, HTML_N_HEAD))
		return false;
	head_root(b, &html);
	return true;
}

bool
html_head_before(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_DOCTYPE ||
	    (t->type == HTML_T_TEXT && !html_build_skip(t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (head_is_stray_end(t) && !html_is(t->kind, HTML_N_HEAD))
		return false;
	b->mode = HTML_MODE_HEAD;
	if (head_is(t, HTML_T_START, HTML_N_HEAD)) {
		b->head = html_build_open(b, t);
		return false;
	}
	b->head = html_build_imply(b, HTML_N_HEAD);
	return true;
}

/* <template> has its own insertion mode and formatting. */
static bool
head_template(struct html_build *b, struct html_token *t)
{
	(void)html_build_open(b, t);
	html_active_mark(b);
	b->frames = false;
	b->mode = HTML_MODE_TEMPLATE;
	if (b->templates < LIMIT_HTML_DEPTH)
		b->template_mode[b->templates++] = HTML_MODE_TEMPLATE;
	return false;
}

/* The start tags of a head; false if it is not one. */
static bool
head_start(struct html_build *b, struct html_token *t)
{
	const struct html_element *e = t->kind;

	if (html_is(e, HTML_N_BASE) || html_is(e, HTML_N_BASEFONT) ||
	    html_is(e, HTML_N_BGSOUND) || html_is(e, HTML_N_LINK) ||
	    html_is(e, HTML_N_META))
		html_build_void(b, t);
	else if (html_is(e, HTML_N_TITLE) || html_is(e, HTML_N_NOFRAMES) ||
	    html_is(e, HTML_N_STYLE) || html_is(e, HTML_N_SCRIPT))
		html_build_raw(b, t);
	else if (html_is(e, HTML_N_TEMPLATE))
		(void)head_template(b, t);
	else
		return false;
	return true;
}

bool
html_head(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_DOCTYPE ||
	    (t->type == HTML_T_TEXT && !html_build_skip(t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (head_is(t, HTML_T_START, HTML_N_HEAD) ||
	    (t->type == HTML_T_START && head_start(b, t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_NOSCRIPT)) {
		(void)html_build_open(b, t);
		b->mode = HTML_MODE_NOSCRIPT;
		return false;
	}
	if (head_is(t, HTML_T_END, HTML_N_TEMPLATE))
		return html_close_template(b, t);
	if (head_is_stray_end(t) && !html_is(t->kind, HTML_N_HEAD))
		return false;
	html_stack_pop(b);
	b->mode = HTML_MODE_AFTER_HEAD;
	return !head_is(t, HTML_T_END, HTML_N_HEAD);
}

bool
html_head_noscript(struct html_build *b, struct html_token *t)
{
	const struct html_element *e = t->kind;

	if (t->type == HTML_T_DOCTYPE ||
	    (t->type == HTML_T_TEXT && !html_build_skip(t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (t->type == HTML_T_START &&
	    (html_is(e, HTML_N_BASEFONT) || html_is(e, HTML_N_BGSOUND) ||
		html_is(e, HTML_N_LINK) || html_is(e, HTML_N_META) ||
		html_is(e, HTML_N_NOFRAMES) || html_is(e, HTML_N_STYLE)))
		return html_head(b, t);
	if (head_is(t, HTML_T_START, HTML_N_HEAD) ||
	    head_is(t, HTML_T_START, HTML_N_NOSCRIPT) ||
	    (t->type == HTML_T_END && !html_is(e, HTML_N_NOSCRIPT) &&
		!html_is(e, HTML_N_BR)))
		return false;
	html_stack_pop(b);
	b->mode = HTML_MODE_HEAD;
	return !head_is(t, HTML_T_END, HTML_N_NOSCRIPT);
}

/* Elements of the head are still added to the head. */
static bool
head_late(struct html_build *b, struct html_token *t)
{
	size_t i;

	html_stack_push(b, b->head);
	if (!head_start(b, t)) {
		html_stack_pop(b);
		return false;
	}
	i = html_stack_find(b, b->head);
	if (i != HTML_NOWHERE)
		html_stack_take(b, i);
	return true;
}

bool
html_head_after(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_DOCTYPE ||
	    (t->type == HTML_T_TEXT && !html_build_skip(t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (head_is(t, HTML_T_END, HTML_N_TEMPLATE))
		return html_close_template(b, t);
	if (head_is(t, HTML_T_START, HTML_N_HEAD) || head_is_stray_end(t) ||
	    (t->type == HTML_T_START && head_late(b, t)))
		return false;
	if (head_is(t, HTML_T_START, HTML_N_FRAMESET)) {
		(void)html_build_open(b, t);
		b->mode = HTML_MODE_FRAMESET;
		return false;
	}
	b->mode = HTML_MODE_BODY;
	if (head_is(t, HTML_T_START, HTML_N_BODY)) {
		(void)html_build_open(b, t);
		b->frames = false;
		return false;
	}
	(void)html_build_imply(b, HTML_N_BODY);
	return true;
}
