/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Domains and names that look like others (a small part of UTS 39).  Uses only
 * tables and one pass; domains are at most 253 bytes here.
 */
#include "mime/lookalike.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/clean.h"
#include "base/idna.h"
#include "base/utf8.h"
#include "mime/internal.h"

enum script {
	COMMON, /* digits, hyphens, marks */
	LATIN,
	GREEK,
	CYRILLIC,
	ARMENIAN,
	HEBREW,
	ARABIC,
	HAN,
	KANA,
	HANGUL,
	BOPOMOFO,
	OTHER,
};

static const struct block {
	uint32_t from, to;
	enum script script;
} blocks[] = {
	{ 0x30, 0x39, COMMON },
	{ 0x41, 0x5A, LATIN },
	{ 0x61, 0x7A, LATIN },
	{ 0xC0, 0x24F, LATIN },
	{ 0x250, 0x2AF, LATIN },
	{ 0x300, 0x36F, COMMON },
	{ 0x370, 0x3FF, GREEK },
	{ 0x400, 0x52F, CYRILLIC },
	{ 0x531, 0x58F, ARMENIAN },
	{ 0x591, 0x5F4, HEBREW },
	{ 0x600, 0x6FF, ARABIC },
	{ 0x750, 0x77F, ARABIC },
	{ 0x8A0, 0x8FF, ARABIC },
	{ 0x1100, 0x11FF, HANGUL },
	{ 0x1C80, 0x1C8F, CYRILLIC },
	{ 0x1D00, 0x1DBF, LATIN },
	{ 0x1E00, 0x1EFF, LATIN },
	{ 0x1F00, 0x1FFF, GREEK },
	{ 0x200C, 0x200D, COMMON },
	{ 0x2C60, 0x2C7F, LATIN },
	{ 0x2DE0, 0x2DFF, CYRILLIC },
	{ 0x3005, 0x3007, HAN },
	{ 0x3041, 0x30FF, KANA },
	{ 0x3105, 0x312F, BOPOMOFO },
	{ 0x31F0, 0x31FF, KANA },
	{ 0x3400, 0x9FFF, HAN },
	{ 0xA640, 0xA69F, CYRILLIC },
	{ 0xA720, 0xA7FF, LATIN },
	{ 0xAC00, 0xD7A3, HANGUL },
	{ 0xF900, 0xFAFF, HAN },
	{ 0x20000, 0x3FFFF, HAN },
};

/* Lower-case letters that look like ASCII; capitals are mapped before. */
static const struct confusable {
	uint32_t cp;
	char ascii;
} confusables[] = {
	{ 0x131, 'i' },
	{ 0x251, 'a' },
	{ 0x261, 'g' },
	{ 0x262, 'g' },
	{ 0x269, 'i' },
	{ 0x26A, 'i' },
	{ 0x274, 'n' },
	{ 0x280, 'r' },
	{ 0x28F, 'y' },
	{ 0x299, 'b' },
	{ 0x29C, 'h' },
	{ 0x29F, 'l' },
	{ 0x3B1, 'a' },
	{ 0x3B2, 'b' },
	{ 0x3B3, 'y' },
	{ 0x3B5, 'e' },
	{ 0x3B7, 'n' },
	{ 0x3B9, 'i' },
	{ 0x3BA, 'k' },
	{ 0x3BD, 'v' },
	{ 0x3BF, 'o' },
	{ 0x3C1, 'p' },
	{ 0x3C3, 'o' },
	{ 0x3C4, 't' },
	{ 0x3C5, 'u' },
	{ 0x3C7, 'x' },
	{ 0x3C9, 'w' },
	{ 0x3F2, 'c' },
	{ 0x3F3, 'j' },
	{ 0x430, 'a' },
	{ 0x432, 'b' },
	{ 0x435, 'e' },
	{ 0x43A, 'k' },
	{ 0x43C, 'm' },
	{ 0x43D, 'h' },
	{ 0x43E, 'o' },
	{ 0x440, 'p' },
	{ 0x441, 'c' },
	{ 0x442, 't' },
	{ 0x443, 'y' },
	{ 0x445, 'x' },
	{ 0x455, 's' },
	{ 0x456, 'i' },
	{ 0x458, 'j' },
	{ 0x461, 'w' },
	{ 0x475, 'v' },
	{ 0x4BB, 'h' },
	{ 0x4CF, 'l' },
	{ 0x501, 'd' },
	{ 0x51B, 'q' },
	{ 0x51D, 'w' },
	{ 0x561, 'w' },
	{ 0x566, 'q' },
	{ 0x570, 'h' },
	{ 0x575, 'j' },
	{ 0x578, 'n' },
	{ 0x57C, 'n' },
	{ 0x57D, 'u' },
	{ 0x581, 'g' },
	{ 0x584, 'p' },
	{ 0x585, 'o' },
	{ 0x1D00, 'a' },
	{ 0x1D04, 'c' },
	{ 0x1D05, 'd' },
	{ 0x1D07, 'e' },
	{ 0x1D0A, 'j' },
	{ 0x1D0B, 'k' },
	{ 0x1D0D, 'm' },
	{ 0x1D0F, 'o' },
	{ 0x1D18, 'p' },
	{ 0x1D1B, 't' },
	{ 0x1D1C, 'u' },
	{ 0x1D20, 'v' },
	{ 0x1D21, 'w' },
	{ 0x1D22, 'z' },
	{ 0x2113, 'l' },
	{ 0x2170, 'i' },
	{ 0x2174, 'v' },
	{ 0x2179, 'x' },
	{ 0x217C, 'l' },
	{ 0x217D, 'c' },
	{ 0x217E, 'd' },
	{ 0x217F, 'm' },
	{ 0xA731, 's' },
};

/* Scripts that languages do mix, besides single scripts. */
static const unsigned mixed[] = {
	1u << HAN | 1u << KANA | 1u << LATIN,
	1u << HAN | 1u << HANGUL | 1u << LATIN,
	1u << HAN | 1u << BOPOMOFO | 1u << LATIN,
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static int
lookalike_by_block(const void *key, const void *row)
{
	uint32_t cp = *(const uint32_t *)key;
	const struct block *b = row;

	return cp < b->from ? -1 : cp > b->to;
}

static int
lookalike_by_letter(const void *key, const void *row)
{
	uint32_t cp = *(const uint32_t *)key;
	const struct confusable *c = row;

	return (cp > c->cp) - (cp < c->cp);
}

static enum script
lookalike_script_of(uint32_t cp)
{
	const struct block *b =
	    bsearch(&cp, blocks, COUNT(blocks), sizeof(*b), lookalike_by_block);

	if (b == NULL)
		return cp < 0x80 ? COMMON : OTHER;
	return b->script;
}

static bool
lookalike_is_mixed(unsigned set)
{
	set &= ~(1u << COMMON);
	if ((set & (set - 1)) == 0)
		return false;
	for (size_t i = 0; i < COUNT(mixed); i++)
		if ((set & ~mixed[i]) == 0)
			return false;
	return true;
}

/* "g00gle": only 0 and 1 between two letters. */
static bool
lookalike_has_digit_letters(struct str label)
{
	for (size_t i = 1; i < label.n; i++) {
		size_t k = i;

		while (k < label.n && (label.p[k] == '0' || label.p[k] == '1'))
			k++;
		if (k > i && k < label.n && ascii_is_letter(label.p[i - 1]) &&
		    ascii_is_letter(label.p[k]))
			return true;
		if (k > i)
			i = k;
	}
	return false;
}

/* Does every letter beyond ASCII look like ASCII? */
static bool
lookalike_is_skeleton(struct str label)
{
	size_t i = 0;

	while (i < label.n) {
		bool ok = true;
		uint32_t cp = utf8_next(label, &i, &ok);

		if (cp >= 0x80 &&
		    bsearch(&cp, confusables, COUNT(confusables),
			sizeof(*confusables), lookalike_by_letter) == NULL)
			return false;
	}
	return true;
}

static bool
lookalike_label_looks(struct str label)
{
	unsigned set = 0;
	size_t i = 0;

	if (utf8_ascii(label))
		return lookalike_has_digit_letters(label);
	while (i < label.n) {
		bool ok = true;

		set |= 1u << lookalike_script_of(utf8_next(label, &i, &ok));
		if (!ok)
			return true;
	}
	return lookalike_is_mixed(set) || lookalike_is_skeleton(label);
}

bool
lookalike_domain(struct arena *a, struct str addr)
{
	struct str domain = address_domain(addr), ascii, rest, label;
	bool more = true;

	if (domain.n == 0)
		return false;
	if (!idna_ascii(a, domain, &ascii))
		return !utf8_ascii(domain) ||
		    str_find_case(domain, S("xn--")) >= 0;
	rest = idna_unicode(a, ascii);
	while (more) {
		more = str_cut(rest, '.', &label, &rest);
		/*
		 * Punycode that decodes to nothing, or does not encode back to
		 * itself.
		 */
		if (str_starts(label, S("xn--")) ||
		    lookalike_label_looks(label))
			return true;
	}
	/* Contains letters that IDNA maps away: full-width and the like. */
	return !utf8_ascii(domain) && utf8_ascii(idna_unicode(a, ascii));
}

static struct str
lookalike_bare(struct str s)
{
	while (s.n > 0 && strchr(".-_'!?", s.p[s.n - 1]) != NULL)
		s.n--;
	while (s.n > 0 && strchr(".-_'!?", s.p[0]) != NULL)
		s = str_from(s, 1);
	return s;
}

/* "@" also in its full-width and small forms: U+FF20, U+FE6B. */
static struct str
lookalike_with_signs(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, 3 * s.n + 4);
	while (i < s.n) {
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (cp == 0xFF20 || cp == 0xFE6B)
			cp = '@';
		else if (cp == 0xFF0E || cp == 0x3002 || cp == 0x2024)
			cp = '.';
		buf_utf8(&b, cp);
	}
	return buf_view(&b);
}

bool
lookalike_display(struct arena *a, struct str name, struct str addr)
{
	static const char stops[] = " \t\n\"<>()[]{},;:|/\\";
	struct str s = lookalike_with_signs(a, clean_text(a, name, NULL));
	size_t i = 0;

	while (i < s.n) {
		size_t from = i;
		struct str word, host;

		while (
		    i < s.n && s.p[i] != '\0' && strchr(stops, s.p[i]) == NULL)
			i++;
		word = lookalike_bare((struct str){ s.p + from, i - from });
		i++;
		host = address_domain(word);
		if (host.n > 0 && host.n + 1 < word.n &&
		    !str_eq_case(word, addr))
			return true;
	}
	return false;
}
