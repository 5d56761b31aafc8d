/* RFC 8259, strictly, in one pass and without recursion. */
#include "base/utf8.h"
#include "skill/span.h"

struct check {
	struct str s;
	size_t i, depth;
	char open[SPAN_DEPTH];
	/* Which of the names below this object has had. */
	uint32_t had[SPAN_DEPTH];
};

/* All that span_member() is asked for; what is twice of others is theirs. */
static const struct str name[] = { SI("messages"), SI("input"), SI("tools"),
	SI("tool_choice"), SI("role"), SI("type"), SI("content"), SI("text"),
	SI("name"), SI("id"), SI("tool_calls"), SI("function"), SI("arguments"),
	SI("tool_call_id"), SI("call_id"), SI("output"), SI("tool_use_id"),
	SI("previous_response_id"), SI("conversation"), SI("server_label"),
	SI("data"), SI("status"), SI("skill"), SI("mark") };

static bool
is_digit(const struct check *c)
{
	return c->i < c->s.n && c->s.p[c->i] >= '0' && c->s.p[c->i] <= '9';
}

static bool
digits(struct check *c)
{
	size_t from = c->i;

	while (is_digit(c))
		c->i++;
	return c->i > from;
}

static bool
is_at(const struct check *c, const char *any)
{
	for (; c->i < c->s.n && *any != '\0'; any++)
		if (c->s.p[c->i] == *any)
			return true;
	return false;
}

/* Section 6. */
static bool
number(struct check *c)
{
	if (is_at(c, "-"))
		c->i++;
	if (is_at(c, "0"))
		c->i++;
	else if (!digits(c))
		return false;
	if (is_at(c, ".")) {
		c->i++;
		if (!digits(c))
			return false;
	}
	if (is_at(c, "eE")) {
		c->i++;
		if (is_at(c, "+-"))
			c->i++;
		return digits(c);
	}
	return true;
}

static bool
escape(struct check *c)
{
	c->i++;
	if (is_at(c, "\"\\/bfnrt")) {
		c->i++;
		return true;
	}
	if (!is_at(c, "u") || c->s.n - c->i < 5)
		return false;
	for (int k = 1; k <= 4; k++)
		if (str_hex(c->s.p[c->i + (size_t)k]) < 0)
			return false;
	c->i += 5;
	return true;
}

/* Does one of the eight bytes at p need a look: a quote, a backslash, a control
 * character, or what is no ASCII? */
static bool
is_special(const char *p)
{
	const uint64_t ones = 0x0101010101010101U, high = 0x80 * ones;
	uint64_t x, quote, back;

	memcpy(&x, p, sizeof(x));
	quote = x ^ ('"' * ones);
	back = x ^ ('\\' * ones);
	return ((x | (x - 0x20 * ones) | (quote - ones) | (back - ones)) &
		   high) != 0;
}

/* Section 7. */
static bool
string(struct check *c)
{
	bool ok;

	for (c->i++; c->i < c->s.n;) {
		unsigned char b;

		while (c->s.n - c->i >= 8 && !is_special(c->s.p + c->i))
			c->i += 8;
		if (c->i == c->s.n)
			break;
		b = (unsigned char)c->s.p[c->i];
		if (b == '"') {
			c->i++;
			return true;
		}
		if (b == '\\') {
			if (!escape(c))
				return false;
		} else if (b < 0x20) {
			return false;
		} else if (b < 0x80) {
			c->i++;
		} else {
			(void)utf8_next(c->s, &c->i, &ok);
			if (!ok)
				return false;
		}
	}
	return false;
}

static bool
word(struct check *c, const char *w)
{
	struct str want = str_of(w);

	if (!str_starts(str_from(c->s, c->i), want))
		return false;
	c->i += want.n;
	return true;
}

static void
space(struct check *c)
{
	while (is_at(c, " \t\r\n"))
		c->i++;
}

/* Notes the name that stands there; false: it has stood there before. */
static bool
note(struct check *c, size_t from)
{
	struct str v = { c->s.p + from, c->i - from };
	bool escaped = memchr(v.p, '\\', v.n) != NULL;

	for (size_t k = 0; k < sizeof(name) / sizeof(name[0]); k++) {
		uint32_t bit = (uint32_t)1 << k;

		if (!escaped && v.n != name[k].n + 2)
			continue;
		if (!span_says(v, name[k].p))
			continue;
		if (c->had[c->depth - 1] & bit)
			return false;
		c->had[c->depth - 1] |= bit;
	}
	return true;
}

enum step {
	STEP_BAD,
	STEP_DEEP,
	STEP_TWICE,
	STEP_OPEN,  /* a value is to follow */
	STEP_CLOSE, /* a value is over */
};

/* A member's name and its colon. */
static enum step
key(struct check *c)
{
	size_t from = c->i;

	if (!is_at(c, "\"") || !string(c))
		return STEP_BAD;
	if (!note(c, from))
		return STEP_TWICE;
	space(c);
	if (!is_at(c, ":"))
		return STEP_BAD;
	c->i++;
	return STEP_OPEN;
}

static enum step
opened(struct check *c)
{
	if (c->depth == SPAN_DEPTH)
		return STEP_DEEP;
	c->had[c->depth] = 0;
	c->open[c->depth++] = c->s.p[c->i++];
	space(c);
	if (is_at(c, c->open[c->depth - 1] == '{' ? "}" : "]")) {
		c->i++;
		c->depth--;
		return STEP_CLOSE;
	}
	return c->open[c->depth - 1] == '{' ? key(c) : STEP_OPEN;
}

static enum step
value(struct check *c)
{
	bool good;

	space(c);
	if (is_at(c, "{["))
		return opened(c);
	if (is_at(c, "\""))
		good = string(c);
	else if (is_at(c, "tfn"))
		good = word(c, "true") || word(c, "false") || word(c, "null");
	else
		good = number(c);
	return good ? STEP_CLOSE : STEP_BAD;
}

/* Behind a value: another, or the end of what holds it. */
static enum step
after(struct check *c)
{
	bool object = c->open[c->depth - 1] == '{';

	space(c);
	if (is_at(c, ",")) {
		c->i++;
		space(c);
		return object ? key(c) : STEP_OPEN;
	}
	if (!is_at(c, object ? "}" : "]"))
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
	space(&c);
	step = is_at(&c, "{") ? opened(&c) : STEP_BAD;
	while (step == STEP_OPEN || (step == STEP_CLOSE && c.depth > 0))
		step = step == STEP_OPEN ? value(&c) : after(&c);
	space(&c);
	if (step == STEP_DEEP)
		return err_set(e, ERR_LIMIT,
		    "the JSON is nested deeper than %d levels", SPAN_DEPTH);
	if (step == STEP_TWICE)
		return err_set(e, ERR_USAGE,
		    "the JSON names a member twice, at byte %zu", c.i);
	if (step != STEP_CLOSE || c.i != text.n)
		return err_set(e, ERR_USAGE,
		    "the JSON is no valid object, at byte %zu", c.i);
	return 0;
}
