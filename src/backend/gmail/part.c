/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a batch's answer, RFC 2046 section 5.1.1, each an HTTP answer.
 * One pass, and nothing is trusted: the caller checks the number.
 */
#include <string.h>

#include "backend/gmail/internal.h"

/* The value of a parameter, without quotes. */
static struct str
gmail_part_param(struct str type, struct str name)
{
	ptrdiff_t at = str_find_case(type, name);
	struct str v, tail;

	if (at < 0)
		return S("");
	v = str_from(type, (size_t)at + name.n);
	if (str_starts(v, S("\""))) {
		(void)str_cut(str_from(v, 1), '"', &v, &tail);
		return v;
	}
	(void)str_cut(v, ';', &v, &tail);
	return str_trim(v);
}

bool
gmail_part_open(struct gmail_parts *p, struct str type, struct str body)
{
	struct str mark = gmail_part_param(type, S("boundary="));

	if (!str_starts_case(type, S("multipart/mixed")) || mark.n == 0 ||
	    mark.n > 70)
		return false;
	memcpy(p->mark, "--", 2);
	memcpy(p->mark + 2, mark.p, mark.n);
	p->mark_n = mark.n + 2;
	p->rest = body;
	return true;
}

/* The next line, without its end. */
static struct str
gmail_part_line(struct str *rest)
{
	struct str head;

	(void)str_cut(*rest, '\n', &head, rest);
	if (str_ends(head, S("\r")))
		head.n--;
	return head;
}

/* Up to the next boundary at the start of a line; rest goes on after it. */
static bool
gmail_part_next_mark(struct gmail_parts *p, struct str *before)
{
	struct str mark = { p->mark, p->mark_n }, at = p->rest;

	while (at.n > 0) {
		struct str here = at, l = gmail_part_line(&at);

		if (!str_starts(l, mark))
			continue;
		*before = str_first(p->rest, p->rest.n - here.n);
		/* "--boundary--" is the last. */
		p->ended = str_starts(str_from(l, mark.n), S("--"));
		p->rest = at;
		return true;
	}
	return false;
}

/* "<response-m7>", or without brackets: 7. */
static bool
gmail_part_read_at(struct str id, size_t *at)
{
	uint32_t n;

	id = str_trim(id);
	if (str_starts(id, S("<")) && str_ends(id, S(">")))
		id = str_first(str_from(id, 1), id.n - 2);
	if (!str_starts_case(id, S("response-m")) ||
	    !str_to_u32(str_from(id, 10), 1000, &n))
		return false;
	*at = n;
	return true;
}

/* The value when the line is that field. */
static bool
gmail_part_is_field(struct str l, struct str name, struct str *value)
{
	if (!str_starts_case(l, name))
		return false;
	*value = str_trim(str_from(l, name.n));
	return true;
}

/* "HTTP/1.1 200 OK" and the fields after it. */
static bool
gmail_part_read_answer(struct str rest, struct gmail_part *out)
{
	struct str l = gmail_part_line(&rest), value, head, tail;
	uint32_t status, wait;

	(void)str_cut(l, ' ', &head, &tail);
	(void)str_cut(tail, ' ', &tail, &value);
	if (!str_starts(head, S("HTTP/")) || !str_to_u32(tail, 599, &status) ||
	    status < 100)
		return false;
	out->status = (int)status;
	while (rest.n > 0 && (l = gmail_part_line(&rest)).n > 0)
		if (gmail_part_is_field(l, S("Retry-After:"), &value) &&
		    str_to_u32(value, LIMIT_RETRY_AFTER_S, &wait))
			out->retry_after_s = wait;
	out->body = str_trim(rest);
	return true;
}

int
gmail_part_next(struct gmail_parts *p, struct gmail_part *out)
{
	struct str part, l, value;
	bool known = false;

	*out = (struct gmail_part){ 0 };
	/* Ignores everything before the first boundary. */
	if (!p->begun && !gmail_part_next_mark(p, &part))
		return -1;
	p->begun = true;
	if (p->ended)
		return 0;
	if (!gmail_part_next_mark(p, &part))
		return -1;
	while (part.n > 0 && (l = gmail_part_line(&part)).n > 0)
		if (gmail_part_is_field(l, S("Content-ID:"), &value))
			known = gmail_part_read_at(value, &out->at);
	return known && gmail_part_read_answer(part, out) ? 1 : -1;
}
