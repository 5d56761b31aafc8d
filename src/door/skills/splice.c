/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes a JSON text only where necessary: a request keeps the order of its
 * members, its numbers and its white space.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "door/skills/internal.h"

struct splice
splice_list(struct str text, struct str array, const struct str *with,
    struct str items, struct arena *a)
{
	struct splice s = { (size_t)(array.p - text.p), array.n, { 0 } };
	struct str one, head = S(""), tail = { array.p + 1, array.n - 2 };
	struct buf b;
	size_t at = 0;
	bool some = false;

	buf_init(&b, a, LIMIT_ARENA);
	buf_char(&b, '[');
	for (size_t i = 0; span_next(array, &at, &one); i++) {
		struct str gap = { tail.p, (size_t)(one.p - tail.p) };

		tail = str_from(tail, gap.n + one.n);
		if (i == 0)
			head = gap;
		if (with[i].n == 0)
			continue;
		buf_str(&b, some ? gap : head);
		buf_str(&b, with[i]);
		some = true;
	}
	if (some && items.n > 0)
		buf_char(&b, ',');
	buf_str(&b, items);
	buf_str(&b, tail);
	buf_char(&b, ']');
	s.with = buf_view(&b);
	return s;
}

struct splice
splice_member(struct str text, struct str member, struct arena *a)
{
	size_t from = span_space(text, 0) + 1, end = text.n, at = from;
	bool some = text.p[span_space(text, from)] == '"';
	struct str inside;

	while (text.p[end - 1] != '}')
		end--;
	/* Directly after the last value. */
	inside = str_trim(str_from(str_first(text, end - 1), from));
	if (inside.n > 0)
		at = (size_t)(inside.p - text.p) + inside.n;
	return (struct splice){
		.at = at,
		.with = some ? str_fmt(a, ",%.*s", STR_ARG(member)) : member,
	};
}

static int
splice_by_place(const void *x, const void *y)
{
	const struct splice *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

void
splice_apply(struct buf *b, struct str text, struct splice *v, size_t n)
{
	size_t done = 0;

	qsort(v, n, sizeof(*v), splice_by_place);
	for (size_t i = 0; i < n; i++) {
		buf_add(b, text.p + done, v[i].at - done);
		buf_str(b, v[i].with);
		done = v[i].at + v[i].n;
	}
	buf_str(b, str_from(text, done));
}
