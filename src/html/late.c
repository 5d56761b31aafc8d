/* SPDX-License-Identifier: Apache-2.0 */
/* Templates, framesets, and tokens after the body: HTML 13.2.6.4.16 to 21. */
#include "html/build.h"

static bool
late_is(const struct html_token *t, enum html_token_type type,
    enum html_name name)
{
	return t->type == type && html_is(t->kind, name);
}

/* The insertion mode for a start tag in a <template>. */
static enum html_mode
late_template_mode(const struct html_element *e)
{
	static const struct {
		enum html_name name;
		enum html_mode mode;
	} table[] = {
		{ HTML_N_CAPTION, HTML_MODE_TABLE },
		{ HTML_N_COLGROUP, HTML_MODE_TABLE },
		{ HTML_N_TBODY, HTML_MODE_TABLE },
		{ HTML_N_TFOOT, HTML_MODE_TABLE },
		{ HTML_N_THEAD, HTML_MODE_TABLE },
		{ HTML_N_COL, HTML_MODE_COLUMNS },
		{ HTML_N_TR, HTML_MODE_ROWS },
		{ HTML_N_TD, HTML_MODE_ROW },
		{ HTML_N_TH, HTML_MODE_ROW },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (html_is(e, table[i].name))
			return table[i].mode;
	return HTML_MODE_BODY;
}

/* The page ends within it: processes the token again without the template. */
static bool
late_template_end(struct html_build *b, struct html_token *t)
{
	if (!html_stack_holds(b, HTML_N_TEMPLATE)) {
		b->done = true;
		return false;
	}
	(void)html_close_template(b, t);
	return true;
}

bool
html_late_template(struct html_build *b, struct html_token *t)
{
	const struct html_element *e = t->kind;

	if (t->type == HTML_T_END_OF_PAGE)
		return late_template_end(b, t);
	if (t->type == HTML_T_TEXT)
		return html_body(b, t);
	if (late_is(t, HTML_T_END, HTML_N_TEMPLATE))
		return html_close_template(b, t);
	if (t->type != HTML_T_START)
		return false;
	if (e != NULL &&
	    html_rule[e - html_element_table].start == html_body_head)
		return html_head(b, t);
	b->mode = late_template_mode(e);
	if (b->templates > 0)
		b->template_mode[b->templates - 1] = (unsigned char)b->mode;
	return true;
}

/* As in the body, which continues. */
static bool
late_back(struct html_build *b)
{
	b->mode = HTML_MODE_BODY;
	return true;
}

bool
html_late_body(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_TEXT && html_build_is_blank(t))
		return html_body(b, t);
	if (late_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (late_is(t, HTML_T_END, HTML_N_HTML))
		b->mode = HTML_MODE_AFTER_ALL;
	else if (t->type == HTML_T_END_OF_PAGE)
		b->done = true;
	else if (t->type != HTML_T_DOCTYPE)
		return late_back(b);
	return false;
}

bool
html_late_all(struct html_build *b, struct html_token *t)
{
	if (late_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (t->type == HTML_T_DOCTYPE)
		return false;
	if (t->type == HTML_T_TEXT && html_build_is_blank(t))
		return html_body(b, t);
	if (t->type != HTML_T_END_OF_PAGE)
		return late_back(b);
	b->done = true;
	return false;
}

/* Words among frames are dropped. */
static bool
late_frames_text(struct html_build *b, struct html_token *t)
{
	html_build_drop(b, t->s);
	return false;
}

bool
html_late_frameset(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_TEXT)
		return late_frames_text(b, t);
	if (late_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (late_is(t, HTML_T_START, HTML_N_FRAMESET)) {
		(void)html_build_open(b, t);
	} else if (late_is(t, HTML_T_START, HTML_N_FRAME)) {
		html_build_void(b, t);
	} else if (late_is(t, HTML_T_START, HTML_N_NOFRAMES)) {
		return html_head(b, t);
	} else if (late_is(t, HTML_T_END, HTML_N_FRAMESET)) {
		html_stack_pop(b);
		if (!html_dom_is(html_build_top(b), HTML_N_FRAMESET))
			b->mode = HTML_MODE_AFTER_FRAMESET;
	} else if (t->type == HTML_T_END_OF_PAGE) {
		b->done = true;
	}
	return false;
}

bool
html_late_after_frameset(struct html_build *b, struct html_token *t)
{
	if (late_is(t, HTML_T_END, HTML_N_HTML)) {
		b->mode = HTML_MODE_AFTER_FRAMES;
		return false;
	}
	return html_late_frames(b, t);
}

bool
html_late_frames(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_TEXT)
		return late_frames_text(b, t);
	if (late_is(t, HTML_T_START, HTML_N_HTML))
		return html_body_html(b, t);
	if (late_is(t, HTML_T_START, HTML_N_NOFRAMES))
		return html_head(b, t);
	if (t->type == HTML_T_END_OF_PAGE)
		b->done = true;
	return false;
}
