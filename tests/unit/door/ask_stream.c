/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of endpoints, whole and cut between any two bytes. */
#include "../rows.h"

#include "door/skills/ask.h"

#define EVENT(x) "data: " x "\n\n"
#define DELTA(x) EVENT("{\"choices\":[{\"delta\":{" x "}}]}")
#define CALLS(x) DELTA("\"tool_calls\":[" x "]")
#define STOP EVENT("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}")
#define DONE EVENT("[DONE]")
#define FN(n, a) "\"function\":{\"name\":\"" n "\",\"arguments\":\"" a "\"}"

/* The result: text, calls as name(id args), tokens, or the error. */
static const struct row {
	const char *why, *says, *is;
} rows[] = {
	{ "a text in pieces",
	    DELTA("\"content\":\"a\"") DELTA("\"content\":\"b\"") STOP DONE,
	    "ab" },
	{ "an end that is said in one way alone",
	    DELTA("\"content\":\"a\"") STOP, "a" },
	{ "or in the other", DELTA("\"content\":\"a\"") DONE, "a" },
	{ "nothing behind the end is read", DONE "data: {\n\n", "" },
	{ "lines that end in CR LF",
	    "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\n"
	    "data: [DONE]\r\n\r\n",
	    "a" },
	{ "no space, comments, other fields",
	    ": hello\n\nevent: x\nid: 1\nretry: 5\n"
	    "data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n" DONE,
	    "a" },
	{ "an event of two lines",
	    "data: {\"choices\":\ndata: "
	    "[{\"delta\":{\"content\":\"a\"}}]}\n\n" DONE,
	    "a" },
	{ "no empty line at the end", DELTA("\"content\":\"a\"") "data: [DONE]",
	    "a" },
	{ "content in parts",
	    DELTA("\"content\":[{\"type\":\"text\",\"text\":\"a\"},{}]") DONE,
	    "a" },
	{ "what it does not want to say", DELTA("\"refusal\":\"no\"") DONE,
	    "no" },
	{ "what it thinks is not shown",
	    DELTA("\"reasoning_content\":\"hm\"") DELTA("\"content\":\"a\"")
		DONE,
	    "a" },
	{ "no choices", EVENT("{\"choices\":[]}") EVENT("{}") DONE, "" },
	{ "tokens",
	    EVENT("{\"choices\":[],\"usage\":{\"prompt_tokens\":5,"
		  "\"completion_tokens\":2}}") DONE,
	    " 5+2" },
	{ "tokens told again and again are the last ones",
	    EVENT("{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1}}")
		EVENT(
		    "{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}")
		    EVENT("{\"usage\":null}") DONE,
	    " 5+2" },
	{ "tokens that cannot be",
	    EVENT("{\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":2}}")
		EVENT("{\"usage\":{\"prompt_tokens\":\"5\"}}")
		    EVENT("{\"usage\":{\"prompt_tokens\":9223372036854775807,"
			  "\"completion_tokens\":2}}") DONE,
	    "" },
	{ "a call in pieces",
	    CALLS("{\"index\":0,\"id\":\"c\"," FN("list", "") "}")
		CALLS("{\"index\":0,"
		      "\"function\":{\"arguments\":\"{\"}}")
		    CALLS("{\"index\":0,"
			  "\"function\":{\"arguments\":\"}\"}}") DONE,
	    " list(c {})" },
	{ "two calls, mixed",
	    CALLS("{\"index\":0,\"id\":\"c\"," FN("a", "1") "}")
		CALLS("{\"index\":1,\"id\":\"d\"," FN("b", "2") "}")
		    CALLS("{\"index\":0,"
			  "\"function\":{\"arguments\":\"3\"}}") DONE,
	    " a(c 13) b(d 2)" },
	{ "a name and an id in every piece",
	    CALLS("{\"index\":0,\"id\":\"c\"," FN("a", "1") "}")
		CALLS("{\"index\":0,\"id\":\"c\"," FN("a", "2") "}") DONE,
	    " a(c 12)" },
	{ "every call with the same number",
	    CALLS("{\"index\":0,\"id\":\"c\"," FN("a", "1") "}")
		CALLS("{\"index\":0,\"id\":\"d\"," FN("b", "2") "}") DONE,
	    " a(c 1) b(d 2)" },
	{ "no numbers, but ids",
	    CALLS("{\"id\":\"c\"," FN("a", "1") "},{\"id\":\"d\"," FN("b",
		"2") "}") CALLS("{\"function\":{\"arguments\":\"3\"}}") DONE,
	    " a(c 1) b(d 23)" },
	{ "neither numbers nor ids",
	    CALLS("{" FN("a", "1") "},{" FN("a", "2") "}") DONE,
	    " a( 1) a( 2)" },
	{ "calls that are none", CALLS("1,null,\"x\"") DONE, " ( )" },
	{ "one object and no stream",
	    " {\"choices\":[{\"message\":{\"content\":\"a\\nb\",\"tool_calls\":"
	    "["
	    "{\"id\":\"c\"," FN("a", "1") "}]},\"finish_reason\":\"stop\"}],"
					  "\n\"usage\":{\"prompt_tokens\":1,"
					  "\"completion_tokens\":1}}",
	    "a\nb a(c 1) 1+1" },
	{ "one object, half", "{\"choices\":[", "!network" },
	{ "one object without an end",
	    "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}", "!network" },
	{ "nothing", "", "!network" },
	{ "an end that does not come", DELTA("\"content\":\"a\""), "!network" },
	{ "no JSON", EVENT("hello"), "!network" },
	{ "an error", EVENT("{\"error\":{\"message\":\"x\"}}"), "!network" },
	{ "an error that is a text", EVENT("{\"error\":\"x\"}"), "!network" },
	{ "an error that is none", EVENT("{\"error\":null}") DONE, "" },
	{ "a page", "<html>\n<p>data</p>\n</html>\n", "!network" },
};

static void
show(struct buf *b, const struct ask_answer *v)
{
	buf_str(b, buf_view(&v->text));
	for (size_t i = 0; i < v->calls; i++)
		buf_fmt(b, " %.*s(%.*s %.*s)", STR_ARG(v->call[i].name),
		    STR_ARG(v->call[i].id), STR_ARG(v->call[i].args));
	if (v->counted)
		buf_fmt(b, " %d+%d", (int)v->tokens_in, (int)v->tokens_out);
}

/* In pieces of n bytes. */
static void
check(const struct row *r, size_t n)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str rest = str_of(r->says);
	struct ask_answer *v = arena_new(a, struct ask_answer);
	struct err e = { 0 };
	struct ask_stream s;
	struct buf b;
	int got = 0;

	ask_stream_init(&s, v, a);
	while (rest.n > 0 && got == 0) {
		got = ask_stream_take(&s, str_first(rest, n), &e);
		rest = str_from(rest, n);
	}
	if (got == 0)
		got = ask_stream_end(&s, &e);
	buf_init(&b, a, 1000);
	if (got < 0)
		buf_fmt(&b, "!%s", err_code(e.kind));
	else
		show(&b, v);
	rows_same(buf_view(&b), str_of(r->is));
}

static void
row(void **state)
{
	const struct row *r = *state;

	check(r, SIZE_MAX);
	for (size_t n = 1; n < 9; n++)
		check(r, n);
}

/* An event, a line, and the whole answer are limited. */
static void
too_long(void **state)
{
	static const char *const begins[] = { "data: ", ": ", "{\"x\":\"" };
	char block[1 << 16];

	(void)state;
	memset(block, 'x', sizeof(block));
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		CLEANUP(arena_close)
		struct arena *a = arena_open(64 << 20);
		struct ask_answer *v = arena_new(a, struct ask_answer);
		struct err e = { 0 };
		struct ask_stream s;
		int k = 0;

		ask_stream_init(&s, v, a);
		assert_int_equal(ask_stream_take(&s, str_of(begins[i]), &e), 0);
		while (k < 200 &&
		    ask_stream_take(&s, (struct str){ block, sizeof(block) },
			&e) == 0)
			k++;
		assert_int_equal(e.kind, ERR_LIMIT);
		assert_true(k <= 128);
	}
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("what is too long", too_long, NULL);
	return cmocka_run_group_tests_name("ask_stream", rows_tests, NULL,
	    NULL);
}
