/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our item in a list of a YAML file (YAML 1.2), line by line: a key at the
 * margin, and below it items that begin with "- ".  Other ways of writing it
 * are not edited: the user adds the entry by hand.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "desk/mcp_merge.h"

#define NAME "emcli"

struct yaml {
	struct str text, section;
	struct str head; /* the section's first line; n 0: not found */
	struct str body; /* the lines below it */
	bool none;       /* the line says [] */
	bool items;      /* it has items, */
	size_t indent;   /* each with that much before its dash */
	struct str ours; /* the lines of ours; n 0: not found */
	struct str end;  /* after the section's last line, without blanks */
};

static int
by_hand(struct err *e)
{
	return err_set(e, ERR_USAGE,
	    "the file is written in a way that emcli does not change: put it "
	    "in by hand");
}

static struct str
mcp_merge_yaml_cut_line(struct str *rest)
{
	size_t n = 0;
	struct str line;

	while (n < rest->n && rest->p[n] != '\n')
		n++;
	line = str_first(*rest, n < rest->n ? n + 1 : n);
	*rest = str_from(*rest, line.n);
	return line;
}

static size_t
mcp_merge_yaml_count_spaces(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == ' ')
		n++;
	return n;
}

static bool
mcp_merge_yaml_is_blank(struct str line)
{
	struct str s = str_trim(line);

	return s.n == 0 || s.p[0] == '#';
}

static bool
is_item(struct str s)
{
	return s.n > 1 && s.p[0] == '-' && str_has_char(S(" \r\n"), s.p[1]);
}

/* A value without its quotes and its comment. */
static struct str
mcp_merge_yaml_plain(struct str s)
{
	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '#' && (i == 0 || s.p[i - 1] == ' '))
			s = str_trim(str_first(s, i));
	if (s.n >= 2 && s.p[0] == s.p[s.n - 1] &&
	    (s.p[0] == '"' || s.p[0] == '\''))
		s = (struct str){ s.p + 1, s.n - 2 };
	return s;
}

/* A key at the margin, in the usual notation. */
static bool
mcp_merge_yaml_read_key(struct str line, struct str *key, struct str *value)
{
	if (!str_cut(line, ':', key, value) || key->n == 0)
		return false;
	for (size_t i = 0; i < key->n; i++)
		if (str_has_char(S(" \t\"'{}[]&*!|>?%@`,#-"), key->p[i]) &&
		    (i == 0 || key->p[i] != '-'))
			return false;
	return value->n == 0 || str_has_char(S(" \r\n"), value->p[0]);
}

static int
mcp_merge_yaml_find_section(struct yaml *y, struct err *e)
{
	struct str rest = y->text, key, value;
	bool inside = false;

	while (rest.n > 0) {
		struct str line = mcp_merge_yaml_cut_line(&rest);

		if (mcp_merge_yaml_is_blank(line) || line.p[0] == ' ' ||
		    (inside && is_item(line)) ||
		    (line.p == y->text.p && str_eq(str_trim(line), S("---"))))
			continue;
		if (inside)
			y->body =
			    str_first(y->body, (size_t)(line.p - y->body.p));
		inside = false;
		if (!mcp_merge_yaml_read_key(line, &key, &value))
			return by_hand(e);
		if (!str_eq(key, y->section))
			continue;
		value = mcp_merge_yaml_plain(value);
		y->none = str_eq(value, S("[]"));
		if (y->head.n > 0 || (value.n > 0 && !y->none))
			return by_hand(e);
		y->head = line;
		y->body = rest;
		inside = true;
	}
	return 0;
}

static bool
names_us(struct str s)
{
	return str_starts(s, S("name:")) &&
	    str_eq(mcp_merge_yaml_plain(str_from(s, S("name:").n)), S(NAME));
}

/*
 * The column where an item's members begin, by its first line; -1: it names
 * emcli in a way that is not edited here.
 */
static int
mcp_merge_yaml_read_first(struct str line, size_t indent, size_t *column,
    struct err *e)
{
	struct str s;

	*column = indent + 1 +
	    mcp_merge_yaml_count_spaces(str_from(line, indent + 1));
	s = str_from(line, *column);
	if (s.n > 0 && str_has_char(S("{[&*!"), s.p[0]) &&
	    str_find(s, S(NAME)) >= 0)
		return by_hand(e);
	return 0;
}

/* The items of the section, and which of them is ours. */
static int
mcp_merge_yaml_find_item(struct yaml *y, struct err *e)
{
	struct str rest = y->body, item = { 0 };
	size_t column = 0;

	y->end = str_from(y->head, y->head.n);
	while (rest.n > 0) {
		struct str line = mcp_merge_yaml_cut_line(&rest);
		size_t at = mcp_merge_yaml_count_spaces(line);
		bool first;

		if (mcp_merge_yaml_is_blank(line))
			continue;
		if (!y->items)
			y->indent = at;
		y->items = true;
		first = at == y->indent;
		if (y->none || at < y->indent || line.p[at] == '\t' ||
		    (first && !is_item(str_from(line, at))))
			return by_hand(e);
		if (first) {
			if (mcp_merge_yaml_read_first(line, at, &column, e) < 0)
				return -1;
			at = column;
			item = (struct str){ line.p, 0 };
		}
		item.n = (size_t)(line.p + line.n - item.p);
		y->end = (struct str){ line.p + line.n, 0 };
		if (at == column && names_us(str_from(line, at))) {
			if (y->ours.n > 0)
				return by_hand(e);
			y->ours = item;
		}
		if (y->ours.p == item.p)
			y->ours = item;
	}
	return 0;
}

/* The lines of our item, each indented by that much. */
static void
mcp_merge_yaml_put_item(struct buf *b, struct str lines, size_t indent)
{
	for (size_t i = 0; lines.n > 0; i++) {
		for (size_t k = 0; k < indent; k++)
			buf_char(b, ' ');
		buf_text(b, i == 0 ? "- " : "  ");
		buf_str(b, mcp_merge_yaml_cut_line(&lines));
	}
}

static void
put_before(struct buf *b, struct str text)
{
	buf_str(b, text);
	if (text.n > 0 && text.p[text.n - 1] != '\n')
		buf_char(b, '\n');
}

int
mcp_merge_yaml(struct str text, const char *section, struct str item,
    struct arena *a, struct str *out, struct err *e)
{
	struct yaml y = { .text = text, .section = str_of(section) };
	struct str before = text, behind = { 0 };
	struct buf b;

	if (mcp_merge_yaml_find_section(&y, e) < 0 ||
	    mcp_merge_yaml_find_item(&y, e) < 0)
		return -1;
	if (y.ours.n > 0) {
		before = str_first(text, (size_t)(y.ours.p - text.p));
		behind = str_from(text, before.n + y.ours.n);
	} else if (y.head.n > 0) {
		size_t to =
		    (size_t)(y.none ? y.head.p - text.p : y.end.p - text.p);

		before = str_first(text, to);
		behind = str_from(text, to + (y.none ? y.head.n : 0));
	}
	buf_init(&b, a, LIMIT_MESSAGE);
	put_before(&b, before);
	if (y.head.n == 0 || y.none)
		buf_fmt(&b, "%s:\n", section);
	mcp_merge_yaml_put_item(&b, item, y.items ? y.indent : 2);
	buf_str(&b, behind);
	*out = buf_view(&b);
	return 0;
}
