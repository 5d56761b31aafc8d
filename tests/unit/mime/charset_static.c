/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The static program's charsets against iconv(3): every pair of bytes of each
 * charset that mail may name, texts of random bytes and escape sequences, and
 * texts that iconv(3) wrote.
 */
#include "../rows.h"

#include <errno.h>
#include <iconv.h>

#include "mime/charset_table.h"
#include "mime/internal.h"

enum {
	TEXTS = 100, /* random ones, of each charset */
	TEXT = 600
};

/* As charset_convert_shared.c. */
static struct str
referee(struct arena *a, iconv_t cd, struct str bytes)
{
	struct buf b;
	char chunk[4096], *out, *in = (char *)bytes.p;
	size_t left = bytes.n, room, r;
	int why;

	buf_init(&b, a, 4 * bytes.n + 16);
	(void)iconv(cd, NULL, NULL, NULL, NULL);
	while (left > 0) {
		out = chunk;
		room = sizeof(chunk);
		r = iconv(cd, &in, &left, &out, &room);
		why = errno;
		buf_add(&b, chunk, sizeof(chunk) - room);
		if (r != (size_t)-1 || why == E2BIG)
			continue;
		buf_utf8(&b, 0xFFFD);
		if (why != EILSEQ || left == 0)
			break;
		in++;
		left--;
	}
	out = chunk;
	room = sizeof(chunk);
	(void)iconv(cd, NULL, NULL, &out, &room);
	buf_add(&b, chunk, sizeof(chunk) - room);
	return buf_view(&b);
}

/* A few bytes from there on. */
static const char *
hex(struct arena *a, struct str s, size_t at)
{
	struct buf b;

	buf_init(&b, a, 8 * TEXT);
	for (size_t i = at; i < s.n && i < at + TEXT; i++)
		buf_fmt(&b, "%02x", (unsigned char)s.p[i]);
	return str_c(a, buf_view(&b));
}

/* What is wanted is what iconv(3) makes of it, if there is one to ask. */
static void
same(const char *name, iconv_t cd, struct str bytes, struct str want)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str got;
	size_t at = 0;
	struct buf b;

	if (cd != NULL)
		want = referee(a, cd, bytes);
	buf_init(&b, a, 4 * bytes.n + 16);
	assert_true(charset_convert(&b, name, bytes));
	got = buf_view(&b);
	while (at < got.n && at < want.n && got.p[at] == want.p[at])
		at++;
	if (at < got.n || at < want.n)
		fail_msg("%s: at %zu there is %.24s, not %.24s, of %s", name,
		    at, hex(a, got, at), hex(a, want, at), hex(a, bytes, 0));
}

/* Behind each of them a letter, a space and what ends a line. */
static void
pairs(const char *name, iconv_t cd)
{
	static const char behind[] = { 'a', ' ', '\n' };
	char text[256 * 3];

	for (unsigned first = 0; first < 256; first++)
		for (size_t k = 0; k < sizeof(behind); k++) {
			for (unsigned i = 0; i < 256; i++) {
				text[3 * i] = (char)first;
				text[3 * i + 1] = (char)i;
				text[3 * i + 2] = behind[k];
			}
			/* Of this pair iconv(3) takes three bytes. */
			if (strcmp(name, "CP949") == 0 && first == 0xA2)
				text[3 * 0xE8 + 1] = '\xA1';
			same(name, cd, (struct str){ text, sizeof(text) },
			    S(""));
		}
}

static unsigned
next_random(uint32_t *state)
{
	*state = *state * 1664525U + 1013904223U;
	return *state >> 16;
}

/* Any charset's escape sequence: in the wrong charset it is one, too. */
static const char *
sequence(uint32_t *state)
{
	static const char *const strange[] = { "(", "$", "$(", "$(H", "$)B",
		"$)C", "$*", "$+", "(H", ".", ".B", "%G", "\x1b", "\x1b(B" };
	const struct charset_escape *t = charset_escape_table;
	unsigned n = next_random(state) % 40;

	if (n < sizeof(strange) / sizeof(strange[0]))
		return strange[n];
	for (n = next_random(state) % 64; n > 0; n--)
		t = t[1].charset != NULL ? t + 1 : charset_escape_table;
	return t->bytes;
}

/* A byte that begins a character, a shift, or an escape sequence. */
static size_t
piece(char *p, const char *name, uint32_t *state)
{
	static const char *const other[] = { "\x0e", "\x0f", "\x1bN", "\x1bO",
		"\x1b(B", "\n", "a" };
	bool escapes = strncmp(name, "ISO-2022-", 9) == 0;
	unsigned n = next_random(state) % 40;
	const char *s;

	if (!escapes || n >= 14) {
		p[0] = (char)(escapes ? 0x21 + next_random(state) % 94
				      : next_random(state) % 256);
		return 1;
	}
	if (n >= 7)
		*p++ = '\x1b';
	s = n < 7 ? other[n] : sequence(state);
	memcpy(p, s, strlen(s));
	return strlen(s) + (n < 7 ? 0 : 1);
}

static void
texts(const char *name, iconv_t cd, uint32_t *state)
{
	char text[TEXT + 8];

	for (unsigned i = 0; i < TEXTS; i++) {
		size_t n = 0, most = 1 + next_random(state) % TEXT;

		while (n < most)
			n += piece(text + n, name, state);
		same(name, cd, (struct str){ text, n }, S(""));
	}
}

/* Four bytes, as GB18030 and EUC-TW have them. */
static void
fours(const char *name, iconv_t cd, const char *lead, uint32_t *state)
{
	char text[4 * 128];

	for (unsigned i = 0; i < 4 * TEXTS; i++) {
		for (unsigned k = 0; k < sizeof(text); k++)
			text[k] = (char)(lead[0] == '\x8e'
				? 0xa1 + next_random(state) % 94
				: k % 2 == 0 ? 0x81 + next_random(state) % 126
					     : 0x30 + next_random(state) % 10);
		for (unsigned k = 0; k < sizeof(text); k += 4)
			if (lead[0] == '\x8e') {
				text[k] = lead[0];
				text[k + 1] =
				    (char)(0xa1 + next_random(state) % 16);
			} else if (next_random(state) % 4 != 0) {
				text[k] = (char)(0x81 + next_random(state) % 4);
			}
		same(name, cd, (struct str){ text, sizeof(text) }, S(""));
	}
}

/* A letter, an ideograph, a syllable or what ends a line. */
static uint32_t
character(uint32_t *state)
{
	static const uint32_t first[] = { 'a', 0xA1, 0x391, 0x3041, 0x4E00,
		0xAC00, 0x20000, '\n' },
			      many[] = { 26, 0x2E0, 0x80, 0x60, 0x51A6, 0x2BA4,
				      0xA6D7, 1 };
	unsigned i = next_random(state) % 8;

	return first[i] + next_random(state) % many[i];
}

/* Of UTF-7 that is not well-formed iconv(3) skips now a byte, now two. */
static bool
is_odd(const char *name)
{
	return strcmp(name, "UTF-7") == 0;
}

/* Characters that the charset has, as iconv(3) writes them. */
static void
written(const char *name, iconv_t cd, uint32_t *state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	iconv_t write = iconv_open(name, "UTF-32LE");
	char text[8 * TEXT], *out;
	size_t left, room;
	struct buf want;

	assert_true(write != (iconv_t)-1);
	for (unsigned i = 0; i < TEXTS; i++) {
		(void)iconv(write, NULL, NULL, NULL, NULL);
		out = text;
		room = sizeof(text);
		buf_init(&want, a, 4 * TEXT);
		for (unsigned k = 0; k < TEXT; k++) {
			uint32_t cp = character(state);
			char *in = (char *)&cp;

			left = sizeof(cp);
			if (iconv(write, &in, &left, &out, &room) == 0)
				buf_utf8(&want, cp);
		}
		(void)iconv(write, NULL, NULL, &out, &room);
		same(name, is_odd(name) ? NULL : cd,
		    (struct str){ text, sizeof(text) - room }, buf_view(&want));
	}
	(void)iconv_close(write);
}

static void
charset(void **state)
{
	const char *name = *state;
	iconv_t cd = iconv_open("UTF-8", name);
	uint32_t seed = 20;

	assert_true(cd != (iconv_t)-1);
	written(name, cd, &seed);
	if (!is_odd(name)) {
		pairs(name, cd);
		texts(name, cd, &seed);
	}
	if (strcmp(name, "GB18030") == 0)
		fours(name, cd, "\x81", &seed);
	if (strcmp(name, "EUC-TW") == 0)
		fours(name, cd, "\x8e", &seed);
	(void)iconv_close(cd);
}

/* ISO-2022-CN, which iconv(3) does not even read as it writes it: RFC 1922. */
static const struct chinese {
	const char *why, *name;
	struct str in, want;
} chinese[] = {
	{ "GB 2312 and CNS 11643", "ISO-2022-CN",
	    SI("\x1b$)A\x0e=;;;\x1b$)GG(_P\x0f."),
	    SI("\u4ea4\u6362\u4ea4\u63db.") },
	{ "one character of plane 2", "ISO-2022-CN", SI("\x1b$*Ha\x1bN`gb"),
	    SI("a\u99f7b") },
	{ "one of plane 3", "ISO-2022-CN-EXT", SI("\x1b$+I\x1bO6<\n"),
	    SI("\u65c7\n") },
	{ "plane 3 is not in the smaller one", "ISO-2022-CN", SI("\x1b$+I"),
	    SI("\x1b$+I") },
	{ "half a character at the end", "ISO-2022-CN-EXT",
	    SI("\x1b$)A\x0e=;="), SI("\u4ea4\uFFFD") },
	{ "an escape sequence that is broken off", "ISO-2022-CN-EXT",
	    SI("a\x1b$\x0e"), SI("a\x1b$\uFFFD") },
};

static void
chinese_row(void **state)
{
	const struct chinese *r = *state;

	same(r->name, NULL, r->in, r->want);
}

/* Each once; what is HZ or UTF-16 to mail is GB18030 or UTF-16LE here. */
static bool
is_first(size_t i)
{
	static const char *const other[] = { "UTF-8", "UTF-16", "HZ" };
	const struct charset_label *l = charset_label_table;

	for (size_t k = 0; k < sizeof(other) / sizeof(other[0]); k++)
		if (strcmp(l[i].name, other[k]) == 0)
			return false;
	for (size_t k = 0; k < i; k++)
		if (strcmp(l[i].name, l[k].name) == 0)
			return false;
	if (strncmp(l[i].name, "ISO-2022-CN", 11) == 0)
		return false;
	/* They are read without charset_convert(). */
	return strcmp(l[i].name, "US-ASCII") != 0 &&
	    strcmp(l[i].name, "CP1252") != 0;
}

int
main(void)
{
	for (size_t i = 0; i < charset_label_count; i++)
		if (is_first(i))
			rows_add(charset_label_table[i].name, charset,
			    charset_label_table[i].name);
	ROWS(chinese, chinese_row);
	return cmocka_run_group_tests_name("mime/charset_static", rows_tests,
	    NULL, NULL);
}
