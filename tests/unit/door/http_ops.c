/* SPDX-License-Identifier: Apache-2.0 */
/* The status of an envelope, and the envelope of a status. */
#include "../rows.h"

#include "door/http/ops.h"

static struct row {
	const char *why;
	enum err_kind kind;
	int status;
} rows[] = {
	{ "no error", ERR_NONE, 200 },
	{ "a wrong call", ERR_USAGE, 400 },
	{ "settings", ERR_CONFIG, 503 },
	{ "nothing there", ERR_NOT_FOUND, 404 },
	{ "a rule", ERR_POLICY, 403 },
	{ "held", ERR_APPROVAL, 403 },
	{ "a skill", ERR_SKILL, 403 },
	{ "not here", ERR_UNSUPPORTED, 502 },
	{ "too much", ERR_LIMIT, 429 },
	{ "a password", ERR_AUTH, 502 },
	{ "refused by the server", ERR_REJECTED, 502 },
	{ "no server", ERR_NETWORK, 503 },
	/* Nobody is to try that again by itself. */
	{ "nobody knows", ERR_UNKNOWN_OUTCOME, 502 },
	{ "the store", ERR_DB, 503 },
	{ "a bug", ERR_INTERNAL, 502 },
	{ "no kind at all", ERR_KINDS, 502 },
};

static void
test_status(void **state)
{
	const struct row *r = *state;

	assert_int_equal(http_ops_status(r->kind), r->status);
}

#define BUSY ",\"reason\":\"busy\",\"retry_after\":1"
#define NO(code, more)                                                         \
	"{\"error\":true,\"error_detail\":{\"code\":\"" code                   \
	"\",\"message\":\"why\"" more "},\"data\":{}}\n"

static struct refusal {
	const char *why;
	int status;
	const char *text;
} refusals[] = {
	{ "a head that is none", 400, NO("usage", "") },
	{ "no agent", 401, NO("config", "") },
	{ "a page", 403, NO("policy", "") },
	{ "another path", 404, NO("usage", "") },
	{ "another method", 405, NO("usage", "") },
	{ "a slow one", 408, NO("usage", "") },
	{ "a long body", 413, NO("limit", "") },
	{ "another type", 415, NO("usage", "") },
	{ "too many", 429, NO("limit", BUSY) },
	{ "a long head", 431, NO("limit", "") },
	{ "a process that died", 500, NO("internal", "") },
	{ "in pieces", 501, NO("usage", "") },
	{ "no room", 503, NO("limit", BUSY) },
	{ "HTTP/1.0", 505, NO("usage", "") },
};

static void
test_refusal(void **state)
{
	const struct refusal *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct buf b;

	buf_init(&b, a, 1 << 12);
	http_ops_status_refuse(&b, r->status, "why");
	rows_same(buf_view(&b), str_of(r->text));
}

int
main(void)
{
	ROWS(rows, test_status);
	ROWS(refusals, test_refusal);
	return cmocka_run_group_tests_name("http_ops", rows_tests, NULL, NULL);
}
