/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reply for a person: a table, if its operation names columns, and the lines
 * that the operation said.  A reply with neither is a list of its members.
 * Text that a stranger wrote never reaches the terminal unescaped.
 */
#include "door/cli/show.h"

#include "base/limits.h"
#include "door/cli/column.h"
#include "door/cli/look.h"
#include "door/fit.h"
#include "door/out.h"

/* With bold heads. */
static void
show_bold(struct buf *b, const struct out_row *rows, size_t count, size_t n)
{
	struct str heads, rest;
	struct buf table;

	buf_init(&table, b->a, b->max);
	out_table(&table, rows, count, n);
	(void)str_cut(buf_view(&table), '\n', &heads, &rest);
	buf_fmt(b, LOOK_BOLD "%.*s" LOOK_END "\n", STR_ARG(heads));
	buf_str(b, rest);
	b->over = b->over || table.over;
}

/* The table of the columns that are, or are not, below their rows. */
static struct out_row *
show_cells(struct arena *a, const struct column *col, size_t n,
    const struct json_value *v, bool below, size_t *used)
{
	size_t count = json_parse_count(v);
	struct out_row *rows = arena_array(a, count + 1, sizeof(*rows));

	for (size_t i = 0; i <= count; i++) {
		struct str *cell = arena_array(a, n, sizeof(*cell));
		const struct json_value *row =
		    i > 0 ? json_parse_item(v, i - 1) : NULL;

		*used = 0;
		for (size_t k = 0; k < n; k++)
			if (!below || !col[k].whole)
				cell[(*used)++] = i == 0
				    ? col[k].head
				    : column_cell(a, row, &col[k]);
		rows[i].cell = cell;
	}
	return rows;
}

/* Adds to each line of the table what is too wide for it, on one of its own. */
static void
show_below(struct buf *b, struct str table, const struct column *col, size_t n,
    const struct json_value *v)
{
	size_t count = json_parse_count(v);
	struct str line;

	for (size_t i = 0; i <= count; i++) {
		(void)str_cut(table, '\n', &line, &table);
		buf_fmt(b, "%.*s\n", STR_ARG(line));
		for (size_t k = 0; k < n && i > 0; k++)
			if (col[k].whole)
				buf_fmt(b, "  %.*s\n",
				    STR_ARG(column_cell(b->a,
					json_parse_item(v, i - 1), &col[k])));
	}
}

static void
show_rows(struct buf *b, const struct column *col, size_t n,
    const struct json_value *v, bool coloured)
{
	size_t count = json_parse_count(v) + 1, used, width = fit_width();
	struct out_row *rows = show_cells(b->a, col, n, v, false, &used);
	bool below = width > 0 && fit_needs(b->a, rows, count, used) > width;
	struct buf table;

	if (below)
		rows = show_cells(b->a, col, n, v, true, &used);
	buf_init(&table, b->a, b->max);
	if (coloured)
		show_bold(&table, rows, count, used);
	else
		out_table(&table, rows, count, used);
	b->over = b->over || table.over;
	if (below)
		show_below(b, buf_view(&table), col, n, v);
	else
		buf_str(b, buf_view(&table));
}

const struct json_value *
show_list(const struct op *op, const struct json_value *data)
{
	const struct field *f = op->result;

	while (f->name != NULL && f->type != FIELD_OBJECTS)
		f++;
	return f->name != NULL ? json_parse_member(data, f->name) : NULL;
}

static bool
show_has(const struct json_value *rows, const char *member)
{
	for (size_t i = 0; i < json_parse_count(rows); i++)
		if (json_parse_member(json_parse_item(rows, i), member) != NULL)
			return true;
	return false;
}

/* Drops the columns that no row has; returns how many are left. */
static size_t
show_keep(struct column *col, size_t n, const struct json_value *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!col[i].seldom || show_has(rows, col[i].member))
			col[kept++] = col[i];
	return kept;
}

void
show_table(struct buf *b, const struct op *op, const struct json_value *data,
    bool coloured)
{
	const struct json_value *rows = show_list(op, data);
	struct column col[COLUMNS_MAX];
	size_t n = column_read(b->a, op->columns, col);

	if (rows != NULL)
		show_rows(b, col, show_keep(col, n, rows), rows, coloured);
}

static void
show_members(struct buf *b, const struct field *result,
    const struct json_value *data)
{
	for (const struct field *f = result; f->name != NULL; f++) {
		const struct json_value *v = json_parse_member(data, f->name);

		if (v != NULL && !json_parse_is_array(v))
			buf_fmt(b, "%s: %.*s\n", f->name,
			    STR_ARG(
				out_line(b->a, column_value(b->a, v, NULL))));
	}
}

/* The lines above the table, and those below it. */
static void
show_split(const struct gate_lines *all, struct gate_lines *above,
    struct gate_lines *below)
{
	size_t n = 0;

	while (n < all->n && all->v[n].mark == GATE_ABOVE)
		n++;
	*above = (struct gate_lines){ all->v, n };
	*below = (struct gate_lines){ all->v + n, all->n - n };
}

void
show_put(struct buf *b, const struct op *op, const struct reply *r,
    bool coloured)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct gate_lines above, below;
	struct err e = { 0 };

	if (op->result == NULL || (op->columns == NULL && r->person.n > 0)) {
		person_put(b, &r->person, coloured);
		return;
	}
	if (json_parse_open(json_text(r->data, b->a), LIMIT_MESSAGE, &doc, &e) <
	    0)
		err_bug("%s", e.say);
	show_split(&r->person, &above, &below);
	person_put(b, &above, coloured);
	if (op->columns != NULL)
		show_table(b, op, json_parse_root(doc), coloured);
	else
		show_members(b, op->result, json_parse_root(doc));
	person_put(b, &below, coloured);
}
