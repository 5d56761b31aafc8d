/* SPDX-License-Identifier: Apache-2.0 */
/* Charsets: labels, invalid bytes, and both ways of decoding. */
#include "../rows.h"

#include "base/utf8.h"
#include "mime/internal.h"

#define BAD "\xEF\xBF\xBD"

static const struct row {
	const char *why;
	const char *label;
	struct str in;
	struct str want;
	bool unknown;
} rows[] = {
	{ "UTF-8", "utf-8", SI("\xC3\xA9"), SI("\xC3\xA9"), false },
	{ "UTF-8 in capitals with space", " UTF-8 ", SI("\xC3\xA9"),
	    SI("\xC3\xA9"), false },
	{ "UTF-8 that is none", "utf-8", SI("a\xFF\xC3"), SI("a" BAD BAD),
	    false },
	{ "overlong UTF-8", "utf-8", SI("\xC0\xAF"), SI(BAD BAD), false },
	{ "ISO-8859-1 is windows-1252", "iso-8859-1", SI("\xE9\x80"),
	    SI("\xC3\xA9\xE2\x82\xAC"), false },
	{ "windows-1252 has holes", "windows-1252", SI("\x81"), SI(BAD),
	    false },
	{ "ASCII that is UTF-8", "us-ascii", SI("\xC3\xA9"), SI("\xC3\xA9"),
	    false },
	{ "ASCII that is neither", "us-ascii", SI("\xE9"), SI("\xC3\xA9"),
	    false },
	{ "no label", "", SI("\xC3\xA9"), SI("\xC3\xA9"), false },
	{ "no label, no UTF-8", "", SI("\xE9"), SI("\xC3\xA9"), false },
	{ "an unknown label", "x-klingon", SI("\xE9"), SI("\xC3\xA9"), true },
	{ "a command is no label", "utf-16//IGNORE", SI("ab"), SI("ab"), true },
	{ "a path is no label", "../../x", SI("ab"), SI("ab"), true },
	{ "ISO-8859-2", "latin2", SI("\xB1"), SI("\xC4\x85"), false },
	{ "ISO-8859-8-I", "iso-8859-8-i", SI("\xE0"), SI("\xD7\x90"), false },
	{ "ISO-8859-9 is windows-1254", "iso-8859-9", SI("\xFD\x80"),
	    SI("\xC4\xB1\xE2\x82\xAC"), false },
	{ "KOI8-R", "koi8-r", SI("\xC1"), SI("\xD0\xB0"), false },
	{ "windows-1251", "cp1251", SI("\xE0"), SI("\xD0\xB0"), false },
	{ "GB2312 is GB18030", "gb2312", SI("\xD6\xD0\x80"),
	    SI("\xE4\xB8\xAD" BAD), false },
	{ "GBK beyond GB2312", "gb2312", SI("\xE9\x46"), SI("\xE9\x95\x95"),
	    false },
	{ "Big5", "big5", SI("\xA4\xA4"), SI("\xE4\xB8\xAD"), false },
	{ "Shift_JIS is CP932", "shift_jis", SI("\x87\x40"), SI("\xE2\x91\xA0"),
	    false },
	{ "EUC-JP", "euc-jp", SI("\xC6\xFC"), SI("\xE6\x97\xA5"), false },
	{ "KS_C_5601 is CP949", "ks_c_5601-1987", SI("\x8C\x63"),
	    SI("\xEB\x98\xA0"), false },
	{ "ISO-2022-JP", "iso-2022-jp", SI("\x1b$BF|\x1b(B"),
	    SI("\xE6\x97\xA5"), false },
	/* iconv(3) takes all of it and says that it is invalid. */
	{ "ISO-2022-CN-EXT that ends in an escape", "iso-2022-cn-ext",
	    SI("a\x1b$\x0e"), SI("a\x1b$" BAD), false },
	{ "HZ", "hz-gb-2312", SI("a~{VP~}~~b~\nc"), SI("a\xE4\xB8\xAD~bc"),
	    false },
	{ "HZ ends with its line", "hz-gb-2312", SI("~{VP\nVP"),
	    SI("\xE4\xB8\xAD\nVP"), false },
	{ "UTF-7", "utf-7", SI("a+AOk-"), SI("a\xC3\xA9"), false },
	{ "UTF-16 with its mark", "utf-16", SI("\xFE\xFF\0a"), SI("a"), false },
	{ "UTF-16 without", "utf-16", SI("a\0"), SI("a"), false },
	{ "half a character at the end", "big5", SI("a\xA4"), SI("a" BAD),
	    false },
	{ "a lone surrogate", "utf-16be", SI("\xD8\x00\0a"), SI(BAD), false },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	bool unknown = false;
	struct str got =
	    mime_charset_decode(a, str_of(r->label), r->in, &unknown);

	if (strcmp(r->label, "utf-16be") == 0)
		assert_true(utf8_valid(got) && str_starts(got, r->want));
	else
		rows_same(got, r->want);
	assert_int_equal(unknown, r->unknown);
}

static void
sorted(void **state)
{
	(void)state;
	for (size_t i = 1; i < charset_label_count; i++)
		assert_true(strcmp(charset_label_table[i - 1].label,
				charset_label_table[i].label) < 0);
}

/* Every label decodes something, and both ways give the same result. */
static void
every(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	char all[512];

	(void)state;
	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)i;
	for (size_t i = 0; i < charset_label_count; i++) {
		struct str label = str_of(charset_label_table[i].label);
		const char *name = charset_label_table[i].name;
		struct str s = { all, sizeof(all) };
		struct str got = mime_charset_decode(a, label, s, NULL);
		struct buf b;

		assert_true(utf8_valid(got));
		assert_true(got.n > 0);
		if (strncmp(name, "ISO-8859", 8) != 0 &&
		    strncmp(name, "CP8", 3) != 0 &&
		    strncmp(name, "KOI", 3) != 0)
			continue;
		/*
		 * Single bytes go through iconv(3), the whole text through the
		 * table.
		 */
		buf_init(&b, a, 4096);
		for (size_t k = 0; k < s.n; k++)
			buf_str(&b,
			    mime_charset_decode(a, label,
				(struct str){ s.p + k, 1 }, NULL));
		rows_same(got, buf_view(&b));
	}
}

static void
labels(void **state)
{
	static const char *const label[] = { "utf8", "latin1", "cp1252", "gbk",
		"sjis", "x-sjis", "euc-kr", "windows-949", "tis-620",
		"macintosh", "x-mac-cyrillic", "csiso2022jp", "iso-8859-16",
		"windows-1258", "ibm866", "koi8-u", "iso-ir-58" };

	(void)state;
	for (size_t i = 0; i < sizeof(label) / sizeof(label[0]); i++)
		assert_non_null(charset_label_find(label[i]));
	assert_null(charset_label_find(""));
	assert_null(charset_label_find("utf"));
	assert_null(charset_label_find("zzz"));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("the table is sorted", sorted, NULL);
	rows_add("every label decodes every byte to UTF-8", every, NULL);
	rows_add("the labels of WHATWG are known", labels, NULL);
	return cmocka_run_group_tests_name("mime/charset", rows_tests, NULL,
	    NULL);
}
