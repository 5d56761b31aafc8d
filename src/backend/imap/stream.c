/*
 * Where a session's bytes come from: a wire seen as a struct imap_source.
 * Lines may be longer than the wire's own buffer.
 */
#include "backend/imap/internal.h"
#include "base/buf.h"

static int
read_line(void *ctx, struct arena *a, size_t max, struct str *out,
    struct err *e)
{
	struct wire *w = ctx;
	bool ended = false;
	struct str part;
	struct buf b;

	buf_init(&b, a, max + 2);
	while (!ended && !b.over) {
		if (wire_part(w, &part, &ended, e) < 0)
			return -1;
		buf_str(&b, part);
	}
	*out = buf_view(&b);
	if (!b.over) {
		out->n--;
		if (out->n > 0 && out->p[out->n - 1] == '\r')
			out->n--;
	}
	if (b.over || out->n > max) {
		(void)err_set(e, ERR_LIMIT, "the server's answer is too big");
		(void)err_because(e, "imap: line");
		return err_conn(e);
	}
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
	return (struct imap_source){ read_line, read_bytes, w };
}
