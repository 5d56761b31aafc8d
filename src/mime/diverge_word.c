/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one word at a time.  Case, punctuation and number formats are ignored:
 * "don't" is one word, "1,000.50" is read as its digits.
 */
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "mime/diverge.h"

#define WORD_MAX 64 /* longer words are split */

/* Capitals of the alphabets that have them, as far as mail needs. */
static uint32_t
word_fold(uint32_t cp)
{
	if ((cp >= 'A' && cp <= 'Z') ||
	    (cp >= 0xC0 && cp <= 0xDE && cp != 0xD7) ||
	    (cp >= 0x391 && cp <= 0x3A9) || (cp >= 0x410 && cp <= 0x42F))
		return cp + 32;
	if (cp >= 0x400 && cp <= 0x40F)
		return cp + 80;
	if ((cp >= 0x100 && cp <= 0x137) || (cp >= 0x14A && cp <= 0x177))
		return cp | 1;
	/* Digits and letters in full width. */
	if (cp >= 0xFF10 && cp <= 0xFF19)
		return cp - 0xFF10 + '0';
	return cp;
}

/* Punctuation, symbols and spaces beyond ASCII. */
static const struct {
	uint32_t from, to;
} word_sign[] = {
	{ 0x80, 0xA2 },
	{ 0xA4, 0xA4 },
	{ 0xA6, 0xA9 },
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
	{ 0xFF01, 0xFF0F },
	{ 0xFF1A, 0xFF20 },
	{ 0xFFF0, 0xFFFF },
	{ 0x1F000, 0x1FAFF },
};

static bool
word_is_digit(uint32_t cp)
{
	return (cp >= '0' && cp <= '9') || (cp >= 0xFF10 && cp <= 0xFF19);
}

static bool
word_is_letter(uint32_t cp)
{
	if (cp < 0x80)
		return word_is_digit(cp) || (cp >= 'a' && cp <= 'z') ||
		    (cp >= 'A' && cp <= 'Z');
	for (size_t i = 0; i < sizeof(word_sign) / sizeof(word_sign[0]); i++)
		if (cp >= word_sign[i].from && cp <= word_sign[i].to)
			return false;
	return true;
}

/* Scripts without spaces, and currency signs: each character is a word. */
static bool
word_is_alone(uint32_t cp)
{
	return (cp >= 0x0E00 && cp <= 0x0EFF) ||
	    (cp >= 0x1000 && cp <= 0x109F) || (cp >= 0x1780 && cp <= 0x17FF) ||
	    (cp >= 0x3040 && cp <= 0x30FF) || (cp >= 0x3400 && cp <= 0x9FFF) ||
	    (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0x20000 && cp <= 0x3FFFF);
}

static bool
word_is_money(uint32_t cp)
{
	return cp == '$' || cp == 0xA3 || cp == 0xA5 ||
	    (cp >= 0x20A0 && cp <= 0x20BF);
}

void
diverge_word_add(struct diverge_reader *r, struct str s, enum diverge_kind kind,
    unsigned flags)
{
	struct diverge_word w = {
		.s = s,
		.side = r->side,
		.kind = (uint8_t)kind,
		.flags = (uint16_t)flags,
	};

	if (s.n == 0)
		return;
	if (kind >= DIVERGE_ADDRESS) {
		w.at = r->places++;
		w.near = r->at;
	} else {
		w.at = r->at++;
		if (r->begins)
			w.flags |= DIVERGE_BEGINS;
		if (r->block)
			w.flags |= DIVERGE_BLOCK;
		r->begins = r->block = false;
	}
	buf_add(&r->out, &w, sizeof(w));
}

/* Zero cents are ignored: "1,000.00" is 1000. */
static struct str
word_amount(struct str digits, size_t cents)
{
	if (cents == 2 && digits.n > 2 && str_ends(digits, S("00")))
		digits.n -= 2;
	return digits;
}

/* Is a digit at s.p[i]? */
static bool
word_digit_at(struct str s, size_t i)
{
	return i < s.n && word_is_digit((unsigned char)s.p[i]);
}

/*
 * A number at s.p[i], including its separators: 1,000.50 and 1.000,50 and 1'000
 * are read as their digits.  Returns its end.
 */
static size_t
word_number(struct diverge_reader *r, struct str s, size_t i, bool marked)
{
	struct str b = { r->room, 0 };
	size_t cents = 0;

	while (word_digit_at(s, i) ||
	    (i < s.n && strchr(".,'", s.p[i]) != NULL &&
		word_digit_at(s, i + 1))) {
		if (b.n == WORD_MAX)
			break;
		if (word_digit_at(s, i)) {
			r->room[b.n++] = s.p[i];
			cents += cents > 0;
		} else {
			cents = 1;
		}
		i++;
	}
	/* "3rd" and "x64" are words of their own; this reads "3" of them. */
	r->room += b.n;
	diverge_word_add(r, word_amount(b, cents > 0 ? cents - 1 : 0),
	    DIVERGE_NUMBER, marked ? DIVERGE_MARK : 0);
	return i;
}

/* A word that begins at s.p[i], folded; in some scripts, one character. */
static size_t
word_letters(struct diverge_reader *r, struct str s, size_t i)
{
	struct str b = { r->room, 0 };
	unsigned flags = 0;
	bool digit = false;
	size_t from = i;

	while (i < s.n && b.n < WORD_MAX) {
		size_t at = i;
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (cp == 0x2019 || cp == '\'') {
			/* "don't" is one word, and "l'eau" two. */
			if (at > from && i < s.n &&
			    (s.p[i] == 't' || s.p[i] == 'T'))
				continue;
			i = at;
			break;
		}
		if (!word_is_letter(cp) || (word_is_alone(cp) && at > from)) {
			i = at;
			break;
		}
		if (at == from && word_fold(cp) != cp)
			flags |= DIVERGE_CAPITAL;
		digit |= word_is_digit(cp);
		b.n += utf8_put(r->room + b.n, word_fold(cp));
		if (word_is_alone(cp)) {
			flags |= DIVERGE_ALONE;
			break;
		}
	}
	r->room += b.n;
	diverge_word_add(r, b, digit ? DIVERGE_NUMBER : DIVERGE_WORD, flags);
	return i;
}

/* "[3]" and "(3)" in plain text, and "3." or "3)" at the start of a line. */
static bool
word_is_mark(const struct diverge_reader *r, struct str s, size_t i)
{
	size_t end = i;

	while (word_digit_at(s, end))
		end++;
	if (end - i > 3)
		return false;
	if (i > 0 && s.p[i - 1] == '[' && end < s.n && s.p[end] == ']')
		return true;
	return r->begins && i == 0 && end + 1 == s.n &&
	    strchr(".):", s.p[end]) != NULL;
}

void
diverge_word_add_all(struct diverge_reader *r, struct str s)
{
	size_t i = 0;

	while (i < s.n) {
		size_t at = i;
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (word_is_money(cp))
			diverge_word_add(r, (struct str){ s.p + at, i - at },
			    DIVERGE_WORD, 0);
		else if (word_digit_at(s, at))
			i = word_number(r, s, at, word_is_mark(r, s, at));
		else if (word_is_letter(cp))
			i = word_letters(r, s, at);
	}
}
