/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 8259, strictly, in one pass and without recursion. */
#include "base/utf8.h"
#include "skill/span.h"
#include "skill/span_skip.h"

enum {
	KEY_MAX = 20 /* the longest of the names below */
};

struct check {
	struct str s;
	size_t i, depth;
	char open[SPAN_DEPTH];
	/* The names below that this object has had. */
	uint32_t had[SPAN_DEPTH];
	/* Bit set of the names with this length. */
	uint32_t long_as[KEY_MAX + 1];
};

/*
 * Every name span_member() looks up; duplicates of other names are the caller's
 * business.
 */
static const struct str name[] = { SI("messages"), SI("input"), SI("tools"),
	SI("tool_choice"), SI("role"), SI("type"), SI("content"), SI("text"),
	SI("name"), SI("id"), SI("tool_calls"), SI("function"), SI("arguments"),
	SI("tool_call_id"), SI("call_id"), SI("output"), SI("tool_use_id"),
	SI("previous_response_id"), SI("conversation"), SI("server_label"),
	SI("data"), SI("status"), SI("skill"), SI("mark") };

enum {
	IS_SPACE = 1,
	IS_ESCAPE = 2, /* after a backslash, alone */
};

static const unsigned char is[256] = {
	[' '] = IS_SPACE,
	['\t'] = IS_SPACE,
	['\r'] = IS_SPACE,
	['\n'] = IS_SPACE,
	['b'] = IS_ESCAPE,
	['f'] = IS_ESCAPE,
	['n'] = IS_ESCAPE,
	['r'] = IS_ESCAPE,
	['t'] = IS_ESCAPE,
	['"'] = IS_ESCAPE,
	['\\'] = IS_ESCAPE,
	['/'] = IS_ESCAPE,
};

static bool
is_a(const struct check *c, unsigned what)
{
	return c->i < c->s.n && (is[(unsigned char)c->s.p[c->i]] & what) != 0;
}

static bool
span_check_digits(struct check *c)
{
	size_t from = c->i;

	while (c->i < c->s.n && isdigit((unsigned char)c->s.p[c->i]))
		c->i++;
	return c->i > from;
}

static bool
span_check_is_at(const struct check *c, char x)
{
	return c->i < c->s.n && c->s.p[c->i] == x;
}

/* Section 6. */
static bool
span_check_number(struct check *c)
{
	if (span_check_is_at(c, '-'))
		c->i++;
	if (span_check_is_at(c, '0'))
		c->i++;
	else if (!span_check_digits(c))
		return false;
	if (span_check_is_at(c, '.')) {
		c->i++;
		if (!span_check_digits(c))
			return false;
	}
	if (span_check_is_at(c, 'e') || span_check_is_at(c, 'E')) {
		c->i++;
		if (span_check_is_at(c, '+') || span_check_is_at(c, '-'))
			c->i++;
		return span_check_digits(c);
	}
	return true;
}

static bool
span_check_escape(struct check *c)
{
	c->i++;
	if (is_a(c, IS_ESCAPE)) {
		c->i++;
		return true;
	}
	if (!span_check_is_at(c, 'u') || c->s.n - c->i < 5)
		return false;
	for (size_t k = 1; k <= 4; k++)
		if (str_hex(c->s.p[c->i + k]) < 0)
			return false;
	c->i += 5;
	return true;
}

/*
 * Skips text without quotes, backslashes or control characters; true if some of
 * it was not ASCII.
 */
static bool
span_check_plain(struct check *c)
{
	uint64_t seen = 0;

	for (; c->s.n - c->i >= 8; c->i += 8) {
		uint64_t x = span_skip_word(c->s.p + c->i);
		uint64_t marks = span_skip_mark(x, '"') |
		    span_skip_mark(x, '\\') | span_skip_below(x, 0x20);

		if (marks != 0) {
			/* Of the bytes before the lowest mark. */
			seen |= x & ((marks & -marks) - 1);
			c->i += span_skip_before(marks);
			return (seen & SPAN_SKIP_HIGH) != 0;
		}
		seen |= x;
	}
	for (; c->i < c->s.n; c->i++) {
		unsigned char b = (unsigned char)c->s.p[c->i];

		if (b == '"' || b == '\\' || b < 0x20)
			break;
		seen |= b;
	}
	return (seen & SPAN_SKIP_HIGH) != 0;
}

/* Goes back to just after the first byte that is not UTF-8, if there is one. */
static bool
span_check_is_utf8(struct check *c, size_t from)
{
	struct str s = str_first(c->s, c->i);
	bool ok = true;

	if (utf8_valid(str_from(s, from)))
		return true;
	while (ok)
		(void)utf8_next(s, &from, &ok);
	c->i = from;
	return false;
}

/*
 * Section 7.  Non-ASCII text is checked after the whole string is known, but
 * the first fault is reported.
 */
static bool
span_check_string(struct check *c)
{
	size_t from = ++c->i;
	bool letters = false, good = true;

	while (good) {
		letters = span_check_plain(c) || letters;
		if (!span_check_is_at(c, '\\'))
			break;
		do
			good = span_check_escape(c);
		while (good && span_check_is_at(c, '\\'));
	}
	if (letters && !span_check_is_utf8(c, from))
		return false;
	if (!good || !span_check_is_at(c, '"'))
		return false;
	c->i++;
	return true;
}

static bool
span_check_word(struct check *c, struct str want)
{
	if (!str_starts(str_from(c->s, c->i), want))
		return false;
	c->i += want.n;
	return true;
}

static void
span_check_space(struct check *c)
{
	while (is_a(c, IS_SPACE))
		c->i++;
}

/* Records a name; false: it was there before. */
static bool
span_check_note(struct check *c, size_t from)
{
	struct str v = { c->s.p + from, c->i - from };
	struct str key = { v.p + 1, v.n - 2 };
	char room[6 * KEY_MAX];
	uint32_t *had = &c->had[c->depth - 1];

	/* With escapes a name is at most six times as long. */
	if (key.n > sizeof(room))
		return true;
	if (memchr(key.p, '\\', key.n) != NULL)
		key = (struct str){ room, span_plain(room, v) };
	if (key.n > KEY_MAX)
		return true;
	for (uint32_t m = c->long_as[key.n]; m != 0; m &= m - 1) {
		int k = __builtin_ctz(m);

		if (key.p[0] != name[k].p[0] || !str_eq(key, name[k]))
			continue;
		if (*had & (m & -m))
			return false;
		*had |= m & -m;
		break;
	}
	return true;
}

enum step {
	STEP_BAD,
	STEP_DEEP,
	STEP_TWICE,
	STEP_OPEN,  /* a value follows */
	STEP_CLOSE, /* a value is complete */
};

/* A member's name and its colon. */
static enum step
span_check_key(struct check *c)
{
	size_t from = c->i;

	if (!span_check_is_at(c, '"') || !span_check_string(c))
		return STEP_BAD;
	if (!span_check_note(c, from))
		return STEP_TWICE;
	span_check_space(c);
	if (!span_check_is_at(c, ':'))
		return STEP_BAD;
	c->i++;
	return STEP_OPEN;
}

static enum step
span_check_opened(struct check *c)
{
	if (c->depth == SPAN_DEPTH)
		return STEP_DEEP;
	c->had[c->depth] = 0;
	c->open[c->depth++] = c->s.p[c->i++];
	span_check_space(c);
	if (span_check_is_at(c, c->open[c->depth - 1] == '{' ? '}' : ']')) {
		c->i++;
		c->depth--;
		return STEP_CLOSE;
	}
	return c->open[c->depth - 1] == '{' ? span_check_key(c) : STEP_OPEN;
}

static enum step
span_check_value(struct check *c)
{
	bool good;

	span_check_space(c);
	switch (c->i < c->s.n ? c->s.p[c->i] : '\0') {
	case '{':
	case '[':
		return span_check_opened(c);
	case '"':
		good = span_check_string(c);
		break;
	case 't':
		good = span_check_word(c, S("true"));
		break;
	case 'f':
		good = span_check_word(c, S("false"));
		break;
	case 'n':
		good = span_check_word(c, S("null"));
		break;
	default:
		good = span_check_number(c);
	}
	return good ? STEP_CLOSE : STEP_BAD;
}

/* After a value: another, or the end of its container. */
static enum step
span_check_after(struct check *c)
{
	bool object = c->open[c->depth - 1] == '{';

	span_check_space(c);
	if (span_check_is_at(c, ',')) {
		c->i++;
		span_check_space(c);
		return object ? span_check_key(c) : STEP_OPEN;
	}
	if (!span_check_is_at(c, object ? '}' : ']'))
		return STEP_BAD;
	c->i++;
	c->depth--;
	return STEP_CLOSE;
}

int
span_check(struct str text, struct err *e)
{
	struct check c;
	enum step step;

	c.s = text;
	c.i = c.depth = 0;
	memset(c.long_as, 0, sizeof(c.long_as));
	for (size_t k = 0; k < sizeof(name) / sizeof(name[0]); k++)
		c.long_as[name[k].n] |= (uint32_t)1 << k;
	span_check_space(&c);
	step = span_check_is_at(&c, '{') ? span_check_opened(&c) : STEP_BAD;
	while (step == STEP_OPEN || (step == STEP_CLOSE && c.depth > 0))
		step = step == STEP_OPEN ? span_check_value(&c)
					 : span_check_after(&c);
	span_check_space(&c);
	if (step == STEP_DEEP)
		return err_set(e, ERR_LIMIT,
		    "the JSON is nested deeper than %d levels", SPAN_DEPTH);
	if (step == STEP_TWICE)
		return err_set(e, ERR_USAGE,
		    "the JSON has a member twice, at byte %zu", c.i);
	if (step != STEP_CLOSE || c.i != text.n)
		return err_set(e, ERR_USAGE,
		    "the JSON is not a valid object, at byte %zu", c.i);
	return 0;
}
