/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/mcp_yaml.h"
#include "base/buf.h"
#include "base/limits.h"

int
mcp_yaml_by_hand(struct err *e)
{
	return err_set(e, ERR_USAGE,
	    "the file is written in a way that emcli does not change: put it "
	    "in by hand");
}

struct str
mcp_yaml_cut_line(struct str *rest)
{
	size_t n = 0;
	struct str line;

	while (n < rest->n && rest->p[n] != '\n')
		n++;
	line = str_first(*rest, n < rest->n ? n + 1 : n);
	*rest = str_from(*rest, line.n);
	return line;
}

size_t
mcp_yaml_count_spaces(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == ' ')
		n++;
	return n;
}

bool
mcp_yaml_is_blank(struct str line)
{
	struct str s = str_trim(line);

	return s.n == 0 || s.p[0] == '#';
}

bool
mcp_yaml_is_item(struct str s)
{
	return s.n > 1 && s.p[0] == '-' && str_has_char(S(" \r\n"), s.p[1]);
}

struct str
mcp_yaml_plain(struct str s)
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

bool
mcp_yaml_read_key(struct str line, struct str *key, struct str *value)
{
	if (!str_cut(line, ':', key, value) || key->n == 0)
		return false;
	for (size_t i = 0; i < key->n; i++)
		if (str_has_char(S(" \t\"'{}[]&*!|>?%@`,#-"), key->p[i]) &&
		    (i == 0 || key->p[i] != '-'))
			return false;
	return value->n == 0 || str_has_char(S(" \r\n"), value->p[0]);
}

int
mcp_yaml_find_section(struct mcp_yaml *y, struct err *e)
{
	struct str rest = y->text, key, value;
	bool keyed = false, inside = false;

	while (rest.n > 0) {
		struct str line = mcp_yaml_cut_line(&rest);

		if (mcp_yaml_is_blank(line) || line.p[0] == ' ' ||
		    (keyed && mcp_yaml_is_item(line)) ||
		    (line.p == y->text.p && str_eq(str_trim(line), S("---"))))
			continue;
		if (inside)
			y->body =
			    str_first(y->body, (size_t)(line.p - y->body.p));
		inside = false;
		if (!mcp_yaml_read_key(line, &key, &value))
			return mcp_yaml_by_hand(e);
		keyed = true;
		if (!str_eq(key, y->section))
			continue;
		value = mcp_yaml_plain(value);
		y->none = str_eq(value, y->empty);
		if (y->head.n > 0 || (value.n > 0 && !y->none))
			return mcp_yaml_by_hand(e);
		y->head = line;
		y->body = rest;
		inside = true;
	}
	return 0;
}

struct str
mcp_yaml_put(const struct mcp_yaml *y, struct str lines, struct arena *a)
{
	struct str before = y->text, behind = { 0 };
	struct buf b;

	if (y->ours.n > 0) {
		before = str_first(y->text, (size_t)(y->ours.p - y->text.p));
		behind = str_from(y->text, before.n + y->ours.n);
	} else if (y->head.n > 0) {
		size_t at =
		    (size_t)((y->none ? y->head : y->end).p - y->text.p);

		before = str_first(y->text, at);
		behind = str_from(y->text, at + (y->none ? y->head.n : 0));
	}
	buf_init(&b, a, LIMIT_MESSAGE);
	buf_str(&b, before);
	if (before.n > 0 && before.p[before.n - 1] != '\n')
		buf_char(&b, '\n');
	if (y->head.n == 0 || y->none)
		buf_fmt(&b, "%.*s:\n", STR_ARG(y->section));
	while (lines.n > 0) {
		for (size_t i = 0; i < (y->items ? y->indent : 2); i++)
			buf_char(&b, ' ');
		buf_str(&b, mcp_yaml_cut_line(&lines));
	}
	buf_str(&b, behind);
	return buf_view(&b);
}
