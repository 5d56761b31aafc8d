/*
 * A reply as a person reads it: a table, where its operation names columns, and
 * the lines that the operation said.  One without either is a list of its
 * members.  Nothing that a stranger wrote reaches the terminal as it is.
 */
#include "base/limits.h"
#include "base/utf8.h"
#include "door/argv.h"
#include "door/cli/internal.h"
#include "door/out.h"

enum {
	CELL_SHOWN = 60, /* bytes of a cell that is cut */
	COLUMNS_MAX = 16
};

static struct str
show_texts(struct arena *a, const struct json_value *v)
{
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	for (size_t i = 0; i < json_parse_count(v); i++) {
		const struct json_value *one = json_parse_item(v, i);
		struct str s = { 0 }, key = { 0 };

		/* Of an object its first member. */
		if (json_parse_is_object(one))
			one = json_parse_next(one, &key);
		(void)json_parse_str(one, &s);
		buf_fmt(&b, "%s%.*s", i > 0 ? ", " : "", STR_ARG(s));
	}
	return buf_view(&b);
}

/* A value in one line; "-" where there is nothing. */
static struct str
show_value(struct arena *a, const struct json_value *v)
{
	struct str s = { 0 };
	int64_t n;
	bool b;

	if (json_parse_int(v, &n))
		s = str_fmt(a, "%lld", (long long)n);
	else if (json_parse_bool(v, &b))
		s = b ? S("yes") : S("no");
	else if (json_parse_is_array(v))
		s = show_texts(a, v);
	else
		(void)json_parse_str(v, &s);
	return s.n > 0 ? s : S("-");
}

/* A column as gate.h says it: "member=HEADING<?none", "member=HEADING!". */
struct column {
	char *member;
	struct str head;
	struct str none; /* what null is shown as */
	bool cut;        /* at CELL_SHOWN, since it may be anybody's and long */
	bool onoff;      /* true is on, false off */
};

static struct column
show_column(struct arena *a, struct str word)
{
	struct column col = { .none = S("-") };
	struct str rest, member;

	if (str_cut(word, '?', &word, &rest))
		col.none = rest;
	col.cut = str_ends(word, S("<"));
	word.n -= col.cut;
	col.onoff = str_ends(word, S("!"));
	word.n -= col.onoff;
	col.head = str_cut(word, '=', &member, &rest) ? rest : S("");
	col.member = str_c(a, member);
	if (col.head.n == 0)
		col.head = argv_spell_upper(a, col.member);
	return col;
}

static struct str
show_cell_of(struct arena *a, const struct json_value *row,
    const struct column *col)
{
	const struct json_value *v = json_parse_member(row, col->member);
	struct str s, cut;
	bool on;

	if (json_parse_is_null(v))
		return col->none;
	if (col->onoff && json_parse_bool(v, &on))
		return on ? S("on") : S("off");
	s = show_value(a, v);
	cut = col->cut ? utf8_first(s, CELL_SHOWN) : s;
	if (cut.n < s.n)
		s = str_fmt(a, "%.*s...", STR_ARG(cut));
	return out_line(a, s);
}

static void
show_table(struct buf *b, const struct column *col, size_t n,
    const struct json_value *v)
{
	size_t count = json_parse_count(v);
	struct out_row *rows = arena_array(b->a, count + 1, sizeof(*rows));

	for (size_t i = 0; i <= count; i++) {
		struct str *cell = arena_array(b->a, n, sizeof(*cell));
		const struct json_value *row =
		    i > 0 ? json_parse_item(v, i - 1) : NULL;

		for (size_t k = 0; k < n; k++)
			cell[k] = i == 0 ? col[k].head
					 : show_cell_of(b->a, row, &col[k]);
		rows[i].cell = cell;
	}
	out_table(b, rows, count + 1, n);
}

/* Of the first array of objects. */
static void
show_columns(struct buf *b, const struct op *op, const struct json_value *data)
{
	struct str rest = str_of(op->columns), word;
	const struct field *f = op->result;
	struct column col[COLUMNS_MAX];
	bool more = true;
	size_t n = 0;

	while (more && n < COLUMNS_MAX) {
		more = str_cut(rest, ' ', &word, &rest);
		col[n++] = show_column(b->a, word);
	}
	while (f->name != NULL && f->type != FIELD_OBJECTS)
		f++;
	if (f->name != NULL)
		show_table(b, col, n, json_parse_member(data, f->name));
}

static void
show_members(struct buf *b, const struct field *result,
    const struct json_value *data)
{
	for (const struct field *f = result; f->name != NULL; f++) {
		const struct json_value *v = json_parse_member(data, f->name);

		if (v != NULL && !json_parse_is_array(v))
			buf_fmt(b, "%s: %.*s\n", f->name,
			    STR_ARG(out_line(b->a, show_value(b->a, v))));
	}
}

void
show_put(struct buf *b, const struct op *op, const struct reply *r)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err e = { 0 };

	if (op->result == NULL || (op->columns == NULL && r->person.n > 0)) {
		person_put(b, &r->person);
		return;
	}
	if (json_parse_open(json_text(r->data, b->a), LIMIT_MESSAGE, &doc, &e) <
	    0)
		err_bug("%s", e.say);
	if (op->columns != NULL)
		show_columns(b, op, json_parse_root(doc));
	else
		show_members(b, op->result, json_parse_root(doc));
	person_put(b, &r->person);
}
