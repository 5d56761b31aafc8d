/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libevent's parser accepts requests that two parsers can read differently:
 * folded lines, bare line feeds, two lengths, no Host (RFC 9112 sections 2.2,
 * 3.2, 5.1, 5.2, 6.3).  So the raw bytes are checked against the grammar before
 * libevent gets them.
 */
#include "door/http/internal.h"

enum {
	BAD = 400,
	TOO_LARGE = 413,
	HEAD_TOO_LARGE = 431,
	NOT_DONE = 501,
	BAD_VERSION = 505
};

size_t
http_strict_max(const struct http *h)
{
	return h->routes->body_max > 0 ? h->routes->body_max : LIMIT_MCP_BODY;
}

/* Headers that emcli uses may occur once. */
enum field_index {
	FIELD_HOST,
	FIELD_LENGTH,
	FIELD_ENCODING,
	FIELDS_SINGLE = 10
};

static const struct str single[FIELDS_SINGLE] = {
	[FIELD_HOST] = SI("host"),
	[FIELD_LENGTH] = SI("content-length"),
	[FIELD_ENCODING] = SI("transfer-encoding"),
	SI("content-type"),
	SI("authorization"),
	SI("origin"),
	SI("mcp-session-id"),
	SI("mcp-protocol-version"),
	SI("mcp-method"),
	SI("mcp-name"),
};

struct head {
	unsigned seen[FIELDS_SINGLE];
	size_t lines;
	uint64_t length;
};

/* RFC 9110 section 5.6.2. */
static bool
http_strict_is_token(struct str s)
{
	static const char others[] = "!#$%&'*+-.^_`|~";

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!(c >= '0' && c <= '9') &&
		    !((c | 32) >= 'a' && (c | 32) <= 'z') &&
		    memchr(others, c, sizeof(others) - 1) == NULL)
			return false;
	}
	return s.n > 0;
}

static bool
http_strict_is_visible(struct str s, const char *also)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] <= ' ' || s.p[i] > '~') &&
		    (s.p[i] == '\0' || strchr(also, s.p[i]) == NULL))
			return false;
	return true;
}

/* Only the origin form: a path, without a host that could differ. */
static int
http_strict_request_line(struct str line)
{
	struct str method, target, version;

	if (!str_cut(line, ' ', &method, &line) ||
	    !str_cut(line, ' ', &target, &version) ||
	    !http_strict_is_token(method) || !str_starts(target, S("/")) ||
	    str_starts(target, S("//")) || str_has_char(target, '#') ||
	    !http_strict_is_visible(target, ""))
		return BAD;
	if (!str_eq(version, S("HTTP/1.1")))
		return str_starts(version, S("HTTP/")) ? BAD_VERSION : BAD;
	return 0;
}

static int
http_strict_field(struct head *h, struct str line)
{
	struct str name, value;

	if (++h->lines > LIMIT_MCP_HEAD_LINES)
		return HEAD_TOO_LARGE;
	if (!str_cut(line, ':', &name, &value) || !http_strict_is_token(name) ||
	    !http_strict_is_visible(value, " \t"))
		return BAD;
	value = str_trim(value);
	for (size_t i = 0; i < FIELDS_SINGLE; i++) {
		if (!str_eq_case(name, single[i]))
			continue;
		if (h->seen[i]++ > 0)
			return BAD;
		if (i == FIELD_ENCODING)
			return NOT_DONE;
		if (i == FIELD_HOST && value.n == 0)
			return BAD;
		if (i == FIELD_LENGTH &&
		    !str_to_u64(value, UINT64_MAX, &h->length))
			return BAD;
	}
	return 0;
}

/* A complete head, with the empty line at its end. */
static int
http_strict_judge(struct http_strict *s)
{
	struct str rest = { s->head, s->n }, line;
	struct head h = { 0 };
	int status = 0;

	for (size_t i = 0; status == 0; i++) {
		(void)str_cut(rest, '\n', &line, &rest);
		line.n--; /* the CR */
		if (line.n == 0)
			break;
		status = i == 0 ? http_strict_request_line(line)
				: http_strict_field(&h, line);
	}
	if (status != 0)
		return status;
	if (h.seen[FIELD_HOST] != 1)
		return BAD;
	if (h.length > (s->max > 0 ? s->max : LIMIT_MCP_BODY))
		return TOO_LARGE;
	s->declared = s->body = (size_t)h.length;
	s->n = 0;
	return 0;
}

/* One byte of a head. */
static int
http_strict_add(struct http_strict *s, char c)
{
	bool ends = s->n > 0 && s->head[s->n - 1] == '\r';

	if (c == '\0' || (c == '\n') != ends)
		return BAD;
	if (s->n == sizeof(s->head))
		return HEAD_TOO_LARGE;
	s->head[s->n++] = c;
	if (c != '\n')
		return 0;
	if (s->n == 2)
		return BAD;
	return str_ends((struct str){ s->head, s->n }, S("\r\n\r\n"))
	    ? http_strict_judge(s)
	    : 0;
}

int
http_strict_feed(struct http_strict *s, const char *p, size_t n)
{
	int status = 0;

	while (n > 0 && status == 0) {
		size_t skip = s->body < n ? s->body : n;

		if (skip > 0) {
			s->body -= skip;
		} else {
			status = http_strict_add(s, *p);
			skip = 1;
		}
		p += skip;
		n -= skip;
	}
	return status;
}

bool
http_strict_open(const struct http_strict *s)
{
	return s->n > 0 || s->body > 0;
}
