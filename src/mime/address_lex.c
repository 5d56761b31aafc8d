/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of address fields, RFC 5322 section 3.2, read leniently.  A search
 * to the end is never repeated.
 */
#include <string.h>

#include "mime/internal.h"

/* The index after the closing quote of the string at l->i, or 0. */
static size_t
address_lex_quote_end(struct address_lex *l)
{
	if (l->no_quote)
		return 0;
	for (size_t i = l->i + 1; i < l->s.n; i++) {
		if (l->s.p[i] == '"')
			return i + 1;
		if (l->s.p[i] == '\\')
			i++;
	}
	l->no_quote = true;
	return 0;
}

static size_t
address_lex_comment_end(struct address_lex *l)
{
	size_t depth = 0;

	if (l->no_comment)
		return 0;
	for (size_t i = l->i; i < l->s.n; i++) {
		char c = l->s.p[i];

		if (c == '\\')
			i++;
		else if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0)
			return i + 1;
	}
	l->no_comment = true;
	return 0;
}

static size_t
address_lex_literal_end(struct address_lex *l)
{
	const char *p;

	if (l->no_literal)
		return 0;
	p = memchr(l->s.p + l->i, ']', l->s.n - l->i);
	if (p != NULL)
		return (size_t)(p - l->s.p) + 1;
	l->no_literal = true;
	return 0;
}

/* The index after a run at l->i that hides commas, or 0. */
size_t
address_lex_opaque(struct address_lex *l)
{
	switch (l->s.p[l->i]) {
	case '"':
		return address_lex_quote_end(l);
	case '(':
		return address_lex_comment_end(l);
	case '[':
		return address_lex_literal_end(l);
	default:
		return 0;
	}
}

static void
address_lex_skip_space(struct address_lex *l, struct address_token *t)
{
	while (l->i < l->s.n) {
		size_t end;

		if (l->s.p[l->i] == ' ' || l->s.p[l->i] == '\t') {
			l->i++;
		} else if (l->s.p[l->i] == '(' &&
		    (end = address_lex_comment_end(l)) > 0) {
			t->comment =
			    (struct str){ l->s.p + l->i + 1, end - l->i - 2 };
			if (t->comments.p == NULL)
				t->comments.p = t->comment.p;
			t->comments.n =
			    (size_t)(l->s.p + end - 1 - t->comments.p);
			l->i = end;
		} else {
			return;
		}
		t->space = true;
	}
}

struct address_token
address_lex_next(struct address_lex *l)
{
	struct address_token t = { .kind = ADDRESS_END };
	size_t from, end;

	address_lex_skip_space(l, &t);
	from = l->i;
	if (from == l->s.n)
		return t;
	if (l->s.p[from] != '(' && (end = address_lex_opaque(l)) > 0) {
		l->i = end;
		if (l->s.p[from] == '"') {
			t.kind = ADDRESS_QUOTED;
			t.text =
			    (struct str){ l->s.p + from + 1, end - from - 2 };
		} else {
			t.kind = ADDRESS_LITERAL;
			t.text = (struct str){ l->s.p + from, end - from };
		}
		return t;
	}
	while (l->i < l->s.n && address_spec_atext(l->s.p[l->i]))
		l->i++;
	t.kind = l->i > from ? ADDRESS_WORD : ADDRESS_SIGN;
	l->i += l->i == from;
	t.text = (struct str){ l->s.p + from, l->i - from };
	return t;
}
