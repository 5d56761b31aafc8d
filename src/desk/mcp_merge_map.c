/* SPDX-License-Identifier: Apache-2.0 */
/* Our member of a map in a YAML file: "emcli:" and the lines below it. */
#include "desk/mcp_merge.h"
#include "desk/mcp_yaml.h"

#define NAME "emcli"

/* A member begins there: is it ours? */
static int
mcp_merge_map_read_member(struct mcp_yaml *y, struct str line, bool *ours,
    struct err *e)
{
	struct str key, value;

	if (y->indent == 0 ||
	    !mcp_yaml_read_key(str_from(line, y->indent), &key, &value))
		return mcp_yaml_by_hand(e);
	*ours = str_eq(key, S(NAME));
	/* An anchor: other lines refer to what would be lost. */
	if (*ours && (y->ours.n > 0 || str_starts(str_trim(value), S("&"))))
		return mcp_yaml_by_hand(e);
	if (*ours)
		y->ours = (struct str){ line.p, 0 };
	return 0;
}

/* The members of the section, and which of them is ours. */
static int
mcp_merge_map_find_member(struct mcp_yaml *y, struct err *e)
{
	struct str rest = y->body;
	bool ours = false;

	y->end = str_from(y->head, y->head.n);
	while (rest.n > 0) {
		struct str line = mcp_yaml_cut_line(&rest);
		size_t at = mcp_yaml_count_spaces(line);

		if (mcp_yaml_is_blank(line))
			continue;
		if (!y->items)
			y->indent = at;
		y->items = true;
		if (y->none || at < y->indent || line.p[at] == '\t')
			return mcp_yaml_by_hand(e);
		if (at == y->indent &&
		    mcp_merge_map_read_member(y, line, &ours, e) < 0)
			return -1;
		y->end = (struct str){ line.p + line.n, 0 };
		if (ours)
			y->ours.n = (size_t)(y->end.p - y->ours.p);
	}
	return 0;
}

int
mcp_merge_map(struct str text, const char *section, struct str lines,
    struct arena *a, struct str *out, struct err *e)
{
	struct mcp_yaml y = { .text = text,
		.section = str_of(section),
		.empty = S("{}") };

	if (mcp_yaml_find_section(&y, e) < 0 ||
	    mcp_merge_map_find_member(&y, e) < 0)
		return -1;
	*out = mcp_yaml_put(&y, lines, a);
	return 0;
}
