/* SPDX-License-Identifier: Apache-2.0 */
/* Values in a JSON text that span_check.c has accepted. */
#include "skill/span.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "skill/span_skip.h"

size_t
span_space(struct str s, size_t i)
{
	while (i < s.n && ascii_is_space(s.p[i]))
		i++;
	return i;
}

static bool
span_begins(struct str v, char c)
{
	return v.n > 0 && v.p[0] == c;
}

bool
span_is_object(struct str v)
{
	return span_begins(v, '{');
}

bool
span_is_array(struct str v)
{
	return span_begins(v, '[');
}

bool
span_is_text(struct str v)
{
	return span_begins(v, '"');
}

bool
span_is_null(struct str v)
{
	return span_begins(v, 'n');
}

struct str
span_root(struct str text)
{
	return str_trim(text);
}

static unsigned
span_unit(const char *p)
{
	unsigned u = 0;

	for (int i = 0; i < 4; i++)
		u = u << 4 | (unsigned)str_hex(p[i]);
	return u;
}

/*
 * Decodes an escape after its backslash, RFC 8259 section 7; a surrogate
 * without its other half is U+FFFD.  The result is never longer than the
 * escape.
 */
static size_t
span_put_escape(char **to, struct str s, size_t i)
{
	static const char means[256] = {
		['"'] = '"',
		['\\'] = '\\',
		['/'] = '/',
		['b'] = '\b',
		['f'] = '\f',
		['n'] = '\n',
		['r'] = '\r',
		['t'] = '\t',
	};
	char one = means[(unsigned char)s.p[i]];
	unsigned high, low;

	if (one != '\0') {
		*(*to)++ = one;
		return i + 1;
	}
	high = span_unit(s.p + i + 1);
	i += 5;
	if (high >= 0xd800 && high < 0xdc00 && s.n - i > 6 && s.p[i] == '\\' &&
	    s.p[i + 1] == 'u') {
		low = span_unit(s.p + i + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			high = 0x10000 + ((high - 0xd800) << 10) + low - 0xdc00;
			i += 6;
		}
	}
	*to += utf8_put(*to, high);
	return i;
}

/*
 * Copies up to the next backslash, or the end; extra bytes copied after it are
 * overwritten later, and stay inside the buffer, because `to` is never ahead.
 */
static size_t
span_put_plain(char **to, struct str s, size_t i)
{
	for (; s.n - i >= 8; i += 8, *to += 8) {
		uint64_t marks = span_skip_mark(span_skip_word(s.p + i), '\\');

		memcpy(*to, s.p + i, 8);
		if (marks == 0)
			continue;
		*to += span_skip_before(marks);
		return i + span_skip_before(marks);
	}
	while (i < s.n && s.p[i] != '\\')
		*(*to)++ = s.p[i++];
	return i;
}

size_t
span_plain(char *to, struct str v)
{
	struct str s = { v.p + 1, v.n - 2 };
	const char *begin = to;
	size_t i = 0;

	while ((i = span_put_plain(&to, s, i)) < s.n)
		do
			i = span_put_escape(&to, s, i + 1);
		while (i < s.n && s.p[i] == '\\');
	return (size_t)(to - begin);
}

bool
span_text(struct arena *a, struct str v, struct str *out)
{
	char *to;

	if (!span_is_text(v))
		return false;
	*out = (struct str){ v.p + 1, v.n - 2 };
	if (memchr(out->p, '\\', out->n) == NULL)
		return true;
	to = arena_alloc(a, v.n);
	*out = (struct str){ to, span_plain(to, v) };
	return true;
}

enum {
	SAYS_MAX = 64 /* the longest text that is compared */
};

bool
span_says(struct str v, struct str want)
{
	char plain[6 * SAYS_MAX];

	if (want.n > SAYS_MAX)
		err_bug("span_says: %.*s", STR_ARG(want));
	if (!span_is_text(v) || v.n < want.n + 2)
		return false;
	if (v.n == want.n + 2)
		return v.p[1] == want.p[0] &&
		    memcmp(v.p + 1, want.p, want.n) == 0;
	/* With escapes it is at most six times as long. */
	return v.n <= 6 * want.n + 2 && memchr(v.p, '\\', v.n) != NULL &&
	    str_eq((struct str){ plain, span_plain(plain, v) }, want);
}

/* The index of the wanted member with that name, or n. */
static size_t
span_find_want(const struct span_want *v, size_t n, struct str name)
{
	for (size_t k = 0; k < n; k++)
		if (v[k].value.p == NULL && span_says(name, v[k].key))
			return k;
	return n;
}

void
span_members(struct str object, struct span_want *v, size_t n)
{
	size_t i = 1, left = n;

	if (!span_is_object(object))
		return;
	while (left > 0 && (i = span_space(object, i)) < object.n &&
	    object.p[i] == '"') {
		size_t end = span_skip_string(object, i), from, k;

		k = span_find_want(v, n, (struct str){ object.p + i, end - i });
		/* Over the colon. */
		from = span_space(object, span_space(object, end) + 1);
		end = span_skip_value(object, from);
		if (k < n) {
			v[k].value =
			    (struct str){ object.p + from, end - from };
			left--;
		}
		i = span_space(object, end);
		if (i < object.n && object.p[i] == ',')
			i++;
	}
}

bool
span_member(struct str object, const char *key, struct str *value)
{
	struct span_want want = { .key = str_of(key) };

	span_members(object, &want, 1);
	if (want.value.p == NULL)
		return false;
	*value = want.value;
	return true;
}

bool
span_next(struct str array, size_t *at, struct str *element)
{
	size_t i, end;

	if (!span_is_array(array))
		return false;
	i = span_space(array, *at == 0 ? 1 : *at);
	if (i < array.n && array.p[i] == ',')
		i = span_space(array, i + 1);
	if (i >= array.n || array.p[i] == ']')
		return false;
	end = span_skip_value(array, i);
	*element = (struct str){ array.p + i, end - i };
	*at = end;
	return true;
}
