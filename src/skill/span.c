/* Values inside a JSON text; span_check.c has seen to it that it is one. */
#include "skill/span.h"

#include "base/utf8.h"

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

size_t
span_space(struct str s, size_t i)
{
	while (i < s.n && is_space(s.p[i]))
		i++;
	return i;
}

/*
 * Behind the string that begins at i: the first quote with no backslash of its
 * own.  Each run of backslashes is counted once, so this is linear.
 */
static size_t
skip_string(struct str s, size_t i)
{
	size_t first = i + 1, k;
	const char *quote;

	do {
		i++;
		quote = i < s.n ? memchr(s.p + i, '"', s.n - i) : NULL;
		if (quote == NULL)
			return s.n;
		i = (size_t)(quote - s.p);
		for (k = i; k > first && s.p[k - 1] == '\\'; k--)
			;
	} while ((i - k) % 2 != 0);
	return i + 1;
}

/* Behind the value that begins at i. */
static size_t
skip_value(struct str s, size_t i)
{
	size_t depth = 0;

	while (i < s.n) {
		char c = s.p[i];

		if (c == '"') {
			i = skip_string(s, i);
		} else if (c == '{' || c == '[') {
			depth++;
			i++;
			continue;
		} else if (c == '}' || c == ']') {
			if (depth == 0)
				return i;
			depth--;
			i++;
		} else if (depth == 0 && (c == ',' || is_space(c))) {
			return i;
		} else {
			i++;
			continue;
		}
		if (depth == 0)
			return i;
	}
	return i;
}

static bool
begins(struct str v, char c)
{
	return v.n > 0 && v.p[0] == c;
}

bool
span_is_object(struct str v)
{
	return begins(v, '{');
}

bool
span_is_array(struct str v)
{
	return begins(v, '[');
}

bool
span_is_text(struct str v)
{
	return begins(v, '"');
}

bool
span_is_null(struct str v)
{
	return begins(v, 'n');
}

struct str
span_root(struct str text)
{
	return str_trim(text);
}

static unsigned
unit(const char *p)
{
	unsigned u = 0;

	for (int i = 0; i < 4; i++)
		u = u << 4 | (unsigned)str_hex(p[i]);
	return u;
}

/* An escape behind its backslash, RFC 8259 section 7; a surrogate without its
 * other half is U+FFFD.  What comes out is never longer than what was there. */
static size_t
put_escape(char **to, struct str s, size_t i)
{
	static const char from[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	const char *at = memchr(from, s.p[i], sizeof(from) - 1);
	unsigned high, low;

	if (at != NULL) {
		*(*to)++ = means[at - from];
		return i + 1;
	}
	high = unit(s.p + i + 1);
	i += 5;
	if (high >= 0xd800 && high < 0xdc00 && s.n - i > 6 && s.p[i] == '\\' &&
	    s.p[i + 1] == 'u') {
		low = unit(s.p + i + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			high = 0x10000 + ((high - 0xd800) << 10) + low - 0xdc00;
			i += 6;
		}
	}
	*to += utf8_put(*to, high);
	return i;
}

bool
span_text(struct arena *a, struct str v, struct str *out)
{
	char *begin, *to;
	size_t i = 1;

	if (!span_is_text(v))
		return false;
	*out = (struct str){ v.p + 1, v.n - 2 };
	if (memchr(out->p, '\\', out->n) == NULL)
		return true;
	begin = to = arena_alloc(a, v.n);
	while (i < v.n - 1)
		if (v.p[i] == '\\')
			i = put_escape(&to, v, i + 1);
		else
			*to++ = v.p[i++];
	*out = (struct str){ begin, (size_t)(to - begin) };
	return true;
}

bool
span_says(struct str v, const char *want)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct str text = str_of(want), got;

	if (!span_is_text(v))
		return false;
	if (memchr(v.p, '\\', v.n) == NULL)
		return str_eq((struct str){ v.p + 1, v.n - 2 }, text);
	/* Written in escapes it is at most six times as long. */
	if (v.n > 6 * text.n + 2)
		return false;
	a = arena_open(64 << 10);
	return span_text(a, v, &got) && str_eq(got, text);
}

bool
span_member(struct str object, const char *key, struct str *value)
{
	size_t i = 1;

	if (!span_is_object(object))
		return false;
	while ((i = span_space(object, i)) < object.n && object.p[i] == '"') {
		size_t end = skip_string(object, i), from;
		bool found =
		    span_says((struct str){ object.p + i, end - i }, key);

		/* Over the colon. */
		from = span_space(object, span_space(object, end) + 1);
		end = skip_value(object, from);
		if (found) {
			*value = (struct str){ object.p + from, end - from };
			return true;
		}
		i = span_space(object, end);
		if (i < object.n && object.p[i] == ',')
			i++;
	}
	return false;
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
	end = skip_value(array, i);
	*element = (struct str){ array.p + i, end - i };
	*at = end;
	return true;
}
