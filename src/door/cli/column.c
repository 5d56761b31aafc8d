/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One member of a result in one line.  Text that a stranger wrote never reaches
 * the terminal unescaped.
 */
#include "door/cli/column.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "door/argv.h"

#include "door/out.h"

enum {
	CELL_SHOWN = 60 /* bytes that are shown of a long cell */
};

/* A name that could pass for an address is always quoted. */
static void
column_put_person(struct buf *b, const struct json_value *v)
{
	struct str name = { 0 }, address = { 0 };
	bool quoted = false;

	(void)json_parse_str(json_parse_member(v, "name"), &name);
	(void)json_parse_str(json_parse_member(v, "address"), &address);
	for (size_t i = 0; i < name.n; i++)
		quoted = quoted || str_has_char(S("<>@,;:\""), name.p[i]);
	if (quoted)
		buf_char(b, '"');
	for (size_t i = 0; i < name.n; i++)
		buf_char(b, (char)(name.p[i] == '"' ? '\'' : name.p[i]));
	if (quoted)
		buf_char(b, '"');
	buf_fmt(b, "%s<%.*s>", name.n > 0 ? " " : "", STR_ARG(address));
}

static void
column_put_item(struct buf *b, const struct json_value *v, const char *sub)
{
	struct str s = { 0 }, key = { 0 };
	int64_t n;

	if (sub != NULL && str_eq(str_of(sub), S("*"))) {
		column_put_person(b, v);
		return;
	}
	/* The first member of an object, if none is named. */
	if (json_parse_is_object(v))
		v = sub != NULL ? json_parse_member(v, sub)
				: json_parse_next(v, &key);
	if (json_parse_int(v, &n))
		buf_fmt(b, "%lld", (long long)n);
	else if (json_parse_str(v, &s))
		buf_str(b, s);
}

static struct str
column_list(struct arena *a, const struct json_value *v, const char *sub)
{
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	for (size_t i = 0; i < json_parse_count(v); i++) {
		if (i > 0)
			buf_text(&b, ", ");
		column_put_item(&b, json_parse_item(v, i), sub);
	}
	return buf_view(&b);
}

struct str
column_value(struct arena *a, const struct json_value *v, const char *sub)
{
	struct str s = { 0 };
	int64_t n;
	bool b;

	if (sub != NULL && json_parse_is_object(v))
		v = json_parse_member(v, sub);
	if (json_parse_int(v, &n))
		s = str_fmt(a, "%lld", (long long)n);
	else if (json_parse_bool(v, &b))
		s = b ? S("yes") : S("no");
	else if (json_parse_is_array(v))
		s = column_list(a, v, sub);
	else
		(void)json_parse_str(v, &s);
	return s.n > 0 ? s : S("-");
}

static struct column
column_of(struct arena *a, struct str word)
{
	struct column col = { .none = S("-") };
	struct str rest, member;

	if (str_cut(word, '?', &word, &rest))
		col.none = rest;
	col.cut = str_ends(word, S("<"));
	word.n -= col.cut;
	col.whole = str_ends(word, S("+"));
	word.n -= col.whole;
	col.onoff = str_ends(word, S("!"));
	word.n -= col.onoff;
	col.seldom = str_ends(word, S("~"));
	word.n -= col.seldom;
	col.zoned = str_ends(word, S("@@"));
	col.time = str_ends(word, S("@"));
	word.n -= (size_t)col.time + col.zoned;
	col.head = str_cut(word, '=', &member, &rest) ? rest : S("");
	if (str_cut(member, '.', &member, &rest))
		col.sub = str_c(a, rest);
	col.member = str_c(a, member);
	if (col.head.n == 0)
		col.head = argv_spell_upper(a, col.member);
	return col;
}

size_t
column_read(struct arena *a, const char *words, struct column out[COLUMNS_MAX])
{
	struct str rest = str_of(words), word;
	struct local zone = { 0 };
	bool more = true, read = false;
	size_t n = 0;

	while (more && n < COLUMNS_MAX) {
		more = str_cut(rest, ' ', &word, &rest);
		out[n] = column_of(a, word);
		if (out[n].time && !read)
			zone = local_open(a, getenv("TZ"));
		read = read || out[n].time;
		out[n++].zone = zone;
	}
	return n;
}

struct str
column_cell(struct arena *a, const struct json_value *row,
    const struct column *col)
{
	const struct json_value *v = json_parse_member(row, col->member);
	struct str s, cut;
	int64_t at;
	bool on;

	if (json_parse_is_null(v))
		return col->none;
	if (col->onoff && json_parse_bool(v, &on))
		return on ? S("on") : S("off");
	s = column_value(a, v, col->sub);
	if (col->time && clock_parse(s, &at))
		s = local_text(&col->zone, a, at, col->zoned);
	cut = col->cut ? utf8_first(s, CELL_SHOWN) : s;
	if (cut.n < s.n)
		s = str_fmt(a, "%.*s...", STR_ARG(cut));
	return out_line(a, s);
}
