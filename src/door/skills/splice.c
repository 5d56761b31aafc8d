/*
 * Changing a JSON text where it must be changed and nowhere else: a request
 * keeps the order of its members, its numbers and its white space.
 */
#include "base/buf.h"
#include "door/skills/internal.h"

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static size_t
skip_space(struct str s, size_t i)
{
	while (i < s.n && is_space(s.p[i]))
		i++;
	return i;
}

struct splice
splice_append(struct str text, struct str array, struct str items,
    struct arena *a)
{
	struct str one;
	size_t at = 0;
	bool some = false;

	while (span_next(array, &at, &one))
		some = true;
	return (struct splice){
		.at = (size_t)(array.p - text.p) + (some ? at : 1),
		.with = some ? str_fmt(a, ",%.*s", STR_ARG(items)) : items,
	};
}

struct splice
splice_member(struct str text, struct str member, struct arena *a)
{
	size_t from = skip_space(text, 0) + 1, end = text.n, at;
	bool some = text.p[skip_space(text, from)] == '"';

	while (text.p[end - 1] != '}')
		end--;
	/* Right behind the last value. */
	at = end - 1;
	while (at > from && is_space(text.p[at - 1]))
		at--;
	return (struct splice){
		.at = at,
		.with = some ? str_fmt(a, ",%.*s", STR_ARG(member)) : member,
	};
}

static int
by_place(const void *x, const void *y)
{
	const struct splice *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

void
splice_apply(struct buf *b, struct str text, struct splice *v, size_t n)
{
	size_t done = 0;

	qsort(v, n, sizeof(*v), by_place);
	for (size_t i = 0; i < n; i++) {
		buf_add(b, text.p + done, v[i].at - done);
		buf_str(b, v[i].with);
		done = v[i].at + v[i].n;
	}
	buf_str(b, str_from(text, done));
}
