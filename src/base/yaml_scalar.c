/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plain scalar is: the rules of PyYAML's resolver, which are those of
 * YAML 1.1's types bool, float, int, null and timestamp, tried in that order.
 */
#include "base/internal.h"

#include <string.h>

/* One of the words between blanks. */
static bool
is_word_of(const char *words, struct str s)
{
	struct str rest = str_of(words), word;

	while (rest.n > 0) {
		str_cut(rest, ' ', &word, &rest);
		if (str_eq(word, s))
			return true;
	}
	return false;
}

/* Takes as many of these characters as there are, at most `max`. */
static size_t
take_chars(struct str *s, const char *set, size_t max)
{
	size_t n = 0;

	while (n < s->n && n < max && str_has_char(str_of(set), s->p[n]))
		n++;
	*s = str_from(*s, n);
	return n;
}

static bool
take_char(struct str *s, const char *set)
{
	return take_chars(s, set, 1) == 1;
}

#define DIGITS "0123456789"

/* ":" and a number below 60, once or more. */
static bool
take_sixtieths(struct str *s)
{
	size_t n = 0;

	for (; s->n > 0 && *s->p == ':'; n++) {
		*s = str_from(*s, 1);
		if (s->n > 1 && strchr("012345", *s->p) != NULL &&
		    strchr(DIGITS, s->p[1]) != NULL)
			*s = str_from(*s, 2);
		else if (!take_char(s, DIGITS))
			return false;
	}
	return n > 0;
}

static bool
scalar_is_float(struct str s)
{
	struct str whole = s, t;
	bool sign = take_char(&s, "-+");

	if (is_word_of(".inf .Inf .INF", s) ||
	    is_word_of(".nan .NaN .NAN", whole))
		return true;
	t = s;
	if (take_char(&t, DIGITS)) {
		take_chars(&t, DIGITS "_", SIZE_MAX);
		if (t.n > 0 && *t.p == ':') {
			if (!take_sixtieths(&t) || !take_char(&t, "."))
				return false;
			take_chars(&t, DIGITS "_", SIZE_MAX);
			return t.n == 0;
		}
		if (!take_char(&t, "."))
			return false;
		take_chars(&t, DIGITS "_", SIZE_MAX);
	} else {
		if (sign || !take_char(&t, ".") || !take_char(&t, DIGITS))
			return false;
		take_chars(&t, DIGITS "_", SIZE_MAX);
	}
	if (t.n == 0)
		return true;
	return take_char(&t, "eE") && take_char(&t, "-+") &&
	    take_chars(&t, DIGITS, SIZE_MAX) > 0 && t.n == 0;
}

/* The digits of a base, without "_"; false when the number is too large. */
static bool
scalar_count(struct str s, unsigned base, uint64_t *n)
{
	bool some = false;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '_')
			continue;
		if (__builtin_mul_overflow(*n, base, n) ||
		    __builtin_add_overflow(*n, (unsigned)str_hex(s.p[i]), n))
			return false;
		some = true;
	}
	return some;
}

/* Digits of base ten, and of base sixty after each ":". */
static bool
scalar_count_sixtieths(struct str s, uint64_t *n)
{
	struct str part, rest = s;
	uint64_t sum = 0, one;

	while (rest.n > 0) {
		one = 0;
		str_cut(rest, ':', &part, &rest);
		if (!scalar_count(part, 10, &one) ||
		    __builtin_mul_overflow(sum, 60U, &sum) ||
		    __builtin_add_overflow(sum, one, &sum))
			return false;
	}
	*n = sum;
	return true;
}

/* Is it an integer?  *fits says whether *out holds it. */
static bool
scalar_is_int(struct str s, int64_t *out, bool *fits)
{
	bool minus = s.n > 0 && *s.p == '-';
	struct str t;
	uint64_t n = 0;

	take_char(&s, "-+");
	t = s;
	if (str_starts(s, S("0b")) || str_starts(s, S("0x"))) {
		bool two = s.p[1] == 'b';

		t = s = str_from(s, 2);
		if (take_chars(&t, two ? "01_" : DIGITS "abcdefABCDEF_",
			SIZE_MAX) == 0 ||
		    t.n > 0)
			return false;
		*fits = scalar_count(s, two ? 2 : 16, &n);
	} else if (take_char(&t, "0")) {
		take_chars(&t, "01234567_", SIZE_MAX);
		if (t.n > 0)
			return false;
		*fits = scalar_count(s, 8, &n);
	} else {
		if (take_chars(&t, DIGITS, 1) == 0)
			return false;
		take_chars(&t, DIGITS "_", SIZE_MAX);
		if (t.n > 0 && (!take_sixtieths(&t) || t.n > 0))
			return false;
		*fits = scalar_count_sixtieths(s, &n);
	}
	*fits = *fits && n <= (uint64_t)INT64_MAX;
	if (*fits)
		*out = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool
take_two(struct str *s)
{
	return take_chars(s, DIGITS, 2) == 2;
}

/* The time zone, or nothing. */
static bool
scalar_is_zone(struct str s)
{
	take_chars(&s, " \t", SIZE_MAX);
	if (take_char(&s, "Z"))
		return s.n == 0;
	if (!take_char(&s, "-+") || take_chars(&s, DIGITS, 2) == 0)
		return false;
	return s.n == 0 || (take_char(&s, ":") && take_two(&s) && s.n == 0);
}

static bool
scalar_is_timestamp(struct str s)
{
	struct str whole = s;

	if (take_chars(&s, DIGITS, 4) < 4 || !take_char(&s, "-") ||
	    take_chars(&s, DIGITS, 2) == 0 || !take_char(&s, "-") ||
	    take_chars(&s, DIGITS, 2) == 0)
		return false;
	if (s.n == 0)
		return whole.n == 10;
	if (!take_char(&s, "Tt") && take_chars(&s, " \t", SIZE_MAX) == 0)
		return false;
	if (take_chars(&s, DIGITS, 2) == 0 || !take_char(&s, ":") ||
	    !take_two(&s) || !take_char(&s, ":") || !take_two(&s))
		return false;
	if (take_char(&s, "."))
		take_chars(&s, DIGITS, SIZE_MAX);
	return s.n == 0 || scalar_is_zone(s);
}

struct yaml_scalar
yaml_scalar_plain(struct str s)
{
	struct yaml_scalar v = { .type = YAML_TYPE_STR };
	bool fits = false;

	if (s.n == 0 || is_word_of("~ null Null NULL", s)) {
		v.type = YAML_TYPE_NULL;
	} else if (is_word_of("yes Yes YES true True TRUE on On ON", s)) {
		v.type = YAML_TYPE_BOOL;
		v.truth = true;
	} else if (is_word_of("no No NO false False FALSE off Off OFF", s)) {
		v.type = YAML_TYPE_BOOL;
	} else if (is_word_of("<< =", s)) {
		v.type = YAML_TYPE_REFUSED;
	} else if (scalar_is_float(s)) {
		v.type = YAML_TYPE_FLOAT;
	} else if (scalar_is_int(s, &v.n, &fits)) {
		v.type = fits ? YAML_TYPE_INT : YAML_TYPE_INT_WIDE;
	} else if (scalar_is_timestamp(s)) {
		v.type = YAML_TYPE_TIMESTAMP;
	}
	return v;
}
