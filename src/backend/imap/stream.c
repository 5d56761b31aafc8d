/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of a session's bytes: a wire as a struct imap_source.  Lines may
 * be longer than the wire's buffer, and longer than what is kept.
 */
#include "backend/imap/internal.h"
#include "base/buf.h"
#include "base/limits.h"

#define TAIL 32 /* a literal's mark */

/* Reads to the end of a line of which the beginning is in b. */
static int
imap_stream_skip_line(struct wire *w, struct buf *b, struct str part,
    bool ended, struct str *out, struct err *e)
{
	char tail[TAIL];
	size_t n = 0, skipped = 0;

	for (;;) {
		size_t some = part.n < TAIL ? part.n : TAIL;
		size_t stay = n + some > TAIL ? TAIL - some : n;

		memmove(tail, tail + n - stay, stay);
		memcpy(tail + stay, part.p + part.n - some, some);
		n = stay + some;
		skipped += part.n;
		if (ended)
			break;
		if (skipped > LIMIT_MESSAGE) {
			(void)err_set(e, ERR_LIMIT,
			    "the server's answer is too big");
			(void)err_because(e, "imap: line");
			return err_conn(e);
		}
		if (wire_part(w, &part, &ended, e) < 0)
			return -1;
	}
	/* The content is shorter than max, so there is room for the tail. */
	while (n > 0 && (tail[n - 1] == '\n' || tail[n - 1] == '\r'))
		n--;
	b->over = false;
	buf_add(b, tail, n);
	*out = buf_view(b);
	return 1;
}

static int
imap_stream_read_line(void *ctx, struct arena *a, size_t max, struct str *out,
    struct err *e)
{
	struct wire *w = ctx;
	bool ended = false;
	struct str part;
	struct buf b;

	buf_init(&b, a, max + 2 + TAIL);
	while (!ended) {
		if (wire_part(w, &part, &ended, e) < 0)
			return -1;
		if (part.n > max + 2 - b.n)
			return imap_stream_skip_line(w, &b, part, ended, out,
			    e);
		buf_str(&b, part);
	}
	*out = buf_view(&b);
	out->n--;
	if (out->n > 0 && out->p[out->n - 1] == '\r')
		out->n--;
	return 0;
}

static int
read_bytes(void *ctx, void *p, size_t n, struct err *e)
{
	return n > 0 ? wire_bytes(ctx, p, n, e) : 0;
}

struct imap_source
imap_stream_source(struct wire *w)
{
	return (struct imap_source){ imap_stream_read_line, read_bytes, w };
}
