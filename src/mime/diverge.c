/*
 * Do the plain text and the HTML of one message say the same?  Both are read
 * as words: case, white space, punctuation, markup of plain text and the
 * targets of links do not count.  A word is met in the other text when it
 * stands there beside the same neighbour, so that a sentence slipped in is not
 * covered by words that occur elsewhere.  Numbers, addresses and hosts are
 * what people act on, and count for more.
 *
 * Words are compared, not hashed: nobody can make two of them meet.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

#define TEXT_MAX (2UL << 20) /* longer texts are not compared */
#define WORD_MAX 64          /* longer words are cut up */
#define STUB_WORDS 40        /* "your program shows no HTML" says no more */

enum kind {
	WORD,
	NUMBER, /* four digits and more */
	PLACE,  /* an address or host; it has no neighbours */
	LINK,   /* a whole link, less its scheme; nor has it */
};

struct word {
	struct str s;
	enum kind kind;
	unsigned side; /* 0 plain, 1 HTML */
	uint32_t at;   /* place in its text's sequence or list of places */
	uint32_t id;   /* the same for the same words; 0 is no word */
};

/* One text as the ids of its words. */
struct side {
	uint32_t *id;
	unsigned char *kind;
	size_t n;
	uint32_t *place; /* ids of addresses, hosts and links */
	unsigned char *what;
	size_t places;
	uint64_t *pair; /* neighbours, sorted */
	uint32_t *set;  /* all its ids, sorted */
	size_t sets;
};

struct reader {
	struct arena *a;
	struct buf words; /* struct word */
	unsigned side;
	uint32_t at, places;
};

/* Capitals of the alphabets that have them, as far as mail needs it. */
static uint32_t
fold(uint32_t cp)
{
	if ((cp >= 'A' && cp <= 'Z') ||
	    (cp >= 0xC0 && cp <= 0xDE && cp != 0xD7) ||
	    (cp >= 0x391 && cp <= 0x3A9) || (cp >= 0x410 && cp <= 0x42F))
		return cp + 32;
	if (cp >= 0x400 && cp <= 0x40F)
		return cp + 80;
	if ((cp >= 0x100 && cp <= 0x137) || (cp >= 0x14A && cp <= 0x177))
		return cp | 1;
	return cp;
}

/* Punctuation, symbols and spaces beyond ASCII. */
static const struct {
	uint32_t from, to;
} signs[] = {
	{ 0x80, 0xA9 },
	{ 0xAB, 0xB4 },
	{ 0xB6, 0xB9 },
	{ 0xBB, 0xBF },
	{ 0xD7, 0xD7 },
	{ 0xF7, 0xF7 },
	{ 0x2000, 0x206F },
	{ 0x2100, 0x2BFF },
	{ 0x2E00, 0x2E7F },
	{ 0x3000, 0x3004 },
	{ 0x3008, 0x3020 },
	{ 0xFE00, 0xFE6F },
	{ 0xFF00, 0xFF0F },
	{ 0xFF1A, 0xFF20 },
	{ 0xFFF0, 0xFFFF },
	{ 0x1F000, 0x1FAFF },
};

static bool
is_word(uint32_t cp)
{
	if (cp < 0x80)
		return (cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z') ||
		    (cp >= 'A' && cp <= 'Z');
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (cp >= signs[i].from && cp <= signs[i].to)
			return false;
	return true;
}

/* Scripts without spaces: each character is a word. */
static bool
is_alone(uint32_t cp)
{
	return (cp >= 0x0E00 && cp <= 0x0EFF) ||
	    (cp >= 0x1000 && cp <= 0x109F) || (cp >= 0x1780 && cp <= 0x17FF) ||
	    (cp >= 0x3040 && cp <= 0x30FF) || (cp >= 0x3400 && cp <= 0x9FFF) ||
	    (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0x20000 && cp <= 0x3FFFF);
}

static void
add(struct reader *r, struct str s, enum kind kind)
{
	struct word w = { .s = s, .kind = kind, .side = r->side };

	if (s.n == 0)
		return;
	w.at = kind >= PLACE ? r->places++ : r->at++;
	buf_add(&r->words, &w, sizeof(w));
}

static void
add_word(struct reader *r, struct str s)
{
	size_t digits = 0;

	for (size_t i = 0; i < s.n; i++)
		digits += s.p[i] >= '0' && s.p[i] <= '9';
	add(r, s, digits >= 4 ? NUMBER : WORD);
}

static void
add_words(struct reader *r, struct str s)
{
	size_t from = 0, i = 0;

	while (i < s.n) {
		size_t at = i;
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (is_word(cp) && !is_alone(cp) && i - from <= WORD_MAX)
			continue;
		add_word(r, (struct str){ s.p + from, at - from });
		from = at;
		if (is_alone(cp))
			add_word(r, (struct str){ s.p + at, i - at });
		if (is_alone(cp) || !is_word(cp))
			from = i;
	}
	add_word(r, str_from(s, from));
}

/* Where a run of what can stand in a host or address ends. */
static size_t
place_end(struct str s, size_t i)
{
	while (i < s.n && strchr("<>()[]{}\"',;|*/?#:\\", s.p[i]) == NULL)
		i++;
	return i;
}

static struct str
without_dots(struct str s)
{
	while (s.n > 0 && strchr("._-!", s.p[s.n - 1]) != NULL)
		s.n--;
	while (s.n > 0 && strchr("._-", s.p[0]) != NULL)
		s = str_from(s, 1);
	return s;
}

/* What stands behind a link's scheme: its host is a place. */
static void
add_url(struct reader *r, struct str s)
{
	struct str host = str_first(s, place_end(s, 0));
	struct str user, rest;

	if (str_cut(host, '@', &user, &rest))
		host = rest;
	if (str_starts(host, S("www.")))
		host = str_from(host, 4);
	add(r, without_dots(host), PLACE);
	while (s.n > 0 && strchr(".,;:!?)]}>\"'*|", s.p[s.n - 1]) != NULL)
		s.n--;
	add(r, s, LINK);
}

/* An address around the "@" at i; false when there is none. */
static bool
add_address(struct reader *r, struct str s, size_t i)
{
	size_t from = i, end = place_end(s, i);

	while (from > 0 && strchr("<>()[]{}\"',;|*:", s.p[from - 1]) == NULL)
		from--;
	if (from == i || end - i < 3)
		return false;
	add_words(r, str_first(s, from));
	add(r, without_dots((struct str){ s.p + from, end - from }), PLACE);
	add_words(r, str_from(s, end));
	return true;
}

/* What stands between white space. */
static void
add_chunk(struct reader *r, struct str s)
{
	ptrdiff_t at = str_find(s, S("://"));
	size_t from;

	if (at < 0 && (at = str_find(s, S("mailto:"))) >= 0) {
		struct str to = str_from(s, (size_t)at + 7);

		add_words(r, str_first(s, (size_t)at));
		add(r, without_dots(str_first(to, place_end(to, 0))), PLACE);
		return;
	}
	if (at < 0 && str_starts(s, S("cid:")))
		return;
	if (at < 0 && str_starts(s, S("www."))) {
		add_url(r, s);
		return;
	}
	if (at >= 0) {
		from = (size_t)at;
		while (from > 0 && s.p[from - 1] >= 'a' && s.p[from - 1] <= 'z')
			from--;
		add_words(r, str_first(s, from));
		add_url(r, str_from(s, (size_t)at + 3));
		return;
	}
	at = str_find(s, S("@"));
	if (at >= 0 && add_address(r, s, (size_t)at))
		return;
	add_words(r, s);
}

static struct str
folded(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, 4 * s.n + 4);
	while (i < s.n) {
		bool ok = true;

		buf_utf8(&b, fold(utf8_next(s, &i, &ok)));
	}
	return buf_view(&b);
}

static void
read_side(struct reader *r, struct str text)
{
	struct str s = folded(r->a, mime_clean(r->a, text, NULL));
	size_t i = 0;

	while (i < s.n) {
		size_t from = i;

		while (i < s.n && (unsigned char)s.p[i] > ' ')
			i++;
		/* "<" before a link or address is no part of it. */
		while (from < i && strchr("<([\"'", s.p[from]) != NULL)
			from++;
		if (i > from)
			add_chunk(r, (struct str){ s.p + from, i - from });
		i++;
	}
}

static int
by_text(const void *x, const void *y)
{
	return str_cmp(((const struct word *)x)->s,
	    ((const struct word *)y)->s);
}

static int
by_pair(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

static int
by_id(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

static uint64_t
pair(const struct side *s, size_t i)
{
	uint64_t before = i > 0 ? s->id[i - 1] : 0;

	return before << 32 | (i < s->n ? s->id[i] : 0);
}

static void
sort_side(struct arena *a, struct side *s)
{
	s->pair = arena_array(a, s->n + 1, sizeof(*s->pair));
	for (size_t i = 0; i <= s->n; i++)
		s->pair[i] = pair(s, i);
	qsort(s->pair, s->n + 1, sizeof(*s->pair), by_pair);
	s->sets = s->n + s->places;
	s->set = arena_array(a, s->sets + 1, sizeof(*s->set));
	if (s->n > 0)
		memcpy(s->set, s->id, s->n * sizeof(*s->set));
	if (s->places > 0)
		memcpy(s->set + s->n, s->place, s->places * sizeof(*s->set));
	qsort(s->set, s->sets, sizeof(*s->set), by_id);
}

/* Words that are the same get the same number, in each of the two texts. */
static void
number(struct arena *a, struct reader *r, struct side side[2])
{
	struct word *w = (struct word *)(void *)r->words.p;
	size_t n = r->words.n / sizeof(*w);
	uint32_t id = 0;

	for (size_t k = 0; k < 2; k++) {
		side[k].id = arena_array(a, n + 1, sizeof(uint32_t));
		side[k].kind = arena_array(a, n + 1, 1);
		side[k].place = arena_array(a, n + 1, sizeof(uint32_t));
		side[k].what = arena_array(a, n + 1, 1);
	}
	qsort(w, n, sizeof(*w), by_text);
	for (size_t i = 0; i < n; i++) {
		struct side *s = &side[w[i].side];

		if (i == 0 || !str_eq(w[i].s, w[i - 1].s))
			id++;
		if (w[i].kind >= PLACE) {
			s->place[w[i].at] = id;
			s->what[w[i].at] = (unsigned char)w[i].kind;
			s->places++;
		} else {
			s->id[w[i].at] = id;
			s->kind[w[i].at] = (unsigned char)w[i].kind;
			s->n++;
		}
	}
	sort_side(a, &side[0]);
	sort_side(a, &side[1]);
}

static bool
has_pair(const struct side *s, uint64_t p)
{
	return bsearch(&p, s->pair, s->n + 1, sizeof(p), by_pair) != NULL;
}

static bool
has_id(const struct side *s, uint32_t id)
{
	return bsearch(&id, s->set, s->sets, sizeof(id), by_id) != NULL;
}

/* What `s` says and `other` does not. */
static void
measure(const struct side *s, const struct side *other,
    struct diverge_side *out)
{
	out->words = s->n;
	for (size_t i = 0; i < s->n; i++) {
		if (has_pair(other, pair(s, i)) ||
		    has_pair(other, pair(s, i + 1)))
			continue;
		out->moved++;
		if (has_id(other, s->id[i]))
			continue;
		out->only++;
		out->numbers += s->kind[i] == NUMBER;
	}
	for (size_t i = 0; i < s->places; i++) {
		if (has_id(other, s->place[i]))
			continue;
		out->places += s->what[i] == PLACE;
		out->links += s->what[i] == LINK;
	}
}

/* Words of a plain text that only says where to read the other. */
static bool
is_stub(struct str word)
{
	static const char *const words[] = { "html", "browser", "navigateur",
		"navegador" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_eq(word, str_of(words[i])))
			return true;
	return false;
}

static bool
has_stub(const struct reader *r)
{
	const struct word *w = (const struct word *)(const void *)r->words.p;

	for (size_t i = 0; i < r->words.n / sizeof(*w); i++)
		if (w[i].side == 0 && is_stub(w[i].s))
			return true;
	return false;
}

void
diverge_measure(struct str plain, struct str html, struct diverge *out)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct reader r = { .a = a };
	struct side side[2] = { { 0 }, { 0 } };

	*out = (struct diverge){ 0 };
	if (plain.n > TEXT_MAX || html.n > TEXT_MAX) {
		out->unread = true;
		return;
	}
	buf_init(&r.words, a, LIMIT_ARENA / 2);
	read_side(&r, plain);
	out->stub = has_stub(&r);
	r.side = 1;
	r.at = r.places = 0;
	read_side(&r, html);
	number(a, &r, side);
	measure(&side[0], &side[1], &out->plain);
	measure(&side[1], &side[0], &out->html);
}

/* Is it more than the odd word that this one says alone? */
static bool
is_much(const struct diverge_side *s, size_t places)
{
	size_t score =
	    s->only + 3 * s->numbers + 5 * places + (s->moved - s->only) / 2;

	return score > 0 && (4 * score >= s->words || score > 3 + s->words / 8);
}

/*
 * The plain text is what is read only when it says no more and no less than
 * the HTML: a "not" more or less makes another message of it.  To be told of,
 * the difference must be more than a preview line or a logo's name; and a
 * plain text that leaves out much of a newsletter says nothing else.
 */
enum diverge_verdict
diverge_judge(struct str plain, struct str html)
{
	struct diverge d;

	diverge_measure(plain, html, &d);
	if (d.unread)
		return str_eq(plain, html) ? DIVERGE_SAME : DIVERGE_MEANING;
	if (d.plain.moved + d.plain.places + d.plain.links + d.html.moved == 0)
		return DIVERGE_SAME;
	if (d.stub && d.plain.words <= STUB_WORDS &&
	    d.html.words > 2 * d.plain.words)
		return DIVERGE_WORDING;
	if (is_much(&d.plain, d.plain.places))
		return DIVERGE_MEANING;
	if (d.html.words <= d.plain.words + d.plain.words / 8 + 3 &&
	    is_much(&d.html, 0))
		return DIVERGE_MEANING;
	return DIVERGE_WORDING;
}
