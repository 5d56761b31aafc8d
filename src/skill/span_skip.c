/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skips a value.  Mail in a tool's result is long, and full of escapes: it is
 * read in blocks of 64 bytes with a bit for each, without branches that depend
 * on the text.  Most texts are short, so the first bytes are read one by one.
 */
#include "skill/span_skip.h"

#include <stdbool.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
	BLOCK = 64,
	SHORT = 64 /* bytes of a text, before it is a long one */
};

/* A bit for each of 64 bytes that is c once `fold` is set in it. */
#ifdef __SSE2__
static inline uint64_t
span_skip_find(const char *p, char c, char fold)
{
	const __m128i want = _mm_set1_epi8(c), set = _mm_set1_epi8(fold);
	uint64_t bits = 0;

	for (size_t k = 0; k < BLOCK; k += 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(p + k));

		x = _mm_cmpeq_epi8(_mm_or_si128(x, set), want);
		bits |= (uint64_t)(unsigned)_mm_movemask_epi8(x) << k;
	}
	return bits;
}
#else
static inline uint64_t
span_skip_find(const char *p, char c, char fold)
{
	uint64_t bits = 0;

	for (size_t k = 0; k < BLOCK; k += 8) {
		uint64_t x = span_skip_word(p + k);

		x |= (unsigned char)fold * SPAN_SKIP_ONES;
		x ^= (unsigned char)c * SPAN_SKIP_ONES;
		/* Exact: nothing is carried from one byte into another. */
		x = ~(((x & ~SPAN_SKIP_HIGH) + ~SPAN_SKIP_HIGH) | x) &
		    SPAN_SKIP_HIGH;
		/* The eight marks side by side. */
		x = (x >> 7) * UINT64_C(0x0102040810204080) >> 56;
		bits |= x << k;
	}
	return bits;
}
#endif

/*
 * The bytes after a backslash that escapes.  In a run of backslashes every
 * second one does: adding the run's first bit to it carries to the bit after
 * its end, and whether that index is even shows the run's parity.  *pending:
 * the previous block ended in such a backslash.
 */
static inline uint64_t
span_skip_escaped(uint64_t back, uint64_t *pending)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t behind, odd, sum;

	back &= ~*pending;
	behind = back << 1 | *pending;
	odd = back & ~even & ~behind;
	*pending = __builtin_add_overflow(odd, back, &sum);
	return (even ^ sum << 1) & behind;
}

/* Quotes that begin or end a string. */
static inline uint64_t
span_skip_quotes(const char *p, uint64_t *pending)
{
	uint64_t quote = span_skip_find(p, '"', 0);

	return quote & ~span_skip_escaped(span_skip_find(p, '\\', 0), pending);
}

/*
 * Is the quote at i escaped?  There is no other between `from`, which is after
 * complete escapes, and i.
 */
static bool
span_skip_is_escaped(struct str s, size_t from, size_t i)
{
	size_t k = i;

	while (k > from && s.p[k - 1] == '\\')
		k--;
	return (i - k) % 2 != 0;
}

/* From inside a string; most contain no quotes. */
static size_t
skip_text(struct str s, size_t i)
{
	const char *quote = i < s.n ? memchr(s.p + i, '"', s.n - i) : NULL;
	uint64_t pending = 0;
	size_t at;

	if (quote == NULL)
		return s.n;
	at = (size_t)(quote - s.p);
	if (!span_skip_is_escaped(s, i, at))
		return at + 1;
	i = at + 1;
	for (; s.n - i >= BLOCK; i += BLOCK) {
		uint64_t end = span_skip_quotes(s.p + i, &pending);

		if (end != 0)
			return i + (size_t)__builtin_ctzll(end) + 1;
	}
	i += pending != 0 && i < s.n;
	while (i < s.n && s.p[i] != '"')
		i += s.p[i] == '\\' && s.n - i > 1 ? 2 : 1;
	return i < s.n ? i + 1 : i;
}

size_t
span_skip_string(struct str s, size_t i)
{
	size_t far = s.n - i > SHORT ? i + SHORT : s.n;

	for (i++; i < far;) {
		uint64_t x, marks;

		if (s.n - i < 8)
			break;
		x = span_skip_word(s.p + i);
		marks = span_skip_mark(x, '"') | span_skip_mark(x, '\\');
		if (marks == 0) {
			i += 8;
			continue;
		}
		i += span_skip_before(marks);
		if (s.p[i] == '"')
			return i + 1;
		i += s.n - i < 2 ? 1 : 2;
	}
	return skip_text(s, i);
}

/* The index after the number or word that begins at i. */
static size_t
skip_scalar(struct str s, size_t i)
{
	while (i < s.n && s.p[i] != ',' && s.p[i] != '}' && s.p[i] != ']' &&
	    s.p[i] != ' ' && s.p[i] != '\n' && s.p[i] != '\r' && s.p[i] != '\t')
		i++;
	return i;
}

/* A bit is set if an odd number of bits up to and including it is set. */
static uint64_t
span_skip_parity(uint64_t x)
{
	for (unsigned by = 1; by < BLOCK; by *= 2)
		x ^= x << by;
	return x;
}

/* The bracket that brings the depth to 0: a bit of `close`, or 0. */
static inline uint64_t
span_skip_last_of(uint64_t open, uint64_t close, size_t *depth)
{
	for (uint64_t any = open | close; any != 0; any &= any - 1)
		if (any & -any & open)
			++*depth;
		else if (--*depth == 0)
			return any & -any;
	return 0;
}

/* In an object or array, outside a string; true if its end was found. */
static bool
skip_blocks(struct str s, size_t *i, size_t *depth)
{
	uint64_t pending = 0, inside = 0;

	for (; s.n - *i >= BLOCK; *i += BLOCK) {
		uint64_t text =
		    span_skip_parity(span_skip_quotes(s.p + *i, &pending)) ^
		    inside;
		uint64_t open, close, end;

		if (text == UINT64_MAX) {
			/* A long text: skipped at once. */
			*i = skip_text(s, *i + BLOCK + (pending != 0)) - BLOCK;
			pending = inside = 0;
			continue;
		}
		/* '{' and '[', '}' and ']' differ only in that bit. */
		open = span_skip_find(s.p + *i, '{', 0x20) & ~text;
		close = span_skip_find(s.p + *i, '}', 0x20) & ~text;
		end = span_skip_last_of(open, close, depth);
		if (end != 0) {
			*i += (size_t)__builtin_ctzll(end) + 1;
			return true;
		}
		inside = 0 - (text >> 63);
	}
	if (inside != 0)
		*i = skip_text(s, *i + (pending != 0 && *i < s.n));
	return false;
}

enum edge {
	EDGE_NONE,
	EDGE_TEXT,
	EDGE_OPEN,
	EDGE_CLOSE,
};

static const unsigned char edge_of[256] = {
	['"'] = EDGE_TEXT,
	['{'] = EDGE_OPEN,
	['['] = EDGE_OPEN,
	['}'] = EDGE_CLOSE,
	[']'] = EDGE_CLOSE,
};

/* The index after the object or array that begins at i. */
static size_t
skip_nest(struct str s, size_t i)
{
	size_t depth = 0;

	if (skip_blocks(s, &i, &depth))
		return i;
	while (i < s.n) {
		switch (edge_of[(unsigned char)s.p[i]]) {
		case EDGE_TEXT:
			i = span_skip_string(s, i);
			continue;
		case EDGE_OPEN:
			depth++;
			break;
		case EDGE_CLOSE:
			if (--depth == 0)
				return i + 1;
			break;
		default:
			break;
		}
		i++;
	}
	return i;
}

size_t
span_skip_value(struct str s, size_t i)
{
	if (i == s.n)
		return i;
	switch (edge_of[(unsigned char)s.p[i]]) {
	case EDGE_TEXT:
		return span_skip_string(s, i);
	case EDGE_OPEN:
		return skip_nest(s, i);
	default:
		return skip_scalar(s, i);
	}
}
