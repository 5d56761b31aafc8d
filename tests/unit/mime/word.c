/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded words, RFC 2047: its own examples, then real mail's variants. */
#include "../rows.h"

#include "base/utf8.h"
#include "mime/header.h"

static const struct row {
	const char *why;
	struct str in;
	struct str want;
} rows[] = {
	{ "plain text stays", SI("plain text"), SI("plain text") },
	{ "Q", SI("=?utf-8?q?caf=C3=A9?="), SI("caf\xC3\xA9") },
	{ "B", SI("=?UTF-8?B?Y2Fmw6k=?="), SI("caf\xC3\xA9") },
	{ "an underscore is a space", SI("=?iso-8859-1?Q?a_b?="), SI("a b") },
	{ "section 8: one word", SI("(=?ISO-8859-1?Q?a?=)"), SI("(a)") },
	{ "section 8: a word and a letter", SI("=?ISO-8859-1?Q?a?= b"),
	    SI("a b") },
	{ "section 8: two words", SI("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?="),
	    SI("ab") },
	{ "section 8: two words, two spaces",
	    SI("=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?="), SI("ab") },
	{ "section 8: two words and a fold",
	    SI("=?ISO-8859-1?Q?a?=\r\n    =?ISO-8859-1?Q?b?="), SI("ab") },
	{ "section 8: a space kept",
	    SI("=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?="), SI("a b") },
	{ "text between words stays", SI("=?utf-8?q?a?= x =?utf-8?q?b?="),
	    SI("a x b") },
	{ "a character cut in two", SI("=?utf-8?q?=C3?= =?utf-8?q?=A9?="),
	    SI("\xC3\xA9") },
	{ "a character cut in two, B then Q",
	    SI("=?utf-8?b?ww==?= =?UTF-8?q?=A9?="), SI("\xC3\xA9") },
	{ "words in two charsets", SI("=?utf-8?q?=C3=A9?= =?latin1?q?=E9?="),
	    SI("\xC3\xA9\xC3\xA9") },
	{ "words with nothing between", SI("=?utf-8?q?a?==?utf-8?q?b?="),
	    SI("ab") },
	{ "a word inside a word", SI("caf=?utf-8?q?=C3=A9?=s"),
	    SI("caf\xC3\xA9s") },
	{ "a language, RFC 2231", SI("=?us-ascii*en-us?Q?a?="), SI("a") },
	{ "spaces in a word", SI("=?utf-8?q?a b?="), SI("a b") },
	{ "a question mark in a word", SI("=?utf-8?q?a?b?="), SI("a?b") },
	{ "small hexadecimal digits", SI("=?utf-8?q?=c3=a9?="),
	    SI("\xC3\xA9") },
	{ "an equals sign that escapes nothing", SI("=?utf-8?q?a=zz?="),
	    SI("a=zz") },
	{ "base64 without its padding", SI("=?utf-8?b?Y2Fmw6k?="),
	    SI("caf\xC3\xA9") },
	{ "an empty word", SI("a =?utf-8?q?\?= b"), SI("a  b") },
	{ "a word that does not end", SI("=?utf-8?q?abc"),
	    SI("=?utf-8?q?abc") },
	{ "a word that lost its end does not swallow another",
	    SI("=?utf-8?q?abc =?utf-8?q?d?="), SI("=?utf-8?q?abc d") },
	{ "an unknown encoding", SI("=?utf-8?x?abc?="), SI("=?utf-8?x?abc?=") },
	{ "no charset", SI("=??q?abc?="), SI("=??q?abc?=") },
	{ "an unknown charset is guessed", SI("=?x-none?q?=C3=A9?="),
	    SI("\xC3\xA9") },
	{ "the charset may not be a command", SI("=?utf-16//TRANSLIT?q?a?="),
	    SI("=?utf-16//TRANSLIT?q?a?=") },
	{ "ISO-2022-JP", SI("=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?="),
	    SI("\xE6\x97\xA5\xE6\x9C\xAC") },
	{ "ISO-2022-JP over two words",
	    SI("=?ISO-2022-JP?B?GyRCRnwbKEI=?= =?iso-2022-jp?B?GyRCS1wbKEI=?="),
	    SI("\xE6\x97\xA5\xE6\x9C\xAC") },
	{ "a line end in a word becomes a space", SI("=?utf-8?q?a=0D=0Ab?="),
	    SI("a  b") },
	{ "a NUL in a word becomes a space", SI("=?utf-8?q?a=00b?="),
	    SI("a b") },
	{ "a C1 control becomes a space", SI("=?utf-8?q?a=C2=85b?="),
	    SI("a b") },
	{ "bad bytes become U+FFFD", SI("=?utf-8?q?a=FFb?="),
	    SI("a\xEF\xBF\xBD"
	       "b") },
	{ "a decoded word is not decoded again",
	    SI("=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?="), SI("=?utf-8?q?a?=") },
	{ "white space at the ends goes", SI("  a  "), SI("a") },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(mime_word_decode(a, r->in), r->want);
}

static const struct row texts[] = {
	{ "header: folds go", SI(" a\r\n b\n\tc "), SI("a b c") },
	{ "header: raw UTF-8", SI("caf\xC3\xA9"), SI("caf\xC3\xA9") },
	{ "header: raw windows-1252", SI("caf\xE9 \x80"),
	    SI("caf\xC3\xA9 \xE2\x82\xAC") },
	{ "header: a bare CR becomes a space", SI("a\rb"), SI("a b") },
	{ "header: words over folds", SI("=?utf-8?q?a?=\r\n =?utf-8?q?b?="),
	    SI("ab") },
};

static void
text(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(mime_header_text(a, r->in), r->want);
}

static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	static const struct str bits[] = { SI("=?"), SI("=?a?q?"),
		SI("=?a?q?\?="), SI("=?a?b?w?= "), SI("?="), SI("=?a?q?="),
		SI("=?gb2312?b?w?= =?big5?b?w?= ") };

	(void)state;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		struct str s = rows_repeat(a, bits[i], 20000);

		assert_true(utf8_valid(mime_word_decode(a, s)));
	}
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(texts, text);
	rows_add("twenty thousand of anything are read in time", many, NULL);
	return cmocka_run_group_tests_name("mime/word", rows_tests, NULL, NULL);
}
