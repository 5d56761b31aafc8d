/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/err.h"

static unsigned char
str_lower_byte(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

struct str
str_of(const char *c)
{
	return c != NULL ? (struct str){ c, strlen(c) } : (struct str){ "", 0 };
}

char *
str_c(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	if (s.n > 0)
		memcpy(p, s.p, s.n);
	return p;
}

struct str
str_dup(struct arena *a, struct str s)
{
	return (struct str){ str_c(a, s), s.n };
}

struct str
str_fmt_list(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *p;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		err_bug("str_fmt: %s", fmt);
	p = arena_alloc(a, (size_t)n + 1);
	(void)vsnprintf(p, (size_t)n + 1, fmt, ap);
	return (struct str){ p, (size_t)n };
}

struct str
str_fmt(struct arena *a, const char *fmt, ...)
{
	struct str s;
	va_list ap;

	va_start(ap, fmt);
	s = str_fmt_list(a, fmt, ap);
	va_end(ap);
	return s;
}

bool
str_eq(struct str x, struct str y)
{
	return x.n == y.n && (x.n == 0 || memcmp(x.p, y.p, x.n) == 0);
}

bool
str_eq_case(struct str x, struct str y)
{
	if (x.n != y.n)
		return false;
	for (size_t i = 0; i < x.n; i++)
		if (str_lower_byte(x.p[i]) != str_lower_byte(y.p[i]))
			return false;
	return true;
}

int
str_cmp(struct str x, struct str y)
{
	size_t n = x.n < y.n ? x.n : y.n;
	int r = n > 0 ? memcmp(x.p, y.p, n) : 0;

	return r != 0 ? r : (x.n > y.n) - (x.n < y.n);
}

bool
str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && str_eq(str_first(s, prefix.n), prefix);
}

bool
str_starts_case(struct str s, struct str prefix)
{
	return s.n >= prefix.n && str_eq_case(str_first(s, prefix.n), prefix);
}

bool
str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq(str_from(s, s.n - suffix.n), suffix);
}

bool
str_ends_case(struct str s, struct str suffix)
{
	return s.n >= suffix.n &&
	    str_eq_case(str_from(s, s.n - suffix.n), suffix);
}

bool
str_has_char(struct str s, char c)
{
	return s.n > 0 && memchr(s.p, c, s.n) != NULL;
}

struct str
str_trim(struct str s)
{
	while (s.n > 0 && ascii_is_space(s.p[s.n - 1]))
		s.n--;
	while (s.n > 0 && ascii_is_space(s.p[0])) {
		s.p++;
		s.n--;
	}
	return s;
}

struct str
str_trim_end(struct str s, struct str bytes)
{
	while (s.n > 0 && str_has_char(bytes, s.p[s.n - 1]))
		s.n--;
	return s;
}

struct str
str_from(struct str s, size_t i)
{
	if (i >= s.n)
		return (struct str){ s.n > 0 ? s.p + s.n : s.p, 0 };
	return (struct str){ s.n > 0 ? s.p + i : s.p, s.n - i };
}

struct str
str_first(struct str s, size_t n)
{
	return (struct str){ s.p, n < s.n ? n : s.n };
}

bool
str_cut(struct str s, char c, struct str *head, struct str *tail)
{
	const char *at = s.n > 0 ? memchr(s.p, c, s.n) : NULL;
	size_t i = at != NULL ? (size_t)(at - s.p) : s.n;

	*head = str_first(s, i);
	*tail = str_from(s, i + (at != NULL));
	return at != NULL;
}

struct str
str_lower(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		p[i] = (char)str_lower_byte(s.p[i]);
	return (struct str){ p, s.n };
}

bool
str_to_u64(struct str s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (s.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		unsigned d = (unsigned)(unsigned char)s.p[i] - '0';

		if (d > 9 || d > max || v > (max - d) / 10)
			return false;
		v = v * 10 + d;
	}
	*out = v;
	return true;
}

bool
str_to_u32(struct str s, uint32_t max, uint32_t *out)
{
	uint64_t v;

	if (!str_to_u64(s, max, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

void
str_push(struct arena *a, struct strs *l, struct str s)
{
	l->v = arena_more(a, l->v, l->n, sizeof(*l->v));
	l->v[l->n++] = s;
}

int
str_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool
str_among(const struct strs *l, struct str s)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i], s))
			return true;
	return false;
}

bool
str_among_case(const struct strs *l, struct str s)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq_case(l->v[i], s))
			return true;
	return false;
}

uint64_t
str_hash(uint64_t sum, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		sum = (sum ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	return sum;
}

struct strs
str_dup_all(struct arena *a, const struct strs *l)
{
	struct strs out = { 0 };

	for (size_t i = 0; i < l->n; i++)
		str_push(a, &out, str_dup(a, l->v[i]));
	return out;
}
