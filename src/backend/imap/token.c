/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses a response into a tree of lists, atoms and strings, RFC 9051 section
 * 4.  Servers send more than the grammar allows: 8-bit bytes in quoted strings,
 * "()" for NIL, runs of spaces.  All of that is accepted.  One pass, no
 * recursion.
 */
#include "backend/imap/token.h"
#include "backend/imap/internal.h"
#include "base/limits.h"

struct cutter {
	struct arena *a;
	struct str s; /* the current piece */
	size_t i;
	bool no_bracket; /* there is no further "]": do not search again */
	size_t nodes, depth;
	size_t below; /* depth below the deepest list that is kept */
	/* Where the next node is added: the list at each depth. */
	const struct imap_node **tail[LIMIT_IMAP_DEPTH + 1];
};

static int
too_complex(struct err *e)
{
	(void)err_set(e, ERR_LIMIT, "the server's answer is too big");
	(void)err_because(e, "imap: number of tokens");
	return err_conn(e);
}

static struct imap_node *
imap_token_add(struct cutter *c, enum imap_token kind, struct str text)
{
	struct imap_node *n;

	if (c->below > 0)
		return NULL;
	n = arena_new(c->a, struct imap_node);
	n->kind = kind;
	n->text = text;
	*c->tail[c->depth] = n;
	c->tail[c->depth] = &n->next;
	c->nodes++;
	return n;
}

/* c->i is after the opening quote. */
static bool
imap_token_quoted(struct cutter *c)
{
	size_t from = c->i, escapes = 0, n = 0;
	char *to;

	while (c->i < c->s.n && c->s.p[c->i] != '"') {
		if (c->s.p[c->i] == '\\') {
			escapes++;
			c->i++;
		}
		c->i++;
	}
	if (c->i >= c->s.n)
		return false;
	c->i++;
	if (escapes == 0) {
		imap_token_add(c, IMAP_QUOTED,
		    (struct str){ c->s.p + from, c->i - 1 - from });
		return true;
	}
	to = arena_alloc(c->a, c->i - 1 - from - escapes);
	for (size_t k = from; k < c->i - 1; k++) {
		if (c->s.p[k] == '\\')
			k++;
		to[n++] = c->s.p[k];
	}
	imap_token_add(c, IMAP_QUOTED, (struct str){ to, n });
	return true;
}

/*
 * "BODY[HEADER.FIELDS (From To)]" is one token: finds its "]".  Elsewhere "["
 * is an ordinary character.
 */
static void
imap_token_section(struct cutter *c, size_t from)
{
	struct str word = { c->s.p + from, c->i - from };
	bool inside = false;

	if (c->no_bracket || !str_eq_case(word, S("BODY")))
		return;
	for (size_t k = c->i; k < c->s.n; k++) {
		if (c->s.p[k] == '"')
			inside = !inside;
		if (c->s.p[k] == ']' && !inside) {
			c->i = k;
			return;
		}
	}
	c->no_bracket = true;
}

static bool
imap_token_atom(struct cutter *c)
{
	size_t from = c->i;
	struct str text;

	for (; c->i < c->s.n; c->i++) {
		char ch = c->s.p[c->i];

		if (ch == ' ' || ch == '(' || ch == ')')
			break;
		if (ch == '[')
			imap_token_section(c, from);
	}
	text = (struct str){ c->s.p + from, c->i - from };
	/* A malformed literal's mark: "{-1}", "{ 5}", or in mid-line. */
	if (text.p[0] == '{')
		return false;
	imap_token_add(c, str_eq_case(text, S("NIL")) ? IMAP_NIL : IMAP_ATOM,
	    text);
	return true;
}

static void
imap_token_descend(struct cutter *c)
{
	struct imap_node *n;

	if (c->depth == LIMIT_IMAP_DEPTH) {
		c->below++;
		return;
	}
	n = imap_token_add(c, IMAP_LIST, S(""));
	c->tail[++c->depth] = &n->child;
}

static bool
imap_token_ascend(struct cutter *c)
{
	if (c->below > 0)
		c->below--;
	else if (c->depth > 0)
		c->depth--;
	else
		return false;
	return true;
}

static int
imap_token_cut(struct cutter *c, struct err *e)
{
	while (c->i < c->s.n) {
		char ch = c->s.p[c->i];

		if (c->nodes >= LIMIT_IMAP_NODES)
			return too_complex(e);
		if (ch == ' ') {
			c->i++;
		} else if (ch == '(') {
			c->i++;
			imap_token_descend(c);
		} else if (ch == ')') {
			c->i++;
			if (!imap_token_ascend(c))
				return imap_read_nonsense(e, "stray )");
		} else if (ch == '"') {
			c->i++;
			if (!imap_token_quoted(c))
				return imap_read_nonsense(e, "open quote");
		} else if (!imap_token_atom(c)) {
			return imap_read_nonsense(e, "bad literal");
		}
	}
	return 0;
}

int
imap_token_parse(struct arena *a, const struct imap_resp *r,
    const struct imap_node **out, struct err *e)
{
	struct cutter c = { .a = a };

	*out = NULL;
	c.tail[0] = out;
	for (size_t i = 0; i < r->n; i++) {
		c.s = r->piece[i].text;
		c.i = 0;
		c.no_bracket = false;
		if (imap_token_cut(&c, e) < 0)
			return -1;
		if (r->piece[i].has_literal)
			imap_token_add(&c, IMAP_LITERAL, r->piece[i].literal);
	}
	if (c.depth > 0)
		return imap_read_nonsense(e, "open list");
	return 0;
}

bool
imap_token_has_text(const struct imap_node *n)
{
	return n != NULL && n->kind != IMAP_LIST;
}

bool
imap_token_is(const struct imap_node *n, const char *text)
{
	return imap_token_has_text(n) && n->kind != IMAP_NIL &&
	    str_eq_case(n->text, str_of(text));
}

bool
imap_token_is_number(const struct imap_node *n)
{
	uint64_t any;

	return n != NULL && n->kind == IMAP_ATOM &&
	    str_to_u64(n->text, UINT64_MAX >> 1, &any);
}

int
imap_token_uid(const struct imap_node *n, uint32_t *out, struct err *e)
{
	if (!imap_token_is_number(n) || !str_to_u32(n->text, UINT32_MAX, out) ||
	    *out == 0)
		return imap_read_nonsense(e, "UID");
	return 0;
}

const struct imap_node *
imap_token_at(const struct imap_node *n, size_t i)
{
	while (n != NULL && i-- > 0)
		n = n->next;
	return n;
}
