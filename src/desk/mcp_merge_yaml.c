/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our item in a list of a YAML file: items begin with "- ", and "name: emcli"
 * in one of them makes it ours.
 */
#include "desk/mcp_merge.h"
#include "desk/mcp_yaml.h"

#define NAME "emcli"

static bool
names_us(struct str s)
{
	return str_starts(s, S("name:")) &&
	    str_eq(mcp_yaml_plain(str_from(s, S("name:").n)), S(NAME));
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

	*column =
	    indent + 1 + mcp_yaml_count_spaces(str_from(line, indent + 1));
	s = str_from(line, *column);
	if (s.n > 0 && str_has_char(S("{[&*!"), s.p[0]) &&
	    str_find(s, S(NAME)) >= 0)
		return mcp_yaml_by_hand(e);
	return 0;
}

/* The items of the section, and which of them is ours. */
static int
mcp_merge_yaml_find_item(struct mcp_yaml *y, struct err *e)
{
	struct str rest = y->body, item = { 0 };
	size_t column = 0;

	y->end = str_from(y->head, y->head.n);
	while (rest.n > 0) {
		struct str line = mcp_yaml_cut_line(&rest);
		size_t at = mcp_yaml_count_spaces(line);
		bool first;

		if (mcp_yaml_is_blank(line))
			continue;
		if (!y->items)
			y->indent = at;
		y->items = true;
		first = at == y->indent;
		if (y->none || at < y->indent || line.p[at] == '\t' ||
		    (first && !mcp_yaml_is_item(str_from(line, at))))
			return mcp_yaml_by_hand(e);
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
				return mcp_yaml_by_hand(e);
			y->ours = item;
		}
		if (y->ours.p == item.p)
			y->ours = item;
	}
	return 0;
}

int
mcp_merge_yaml(struct str text, const char *section, struct str item,
    struct arena *a, struct str *out, struct err *e)
{
	struct mcp_yaml y = { .text = text,
		.section = str_of(section),
		.empty = S("[]") };

	if (mcp_yaml_find_section(&y, e) < 0 ||
	    mcp_merge_yaml_find_item(&y, e) < 0)
		return -1;
	*out = mcp_yaml_put(&y, item, a);
	return 0;
}
