/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits texts into words.  White space and markup of plain text are ignored;
 * links and addresses are kept apart, and sentences and paragraphs are marked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/limits.h"
#include "html/html.h"
#include "mime/diverge.h"

#define LINK_MAX 1024 /* bytes of a link that is split at line ends */

/* The end of a run of characters that a host or address can contain. */
static size_t
words_place_end(struct str s, size_t i)
{
	while (i < s.n && strchr("<>()[]{}\"',;|*/?#:\\", s.p[i]) == NULL)
		i++;
	return i;
}

static struct str
words_without_dots(struct str s)
{
	while (s.n > 0 && strchr("._-!", s.p[s.n - 1]) != NULL)
		s.n--;
	while (s.n > 0 && strchr("._-", s.p[0]) != NULL)
		s = str_from(s, 1);
	return s;
}

static void
words_add_place(struct diverge_reader *r, struct str s, enum diverge_kind kind)
{
	diverge_word_add(r, str_lower(r->a, s), kind, 0);
}

/* The part of a link after its scheme. */
static void
words_add_url(struct diverge_reader *r, struct str s)
{
	struct str host = str_first(s, words_place_end(s, 0));
	struct str user, rest;

	if (str_cut(host, '@', &user, &rest))
		host = rest;
	if (str_starts_case(host, S("www.")))
		host = str_from(host, 4);
	words_add_place(r, words_without_dots(host), DIVERGE_HOST);
	while (s.n > 0 && strchr(".,;:!?)]}>\"'*|", s.p[s.n - 1]) != NULL)
		s.n--;
	words_add_place(r, s, DIVERGE_LINK);
}

/* An address around the "@" at i; false if there is none. */
static bool
words_add_address(struct diverge_reader *r, struct str s, size_t i)
{
	size_t from = i, end = words_place_end(s, i);

	while (from > 0 && strchr("<>()[]{}\"',;|*:", s.p[from - 1]) == NULL)
		from--;
	if (from == i || end - i < 3)
		return false;
	diverge_word_add_all(r, str_first(s, from));
	words_add_place(r,
	    words_without_dots((struct str){ s.p + from, end - from }),
	    DIVERGE_ADDRESS);
	diverge_word_add_all(r, str_from(s, end));
	return true;
}

/* The text between white space. */
static void
words_add_chunk(struct diverge_reader *r, struct str s)
{
	ptrdiff_t at = str_find(s, S("://"));
	size_t from;

	if (at < 0 && (at = str_find_case(s, S("mailto:"))) >= 0) {
		struct str to = str_from(s, (size_t)at + 7);

		diverge_word_add_all(r, str_first(s, (size_t)at));
		words_add_place(r,
		    words_without_dots(str_first(to, words_place_end(to, 0))),
		    DIVERGE_ADDRESS);
		return;
	}
	if (at < 0 && str_starts_case(s, S("cid:")))
		return;
	if (at < 0 && str_starts_case(s, S("www."))) {
		words_add_url(r, s);
		return;
	}
	if (at >= 0) {
		from = (size_t)at;
		while (from > 0 && (s.p[from - 1] | 0x20) >= 'a' &&
		    (s.p[from - 1] | 0x20) <= 'z')
			from--;
		diverge_word_add_all(r, str_first(s, from));
		words_add_url(r, str_from(s, (size_t)at + 3));
		return;
	}
	at = str_find(s, S("@"));
	if (at >= 0 && words_add_address(r, s, (size_t)at))
		return;
	diverge_word_add_all(r, s);
}

/* Does a sentence end with this chunk? */
static bool
words_ends_sentence(struct str s)
{
	while (s.n > 0 && strchr("\"')]*_>", s.p[s.n - 1]) != NULL)
		s.n--;
	return s.n > 1 && strchr(".!?", s.p[s.n - 1]) != NULL;
}

/* The number of bytes of white space at s.p[i]. */
static size_t
words_space(struct str s, size_t i)
{
	static const char *const spaces[] = { "\xC2\xA0", "\xE3\x80\x80",
		"\xE2\x80\xAF", "\xE2\x80\x83", "\xE2\x80\x82",
		"\xE2\x80\x89" };

	if ((unsigned char)s.p[i] <= ' ')
		return 1;
	for (size_t k = 0;
	     (s.p[i] & 0x80) && k < sizeof(spaces) / sizeof(spaces[0]); k++)
		if (str_starts(str_from(s, i), str_of(spaces[k])))
			return strlen(spaces[k]);
	return 0;
}

/* The end of the chunk at i: white space, or a link's ">" before it. */
static size_t
words_chunk_end(struct str s, size_t i)
{
	size_t end = i;
	const char *close;

	while (end < s.n && words_space(s, end) == 0)
		end++;
	if (!str_starts_case(str_from(s, i), S("<http")))
		return end;
	/* Plain text splits long links at its line ends. */
	close = memchr(s.p + i, '>', s.n - i < LINK_MAX ? s.n - i : LINK_MAX);
	if (close == NULL || memchr(s.p + i, ' ', (size_t)(close - s.p) - i))
		return end;
	return (size_t)(close - s.p) + 1 > end ? (size_t)(close - s.p) + 1
					       : end;
}

static void
words_end_sentence(struct diverge_reader *r, struct str chunk)
{
	struct diverge_word *last;

	if (!words_ends_sentence(chunk) || r->at == 0)
		return;
	last = (struct diverge_word *)(void *)(r->out.p + r->out.n) - 1;
	if (last->kind < DIVERGE_ADDRESS)
		last->flags |= DIVERGE_ENDS;
	r->begins = true;
}

/* Programs that convert HTML to plain text leave its "&#39;" in. */
static struct str
words_referred(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;

	if (!str_has_char(s, '&'))
		return s;
	buf_init(&b, a, 4 * s.n + 4);
	while (i < s.n) {
		uint32_t cp[2] = { 0 };
		size_t n = s.p[i] == '&' ? html_entity_read(s, i, true, cp) : 0;

		if (n > 0)
			buf_utf8(&b, cp[0]);
		else
			buf_char(&b, s.p[i]);
		if (n > 0 && cp[1] != 0)
			buf_utf8(&b, cp[1]);
		i += n > 0 ? n : 1;
	}
	return buf_view(&b);
}

static void
words_read_side(struct diverge_reader *r, struct str text)
{
	struct str s = clean_text(r->a,
	    r->side == 0 ? words_referred(r->a, text) : text, NULL);
	size_t i = 0, lines = 2;

	/*
	 * Folding lengthens no character except a bad byte, which becomes
	 * U+FFFD.
	 */
	r->room = arena_alloc(r->a, 3 * s.n + 4);
	r->begins = r->block = true;
	while (i < s.n) {
		size_t from = i, space;

		i = words_chunk_end(s, i);
		/* "<" before a link or address is not part of it. */
		while (from < i && strchr("<(\"'", s.p[from]) != NULL)
			from++;
		if (i > from) {
			struct str chunk = { s.p + from, i - from };

			/*
			 * In HTML, lines are blocks; in plain text, lines are
			 * wrapped.
			 */
			r->block |= lines > (r->side == 0);
			r->begins |= r->block;
			lines = 0;
			words_add_chunk(r, chunk);
			words_end_sentence(r, chunk);
		}
		space = i < s.n ? words_space(s, i) : 0;
		lines += space == 1 && s.p[i] == '\n';
		i += space > 0 ? space : i < s.n && i == from;
	}
}

static void
words_add_table(struct diverge_reader *r)
{
	r->side = 2;
	for (size_t k = 0; k < diverge_table_n; k++) {
		struct str rest = str_of(diverge_table[k].words), one;

		while (rest.n > 0) {
			(void)str_cut(rest, ' ', &one, &rest);
			diverge_word_add(r, one, DIVERGE_TABLE,
			    diverge_table[k].flag);
		}
	}
}

static int
words_by_text(const void *x, const void *y)
{
	return str_cmp(((const struct diverge_word *)x)->s,
	    ((const struct diverge_word *)y)->s);
}

static void
words_alloc(struct arena *a, struct diverge_text *t, size_t n)
{
	t->id = arena_array(a, n + 1, sizeof(*t->id));
	t->word = arena_array(a, n + 1, sizeof(*t->word));
	t->to = arena_array(a, n + 1, sizeof(*t->to));
	t->place = arena_array(a, n + 1, sizeof(*t->place));
	t->kind = arena_array(a, n + 1, 1);
	t->flags = arena_array(a, n + 1, sizeof(*t->flags));
	t->what = arena_array(a, n + 1, 1);
	t->alone = arena_array(a, n + 1, sizeof(*t->alone));
	t->near = arena_array(a, n + 1, sizeof(*t->near));
	t->spelt = arena_array(a, n + 1, sizeof(*t->spelt));
}

static void
words_put(struct diverge_text *t, const struct diverge_word *w, uint32_t id,
    unsigned flags)
{
	if (w->kind >= DIVERGE_ADDRESS) {
		t->place[w->at] = id;
		t->what[w->at] = w->kind;
		t->near[w->at] = w->near;
		t->spelt[w->at] = w->s;
		t->places++;
	} else {
		t->id[w->at] = id;
		t->word[w->at] = w->s;
		t->kind[w->at] = w->kind;
		t->flags[w->at] = (uint16_t)(w->flags | flags);
		t->n++;
	}
}

/* Equal words get the same id and the properties from the table. */
static void
words_number_all(const struct diverge_word *w, size_t n,
    struct diverge_text text[2])
{
	size_t i = 0;

	for (uint32_t id = 1; i < n; id++) {
		unsigned flags = 0;
		size_t end = i;

		for (; end < n && str_eq(w[end].s, w[i].s); end++)
			if (w[end].kind == DIVERGE_TABLE)
				flags |= w[end].flags;
			else if ((w[end].flags & DIVERGE_CAPITAL) == 0)
				flags |= DIVERGE_SMALL;
		for (; i < end; i++)
			if (w[i].kind != DIVERGE_TABLE)
				words_put(&text[w[i].side], &w[i], id, flags);
	}
}

void
diverge_words_read(struct arena *a, struct str plain, struct str html,
    struct diverge_text text[2])
{
	struct diverge_reader r = { .a = a };
	struct diverge_word *w;
	size_t n;

	buf_init(&r.out, a, LIMIT_ARENA / 2);
	words_read_side(&r, plain);
	r.side = 1;
	r.at = r.places = 0;
	words_read_side(&r, html);
	words_add_table(&r);
	w = (struct diverge_word *)(void *)r.out.p;
	n = r.out.n / sizeof(*w);
	qsort(w, n, sizeof(*w), words_by_text);
	words_alloc(a, &text[0], n);
	words_alloc(a, &text[1], n);
	words_number_all(w, n, text);
}
