/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of folders from servers: paths, roles, circles, duplicates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/jmap/internal.h"

/* The paths in the server's order, "-" for a hidden one. */
static void
assert_paths(const char *text, const char *want)
{
	struct arena *a = arena_open(64 << 20);
	struct json_doc *doc = NULL;
	struct jmap_boxes b;
	struct err e = { 0 };
	struct str got = S("");

	assert_int_equal(json_parse_open(str_of(text), 1 << 20, &doc, &e), 0);
	assert_int_equal(jmap_mailbox_read(a, json_parse_root(doc), &b, &e), 0);
	for (size_t i = 0; i < b.n; i++)
		got = str_fmt(a, "%.*s%s%.*s", STR_ARG(got), i > 0 ? "," : "",
		    STR_ARG(b.v[i].path.n > 0 ? b.v[i].path : S("-")));
	assert_string_equal(str_c(a, got), want);
	json_parse_close(&doc);
	arena_close(&a);
}

static void
paths_are_made_of_parents(void **state)
{
	(void)state;
	assert_paths("[{\"id\":\"1\",\"name\":\"Posteingang\",\"role\":"
		     "\"inbox\"},{\"id\":\"2\",\"name\":\"a\",\"parentId\":"
		     "null},{\"id\":\"3\",\"name\":\"b\",\"parentId\":\"2\"},"
		     "{\"id\":\"4\",\"name\":\"c\",\"parentId\":\"3\"},"
		     "{\"id\":\"5\",\"name\":\"d\",\"parentId\":\"1\"}]",
	    "INBOX,a,a/b,a/b/c,INBOX/d");
}

static void
circles_are_cut_and_orphans_stand_alone(void **state)
{
	(void)state;
	assert_paths("[{\"id\":\"1\",\"name\":\"a\",\"parentId\":\"2\"},"
		     "{\"id\":\"2\",\"name\":\"b\",\"parentId\":\"1\"},"
		     "{\"id\":\"3\",\"name\":\"c\",\"parentId\":\"3\"},"
		     "{\"id\":\"4\",\"name\":\"d\",\"parentId\":\"9\"}]",
	    "a,b,c,d");
}

static void
the_first_of_two_with_a_name_stays(void **state)
{
	(void)state;
	assert_paths("[{\"id\":\"1\",\"name\":\"x\"},{\"id\":\"2\",\"name\":"
		     "\"x\"},{\"id\":\"3\",\"name\":\"a\"},{\"id\":\"4\","
		     "\"name\":\"b\",\"parentId\":\"3\"},{\"id\":\"5\","
		     "\"name\":\"a/b\"},{\"id\":\"6\",\"name\":\"x\"}]",
	    "x,-,a,a/b,-,-");
}

static void
nobody_passes_for_the_inbox(void **state)
{
	(void)state;
	assert_paths("[{\"id\":\"1\",\"name\":\"INBOX\"},{\"id\":\"2\","
		     "\"name\":\"In\",\"role\":\"inbox\"},{\"id\":\"3\","
		     "\"name\":\"too\",\"role\":\"inbox\"}]",
	    "-,INBOX,too");
}

static void
what_is_no_folder_is_left_out(void **state)
{
	(void)state;
	assert_paths("[7,null,{},{\"id\":\"1\"},{\"id\":1,\"name\":\"a\"},"
		     "{\"id\":\"a b\",\"name\":\"a\"},{\"id\":\"2\",\"name\":"
		     "\"\"},{\"id\":\"3\",\"name\":\"a\\nb\"},{\"id\":\"4\","
		     "\"name\":\"ok\",\"role\":7,\"parentId\":[]}]",
	    "ok");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_made_of_parents),
		cmocka_unit_test(circles_are_cut_and_orphans_stand_alone),
		cmocka_unit_test(the_first_of_two_with_a_name_stays),
		cmocka_unit_test(nobody_passes_for_the_inbox),
		cmocka_unit_test(what_is_no_folder_is_left_out),
	};

	return cmocka_run_group_tests_name("backend/jmap/mailbox", tests, NULL,
	    NULL);
}
