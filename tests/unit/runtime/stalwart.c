/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of the two management interfaces: what counts as done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/stalwart.h"

static void
open_answer(struct stalwart_answer *x, int status, const char *text)
{
	struct err e = { 0 };

	*x = (struct stalwart_answer){ .status = status };
	(void)json_parse_open(str_of(text), 1 << 16, &x->doc, &e);
}

static const struct {
	int status;
	const char *text;
	enum err_kind want;
} rest[] = {
	{ 200, "{\"data\":50}", ERR_NONE },
	{ 200, "{\"data\":null}", ERR_NONE },
	{ 200, "{\"data\":{\"items\":[],\"total\":0}}", ERR_NONE },
	/* Errors come with status 200, and count before data. */
	{ 200, "{\"error\":\"notFound\",\"item\":\"x\"}", ERR_NOT_FOUND },
	{ 200, "{\"error\":\"fieldAlreadyExists\"}", ERR_REJECTED },
	{ 200, "{\"data\":1,\"error\":\"other\"}", ERR_REJECTED },
	{ 200, "{\"error\":{\"x\":1}}", ERR_REJECTED },
	{ 200, "{}", ERR_NETWORK },
	{ 200, "[]", ERR_NETWORK },
	{ 200, "<html>", ERR_NETWORK },
	{ 200, "", ERR_NETWORK },
	{ 404, "{\"status\":404}", ERR_NOT_FOUND },
	{ 404, "nothing", ERR_NETWORK },
	{ 500, "{\"data\":1}", ERR_NETWORK },
};

static void
rest_looks_for_errors_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		const struct json_value *data = NULL;
		struct stalwart_answer x;
		struct err e = { 0 };

		open_answer(&x, rest[i].status, rest[i].text);
		(void)stalwart_rest_read(&x, &data, &e);
		if (e.kind != rest[i].want)
			fail_msg("%s: %s", rest[i].text, e.say);
		stalwart_http_done(&x);
	}
}

#define ANSWER(responses) "{\"methodResponses\":[" responses "]}"
#define SET(args) ANSWER("[\"x:Account/set\"," args ",\"s\"]")

static const struct {
	const char *text;
	enum err_kind want;
} jmap[] = {
	{ SET("{\"created\":{\"n\":{\"id\":\"a1\"}}}"), ERR_NONE },
	{ SET("{\"created\":{\"n\":{\"id\":\"a1\"}},\"notCreated\":null}"),
	    ERR_NONE },
	{ SET("{\"created\":{\"n\":{\"id\":\"a1\"}},\"notCreated\":{}}"),
	    ERR_NONE },
	{ ANSWER("[\"x:Domain/get\",{},\"q\"],[\"x:Account/set\",{\"created\":"
		 "{\"n\":{}}},\"s\"]"),
	    ERR_NONE },
	/* Refused, whatever else is there. */
	{ SET("{\"notCreated\":{\"n\":{\"type\":\"primaryKeyViolation\"}}}"),
	    ERR_REJECTED },
	{ SET("{\"created\":{\"n\":{}},\"notCreated\":{\"m\":{}}}"),
	    ERR_REJECTED },
	{ ANSWER("[\"error\",{\"type\":\"forbidden\"},\"s\"]"), ERR_REJECTED },
	/* Neither. */
	{ SET("{\"created\":{\"m\":{\"id\":\"a1\"}}}"), ERR_NETWORK },
	{ SET("{\"created\":null}"), ERR_NETWORK },
	{ SET("[]"), ERR_NETWORK },
	{ ANSWER("[\"x:Account/get\",{},\"s\"]"), ERR_NETWORK },
	{ ANSWER("[\"x:Account/set\",{\"created\":{\"n\":{}}},\"t\"]"),
	    ERR_NETWORK },
	{ ANSWER(""), ERR_NETWORK },
	{ "{}", ERR_NETWORK },
	{ "[", ERR_NETWORK },
};

static void
jmap_is_done_only_if_it_is_said(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(jmap) / sizeof(jmap[0]); i++) {
		const struct json_value *args = NULL, *v = NULL;
		struct stalwart_answer x;
		struct err e = { 0 };

		open_answer(&x, 200, jmap[i].text);
		if (stalwart_jmap_read(&x, "x:Account/set", "s", &args, &e) ==
		    0)
			(void)stalwart_jmap_check(args, "created", "notCreated",
			    "n", &v, &e);
		if (e.kind != jmap[i].want)
			fail_msg("%s: %s", jmap[i].text, e.say);
		stalwart_http_done(&x);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_looks_for_errors_first),
		cmocka_unit_test(jmap_is_done_only_if_it_is_said),
	};

	return cmocka_run_group_tests_name("runtime/stalwart", tests, NULL,
	    NULL);
}
