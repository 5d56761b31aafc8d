/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of threads' URLs, filled in completely or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/limits.h"
#include "source/url.h"

static struct row {
	const char *name, *template;
	struct url_parts parts;
	const char *want; /* NULL: impossible */
} rows[] = {
	{ "a Message-ID goes without its brackets", "https://x/<id>",
	    { .id = SI("<a@b.example>") }, "https://x/a@b.example" },
	{ "what ends a path or a query is encoded", "https://x/<id>?l=<list>",
	    { .id = SI("<a/b?c#d&e%@x>"), .list = SI("l+m@x.example") },
	    "https://x/a%2Fb%3Fc%23d%26e%25@x?l=l%2Bm@x.example" },
	{ "so are bytes beyond ASCII, and line ends", "https://x/<id>",
	    { .id = SI("<\xc3\xbc\r\n@x>") }, "https://x/%C3%BC%0D%0A@x" },
	{ "each as often as it stands there", "https://x/<hash>/<hash>",
	    { .hash = SI("0b1") }, "https://x/0b1/0b1" },
	{ "a value is no template", "https://x/<id>/<hash>",
	    { .id = SI("<<hash>@x>"), .hash = SI("h") },
	    "https://x/%3Chash%3E@x/h" },
	{ "half an address is none", "https://x/<hash>?<list>",
	    { .hash = SI("h") }, NULL },
	{ "what is asked for and not known is not told", "https://x/<hash>",
	    { .id = SI("<a@x>") }, NULL },
	{ "other brackets stand as they are", "https://x/<who>/<id>",
	    { .id = SI("7") }, "https://x/<who>/7" },
};

static void
fill(void **state)
{
	const struct row *r = *state;
	struct arena *a = arena_open(LIMIT_ARENA);
	struct str out = { 0 };
	bool told = url_fill(a, str_of(r->template), &r->parts, &out);

	assert_int_equal(told, r->want != NULL);
	if (told)
		assert_string_equal(str_c(a, out), r->want);
	arena_close(&a);
}

/* "id|hash|list" as read back; NULL: another form. */
static struct back {
	const char *name, *template, *url, *want;
} backs[] = {
	{ "an id", "https://x/<id>", "https://x/a@b.example", "a@b.example||" },
	{ "what was encoded", "https://x/<id>?l=<list>",
	    "https://x/a%2Fb%3fc%23d%26e%25@x?l=l%2Bm@x.example",
	    "a/b?c#d&e%@x||l+m@x.example" },
	{ "the origin without case", "https://Lists.x/T/<hash>",
	    "HTTPS://lISTS.X/T/0b1", "|0b1|" },
	{ "the path with it", "https://x/T/<hash>", "https://x/t/0b1", NULL },
	{ "what stands behind", "https://x/<hash>.html", "https://x/0b.1.html",
	    "|0b.1|" },
	{ "the same twice", "https://x/<hash>/<hash>", "https://x/1/1", "|1|" },
	{ "and two that differ", "https://x/<hash>/<hash>", "https://x/1/2",
	    NULL },
	{ "two without a mark between", "https://x/<hash><list>",
	    "https://x/12", NULL },
	{ "a host that begins so", "https://x.example/<id>",
	    "https://x.example.evil.example/7", NULL },
	{ "a user who looks like a host", "https://x.example/<id>",
	    "https://x.example@evil.example/7", NULL },
	{ "a part in the host's place", "https://x.example/<id>",
	    "https://x.example:80/7", NULL },
	{ "more path than there is", "https://x/<id>", "https://x/7/8", NULL },
	{ "a query that was not told", "https://x/<id>", "https://x/7?8",
	    NULL },
	{ "a fragment", "https://x/<id>", "https://x/7#8", NULL },
	{ "white space", "https://x/<id>", "https://x/7 8", NULL },
	{ "a line end that is encoded", "https://x/<id>", "https://x/7%0d%0a8",
	    NULL },
	{ "a NUL that is encoded", "https://x/<id>", "https://x/7%008", NULL },
	{ "half an escape", "https://x/<id>", "https://x/7%4", NULL },
	{ "no escape", "https://x/<id>", "https://x/7%zz", NULL },
	{ "bytes beyond ASCII as they are", "https://x/<id>",
	    "https://x/\xc3\xbc", NULL },
	{ "nothing in a part's place", "https://x/<id>", "https://x/", NULL },
	{ "less than the template", "https://x/y/<id>", "https://x", NULL },
	{ "another scheme", "https://x/<id>", "http://x/7", NULL },
};

static void
match(void **state)
{
	const struct back *r = *state;
	struct arena *a = arena_open(LIMIT_ARENA);
	struct url_parts p;
	bool is = url_match(a, str_of(r->template), str_of(r->url), &p);

	assert_int_equal(is, r->want != NULL);
	if (is)
		assert_string_equal(str_c(a,
					str_fmt(a, "%.*s|%.*s|%.*s",
					    STR_ARG(p.id), STR_ARG(p.hash),
					    STR_ARG(p.list))),
		    r->want);
	arena_close(&a);
}

/* Any inserted value is read back. */
static void
there_and_back(void **state)
{
	static const char form[] = "https://x.example/t/<id>?<list>#<hash>.z";
	struct arena *a = arena_open(LIMIT_ARENA);
	char id[64] = { 0 };

	(void)state;
	for (unsigned c = 0x21; c < 0x100; c++) {
		struct url_parts p = { .hash = S("h.z"), .list = S("l@x") }, q;
		struct str url;

		if (c == 0x7f)
			continue;
		(void)snprintf(id, sizeof(id), "%c%c@%%%c", (int)c, (int)c,
		    (int)c);
		p.id = str_of(id);
		assert_true(url_fill(a, str_of(form), &p, &url));
		assert_true(url_match(a, str_of(form), url, &q));
		assert_true(str_eq(p.id, q.id) && str_eq(p.hash, q.hash) &&
		    str_eq(p.list, q.list));
	}
	arena_close(&a);
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0]),
		BACKS = sizeof(backs) / sizeof(backs[0])
	};
	struct CMUnitTest tests[N + BACKS + 1] = { 0 };

	tests[N + BACKS] = (struct CMUnitTest){ "there and back",
		there_and_back, NULL, NULL, NULL };
	for (size_t i = 0; i < BACKS; i++)
		tests[N + i] = (struct CMUnitTest){ backs[i].name, match, NULL,
			NULL, &backs[i] };

	for (size_t i = 0; i < N; i++) {
		tests[i].name = rows[i].name;
		tests[i].test_func = fill;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("source/url", tests, NULL, NULL);
}
