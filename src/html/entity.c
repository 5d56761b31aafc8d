/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Character references, HTML 13.2.5.72 to 80.  The names are in entity_table.c;
 * an unknown name stays as it was written.
 */
#include <string.h>

#include "html/tree.h"

#define NAME_MAX_LEN 31  /* the longest name */
#define LEGACY_MAX_LEN 6 /* the longest one without a semicolon */

/* The meanings of 0x80 to 0x9F: windows-1252, HTML 13.2.5.80. */
static const unsigned short c1[32] = {
	0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021,  /* 80 */
	0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,       /* 88 */
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, /* 90 */
	0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,      /* 98 */
};

/* Compares a name with that of the record at p, like strcmp(3). */
static int
entity_order(struct str name, const char *p)
{
	size_t i = 0;

	while (i < name.n && name.p[i] == p[i])
		i++;
	if (i < name.n)
		return p[i] == '=' || p[i] == ':' ? 1 : name.p[i] - p[i];
	return p[i] == '=' || p[i] == ':' ? 0 : -1;
}

/*
 * The record of a name without its first letter, or NULL.  The middle of the
 * remaining range is moved back to the start of a record.
 */
static const char *
entity_find(struct str name)
{
	bool lower = name.p[0] >= 'a';
	struct str all =
	    html_entity_table[lower ? name.p[0] - 'a' + 26 : name.p[0] - 'A'];
	size_t lo = 0, hi = all.n;

	name = str_from(name, 1);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c;

		while (mid > lo && all.p[mid - 1] != ' ')
			mid--;
		c = entity_order(name, all.p + mid);
		if (c == 0)
			return all.p + mid + name.n;
		if (c < 0) {
			hi = mid;
			continue;
		}
		while (all.p[mid] != ' ')
			mid++;
		lo = mid + 1;
	}
	return NULL;
}

static const char *
entity_hex(const char *p, uint32_t *cp)
{
	for (*cp = 0; str_hex(*p) >= 0; p++)
		*cp = *cp * 16 + (uint32_t)str_hex(*p);
	return p;
}

static void
entity_put(const char *record, uint32_t cp[2])
{
	const char *p = entity_hex(record + 1, &cp[0]);

	cp[1] = 0;
	if (*p == '+')
		(void)entity_hex(p + 1, &cp[1]);
}

static bool
html_entity_is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	    (c >= 'a' && c <= 'z');
}

static int
html_entity_digit(char c, bool is_hex)
{
	int n = str_hex(c);

	return is_hex || n < 10 ? n : -1;
}

/* "&#8364;", "&#x20AC;": s is the text after "&#". */
static size_t
html_entity_numeric(struct str s, uint32_t cp[2])
{
	bool is_hex = s.n > 0 && (s.p[0] == 'x' || s.p[0] == 'X');
	size_t i = is_hex ? 1 : 0, first = i;
	uint32_t v = 0;

	for (; i < s.n && html_entity_digit(s.p[i], is_hex) >= 0; i++)
		if (v <= 0x10FFFF)
			v = v * (is_hex ? 16 : 10) +
			    (uint32_t)html_entity_digit(s.p[i], is_hex);
	if (i == first)
		return 0;
	if (v >= 0x80 && v < 0xA0)
		v = c1[v - 0x80];
	if (v == 0 || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000))
		v = 0xFFFD;
	cp[0] = v;
	cp[1] = 0;
	return i < s.n && s.p[i] == ';' ? i + 1 : i;
}

/* "&nbsp;" and similar; s is the text after the "&". */
static size_t
html_entity_named(struct str s, bool in_attribute, uint32_t cp[2])
{
	const char *record;
	size_t n = 0;

	/* More common than all others together. */
	if (s.n >= 5 && memcmp(s.p, "nbsp;", 5) == 0) {
		cp[0] = 0xA0;
		cp[1] = 0;
		return 5;
	}
	while (n < s.n && n <= NAME_MAX_LEN && html_entity_is_alnum(s.p[n]))
		n++;
	if (n < 2 || s.p[0] <= '9')
		return 0;
	if (n < s.n && s.p[n] == ';') {
		record = entity_find(str_first(s, n));
		if (record != NULL) {
			entity_put(record, cp);
			return n + 1;
		}
	}
	/* Without a semicolon: the longest old name that fits. */
	for (size_t k = n < LEGACY_MAX_LEN ? n : LEGACY_MAX_LEN; k >= 2; k--) {
		record = entity_find(str_first(s, k));
		if (record == NULL || *record != ':')
			continue;
		if (in_attribute && k < s.n &&
		    (s.p[k] == '=' || html_entity_is_alnum(s.p[k])))
			return 0;
		entity_put(record, cp);
		return k;
	}
	return 0;
}

size_t
html_entity_read(struct str s, size_t i, bool in_attribute, uint32_t cp[2])
{
	struct str rest = str_from(s, i + 1);
	size_t n;

	if (rest.n > 0 && rest.p[0] == '#') {
		n = html_entity_numeric(str_from(rest, 1), cp);
		return n > 0 ? n + 2 : 0;
	}
	n = html_entity_named(rest, in_attribute, cp);
	return n > 0 ? n + 1 : 0;
}
