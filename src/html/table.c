/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, HTML 13.2.6.4.9 to 15. */
#include "html/build.h"

static bool
table_is(const struct html_token *t, enum html_token_type type,
    enum html_name name)
{
	return t->type == type && html_is(t->kind, name);
}

/* Is it one of these names? */
static bool
table_is_of(const struct html_token *t, enum html_token_type type,
    const enum html_name *names, size_t n)
{
	if (t->type != type || t->kind == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		if (html_is(t->kind, names[i]))
			return true;
	return false;
}

#define TABLE_IS_OF(t, type, names)                                            \
	table_is_of((t), (type), (names), sizeof(names) / sizeof((names)[0]))

static const enum html_name table_parts[] = { HTML_N_CAPTION, HTML_N_COL,
	HTML_N_COLGROUP, HTML_N_TBODY, HTML_N_TD, HTML_N_TFOOT, HTML_N_TH,
	HTML_N_THEAD, HTML_N_TR };
static const enum html_name table_big[] = { HTML_N_CAPTION, HTML_N_COL,
	HTML_N_COLGROUP, HTML_N_TBODY, HTML_N_TFOOT, HTML_N_THEAD };
static const enum html_name table_groups[] = { HTML_N_TBODY, HTML_N_TFOOT,
	HTML_N_THEAD };
static const enum html_name table_cells[] = { HTML_N_TD, HTML_N_TH };
/* End tags that are ignored, by place. */
static const enum html_name table_no_end[] = { HTML_N_BODY, HTML_N_CAPTION,
	HTML_N_COL, HTML_N_COLGROUP, HTML_N_HTML, HTML_N_TBODY, HTML_N_TD,
	HTML_N_TFOOT, HTML_N_TH, HTML_N_THEAD, HTML_N_TR };
static const enum html_name caption_no_end[] = { HTML_N_BODY, HTML_N_COL,
	HTML_N_COLGROUP, HTML_N_HTML, HTML_N_TBODY, HTML_N_TD, HTML_N_TFOOT,
	HTML_N_TH, HTML_N_THEAD, HTML_N_TR };
static const enum html_name rows_no_end[] = { HTML_N_BODY, HTML_N_CAPTION,
	HTML_N_COL, HTML_N_COLGROUP, HTML_N_HTML, HTML_N_TD, HTML_N_TH,
	HTML_N_TR };
static const enum html_name row_no_end[] = { HTML_N_BODY, HTML_N_CAPTION,
	HTML_N_COL, HTML_N_COLGROUP, HTML_N_HTML, HTML_N_TD, HTML_N_TH };
static const enum html_name cell_no_end[] = { HTML_N_BODY, HTML_N_CAPTION,
	HTML_N_COL, HTML_N_COLGROUP, HTML_N_HTML };
static const enum html_name cell_around[] = { HTML_N_TABLE, HTML_N_TBODY,
	HTML_N_TFOOT, HTML_N_THEAD, HTML_N_TR };

static struct html_dom *
table_scope(struct html_build *b, enum html_name name)
{
	return html_stack_scope(b, name, HTML_B_TABLE);
}

static struct html_dom *
table_scope_of(struct html_build *b, const struct html_token *t)
{
	return table_scope(b, (enum html_name)(t->kind - html_element_table));
}

/* Content that is not part of a table: it moves before the table. */
static bool
table_other(struct html_build *b, struct html_token *t)
{
	bool again;

	b->foster = true;
	again = html_body(b, t);
	b->foster = false;
	return again;
}

/* White space stays within the table, where it is invisible. */
static bool
table_text(struct html_build *b, struct html_token *t)
{
	const struct html_dom *top = html_build_top(b);

	if (((top->is & HTML_B_FOSTER) || html_dom_is(top, HTML_N_TEMPLATE)) &&
	    html_build_is_blank(t))
		return false;
	return table_other(b, t);
}

/* The start of a part, and of its missing parents. */
static bool
table_part(struct html_build *b, struct html_token *t)
{
	html_stack_clear_to(b, HTML_B_TABLE);
	if (html_is(t->kind, HTML_N_CAPTION)) {
		html_active_mark(b);
		(void)html_build_open(b, t);
		b->mode = HTML_MODE_CAPTION;
	} else if (html_is(t->kind, HTML_N_COLGROUP)) {
		(void)html_build_open(b, t);
		b->mode = HTML_MODE_COLUMNS;
	} else if (html_is(t->kind, HTML_N_COL)) {
		(void)html_build_imply(b, HTML_N_COLGROUP);
		b->mode = HTML_MODE_COLUMNS;
		return true;
	} else {
		b->mode = HTML_MODE_ROWS;
		if (TABLE_IS_OF(t, HTML_T_START, table_groups)) {
			(void)html_build_open(b, t);
			return false;
		}
		(void)html_build_imply(b, HTML_N_TBODY);
		return true;
	}
	return false;
}

static bool
table_end(struct html_build *b)
{
	struct html_dom *n = table_scope(b, HTML_N_TABLE);

	if (n == NULL)
		return false;
	html_stack_pop_to(b, n);
	html_build_reset(b);
	return true;
}

/* Tags that a table accepts; false if it is not one of them. */
static bool
table_plain(struct html_build *b, struct html_token *t)
{
	struct str type = S("");

	if (html_is(t->kind, HTML_N_STYLE) || html_is(t->kind, HTML_N_SCRIPT) ||
	    html_is(t->kind, HTML_N_TEMPLATE)) {
		(void)html_head(b, t);
		return true;
	}
	if (html_is(t->kind, HTML_N_INPUT) &&
	    html_token_attr(t->s, S("type"), &type) &&
	    str_eq_case(type, S("hidden"))) {
		html_build_void(b, t);
		return true;
	}
	if (!html_is(t->kind, HTML_N_FORM))
		return false;
	if (b->form == NULL && !html_stack_holds(b, HTML_N_TEMPLATE)) {
		b->form = html_build_open(b, t);
		html_stack_pop(b);
	}
	return true;
}

bool
html_table(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_TEXT)
		return table_text(b, t);
	if (TABLE_IS_OF(t, HTML_T_START, table_parts))
		return table_part(b, t);
	if (table_is(t, HTML_T_START, HTML_N_TABLE))
		return table_end(b);
	if (table_is(t, HTML_T_END, HTML_N_TABLE)) {
		(void)table_end(b);
		return false;
	}
	if (TABLE_IS_OF(t, HTML_T_END, table_no_end) ||
	    t->type == HTML_T_DOCTYPE)
		return false;
	if (table_is(t, HTML_T_END, HTML_N_TEMPLATE))
		return html_close_template(b, t);
	if (t->type == HTML_T_START && table_plain(b, t))
		return false;
	if (t->type == HTML_T_END_OF_PAGE)
		return html_body(b, t);
	return table_other(b, t);
}

/* False if there is no caption to end. */
static bool
table_caption_end(struct html_build *b)
{
	if (!html_stack_close(b, table_scope(b, HTML_N_CAPTION)))
		return false;
	html_active_unmark(b);
	b->mode = HTML_MODE_TABLE;
	return true;
}

bool
html_table_caption(struct html_build *b, struct html_token *t)
{
	if (table_is(t, HTML_T_END, HTML_N_CAPTION)) {
		(void)table_caption_end(b);
		return false;
	}
	if (TABLE_IS_OF(t, HTML_T_START, table_parts) ||
	    table_is(t, HTML_T_END, HTML_N_TABLE))
		return table_caption_end(b);
	if (TABLE_IS_OF(t, HTML_T_END, caption_no_end))
		return false;
	return html_body(b, t);
}

bool
html_table_columns(struct html_build *b, struct html_token *t)
{
	if (t->type == HTML_T_DOCTYPE || table_is(t, HTML_T_END, HTML_N_COL) ||
	    (t->type == HTML_T_TEXT && !html_build_skip(t)))
		return false;
	if (table_is(t, HTML_T_START, HTML_N_HTML) ||
	    t->type == HTML_T_END_OF_PAGE)
		return html_body(b, t);
	if (table_is(t, HTML_T_START, HTML_N_COL)) {
		html_build_void(b, t);
		return false;
	}
	if (table_is(t, HTML_T_START, HTML_N_TEMPLATE) ||
	    table_is(t, HTML_T_END, HTML_N_TEMPLATE))
		return html_head(b, t);
	if (!html_dom_is(html_build_top(b), HTML_N_COLGROUP)) {
		if (t->type == HTML_T_TEXT)
			html_build_drop(b, t->s);
		return false;
	}
	html_stack_pop(b);
	b->mode = HTML_MODE_TABLE;
	return !table_is(t, HTML_T_END, HTML_N_COLGROUP);
}

static void
table_rows_end(struct html_build *b)
{
	html_stack_clear_to(b, HTML_B_ROWS);
	html_stack_pop(b);
	b->mode = HTML_MODE_TABLE;
}

bool
html_table_rows(struct html_build *b, struct html_token *t)
{
	if (table_is(t, HTML_T_START, HTML_N_TR) ||
	    TABLE_IS_OF(t, HTML_T_START, table_cells)) {
		html_stack_clear_to(b, HTML_B_ROWS);
		b->mode = HTML_MODE_ROW;
		if (html_is(t->kind, HTML_N_TR)) {
			(void)html_build_open(b, t);
			return false;
		}
		(void)html_build_imply(b, HTML_N_TR);
		return true;
	}
	if (TABLE_IS_OF(t, HTML_T_END, table_groups)) {
		if (table_scope_of(b, t) != NULL)
			table_rows_end(b);
		return false;
	}
	if (TABLE_IS_OF(t, HTML_T_START, table_big) ||
	    table_is(t, HTML_T_END, HTML_N_TABLE)) {
		if (html_stack_scope_any(b, HTML_B_ROWS, HTML_B_TABLE) == NULL)
			return false;
		table_rows_end(b);
		return true;
	}
	if (TABLE_IS_OF(t, HTML_T_END, rows_no_end))
		return false;
	return html_table(b, t);
}

/* False if there is no row to end. */
static bool
table_row_end(struct html_build *b)
{
	struct html_dom *n = table_scope(b, HTML_N_TR);

	if (n == NULL)
		return false;
	html_stack_pop_to(b, n);
	b->mode = HTML_MODE_ROWS;
	return true;
}

bool
html_table_row(struct html_build *b, struct html_token *t)
{
	if (TABLE_IS_OF(t, HTML_T_START, table_cells)) {
		html_stack_clear_to(b, HTML_B_ROW);
		(void)html_build_open(b, t);
		b->mode = HTML_MODE_CELL;
		html_active_mark(b);
		return false;
	}
	if (table_is(t, HTML_T_END, HTML_N_TR)) {
		(void)table_row_end(b);
		return false;
	}
	if (TABLE_IS_OF(t, HTML_T_START, table_big) ||
	    table_is(t, HTML_T_START, HTML_N_TR) ||
	    table_is(t, HTML_T_END, HTML_N_TABLE))
		return table_row_end(b);
	if (TABLE_IS_OF(t, HTML_T_END, table_groups))
		return table_scope_of(b, t) != NULL && table_row_end(b);
	if (TABLE_IS_OF(t, HTML_T_END, row_no_end))
		return false;
	return html_table(b, t);
}

static void
table_cell_end(struct html_build *b, struct html_dom *n)
{
	(void)html_stack_close(b, n);
	html_active_unmark(b);
	b->mode = HTML_MODE_ROW;
}

bool
html_table_cell(struct html_build *b, struct html_token *t)
{
	struct html_dom *n;

	if (t->type == HTML_T_TEXT || t->kind == NULL ||
	    !(html_rule[t->kind - html_element_table].is & HTML_B_PART))
		return html_body(b, t);
	if (TABLE_IS_OF(t, HTML_T_END, table_cells)) {
		n = table_scope_of(b, t);
		if (n != NULL)
			table_cell_end(b, n);
		return false;
	}
	if (TABLE_IS_OF(t, HTML_T_START, table_parts) ||
	    (TABLE_IS_OF(t, HTML_T_END, cell_around) &&
		table_scope_of(b, t) != NULL)) {
		n = html_stack_scope_any(b, HTML_B_CELL, HTML_B_TABLE);
		if (n == NULL)
			return false;
		table_cell_end(b, n);
		return true;
	}
	if (TABLE_IS_OF(t, HTML_T_END, cell_no_end) ||
	    TABLE_IS_OF(t, HTML_T_END, cell_around))
		return false;
	return html_body(b, t);
}
