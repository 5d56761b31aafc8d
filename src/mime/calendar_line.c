/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content lines, RFC 5545 section 3.1: unfolding, names, parameters (RFC 6868)
 * and the escapes of texts.
 */
#include <string.h>

#include "mime/calendar_internal.h"

/* Folds are removed before decoding, because they can split a character. */
struct str
calendar_line_unfold(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		size_t k = i + (s.p[i] == '\r' && i + 1 < s.n);

		if (s.p[k] == '\n' && k + 1 < s.n &&
		    (s.p[k + 1] == ' ' || s.p[k + 1] == '\t')) {
			i = k + 1;
			continue;
		}
		p[n++] = s.p[i];
	}
	return (struct str){ p, n };
}

/* The end of a parameter's value; quotes hide delimiters. */
static size_t
line_value_end(struct str s, size_t i)
{
	bool quoted = false;

	for (; i < s.n; i++) {
		if (s.p[i] == '"')
			quoted = !quoted;
		else if (!quoted && (s.p[i] == ';' || s.p[i] == ':'))
			break;
	}
	return i;
}

/* Removes quotes, and decodes "^n", "^^" and "^'" (RFC 6868). */
static struct str
line_param_text(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		char next = (char)(i + 1 < s.n ? s.p[i + 1] : '\0');

		if (s.p[i] == '"')
			continue;
		if (s.p[i] == '^' &&
		    (next == 'n' || next == '^' || next == '\'')) {
			p[n++] = (char)(next == 'n' ? '\n'
				: next == '\''      ? '"'
						    : '^');
			i++;
			continue;
		}
		p[n++] = s.p[i];
	}
	return (struct str){ p, n };
}

static bool
line_params(struct arena *a, struct str s, size_t i, struct calendar_line *out)
{
	if (i < s.n && s.p[i] == ';')
		out->param =
		    arena_array(a, CALENDAR_PARAMS, sizeof(*out->param));
	while (i < s.n && s.p[i] == ';') {
		size_t eq = ++i, end;

		while (eq < s.n && strchr("=;:", s.p[eq]) == NULL)
			eq++;
		if (eq == s.n || s.p[eq] != '=')
			return false;
		end = line_value_end(s, eq + 1);
		if (out->n < CALENDAR_PARAMS)
			out->param[out->n++] = (struct calendar_param){
				{ s.p + i, eq - i },
				line_param_text(a,
				    (struct str){ s.p + eq + 1, end - eq - 1 })
			};
		i = end;
	}
	if (i >= s.n || s.p[i] != ':')
		return false;
	out->value = str_from(s, i + 1);
	return true;
}

bool
calendar_line_read(struct arena *a, struct str s, struct calendar_line *out)
{
	size_t i = 0;

	*out = (struct calendar_line){ 0 };
	while (i < s.n && s.p[i] != ';' && s.p[i] != ':')
		i++;
	if (i == 0 || i == s.n)
		return false;
	out->name = str_first(s, i);
	return line_params(a, s, i, out);
}

struct str
calendar_line_param(const struct calendar_line *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq_case(l->param[i].name, str_of(name)))
			return l->param[i].value;
	return S("");
}

/* Section 3.3.11. */
struct str
calendar_line_text(struct arena *a, struct str s)
{
	char *p;
	size_t n = 0;

	if (!str_has_char(s, '\\'))
		return s;
	p = arena_alloc(a, s.n);
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '\\' && i + 1 < s.n) {
			c = s.p[++i];
			if (c == 'n' || c == 'N')
				c = '\n';
		}
		p[n++] = c;
	}
	return (struct str){ p, n };
}
