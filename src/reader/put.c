#include "reader/internal.h"

static void
reader_put_number(struct buf *b, uint64_t n)
{
	buf_add(b, &n, sizeof(n));
}

static void
reader_put_text(struct buf *b, struct str s)
{
	reader_put_number(b, s.n);
	buf_str(b, s);
}

void
reader_put(struct buf *b, const struct reader_said *s)
{
	const struct html_found *f = &s->found;

	reader_put_text(b, s->text);
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		reader_put_number(b, f->hidden[i]);
	reader_put_number(b, f->tracking);
	reader_put_number(b, f->over);
	reader_put_number(b, f->links);
	for (size_t i = 0; i < f->links; i++) {
		reader_put_text(b, f->link[i].text);
		reader_put_text(b, f->link[i].url);
		reader_put_number(b, f->link[i].mismatch);
	}
}
