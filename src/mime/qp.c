/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quoted-printable, RFC 2045 section 6.7.  Line by line, because white space
 * before a line end was added in transit and is removed; within a line
 * memchr(3) finds the next escape, so text with few of them is copied at full
 * speed.
 */
#include <string.h>

#include "mime/internal.h"

/* Decodes one line without its end; returns where the output ends. */
static char *
qp_line(char *out, const char *p, const char *end)
{
	while (p < end) {
		const char *eq = memchr(p, '=', (size_t)(end - p));
		size_t n = (size_t)((eq != NULL ? eq : end) - p);
		int c;

		memcpy(out, p, n);
		out += n;
		if (eq == NULL)
			break;
		c = str_hex_pair((struct str){ eq, (size_t)(end - eq) }, 1);
		if (c >= 0) {
			*out++ = (char)c;
			p = eq + 3;
		} else {
			*out++ = '=';
			p = eq + 1;
		}
	}
	return out;
}

struct str
qp_decode(struct arena *a, struct str in)
{
	char *out, *o;
	const char *p = in.p, *end;

	if (in.n == 0)
		return S("");
	o = out = arena_alloc(a, in.n);
	end = in.p + in.n;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl != NULL ? nl : end;
		const char *next = nl != NULL ? nl + 1 : end;
		bool crlf = nl != NULL && nl > p && nl[-1] == '\r';

		if (crlf)
			stop--;
		while (stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
			stop--;
		if (stop > p && stop[-1] == '=') {
			o = qp_line(o, p, stop - 1); /* a soft line break */
		} else {
			o = qp_line(o, p, stop);
			if (crlf)
				*o++ = '\r';
			if (nl != NULL)
				*o++ = '\n';
		}
		p = next;
	}
	return (struct str){ out, (size_t)(o - out) };
}
