/* SPDX-License-Identifier: Apache-2.0 */
/* The text of one leaf, read on first use and kept. */
#include "base/utf8.h"
#include "mime/reading.h"

#define COMPARABLE (8UL << 20) /* per message, to limit the time */

enum state {
	READ = 1 << 0,
	LOOKED = 1 << 1, /* checked for words */
	WORDS = 1 << 2,
};

void
reading_text_init(struct reading_texts *t, struct arena *a,
    const struct mime_message *m, struct mime_reading *out)
{
	*t = (struct reading_texts){
		.a = a,
		.m = m,
		.room = { LIMIT_MIME_TEXT, LIMIT_MIME_TEXT },
		.comparable = COMPARABLE,
		.out = out,
	};
	t->v = arena_array(a, m->n, sizeof(*t->v));
	t->found = arena_array(a, m->n, sizeof(*t->found));
	t->state = arena_array(a, m->n, sizeof(*t->state));
}

/* Is it a view into the message?  Then it lives as long as the message. */
static bool
is_view(struct str s, const struct mime_part *p)
{
	return s.n > 0 && (uintptr_t)s.p >= (uintptr_t)p->body.p &&
	    (uintptr_t)s.p + s.n <= (uintptr_t)p->body.p + p->body.n;
}

/* The links are in memory that is freed soon: copies them. */
static void
reading_text_keep_found(struct arena *a, struct html_found *f)
{
	const struct html_link *from = f->link;

	f->link = arena_array(a, f->links, sizeof(*f->link));
	for (size_t i = 0; i < f->links; i++) {
		f->link[i] = from[i];
		f->link[i].text = str_dup(a, from[i].text);
		f->link[i].url = str_dup(a, from[i].url);
	}
}

/*
 * Decodes transfer encoding, charset, line ends and markup in steps.  Their
 * intermediate results are several times the size of the part, so they use an
 * arena that is freed here.
 */
static struct str
reading_text_read_part(struct reading_texts *t, size_t i, size_t *room)
{
	CLEANUP(arena_close) struct arena *passing = arena_open(LIMIT_ARENA);
	const struct mime_part *p = &t->m->part[i];
	struct str s = part_read(passing, p, &t->out->bad_charset);

	if (reading_type_is_html(p)) {
		s = html_text(passing, s, *room, &t->found[i]);
		reading_text_keep_found(t->a, &t->found[i]);
		t->out->truncated |= t->found[i].over;
	}
	if (s.n > *room) {
		s = utf8_first(s, *room);
		t->out->truncated = true;
	}
	*room -= s.n;
	return is_view(s, p) ? s : str_dup(t->a, s);
}

struct str
reading_text(struct reading_texts *t, size_t i)
{
	size_t *room = &t->room[reading_type_is_html(&t->m->part[i])];

	if (t->state[i] & READ)
		return t->v[i];
	t->state[i] |= READ;
	if (*room > 0)
		t->v[i] = reading_text_read_part(t, i, room);
	else
		t->out->truncated = true;
	return t->v[i];
}

static bool
reading_text_has_words(struct str s)
{
	size_t i = 0;

	while (i < s.n) {
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (cp > ' ' && cp != 0x7F && cp != 0xA0 && cp != 0x3000 &&
		    cp != 0xFEFF && (cp < 0x2000 || cp > 0x200F))
			return true;
	}
	return false;
}

bool
reading_text_speaks(struct reading_texts *t, size_t i)
{
	if (!(t->state[i] & LOOKED)) {
		t->state[i] |= LOOKED;
		if (reading_text_has_words(reading_text(t, i)))
			t->state[i] |= WORDS;
	}
	return (t->state[i] & WORDS) != 0;
}
