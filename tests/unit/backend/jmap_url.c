/* SPDX-License-Identifier: Apache-2.0 */
/* JMAP's URLs: where they lead, and who may get them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/jmap/internal.h"
#include "backend/jmap/url.h"

static void
assert_str(struct str got, const char *want)
{
	struct arena *a = arena_open(1 << 20);

	assert_string_equal(str_c(a, got), want);
	arena_close(&a);
}

static void
the_session_is_where_rfc_8620_has_it(void **state)
{
	static const char *const all[][2] = {
		{ "mail.example", "https://mail.example/.well-known/jmap" },
		{ "mail.example:8443",
		    "https://mail.example:8443/.well-known/jmap" },
		{ "https://mail.example",
		    "https://mail.example/.well-known/jmap" },
		{ "https://mail.example/",
		    "https://mail.example/.well-known/jmap" },
		{ "http://127.0.0.1:80",
		    "http://127.0.0.1:80/.well-known/jmap" },
		{ "https://mail.example/jmap/session",
		    "https://mail.example/jmap/session" },
	};
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_str(jmap_url_session(a, str_of(all[i][0])), all[i][1]);
	arena_close(&a);
}

static void
relative_addresses_are_resolved(void **state)
{
	static const char *const all[][3] = {
		{ "https://m.example/a/s", "/jmap/",
		    "https://m.example/jmap/" },
		{ "https://m.example/a/s", "api", "https://m.example/a/api" },
		{ "https://m.example/a/s?x=/y", "api",
		    "https://m.example/a/api" },
		{ "https://m.example", "api", "https://m.example/api" },
		{ "https://m.example:1/a", "//n.example/b",
		    "https://n.example/b" },
		{ "https://m.example/a", "https://n.example/b",
		    "https://n.example/b" },
	};
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_str(jmap_url_resolve(a, str_of(all[i][0]),
			       str_of(all[i][1])),
		    all[i][2]);
	arena_close(&a);
}

static void
credentials_stay_with_the_host(void **state)
{
	static const struct {
		const char *base, *url;
		bool trusted;
	} all[] = {
		{ "https://m.example/s", "https://m.example/api", true },
		{ "https://m.example/s", "https://M.EXAMPLE:8443/api", true },
		{ "https://m.example/s", "http://m.example/api", false },
		{ "https://m.example/s", "https://n.example/api", false },
		{ "https://m.example/s", "https://m.example.evil/api", false },
		{ "https://m.example/s", "https://x.m.example/api", false },
		{ "https://m.example/s", "https://m.example@evil/", false },
		{ "https://m.example/s", "https://evil\\@m.example/", false },
		{ "https://m.example/s", "https://evil#@m.example/", false },
		{ "https://m.example/s", "https://[::1]/", false },
		{ "https://m.example/s", "ftp://m.example/", false },
		{ "https://m.example/s", "/api", false },
		{ "https://m.example/s", "", false },
		{ "http://127.0.0.1:81/s", "http://127.0.0.1:81/api", true },
		{ "http://127.0.0.1:81/s", "http://127.0.0.1:82/api", false },
		{ "http://127.0.0.1:81/s", "http://127.0.0.2:81/api", false },
		{ "https://[::1]:1/s", "https://[::1]:2/api", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_int_equal(jmap_url_trusts(str_of(all[i].base),
				     str_of(all[i].url)),
		    all[i].trusted);
}

static void
templates_are_filled_and_escaped(void **state)
{
	static const struct jmap_url_var v[] = {
		{ "accountId", SI("a/b@c") },
		{ "blobId", SI("G-1_2~.") },
		{ "name", SI("\xc3\xbc \"") },
	};
	static const char *const all[][2] = {
		{ "/{accountId}/{blobId}", "/a%2Fb%40c/G-1_2~." },
		{ "/{name}?x={nobody}&y", "/%C3%BC%20%22?x=&y" },
		{ "/none", "/none" },
		{ "/{open", "" },
		{ "", "" },
	};
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_str(jmap_url_fill(a, str_of(all[i][0]), v, 3),
		    all[i][1]);
	arena_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_session_is_where_rfc_8620_has_it),
		cmocka_unit_test(relative_addresses_are_resolved),
		cmocka_unit_test(credentials_stay_with_the_host),
		cmocka_unit_test(templates_are_filled_and_escaped),
	};

	return cmocka_run_group_tests_name("backend/jmap/url", tests, NULL,
	    NULL);
}
