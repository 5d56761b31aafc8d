/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Markdown around the table: the section, tables by their header rows, and
 * text that is not a declaration (code, comments, placeholders).  One pass over
 * the lines.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "source/internal.h"

#define INDENT_CODE 4 /* spaces that make a line code, CommonMark 4.4 */

/* The type of the current table. */
enum table {
	TABLE_NONE,
	TABLE_HEADER, /* a known header row; its rule is still to come */
	TABLE_KEYS,   /* the same for a table of settings */
	TABLE_OURS,
	TABLE_SETTINGS,
	TABLE_OTHER,
};

struct reader {
	struct arena *a;
	struct declare *d;
	unsigned line;
	bool in_section, any_section, any_table;
	bool in_comment;
	struct str fence; /* what opened a block of code; empty: none is open */
	enum table table;
};

const char *
declare_weight_name(enum declare_weight w)
{
	static const char *const names[] = {
		[DECLARE_ERROR] = "error",
		[DECLARE_WARNING] = "warning",
		[DECLARE_NOTE] = "note",
	};

	return names[w];
}

/* Without comments, which may extend over many lines. */
static struct str
declare_uncomment(struct reader *r, struct str line)
{
	struct buf b;

	if (r->fence.n > 0 || (!r->in_comment && str_find(line, S("<!--")) < 0))
		return line;
	buf_init(&b, r->a, line.n);
	while (line.n > 0) {
		struct str mark = r->in_comment ? S("-->") : S("<!--");
		ptrdiff_t at = str_find(line, mark);
		struct str part = at < 0 ? line : str_first(line, (size_t)at);

		if (!r->in_comment)
			buf_str(&b, part);
		if (at < 0)
			break;
		r->in_comment = !r->in_comment;
		line = str_from(line, part.n + mark.n);
	}
	return buf_view(&b);
}

static size_t
declare_run_of(struct str s, char c)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == c)
		n++;
	return n;
}

static bool
is_fence(struct str s)
{
	return declare_run_of(s, '`') >= 3 || declare_run_of(s, '~') >= 3;
}

/* Blocks of code, CommonMark 4.5: examples of a table, not declarations. */
static bool
declare_in_code(struct reader *r, struct str s)
{
	if (r->fence.n == 0) {
		if (is_fence(s))
			r->fence = str_first(s, declare_run_of(s, s.p[0]));
		return r->fence.n > 0;
	}
	if (declare_run_of(s, r->fence.p[0]) >= r->fence.n &&
	    str_trim(str_from(s, declare_run_of(s, r->fence.p[0]))).n == 0)
		r->fence = S("");
	return true;
}

/*
 * The section has a second-level heading, and ends at the next heading of that
 * level or above.
 */
static bool
declare_is_heading(struct reader *r, struct str s)
{
	size_t level = declare_run_of(s, '#');
	struct str text = str_from(s, level);

	if (level == 0 || level > 6 ||
	    (text.n > 0 && text.p[0] != ' ' && text.p[0] != '\t'))
		return false;
	if (level > 2)
		return true;
	text = str_trim(text);
	while (str_ends(text, S("#")))
		text = str_first(text, text.n - 1);
	r->in_section =
	    level == 2 && str_eq_case(str_trim(text), S("Mail sources"));
	r->any_section = r->any_section || r->in_section;
	return true;
}

/*
 * Splits a row at its bars; "\|" is a bar in the text.  Returns the number of
 * cells; bars after the fourth belong to the notes.
 */
static size_t
declare_cut_cells(struct str s, struct str *cell)
{
	size_t n = 0, from = 0;

	if (str_starts(s, S("|")))
		s = str_from(s, 1);
	if (str_ends(s, S("|")) && !str_ends(s, S("\\|")))
		s = str_first(s, s.n - 1);
	for (size_t i = 0; i <= s.n; i++) {
		if (i < s.n && (s.p[i] != '|' || (i > 0 && s.p[i - 1] == '\\')))
			continue;
		if (n < DECLARE_CELLS)
			cell[n] =
			    str_trim((struct str){ s.p + from, i - from });
		n++;
		from = i + 1;
	}
	return n;
}

static bool
declare_is_rule(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(S("|-: \t"), s.p[i]))
			return false;
	return str_has_char(s, '-');
}

static void
declare_begin_table(struct reader *r, const struct str *cell, size_t n)
{
	static const struct str ours[] = { SI("Backend"), SI("Role"),
		SI("Mandatory"), SI("Notes") };
	static const struct str keys[] = { SI("Key"), SI("Backend"),
		SI("Value") };
	size_t same = 0, as_keys = 0;

	for (size_t i = 0; i < 4 && i < n; i++)
		same += str_eq_case(cell[i], ours[i]);
	for (size_t i = 0; i < 3 && i < n; i++)
		as_keys += str_eq_case(cell[i], keys[i]);
	if (n == 4 && same == 4) {
		r->table = TABLE_HEADER;
		return;
	}
	r->table = n == 3 && as_keys == 3 ? TABLE_KEYS : TABLE_OTHER;
	if (r->table == TABLE_OTHER && same > 1)
		declare_remark(r->a, r->d, DECLARE_ERROR, r->line,
		    "a table of sources has the columns "
		    "Backend | Role | Mandatory | Notes");
}

/* A line of the section with a bar: a row, or the start of a table. */
static void
declare_read_row(struct reader *r, struct str s)
{
	struct str cell[DECLARE_CELLS] = { { 0 } };
	size_t n;

	if (r->table == TABLE_HEADER || r->table == TABLE_KEYS) {
		bool parts = r->table == TABLE_HEADER,
		     rule = declare_is_rule(s);

		r->table = !rule ? TABLE_OTHER
		    : parts      ? TABLE_OURS
				 : TABLE_SETTINGS;
		r->any_table = r->any_table || r->table == TABLE_OURS;
		if (!rule)
			declare_remark(r->a, r->d, DECLARE_ERROR, r->line,
			    "the line |---|---|---|%s is missing below the "
			    "table's header",
			    parts ? "---|" : "");
		return;
	}
	if (r->table == TABLE_OTHER)
		return;
	n = declare_cut_cells(s, cell);
	if (r->table == TABLE_NONE)
		declare_begin_table(r, cell, n);
	else if (r->table == TABLE_SETTINGS)
		declare_setting_read(r->a, r->d, r->line, cell);
	else
		declare_row_read(r->a, r->d, r->line, cell);
}

static void
declare_read_line(struct reader *r, struct str raw)
{
	struct str line = declare_uncomment(r, raw);
	struct str s = str_trim(line);
	size_t indent = declare_run_of(line, ' ');

	/* A line with only a comment is ignored. */
	if (s.n == 0 && str_trim(raw).n > 0)
		return;
	if (r->fence.n == 0 &&
	    (indent >= INDENT_CODE || str_starts(line, S("\t")))) {
		r->table = TABLE_NONE;
		return;
	}
	if (declare_in_code(r, s) || declare_is_heading(r, s) ||
	    !r->in_section || str_starts(s, S(">")) || !str_has_char(s, '|'))
		r->table = TABLE_NONE;
	else
		declare_read_row(r, s);
}

void
declare_read(struct arena *a, struct str file, struct declare *out)
{
	struct reader r = { .a = a, .d = out };
	struct str line;

	*out = (struct declare){ 0 };
	if (file.n > LIMIT_DECLARATION) {
		declare_remark(a, out, DECLARE_ERROR, 0,
		    "the file is longer than %lu bytes", LIMIT_DECLARATION);
		return;
	}
	if (str_starts(file, S("\xEF\xBB\xBF")))
		file = str_from(file, 3);
	while (file.n > 0) {
		(void)str_cut(file, '\n', &line, &file);
		r.line++;
		declare_read_line(&r, line);
	}
	if (!r.any_section)
		declare_remark(a, out, DECLARE_ERROR, 0,
		    "there is no section \"## Mail sources\"");
	else if (!r.any_table && out->errors == 0)
		declare_remark(a, out, DECLARE_ERROR, 0,
		    "there is no table Backend | Role | Mandatory | Notes in "
		    "\"## Mail sources\"");
	if (r.any_table)
		declare_row_check(a, out);
}
