/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reply of an agent's operation for a person: a table, or messages with their
 * headers, an empty line and their text.  Our own text comes first, or outside
 * the two lines that enclose others' text: door/fence.h.
 */
#include "door/cli/human.h"

#include "base/limits.h"
#include "door/cli/column.h"
#include "door/cli/look.h"
#include "door/cli/show.h"
#include "door/fence.h"
#include "door/fit.h"
#include "door/out.h"

static const char *
human_warning(struct str code)
{
	for (size_t i = 0; i < WARNINGS; i++)
		if (str_eq(code, str_of(warning_table[i].code)))
			return warning_table[i].help;
	return "";
}

static void
human_put_warnings(struct buf *b, const struct json_value *data, bool coloured)
{
	const struct json_value *all = json_parse_member(data, "warnings");

	for (size_t i = 0; i < json_parse_count(all); i++) {
		struct str code = { 0 }, line;

		(void)json_parse_str(json_parse_item(all, i), &code);
		line = str_fmt(b->a, "warning: %.*s: %s", STR_ARG(code),
		    human_warning(code));
		buf_text(b, coloured ? LOOK_NOTE : "");
		fit_wrap(b, out_line(b->a, line), 0, 2, fit_width());
		buf_fmt(b, "%s\n", coloured ? LOOK_END : "");
	}
}

/* A line of each: "not_searched: home: network: ...". */
static void
human_put_objects(struct buf *b, const struct field *f,
    const struct json_value *list)
{
	for (size_t i = 0; i < json_parse_count(list); i++) {
		const struct json_value *v = json_parse_item(list, i);
		struct str line = str_of(f->name);

		for (const struct field *m = f->sub; m->name != NULL; m++)
			line = str_fmt(b->a, "%.*s: %.*s", STR_ARG(line),
			    STR_ARG(column_value(b->a,
				json_parse_member(v, m->name), "-")));
		fit_wrap(b, out_line(b->a, line), 0, 2, fit_width());
		buf_char(b, '\n');
	}
}

/*
 * The result's non-empty single values, such as where a page continues, and
 * lists beside the table.
 */
static void
human_put_rest(struct buf *b, const struct op *op,
    const struct json_value *data)
{
	for (const struct field *f = op->result; f->name != NULL; f++) {
		const struct json_value *v = json_parse_member(data, f->name);
		bool yes = true;

		if (f->type == FIELD_OBJECTS && v != show_list(op, data))
			human_put_objects(b, f, v);
		if (v == NULL || json_parse_is_null(v) ||
		    json_parse_is_array(v) || json_parse_is_object(v) ||
		    (json_parse_bool(v, &yes) && !yes))
			continue;
		buf_fmt(b, "%s: %.*s\n", f->name,
		    STR_ARG(out_line(b->a, column_value(b->a, v, NULL))));
	}
}

static void
human_put_heads(struct buf *b, const struct op *op,
    const struct json_value *message, bool coloured)
{
	struct column col[COLUMNS_MAX];
	size_t n = column_read(b->a, op->heads, col);

	for (size_t i = 0; i < n; i++) {
		struct str s = column_cell(b->a, message, &col[i]);

		if (!str_eq(s, S("-")))
			buf_fmt(b, "%s%.*s:%s %.*s\n",
			    coloured ? LOOK_BOLD : "", STR_ARG(col[i].head),
			    coloured ? LOOK_END : "", STR_ARG(s));
	}
}

/* Its text is not wrapped: its lines begin where their writer began them. */
static void
human_put_message(struct buf *b, const struct op *op,
    const struct json_value *message, bool coloured)
{
	struct str text = { 0 };

	human_put_heads(b, op, message, coloured);
	(void)json_parse_str(json_parse_member(message, op->body), &text);
	text = out_safe(b->a, text);
	buf_fmt(b, "\n%.*s%s", STR_ARG(text),
	    text.n == 0 || str_ends(text, S("\n")) ? "" : "\n");
}

/* Has it the text of a message? */
static bool
human_has_text(const struct op *op, const struct json_value *v)
{
	return op->body != NULL && json_parse_member(v, op->body) != NULL;
}

static void
human_put_texts(struct buf *b, const struct op *op,
    const struct json_value *data, bool coloured)
{
	const struct json_value *rows = show_list(op, data);

	if (human_has_text(op, data)) {
		human_put_message(b, op, data, coloured);
		return;
	}
	for (size_t i = 0; i < json_parse_count(rows); i++) {
		if (i > 0)
			buf_char(b, '\n');
		human_put_message(b, op, json_parse_item(rows, i), coloured);
	}
}

static int
human_put_fenced(struct buf *b, const struct op *op,
    const struct json_value *data, bool coloured, struct err *e)
{
	struct buf texts;
	struct str text;

	buf_init(&texts, b->a, b->max);
	human_put_texts(&texts, op, data, coloured);
	if (texts.over)
		b->over = true;
	text = buf_view(&texts);
	text.n -= text.n > 0;
	if (fence_put(b->a, text, &text, e) < 0)
		return -1;
	buf_fmt(b, "%.*s\n", STR_ARG(text));
	return 0;
}

int
human_put(struct buf *b, const struct op *op, struct str reply, bool coloured,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *data;

	if (json_parse_open(reply, LIMIT_MESSAGE, &doc, e) < 0)
		return err_set(e, ERR_LIMIT,
		    "the reply is too long to show: omit --human");
	data = json_parse_root(doc);
	human_put_warnings(b, data, coloured);
	if (human_has_text(op, data) ||
	    human_has_text(op, json_parse_item(show_list(op, data), 0)))
		return human_put_fenced(b, op, data, coloured, e);
	if (op->columns == NULL)
		return err_set(e, ERR_USAGE,
		    "the reply has no text to show: omit --human");
	show_table(b, op, data, coloured);
	human_put_rest(b, op, data);
	return 0;
}
