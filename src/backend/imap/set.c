/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of uids as ranges: a server may send "1:4294967295" in twelve bytes, so
 * ranges are never expanded except at their end, where the newest are.
 */
#include <stdlib.h>

#include "backend/imap/internal.h"
#include "base/buf.h"
#include "base/limits.h"

#define SET_TEXT 8000

void
imap_set_add(struct imap_set *s, uint32_t lo, uint32_t hi)
{
	if (s->n > 0 && s->v[s->n - 1].hi != UINT32_MAX &&
	    s->v[s->n - 1].hi + 1 == lo) {
		s->v[s->n - 1].hi = hi;
		return;
	}
	if (s->n == LIMIT_IMAP_NODES) {
		s->over = true;
		return;
	}
	s->v = arena_more(s->a, s->v, s->n, sizeof(*s->v));
	s->v[s->n++] = (struct imap_range){ lo, hi };
}

bool
imap_set_parse(struct imap_set *s, struct str text)
{
	struct str one, from, to;
	bool more = true;

	while (more) {
		uint32_t lo, hi;

		more = str_cut(text, ',', &one, &text);
		if (!str_cut(one, ':', &from, &to))
			to = from;
		if (!str_to_u32(from, UINT32_MAX, &lo) ||
		    !str_to_u32(to, UINT32_MAX, &hi) || lo == 0 || hi == 0)
			return false;
		imap_set_add(s, lo < hi ? lo : hi, lo < hi ? hi : lo);
	}
	return true;
}

static int
by_lo(const void *x, const void *y)
{
	const struct imap_range *l = x, *r = y;

	return (l->lo > r->lo) - (l->lo < r->lo);
}

void
imap_set_tidy(struct imap_set *s, uint32_t lo, uint32_t hi)
{
	size_t kept = 0;

	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), by_lo);
	for (size_t i = 0; i < s->n; i++) {
		struct imap_range r = s->v[i];

		if (r.lo < lo)
			r.lo = lo;
		if (r.hi > hi)
			r.hi = hi;
		if (r.lo > r.hi)
			continue;
		if (kept > 0 && s->v[kept - 1].hi >= r.lo) {
			if (s->v[kept - 1].hi < r.hi)
				s->v[kept - 1].hi = r.hi;
			continue;
		}
		s->v[kept++] = r;
	}
	s->n = kept;
}

bool
imap_set_has(const struct imap_set *s, uint32_t uid)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->v[mid].hi < uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n && s->v[lo].lo <= uid;
}

size_t
imap_set_take(struct imap_set *s, uint32_t *out, size_t n)
{
	size_t got = 0;

	while (got < n && s->n > 0) {
		struct imap_range *r = &s->v[s->n - 1];

		out[got++] = r->hi;
		if (r->hi == r->lo)
			s->n--;
		else
			r->hi--;
	}
	return got;
}

struct str
imap_set_text(struct arena *a, const uint32_t *uids, size_t n, size_t *from)
{
	struct buf b;
	size_t i = *from;

	buf_init(&b, a, SET_TEXT + 32);
	while (i < n && b.n < SET_TEXT) {
		size_t last = i;

		while (last + 1 < n && uids[last + 1] + 1 == uids[last])
			last++;
		if (b.n > 0)
			buf_char(&b, ',');
		if (last == i)
			buf_fmt(&b, "%u", uids[i]);
		else
			buf_fmt(&b, "%u:%u", uids[last], uids[i]);
		i = last + 1;
	}
	*from = i;
	return buf_view(&b);
}
