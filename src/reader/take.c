/* The other side may be anybody's: every number has a range. */
#include "base/utf8.h"
#include "reader/internal.h"

/* What is left of the bytes. */
struct taking {
	struct str rest;
	bool bad, utf8;
};

static uint64_t
reader_take_number(struct taking *t, uint64_t max)
{
	uint64_t n = 0;

	if (t->bad || t->rest.n < sizeof(n)) {
		t->bad = true;
		return 0;
	}
	memcpy(&n, t->rest.p, sizeof(n));
	t->rest = str_from(t->rest, sizeof(n));
	t->bad = n > max;
	return t->bad ? 0 : n;
}

static struct str
reader_take_text(struct taking *t, uint64_t max)
{
	size_t n = (size_t)reader_take_number(t, max);
	struct str s;

	if (n > t->rest.n)
		t->bad = true;
	if (t->bad)
		return S("");
	s = str_first(t->rest, n);
	t->rest = str_from(t->rest, n);
	t->bad = t->utf8 && !utf8_valid(s);
	return s;
}

bool
reader_take(struct str bytes, const struct reader_ask *ask, struct arena *a,
    struct reader_said *out)
{
	struct taking t = { .rest = bytes, .utf8 = ask->utf8 != 0 };
	struct html_found *f = &out->found;

	*out = (struct reader_said){ .text = reader_take_text(&t, ask->max) };
	/* No page has more of anything than it has bytes. */
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		f->hidden[i] = (size_t)reader_take_number(&t, ask->page + 1);
	f->tracking = (size_t)reader_take_number(&t, ask->page + 1);
	f->over = reader_take_number(&t, 1) != 0;
	f->links = (size_t)reader_take_number(&t, LIMIT_MIME_LINKS);
	f->link = arena_array(a, f->links, sizeof(*f->link));
	for (size_t i = 0; i < f->links; i++) {
		f->link[i].text = reader_take_text(&t, bytes.n);
		f->link[i].url = reader_take_text(&t, bytes.n);
		f->link[i].mismatch = reader_take_number(&t, 1) != 0;
	}
	return !t.bad && t.rest.n == 0;
}
