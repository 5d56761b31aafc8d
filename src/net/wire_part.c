/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines longer than the stream's buffer: an IMAP server answers a search with
 * one line, however many messages match.
 */
#include "net/internal.h"

int
wire_part(struct wire *w, struct str *out, bool *ended, struct err *e)
{
	const char *from, *end;
	size_t n;
	char c;

	/* Reading one byte fills the buffer; then the byte is put back. */
	if (w->in_at == w->in_n || w->out_n > 0) {
		if (wire_bytes(w, &c, 1, e) < 0)
			return -1;
		w->in_at--;
	}
	from = w->in + w->in_at;
	n = w->in_n - w->in_at;
	end = memchr(from, '\n', n);
	*ended = end != NULL;
	if (end != NULL)
		n = (size_t)(end - from) + 1;
	w->in_at += n;
	*out = (struct str){ from, n };
	return 0;
}
