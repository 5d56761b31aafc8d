/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as a person sees it.  Characters that a person cannot see but a program
 * reads (Unicode tags, zero widths, private use, terminal controls), and those
 * that change the direction of writing, let a message say one thing to its
 * reader and another to an agent.  A joiner or selector stays where a script or
 * an emoji needs it (UTS 51, Unicode 23.2), one at a time: a single one carries
 * no text, but a run can spell words.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/utf8.h"

#define ZWNJ 0x200Cu
#define ZWJ 0x200Du
#define TEXT_STYLE 0xFE0Eu
#define EMOJI_STYLE 0xFE0Fu
#define KEYCAP 0x20E3u
#define BLACK_FLAG 0x1F3F4u
#define TAG_BASE 0xE0000u
#define TAG_END 0xE007Fu

/* Ascending, for bsearch(3). */
struct range {
	uint32_t from, to;
};

static const struct range unseen[] = {
	{ 0x00, 0x08 }, { 0x0B, 0x1F }, { 0x7F, 0x9F }, /* controls */
	{ 0xAD, 0xAD },                                 /* soft hyphen */
	{ 0x34F, 0x34F },                               /* grapheme joiner */
	{ 0x61C, 0x61C },                               /* Arabic mark */
	{ 0x115F, 0x1160 },                             /* Hangul fillers */
	{ 0x17B4, 0x17B5 },                             /* Khmer vowels */
	{ 0x180B, 0x180F },    /* Mongolian selectors */
	{ 0x200B, 0x200F },    /* zero widths, joiners, direction */
	{ 0x202A, 0x202E },    /* direction, UAX 9 */
	{ 0x2060, 0x206F },    /* word joiner, isolates, shapes */
	{ 0x3164, 0x3164 },    /* Hangul filler */
	{ 0xE000, 0xF8FF },    /* private use */
	{ 0xFDD0, 0xFDEF },    /* noncharacters */
	{ 0xFE00, 0xFE0F },    /* variation selectors */
	{ 0xFEFF, 0xFEFF },    /* byte order mark */
	{ 0xFFA0, 0xFFA0 },    /* half-width filler */
	{ 0xFFF0, 0xFFFB },    /* annotation */
	{ 0x13430, 0x1343F },  /* hieroglyph joiners */
	{ 0x1BCA0, 0x1BCA3 },  /* shorthand */
	{ 0x1D173, 0x1D17A },  /* music */
	{ 0xE0000, 0xE0FFF },  /* tags, more selectors */
	{ 0xF0000, 0x10FFFF }, /* private use */
};

/* Characters that take a style after them, and join: UTS 51, a broad list. */
static const struct range emoji[] = {
	{ 0xA9, 0xA9 },
	{ 0xAE, 0xAE },
	{ 0x203C, 0x203C },
	{ 0x2049, 0x2049 },
	{ 0x2122, 0x2122 },
	{ 0x2139, 0x2139 },
	{ 0x2194, 0x2199 },
	{ 0x21A9, 0x21AA },
	{ 0x231A, 0x231B },
	{ 0x2328, 0x2328 },
	{ 0x23CF, 0x23CF },
	{ 0x23E9, 0x23F3 },
	{ 0x23F8, 0x23FA },
	{ 0x24C2, 0x24C2 },
	{ 0x25AA, 0x25AB },
	{ 0x25B6, 0x25B6 },
	{ 0x25C0, 0x25C0 },
	{ 0x25FB, 0x25FE },
	{ 0x2600, 0x27BF },
	{ 0x2934, 0x2935 },
	{ 0x2B05, 0x2B07 },
	{ 0x2B1B, 0x2B1C },
	{ 0x2B50, 0x2B50 },
	{ 0x2B55, 0x2B55 },
	{ 0x3030, 0x3030 },
	{ 0x303D, 0x303D },
	{ 0x3297, 0x3297 },
	{ 0x3299, 0x3299 },
	{ 0x1F000, 0x1F1E5 },
	{ 0x1F200, 0x1FAFF },
};

/*
 * Letters and marks of scripts whose shapes joiners change; a joiner must be
 * between two of one script.  Without digits and punctuation.
 */
static const struct script {
	uint32_t from, to;
	int id;
} scripts[] = {
	{ 0x620, 0x65F, 1 },      /* Arabic */
	{ 0x66E, 0x6D3, 1 },      /* Arabic */
	{ 0x6D5, 0x6DC, 1 },      /* Arabic */
	{ 0x6E1, 0x6E8, 1 },      /* Arabic */
	{ 0x6EA, 0x6EF, 1 },      /* Arabic */
	{ 0x6FA, 0x6FF, 1 },      /* Arabic */
	{ 0x710, 0x74F, 2 },      /* Syriac */
	{ 0x750, 0x77F, 1 },      /* Arabic supplement */
	{ 0x7CA, 0x7F5, 3 },      /* N'Ko */
	{ 0x840, 0x85B, 4 },      /* Mandaic */
	{ 0x870, 0x887, 1 },      /* Arabic extended B */
	{ 0x8A0, 0x8E1, 1 },      /* Arabic extended A */
	{ 0x8E3, 0x8FF, 1 },      /* Arabic extended A */
	{ 0x900, 0x963, 5 },      /* Devanagari */
	{ 0x971, 0x97F, 5 },      /* Devanagari */
	{ 0x980, 0x9E3, 6 },      /* Bengali */
	{ 0x9F0, 0x9F1, 6 },      /* Bengali */
	{ 0xA01, 0xA5E, 7 },      /* Gurmukhi */
	{ 0xA70, 0xA75, 7 },      /* Gurmukhi */
	{ 0xA81, 0xAE3, 8 },      /* Gujarati */
	{ 0xB01, 0xB63, 9 },      /* Oriya */
	{ 0xB71, 0xB71, 9 },      /* Oriya */
	{ 0xB82, 0xBD7, 10 },     /* Tamil */
	{ 0xC00, 0xC63, 11 },     /* Telugu */
	{ 0xC80, 0xCE3, 12 },     /* Kannada */
	{ 0xD00, 0xD63, 13 },     /* Malayalam */
	{ 0xD7A, 0xD7F, 13 },     /* Malayalam */
	{ 0xD81, 0xDDF, 14 },     /* Sinhala */
	{ 0x1000, 0x103F, 15 },   /* Myanmar */
	{ 0x1050, 0x108F, 15 },   /* Myanmar */
	{ 0x1780, 0x17D3, 16 },   /* Khmer */
	{ 0x1820, 0x18AA, 17 },   /* Mongolian */
	{ 0x1B00, 0x1B4C, 18 },   /* Balinese */
	{ 0xA8E0, 0xA8FF, 5 },    /* Devanagari extended */
	{ 0xA980, 0xA9C0, 19 },   /* Javanese */
	{ 0xABC0, 0xABED, 20 },   /* Meetei Mayek */
	{ 0x11100, 0x11134, 21 }, /* Chakma */
};

/*
 * Their viramas: a joiner may also follow one at the end of a word (RFC 5892,
 * A.2).
 */
static const struct range viramas[] = {
	{ 0x94D, 0x94D },
	{ 0x9CD, 0x9CD },
	{ 0xA4D, 0xA4D },
	{ 0xACD, 0xACD },
	{ 0xB4D, 0xB4D },
	{ 0xBCD, 0xBCD },
	{ 0xC4D, 0xC4D },
	{ 0xCCD, 0xCCD },
	{ 0xD4D, 0xD4D },
	{ 0xDCA, 0xDCA },
};

/*
 * The only sequences of tags in use, UTS 51 annex C: England, Scotland, Wales.
 * Any other would be a flag followed by words.
 */
static const char *const flags[] = { "gbeng", "gbsct", "gbwls" };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static int
clean_by_place(const void *key, const void *row)
{
	uint32_t cp = *(const uint32_t *)key;
	const struct range *r = row;

	return cp < r->from ? -1 : cp > r->to;
}

static int
clean_by_script(const void *key, const void *row)
{
	uint32_t cp = *(const uint32_t *)key;
	const struct script *s = row;

	return cp < s->from ? -1 : cp > s->to;
}

static bool
clean_is_in(const struct range *table, size_t n, uint32_t cp)
{
	return bsearch(&cp, table, n, sizeof(*table), clean_by_place) != NULL;
}

/* 0 for letters of scripts without joiners. */
static int
clean_script_of(uint32_t cp)
{
	const struct script *s = bsearch(&cp, scripts, COUNT(scripts),
	    sizeof(*scripts), clean_by_script);

	return s != NULL ? s->id : 0;
}

static bool
is_emoji(uint32_t cp)
{
	return clean_is_in(emoji, COUNT(emoji), cp);
}

static bool
is_keycap_base(uint32_t cp)
{
	return (cp >= '0' && cp <= '9') || cp == '#' || cp == '*';
}

static bool
clean_is_unseen(uint32_t cp)
{
	return (cp & 0xFFFE) == 0xFFFE ||
	    clean_is_in(unseen, COUNT(unseen), cp);
}

/* The last character that was kept, and the one before it. */
struct seen {
	uint32_t last, before;
	size_t flag_end; /* tags up to this index belong to a flag */
};

static uint32_t
clean_peek(struct str s, size_t i)
{
	bool ok = true;

	return i < s.n ? utf8_next(s, &i, &ok) : 0;
}

/* One style after a character that has two; after a digit only in a keycap. */
static bool
clean_styles(const struct seen *k, struct str s, size_t next, uint32_t cp)
{
	if (is_keycap_base(k->last))
		return cp == EMOJI_STYLE && clean_peek(s, next) == KEYCAP;
	return is_emoji(k->last);
}

/* Arabic, Syriac, N'Ko, Mandaic, Mongolian: letters join within a word. */
static bool
is_cursive(int script)
{
	return script == 1 || script == 2 || script == 3 || script == 4 ||
	    script == 17;
}

static bool
is_arabic_digit(uint32_t cp)
{
	return (cp >= 0x660 && cp <= 0x669) || (cp >= 0x6F0 && cp <= 0x6F9);
}

/* Does it end a word: white space, punctuation? */
static bool
clean_ends_word(uint32_t cp)
{
	static const struct range ends[] = {
		{ 0x09, 0x0A },
		{ 0x20, 0x2F },
		{ 0x3A, 0x40 },
		{ 0x5B, 0x60 },
		{ 0x7B, 0x7E },
		{ 0xA0, 0xA0 },
		{ 0xAB, 0xAB },
		{ 0xBB, 0xBB },
		{ 0x60C, 0x60D },
		{ 0x61B, 0x61B },
		{ 0x61E, 0x61F },
		{ 0x66A, 0x66D },
		{ 0x6D4, 0x6D4 },
		{ 0x2010, 0x2027 },
		{ 0x2039, 0x203A },
	};

	return clean_is_in(ends, COUNT(ends), cp);
}

/*
 * Between two emoji, or two letters of one script.  At the end of a cursive
 * word ZWJ keeps the last letter's shape (the Hijri year's mark is a heh and a
 * ZWJ); after a number a joiner separates the ending.
 */
static bool
clean_joins(const struct seen *k, struct str s, size_t next, uint32_t cp)
{
	uint32_t after = clean_peek(s, next);
	bool styled = k->last == EMOJI_STYLE && is_emoji(k->before);
	int script = clean_script_of(k->last), follows = clean_script_of(after);

	if (cp == ZWJ && (is_emoji(k->last) || styled))
		return is_emoji(after);
	if (script == 0)
		return is_arabic_digit(k->last) && follows == 1;
	if (follows == script || clean_is_in(viramas, COUNT(viramas), k->last))
		return true;
	return cp == ZWJ && is_cursive(script) &&
	    (next == s.n || clean_ends_word(after));
}

/* The end of a flag's tags that begin at i, or i. */
static size_t
clean_flag(struct str s, size_t i)
{
	for (size_t f = 0; f < COUNT(flags); f++) {
		const char *p = flags[f];
		size_t at = i;
		bool ok = true;

		while (*p != '\0' && at < s.n &&
		    utf8_next(s, &at, &ok) == TAG_BASE + (unsigned char)*p)
			p++;
		if (*p == '\0' && at < s.n && utf8_next(s, &at, &ok) == TAG_END)
			return at;
	}
	return i;
}

/* Does the invisible character that ends before `next` stay? */
static bool
clean_shapes(struct seen *k, struct str s, size_t at, size_t next, uint32_t cp)
{
	if (at < k->flag_end)
		return true;
	if (cp == TEXT_STYLE || cp == EMOJI_STYLE)
		return clean_styles(k, s, next, cp);
	if (cp == ZWJ || cp == ZWNJ)
		return clean_joins(k, s, next, cp);
	if (k->last == BLACK_FLAG && cp > TAG_BASE && cp < TAG_END)
		k->flag_end = clean_flag(s, at);
	return at < k->flag_end;
}

static bool
clean_is_plain(unsigned char c)
{
	return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t';
}

/* The index after the characters from i on that need no closer check. */
static size_t
clean_skip_plain(struct str s, size_t i)
{
	while (i < s.n && clean_is_plain((unsigned char)s.p[i]))
		i++;
	return i;
}

/* The text with `mark` in place of removed characters. */
static struct str
clean_without(struct arena *a, struct str s, struct str mark, size_t *removed)
{
	struct seen k = { 0 };
	size_t from = 0, gone = 0, i = 0;
	struct buf b = { 0 };

	while (i < s.n) {
		size_t at = clean_skip_plain(s, i);
		bool ok = true;
		uint32_t cp;

		if (at > i)
			k.last = (unsigned char)s.p[at - 1];
		if (at == s.n)
			break;
		i = at;
		cp = utf8_next(s, &i, &ok);
		if (!clean_is_unseen(cp) || clean_shapes(&k, s, at, i, cp)) {
			k.before = k.last;
			k.last = cp;
			continue;
		}
		if (gone++ == 0)
			buf_init(&b, a, s.n * (1 + mark.n));
		buf_add(&b, s.p + from, at - from);
		buf_str(&b, mark);
		from = i;
	}
	if (removed != NULL)
		*removed += gone;
	if (gone == 0)
		return s;
	buf_str(&b, str_from(s, from));
	return buf_view(&b);
}

struct str
clean_text(struct arena *a, struct str s, size_t *removed)
{
	return clean_without(a, s, S(""), removed);
}

struct str
clean_address(struct arena *a, struct str s, size_t *removed)
{
	return clean_without(a, s, S("\xEF\xBF\xBD"), removed);
}
