/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/carry.h"

#include "base/limits.h"
#include "base/utf8.h"

void
carry_u64(struct carry *c, uint64_t *n, uint64_t max)
{
	if (c->to != NULL) {
		buf_add(c->to, n, sizeof(*n));
		return;
	}
	*n = 0;
	if (c->bad || c->rest.n < sizeof(*n)) {
		c->bad = true;
		return;
	}
	memcpy(n, c->rest.p, sizeof(*n));
	c->rest = str_from(c->rest, sizeof(*n));
	if (*n > max) {
		c->bad = true;
		*n = 0;
	}
}

void
carry_size(struct carry *c, size_t *n, size_t max)
{
	uint64_t v = *n;

	carry_u64(c, &v, max);
	*n = (size_t)v;
}

void
carry_bool(struct carry *c, bool *b)
{
	uint64_t v = *b;

	carry_u64(c, &v, 1);
	*b = v != 0;
}

void
carry_i64(struct carry *c, int64_t *n, int64_t min, int64_t max)
{
	/* Modulo 2^64, so that no range is too wide. */
	uint64_t v = (uint64_t)*n - (uint64_t)min;

	carry_u64(c, &v, (uint64_t)max - (uint64_t)min);
	*n = c->bad ? 0 : (int64_t)(v + (uint64_t)min);
}

void
carry_int(struct carry *c, int *n, int min, int max)
{
	int64_t v = *n;

	carry_i64(c, &v, min, max);
	*n = (int)v;
}

/* Where in the source a text is, from 1 on; 0: elsewhere. */
static uint64_t
carry_place(const struct carry *c, struct str s)
{
	uintptr_t from = (uintptr_t)c->source.p, at = (uintptr_t)s.p;

	if (s.n == 0 || s.n > c->source.n || at < from ||
	    at - from > c->source.n - s.n)
		return 0;
	return at - from + 1;
}

static void
carry_put_text(struct carry *c, struct str s)
{
	uint64_t at = carry_place(c, s), n = s.n;

	carry_u64(c, &at, 0);
	carry_u64(c, &n, 0);
	if (at == 0 && c->last != NULL && n > LIMIT_READER_WHOLE)
		*c->last = s;
	else if (at == 0)
		buf_str(c->to, s);
}

void
carry_text(struct carry *c, struct str *s, size_t max)
{
	struct str of;
	uint64_t at = 0;
	size_t n = 0;

	if (c->to != NULL) {
		carry_put_text(c, *s);
		return;
	}
	carry_u64(c, &at, c->source.n);
	carry_size(c, &n, max);
	of = at > 0 ? str_from(c->source, (size_t)at - 1) : c->rest;
	c->bad = c->bad || n > of.n;
	*s = c->bad ? S("") : str_first(of, n);
	if (!c->bad && at == 0)
		c->rest = str_from(c->rest, n);
}

void
carry_utf8(struct carry *c, struct str *s, size_t max)
{
	carry_text(c, s, max);
	if (c->to == NULL && !utf8_valid(*s)) {
		c->bad = true;
		*s = S("");
	}
}

void *
carry_list(struct carry *c, size_t *n, size_t max, size_t item)
{
	size_t room = 4;

	carry_size(c, n, max);
	if (c->to != NULL)
		return NULL;
	/* Each item has eight bytes at least. */
	if (c->bad || *n > c->rest.n / sizeof(uint64_t)) {
		c->bad = true;
		*n = 0;
	}
	/* With the room that arena_more() and str_push() take for granted. */
	while (room < *n)
		room *= 2;
	return arena_array(c->a, room, item);
}

void
carry_strs(struct carry *c, struct strs *v, size_t most, size_t max)
{
	struct str *new = carry_list(c, &v->n, most, sizeof(*new));

	if (c->to == NULL)
		v->v = new;
	for (size_t i = 0; i < v->n; i++)
		carry_text(c, &v->v[i], max);
}
