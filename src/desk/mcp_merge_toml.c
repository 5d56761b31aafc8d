/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our table in a TOML file (TOML 1.0).  The file is read by statements, so that
 * text in a string or a list is not taken for a heading.  Only the heading, or
 * the first word, of a statement is parsed.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "desk/mcp_merge.h"

#define NAME "emcli"

/* The end of the string that begins at i; after the text: it has no end. */
static size_t
mcp_merge_toml_skip_string(struct str s, size_t i)
{
	char q = s.p[i];
	bool three = i + 2 < s.n && s.p[i + 1] == q && s.p[i + 2] == q;

	for (i += three ? 3 : 1; i < s.n; i++) {
		if (q == '"' && s.p[i] == '\\') {
			i++;
		} else if (!three && s.p[i] == '\n') {
			return s.n + 1;
		} else if (s.p[i] == q) {
			if (!three)
				return i + 1;
			if (i + 2 < s.n && s.p[i + 1] == q && s.p[i + 2] == q) {
				/* Up to two more belong to the text. */
				i += 3;
				while (i < s.n && s.p[i] == q)
					i++;
				return i;
			}
		}
	}
	return s.n + 1;
}

/* The next statement or blank line, its end of line with it. */
static bool
mcp_merge_toml_next(struct str *rest, struct str *out)
{
	struct str s = *rest;
	size_t i = 0, open = 0;

	while (i < s.n) {
		char c = s.p[i];

		if (c == '"' || c == '\'') {
			i = mcp_merge_toml_skip_string(s, i);
			continue;
		}
		if (c == '#') {
			while (i < s.n && s.p[i] != '\n')
				i++;
			continue;
		}
		i++;
		if (c == '[' || c == '{')
			open++;
		else if ((c == ']' || c == '}') && open > 0)
			open--;
		else if (c == '\n' && open == 0)
			break;
	}
	if (i > s.n || (i == s.n && open > 0))
		return false;
	*out = str_first(s, i);
	*rest = str_from(s, i);
	return true;
}

/* A part of a dotted key, bare or quoted; *rest is after it and its dot. */
static bool
mcp_merge_toml_part(struct str *rest, struct str *out)
{
	struct str s = str_trim(*rest);
	size_t n = 0;

	if (s.n > 0 && (s.p[0] == '"' || s.p[0] == '\'')) {
		n = mcp_merge_toml_skip_string(s, 0);
		if (n > s.n || n < 2)
			return false;
		*out = (struct str){ s.p + 1, n - 2 };
	} else {
		while (n < s.n && s.p[n] != '.' && s.p[n] != ']' &&
		    s.p[n] != '=' && s.p[n] != ' ' && s.p[n] != '\t')
			n++;
		*out = str_first(s, n);
	}
	s = str_trim(str_from(s, n));
	*rest = s.n > 0 && s.p[0] == '.' ? str_from(s, 1) : S("");
	return out->n > 0;
}

struct merge {
	struct str text, section;
	struct str from; /* where our table begins; n 0: not found */
	size_t end;      /* where it ends */
	bool ours;       /* the last heading is ours, or below ours */
	bool in_section; /* the last heading is [section] */
	bool top;        /* no heading yet */
	bool other_spelling;
};

/* How many leading parts of the key match `section` and our name? */
static int
mcp_merge_toml_fit(const struct merge *m, struct str key)
{
	struct str word;

	if (!mcp_merge_toml_part(&key, &word) || !str_eq(word, m->section))
		return 0;
	return key.n > 0 && mcp_merge_toml_part(&key, &word) &&
		str_eq(word, S(NAME))
	    ? 2
	    : 1;
}

static void
mcp_merge_toml_heading(struct merge *m, struct str s)
{
	bool list = str_starts(s, S("[["));
	int n = mcp_merge_toml_fit(m, str_from(s, list ? 2 : 1));

	m->top = false;
	m->ours = n == 2;
	m->in_section = n == 1 && !list;
	if (m->in_section) {
		struct str key = str_from(s, 1), word;

		/* [section] itself, not [section.other]. */
		(void)mcp_merge_toml_part(&key, &word);
		m->in_section = key.n == 0;
	}
	m->other_spelling = m->other_spelling || (list && n > 0);
	if (m->ours && m->from.n == 0)
		m->from = s;
}

/* A pair: our table may be written as one, which is not edited here. */
static void
mcp_merge_toml_pair(struct merge *m, struct str s)
{
	struct str key = s, word;

	if (m->top && mcp_merge_toml_fit(m, s) > 0)
		m->other_spelling = true;
	if (m->in_section && mcp_merge_toml_part(&key, &word) &&
	    str_eq(word, S(NAME)))
		m->other_spelling = true;
}

static int
mcp_merge_toml_find(struct merge *m, struct err *e)
{
	struct str rest = m->text, one;

	while (rest.n > 0) {
		struct str s;

		if (!mcp_merge_toml_next(&rest, &one))
			return err_set(e, ERR_USAGE,
			    "the file is not TOML: put it in by hand");
		s = str_trim(one);
		if (s.n == 0 || s.p[0] == '#')
			continue;
		if (s.p[0] == '[') {
			bool was = m->ours;

			mcp_merge_toml_heading(m, s);
			/* Two parts of it, with other tables between them. */
			if (m->ours && !was && m->from.p != s.p)
				m->other_spelling = true;
		} else {
			mcp_merge_toml_pair(m, s);
		}
		if (m->ours)
			m->end = (size_t)(one.p + one.n - m->text.p);
	}
	if (!m->other_spelling)
		return 0;
	return err_set(e, ERR_USAGE,
	    "the file has " NAME " in another spelling: put it in by hand");
}

int
mcp_merge_toml(struct str text, const char *section, struct str table,
    struct arena *a, struct str *out, struct err *e)
{
	struct merge m = {
		.text = text,
		.section = str_of(section),
		.top = true,
	};
	struct buf b;

	if (mcp_merge_toml_find(&m, e) < 0)
		return -1;
	buf_init(&b, a, LIMIT_MESSAGE);
	if (m.from.n > 0) {
		buf_add(&b, text.p, (size_t)(m.from.p - text.p));
		buf_str(&b, table);
		buf_str(&b, str_from(text, m.end));
	} else {
		buf_str(&b, text);
		if (text.n > 0 && text.p[text.n - 1] != '\n')
			buf_char(&b, '\n');
		if (text.n > 0)
			buf_char(&b, '\n');
		buf_str(&b, table);
	}
	*out = buf_view(&b);
	return 0;
}

static bool
mcp_merge_toml_has(struct str s, const char *mark, struct arena *a)
{
	struct buf b;

	buf_init(&b, a, s.n + 1);
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(S(" \t\r\n"), s.p[i]))
			buf_char(&b, s.p[i]);
	return str_find(buf_view(&b), str_of(mark)) >= 0;
}

/* The pair of that key, before the first table; empty: there is none. */
static int
mcp_merge_toml_find_top(struct str text, const char *key, struct str *out,
    struct err *e)
{
	struct str rest = text, one, word;

	*out = str_first(text, 0);
	while (rest.n > 0) {
		struct str s;

		if (!mcp_merge_toml_next(&rest, &one))
			return err_set(e, ERR_USAGE,
			    "the file is not TOML: put it in by hand");
		s = str_trim(one);
		if (s.n > 0 && s.p[0] == '[')
			return 0;
		if (s.n == 0 || s.p[0] == '#' ||
		    !mcp_merge_toml_part(&s, &word) ||
		    !str_eq(word, str_of(key)))
			continue;
		*out = one;
		return 0;
	}
	return 0;
}

int
mcp_merge_toml_top(struct str text, const char *key, struct str value,
    const char *mark, struct arena *a, struct str *out, struct err *e)
{
	struct str old;
	struct buf b;

	if (mcp_merge_toml_find_top(text, key, &old, e) < 0)
		return -1;
	if (old.n > 0 && !mcp_merge_toml_has(old, mark, a))
		return err_set(e, ERR_USAGE,
		    "the file has %s already: put it in by hand", key);
	buf_init(&b, a, LIMIT_MESSAGE);
	buf_add(&b, text.p, (size_t)(old.p - text.p));
	buf_fmt(&b, "%s = %.*s\n", key, STR_ARG(value));
	buf_str(&b, str_from(text, (size_t)(old.p - text.p) + old.n));
	*out = buf_view(&b);
	return 0;
}
