/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SVG and MathML, HTML 13.2.6.5: elements with names of their own, where
 * <title> and <style> contain markup.  HTML elements end them, unless they are
 * at a place that allows HTML.
 */
#include "html/build.h"

/* Their elements that can contain HTML. */
unsigned
html_foreign_is(const struct html_token *t, enum html_ns ns)
{
	const struct html_element *e = t->kind;
	struct str value = S("");

	if (e == NULL)
		return 0;
	if (ns == HTML_NS_SVG)
		return html_is(e, HTML_N_FOREIGNOBJECT) ||
			html_is(e, HTML_N_DESC) || html_is(e, HTML_N_TITLE)
		    ? HTML_B_SCOPE | HTML_B_SPECIAL | HTML_B_POINT
		    : 0;
	if (html_is(e, HTML_N_MI) || html_is(e, HTML_N_MN) ||
	    html_is(e, HTML_N_MO) || html_is(e, HTML_N_MS) ||
	    html_is(e, HTML_N_MTEXT))
		return HTML_B_SCOPE | HTML_B_SPECIAL | HTML_B_MATH_TEXT;
	if (!html_is(e, HTML_N_ANNOTATION_XML))
		return 0;
	if (html_token_attr(t->s, S("encoding"), &value) &&
	    (str_eq_case(value, S("text/html")) ||
		str_eq_case(value, S("application/xhtml+xml"))))
		return HTML_B_SCOPE | HTML_B_SPECIAL | HTML_B_POINT;
	return HTML_B_SCOPE | HTML_B_SPECIAL;
}

/* Do the rules here apply to the token?  The top is foreign. */
bool
html_foreign_rules(struct html_build *b, const struct html_token *t)
{
	const struct html_dom *n = html_build_top(b);
	bool start = t->type == HTML_T_START;

	if (t->type == HTML_T_END_OF_PAGE)
		return false;
	if ((n->is & HTML_B_MATH_TEXT) &&
	    (t->type == HTML_T_TEXT ||
		(start && !html_is(t->kind, HTML_N_MGLYPH) &&
		    !html_is(t->kind, HTML_N_MALIGNMARK))))
		return false;
	if (start && n->ns == HTML_NS_MATH && html_is(t->kind, HTML_N_SVG) &&
	    html_is(n->kind, HTML_N_ANNOTATION_XML))
		return false;
	return !(n->is & HTML_B_POINT) || !(start || t->type == HTML_T_TEXT);
}

static bool
foreign_is_breakout(const struct html_token *t)
{
	struct str value;

	if (t->kind == NULL)
		return false;
	if (t->type == HTML_T_END)
		return html_is(t->kind, HTML_N_BR) ||
		    html_is(t->kind, HTML_N_P);
	if (html_is(t->kind, HTML_N_FONT))
		return html_token_attr(t->s, S("color"), &value) ||
		    html_token_attr(t->s, S("face"), &value) ||
		    html_token_attr(t->s, S("size"), &value);
	return (html_rule[t->kind - html_element_table].is & HTML_B_BREAKOUT) !=
	    0;
}

static void
foreign_open(struct html_build *b, const struct html_token *t)
{
	struct html_dom *n =
	    html_dom_element(b, t, (enum html_ns)html_build_top(b)->ns);

	html_build_put(b, html_build_top(b), n);
	if (!t->selfclosing)
		html_stack_push(b, n);
}

/* An end tag: the nearest with that name, unless HTML comes first. */
static bool
foreign_end(struct html_build *b, struct html_token *t)
{
	size_t i = b->depth;

	while (--i > 0) {
		struct html_dom *n = b->open[i];

		if (n->ns == HTML_NS_HTML)
			break;
		if (html_dom_named(n, t)) {
			html_stack_pop_to(b, n);
			return false;
		}
	}
	html_build_pay(b, b->depth - i);
	return html_build_rules(b, t);
}

bool
html_foreign(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_TEXT) {
		html_build_text(b, t);
		if (b->frames && !html_build_is_blank(t))
			b->frames = false;
		return false;
	}
	if (t->type != HTML_T_START && t->type != HTML_T_END)
		return false;
	if (foreign_is_breakout(t)) {
		while (html_build_top(b)->ns != HTML_NS_HTML &&
		    !(html_build_top(b)->is &
			(HTML_B_POINT | HTML_B_MATH_TEXT)))
			html_stack_pop(b);
		return html_build_rules(b, t);
	}
	if (t->type == HTML_T_END)
		return foreign_end(b, t);
	foreign_open(b, t);
	return false;
}
