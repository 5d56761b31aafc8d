/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The message on the wire, RFC 5321 section 4.5.2.  Every line end is sent as
 * CRLF: a lone LF or CR that only some servers treat as a line end would allow
 * smuggling a second message into a first.
 */
#include "backend/smtp/internal.h"

#define LINE_MAX_BYTES 998 /* RFC 5322 section 2.1.1 */

/* The next line of *rest, which moves after it; false at the end. */
static bool
smtp_data_next_line(struct str *rest, struct str *line)
{
	size_t n = 0;

	if (rest->n == 0)
		return false;
	while (n < rest->n && rest->p[n] != '\n' && rest->p[n] != '\r')
		n++;
	*line = str_first(*rest, n);
	if (n + 1 < rest->n && rest->p[n] == '\r' && rest->p[n + 1] == '\n')
		n++;
	*rest = str_from(*rest, n + 1);
	return true;
}

int
smtp_data_check(struct str message, struct smtp_needs *out, struct err *e)
{
	struct str rest = message, line;

	*out = (struct smtp_needs){ 0 };
	if (message.n > LIMIT_OUTGOING)
		return err_set(e, ERR_LIMIT, "the message is too big");
	while (smtp_data_next_line(&rest, &line)) {
		if (line.n > LINE_MAX_BYTES)
			return err_set(e, ERR_LIMIT,
			    "a line of the message has more than 998 bytes");
		for (size_t i = 0; i < line.n; i++) {
			if (line.p[i] == '\0')
				return err_set(e, ERR_USAGE,
				    "the message contains a NUL byte");
			if ((unsigned char)line.p[i] >= 0x80)
				out->eightbit = true;
		}
		out->size += line.n + 2;
	}
	return 0;
}

int
smtp_data_put(struct wire *w, struct str message, struct err *e)
{
	struct str rest = message, line;

	while (smtp_data_next_line(&rest, &line)) {
		if (line.n > 0 && line.p[0] == '.' &&
		    wire_put(w, S("."), e) < 0)
			return -1;
		if (wire_put(w, line, e) < 0 || wire_put(w, S("\r\n"), e) < 0)
			return -1;
	}
	return 0;
}
