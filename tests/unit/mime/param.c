/* SPDX-License-Identifier: Apache-2.0 */
/* Content-Type and similar fields: RFC 2045, RFC 2231, and neither. */
#include "../rows.h"

#include "base/utf8.h"
#include "mime/header.h"

static const struct row {
	const char *why;
	struct str in;
	const char *want; /* value, then "|name=value" each */
} rows[] = {
	{ "a type alone", SI(" text/plain"), "text/plain" },
	{ "a type in capitals", SI("TEXT/Plain"), "text/plain" },
	{ "a parameter", SI("text/plain; charset=UTF-8"),
	    "text/plain|charset=UTF-8" },
	{ "a parameter's name in capitals", SI("text/plain; CharSet=utf-8"),
	    "text/plain|charset=utf-8" },
	{ "a quoted value", SI("a/b; x=\"1; 2\"; y=3"), "a/b|x=1; 2|y=3" },
	{ "escapes in quotes", SI("a/b; x=\"1\\\"2\\\\3\""), "a/b|x=1\"2\\3" },
	{ "a Windows path in quotes", SI("a/b; x=\"C:\\new.txt\""),
	    "a/b|x=C:\\new.txt" },
	{ "space round the signs", SI("text / plain ; charset = utf-8"),
	    "text/plain|charset=utf-8" },
	{ "comments", SI("text/plain (a (b)); (c) charset=utf-8 (d)"),
	    "text/plain|charset=utf-8" },
	{ "folds", SI("text/plain;\r\n\tcharset=utf-8"),
	    "text/plain|charset=utf-8" },
	{ "a missing semicolon", SI("text/plain charset=utf-8"),
	    "text/plain|charset=utf-8" },
	{ "a missing semicolon between", SI("a/b; x=1 y=2"), "a/b|x=1|y=2" },
	{ "a value of words", SI("attachment; filename=My File.pdf; size=3"),
	    "attachment|filename=My File.pdf|size=3" },
	{ "an empty value", SI("a/b; x=; y=2"), "a/b|x=|y=2" },
	{ "semicolons too many", SI("a/b;;;x=1;;"), "a/b|x=1" },
	{ "a parameter without a value", SI("a/b; x; y=2"), "a/b|y=2" },
	{ "the first of two wins", SI("a/b; x=1; x=2"), "a/b|x=1" },
	{ "a quote that does not end", SI("a/b; x=\"abc; y=2"),
	    "a/b|x=abc|y=2" },
	{ "no type", SI("; charset=utf-8"), "|charset=utf-8" },
	{ "a parameter for a type", SI("charset=utf-8"), "|charset=utf-8" },
	{ "nothing", SI(""), "" },
	{ "8-bit bytes of windows-1252", SI("a/b; x=\"\xE9\""),
	    "a/b|x=\xC3\xA9" },
	{ "a control becomes a space", SI("a/b; x=\"1\0012\""), "a/b|x=1 2" },
	{ "RFC 2231: a charset", SI("a/b; x*=utf-8''caf%C3%A9"),
	    "a/b|x=caf\xC3\xA9" },
	{ "RFC 2231: a charset and a language",
	    SI("a/b; x*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A"),
	    "a/b|x=This is ***fun***" },
	{ "RFC 2231: an older charset", SI("a/b; x*=iso-8859-1''caf%E9"),
	    "a/b|x=caf\xC3\xA9" },
	{ "RFC 2231: no charset", SI("a/b; x*=''caf%C3%A9"),
	    "a/b|x=caf\xC3\xA9" },
	{ "RFC 2231: no quotes at all", SI("a/b; x*=caf%C3%A9"),
	    "a/b|x=caf\xC3\xA9" },
	{ "RFC 2231: continued", SI("a/b; x*0=\"ftp:\"; x*1=\"//x.example\""),
	    "a/b|x=ftp://x.example" },
	{ "RFC 2231: continued and encoded",
	    SI("a/b; x*0*=us-ascii'en'This%20is%20; x*1*=%2Afun%2A%20;"
	       " x*2=\"isn't it!\""),
	    "a/b|x=This is *fun* isn't it!" },
	{ "RFC 2231: out of order", SI("a/b; x*1=b; x*0=a; x*2=c"),
	    "a/b|x=abc" },
	{ "RFC 2231: a gap ends it", SI("a/b; x*0=a; x*2=c"), "a/b|x=a" },
	{ "RFC 2231: no beginning", SI("a/b; x*1=b; y=2"), "a/b|x=|y=2" },
	{ "RFC 2231: a character cut in two",
	    SI("a/b; x*0*=utf-8''%C3; x*1*=%A9"), "a/b|x=\xC3\xA9" },
	{ "RFC 2231: wins over the plain one",
	    SI("a/b; filename=\"x.txt\"; filename*=utf-8''%C3%A9.txt"),
	    "a/b|filename=\xC3\xA9.txt" },
	{ "RFC 2231: a percent that escapes nothing",
	    SI("a/b; x*=utf-8''100%zz"), "a/b|x=100%zz" },
	{ "RFC 2231: a line end becomes a space", SI("a/b; x*=utf-8''a%0D%0Ab"),
	    "a/b|x=a  b" },
	{ "a percent in a plain value stays", SI("a/b; x=a%20b"),
	    "a/b|x=a%20b" },
	{ "an encoded word in quotes",
	    SI("a/b; name=\"=?utf-8?q?caf=C3=A9?=\""), "a/b|name=caf\xC3\xA9" },
	{ "two encoded words in quotes",
	    SI("a/b; name=\"=?utf-8?q?a?=\r\n =?utf-8?q?b?=\""),
	    "a/b|name=ab" },
	{ "an encoded word without quotes",
	    SI("a/b; name==?utf-8?q?caf=C3=A9?="), "a/b|name=caf\xC3\xA9" },
	{ "a boundary is never decoded", SI("a/b; boundary=\"=?utf-8?q?a?=\""),
	    "a/b|boundary==?utf-8?q?a?=" },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_value got;
	struct buf b;

	mime_param_parse(a, r->in, &got);
	buf_init(&b, a, 4096);
	buf_str(&b, got.value);
	for (size_t i = 0; i < got.n; i++) {
		buf_char(&b, '|');
		buf_str(&b, got.param[i].name);
		buf_char(&b, '=');
		buf_str(&b, got.param[i].value);
	}
	rows_same(buf_view(&b), str_of(r->want));
}

static void
get(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_value v;

	(void)state;
	mime_param_parse(a, S("a/b; x=; y=2"), &v);
	rows_same(mime_param_get(&v, "y"), S("2"));
	assert_non_null(mime_param_get(&v, "x").p);
	assert_null(mime_param_get(&v, "z").p);
}

static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	static const struct str bits[] = { SI("x=\""), SI("("), SI("x*0=a;"),
		SI("x=a "), SI("=?"), SI("x="), SI("\\"), SI(";"), SI("x ") };
	struct mime_value v;
	struct buf b;

	(void)state;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		mime_param_parse(a, rows_repeat(a, bits[i], 50000), &v);
		assert_true(v.n <= LIMIT_MIME_PARAMS);
	}
	buf_init(&b, a, 1 << 20);
	buf_text(&b, "a/b");
	for (int i = 0; i < 20000; i++)
		buf_fmt(&b, "; x*%d*=%%C3%%A9", i);
	mime_param_parse(a, buf_view(&b), &v);
	assert_int_equal(v.n, 1);
	assert_int_equal(v.param[0].value.n, 2 * LIMIT_MIME_PARAMS);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("an empty value is not an absent one", get, NULL);
	rows_add("fifty thousand of anything are read in time", many, NULL);
	return cmocka_run_group_tests_name("mime/param", rows_tests, NULL,
	    NULL);
}
