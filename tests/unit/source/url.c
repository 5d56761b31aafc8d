/* Templates of threads' addresses, filled in or not at all. */
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
	const char *want; /* NULL: it cannot be told */
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

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N] = { 0 };

	for (size_t i = 0; i < N; i++) {
		tests[i].name = rows[i].name;
		tests[i].test_func = fill;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("source/url", tests, NULL, NULL);
}
