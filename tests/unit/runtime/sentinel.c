/* SPDX-License-Identifier: Apache-2.0 */
/* Every case of a result that an agent wrote below its prompt. */
#include "../rows.h"

#include "runtime/prompt.h"

#define BEGIN SENTINEL_BEGIN "\n"
#define END SENTINEL_END "\n"
#define ID "mailreq-20260408T101112Z-0a1b2c3d4e"
#define GOOD                                                                   \
	"{\"ok\": true, \"request_id\": \"" ID "\", \"operation\": \"send\"}"
#define SAYS(more)                                                             \
	BEGIN "{\"ok\": true, \"operation\": \"send\", " more "}\n" END
#define IS "\"request_id\": \"" ID "\""

static const struct sentinel_want want = { SI(ID), SI("send"), SI("filesystem"),
	SI("HOUMAO-writer") };

static struct row {
	const char *why;
	struct str text;
	const char *error; /* a part of it; NULL: a result; "": that says no */
} rows[] = {
	{ "a block", SI(BEGIN GOOD "\n" END), NULL },
	{ "words around it", SI("I did it.\n" BEGIN GOOD "\n" END "Bye.\n"),
	    NULL },
	{ "spaces around the sentinels",
	    SI("  " SENTINEL_BEGIN " \t\r\n" GOOD "\n\t" SENTINEL_END "\r"),
	    NULL },
	{ "JSON of several lines, with a fence's blank lines",
	    SI(BEGIN "\n{\"ok\": true,\n  \"operation\": \"send\",\n  " IS
		     "}\n\n" END),
	    NULL },
	{ "the agent says no",
	    SI(BEGIN "{\"ok\": false, \"operation\": \"send\", " IS "}\n" END),
	    "" },
	{ "nothing", SI(""), "no result" },
	{ "no sentinel", SI(GOOD), "no result" },
	{ "the echo of the prompt holds the names inline",
	    SI("> between " SENTINEL_BEGIN " and " SENTINEL_END "\n" GOOD),
	    "no result" },
	{ "inline, and a block",
	    SI("between " SENTINEL_BEGIN " and " SENTINEL_END "\n" BEGIN GOOD
	       "\n" END),
	    NULL },
	{ "quoted, as JSON has it",
	    SI("\"sentinel_begin\": \"" SENTINEL_BEGIN "\",\n" GOOD),
	    "no result" },
	{ "a name within a longer word", SI("X" BEGIN GOOD "\n" END),
	    "no beginning" },
	{ "in lower case",
	    SI("houmao_mail_result_begin\n" GOOD "\nhoumao_mail_result_end\n"),
	    "no result" },
	{ "two blocks", SI(BEGIN GOOD "\n" END BEGIN GOOD "\n" END),
	    "more than one" },
	{ "a begin twice", SI(BEGIN BEGIN GOOD "\n" END), "more than one" },
	{ "an end twice", SI(BEGIN GOOD "\n" END END), "more than one" },
	{ "a begin without an end", SI(BEGIN GOOD "\n"), "no end" },
	{ "an end without a begin", SI(GOOD "\n" END), "no beginning" },
	{ "the end first", SI(END GOOD "\n" BEGIN), "no beginning" },
	{ "an empty block", SI(BEGIN END), "not JSON" },
	{ "no JSON", SI(BEGIN "sent it\n" END), "not JSON" },
	{ "JSON that is cut off", SI(BEGIN "{\"ok\": true\n" END), "not JSON" },
	{ "JSON and words", SI(BEGIN GOOD " done\n" END), "not JSON" },
	{ "an object twice", SI(BEGIN GOOD GOOD "\n" END), "not JSON" },
	{ "a fence within the block", SI(BEGIN "```json\n" GOOD "\n```\n" END),
	    "not JSON" },
	{ "a member twice", SI(SAYS(IS ", " IS)), "not JSON" },
	{ "an array", SI(BEGIN "[" GOOD "]\n" END), "not an object" },
	{ "no id", SI(SAYS("\"x\": 1")), "no request_id" },
	{ "another request's id", SI(SAYS("\"request_id\": \"mailreq-1\"")),
	    "request_id is not the request's" },
	{ "an id of another type", SI(SAYS("\"request_id\": 7")),
	    "request_id is not the request's" },
	{ "no operation", SI(BEGIN "{\"ok\": true, " IS "}\n" END),
	    "no operation" },
	{ "another operation",
	    SI(BEGIN "{\"ok\": true, \"operation\": \"reply\", " IS "}\n" END),
	    "operation is not the request's" },
	{ "the transport is right",
	    SI(SAYS(IS ", \"transport\": \"filesystem\"")), NULL },
	{ "the transport is wrong",
	    SI(SAYS(IS ", \"transport\": \"stalwart\"")),
	    "transport is not the request's" },
	{ "the transport is null", SI(SAYS(IS ", \"transport\": null")),
	    "transport is not the request's" },
	{ "the principal is right",
	    SI(SAYS(IS ", \"principal_id\": \"HOUMAO-writer\"")), NULL },
	{ "the principal is another's",
	    SI(SAYS(IS ", \"principal_id\": \"HOUMAO-ci\"")),
	    "principal_id is not the request's" },
	{ "it does not say ok",
	    SI(BEGIN "{\"operation\": \"send\", " IS "}\n" END),
	    "does not say ok" },
	{ "ok is a word",
	    SI(BEGIN "{\"ok\": \"true\", \"operation\": \"send\", " IS
		     "}\n" END),
	    "does not say ok" },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct row *r = *state;
	struct str text = r->text;
	struct strs surfaces = { &text, 1 };
	struct sentinel_result got = { 0 };
	struct err e = { 0 };
	int n = sentinel_read(&surfaces, &want, a, &got, &e);

	if (r->error != NULL && r->error[0] != '\0') {
		assert_int_equal(n, -1);
		if (strstr(e.say, r->error) == NULL)
			fail_msg("\"%s\" has no \"%s\"", e.say, r->error);
		return;
	}
	if (n < 0)
		fail_msg("%s", e.say);
	assert_int_equal(got.ok, r->error == NULL);
	assert_true(str_find(got.text, S(ID)) > 0);
}

#define MARKED(mark) SAYS(IS ", \"mark\": \"" mark "\"")

static struct order {
	const char *why;
	struct str v[3];
	const char *found; /* a part of the result, or of the error */
} orders[] = {
	{ "surfaces: the first valid one wins",
	    { SI(MARKED("one")), SI(MARKED("two")), SI("") }, "one" },
	{ "surfaces: an invalid one is passed",
	    { SI(BEGIN "x\n" END), SI("none"), SI(MARKED("three")) }, "three" },
	{ "surfaces: else the last one's error",
	    { SI(BEGIN "x\n" END), SI(BEGIN), SI("none") }, "no result" },
	{ "surfaces: an equal one is not read again",
	    { SI(BEGIN "x\n" END), SI(BEGIN GOOD), SI(BEGIN "x\n" END) },
	    "no end" },
	{ "surfaces: blocks of two are not added up",
	    { SI(MARKED("one")), SI(MARKED("one") "more"), SI("x") }, "one" },
};

static void
order(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct order *r = *state;
	struct strs surfaces = { r->v, 3 };
	struct sentinel_result got = { 0 };
	struct err e = { 0 };
	int n = sentinel_read(&surfaces, &want, a, &got, &e);
	struct str where = n == 0 ? got.text : str_of(e.say);

	if (str_find(where, str_of(r->found)) < 0)
		fail_msg("\"%.*s\" has no \"%s\"", STR_ARG(where), r->found);
}

static void
large(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str v[] = {
		str_fmt(a, BEGIN "{\"x\": \"%.*s\"}\n" END,
		    STR_ARG(rows_repeat(a, S("y"), LIMIT_PROMPT_RESULT))),
		rows_repeat(a, S("y\n"), LIMIT_PROMPT_SURFACE / 2 + 1),
		str_fmt(a, BEGIN "%.*s\n" END,
		    STR_ARG(rows_repeat(a, S("["), 1000))),
		rows_repeat(a, S(BEGIN), 1000),
	};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct strs one = { &v[i], 1 };
		struct sentinel_result got;
		struct err e = { 0 };

		assert_int_equal(sentinel_read(&one, &want, a, &got, &e), -1);
		assert_int_equal(e.kind, i < 2 ? ERR_LIMIT : ERR_USAGE);
	}
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(orders, order);
	rows_add("too much of it", large, NULL);
	return cmocka_run_group_tests_name("runtime/sentinel", rows_tests, NULL,
	    NULL);
}
