/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of emcli's as the gateway's clients know them. */
#include "../rows.h"

#include "door/http/gateway.h"

static struct row {
	const char *why;
	enum err_kind kind;
	const char *reason;
	int status;
	const char *code;
	bool read_safe, send_safe, keyed_safe;
	uint32_t after;
} rows[] = {
	{ "a wrong call", ERR_USAGE, NULL, 422, "invalid_request", true, true,
	    true, 0 },
	{ "an older binding", ERR_USAGE, "stale_binding", 409, "stale_binding",
	    true, true, true, 0 },
	{ "a key of another message", ERR_USAGE, "idempotency_conflict", 409,
	    "idempotency_conflict", true, true, true, 0 },
	{ "an address of another agent", ERR_CONFIG, "registration_conflict",
	    409, "registration_conflict", true, true, true, 0 },
	{ "a root of old", ERR_CONFIG, "root_stale", 422, "not_actionable",
	    true, true, true, 0 },
	{ "no password", ERR_CONFIG, "credential_missing", 422,
	    "not_actionable", true, true, true, 0 },
	{ "no mailbox", ERR_CONFIG, "no_mailbox", 422, "no_mailbox", true, true,
	    true, 0 },
	{ "a mailbox that is not there", ERR_CONFIG, "mailbox_missing", 422,
	    "not_actionable", true, true, true, 0 },
	{ "settings", ERR_CONFIG, NULL, 422, "not_actionable", true, true, true,
	    0 },
	{ "a message", ERR_NOT_FOUND, NULL, 404, "message_not_found", true,
	    true, true, 0 },
	{ "a box", ERR_NOT_FOUND, "box_not_found", 404, "box_not_found", true,
	    true, true, 0 },
	{ "a file", ERR_NOT_FOUND, "attachment_not_found", 404,
	    "attachment_not_found", true, true, true, 0 },
	{ "a rule", ERR_POLICY, "ro_mode", 403, "policy", true, true, true, 0 },
	{ "held for the operator", ERR_APPROVAL, "approval", 403, "approval",
	    true, false, true, 0 },
	{ "not here", ERR_UNSUPPORTED, NULL, 422, "unsupported", true, true,
	    true, 0 },
	{ "no answer wanted", ERR_UNSUPPORTED, "reply_not_allowed", 422,
	    "reply_not_allowed", true, true, true, 0 },
	{ "too much", ERR_LIMIT, NULL, 413, "too_large", true, true, true, 0 },
	{ "too often", ERR_LIMIT, "rate_limited", 429, "rate_limited", true,
	    true, true, 3600 },
	{ "credentials", ERR_AUTH, NULL, 502, "transport_failed", true, true,
	    true, 0 },
	{ "a recipient of nowhere", ERR_REJECTED, "unknown_recipient", 422,
	    "unknown_recipient", true, true, true, 0 },
	{ "a recipient that is put aside", ERR_REJECTED, "inactive_recipient",
	    422, "inactive_recipient", true, true, true, 0 },
	{ "refused by the server", ERR_REJECTED, NULL, 502,
	    "submission_rejected", true, true, true, 0 },
	{ "no connection", ERR_NETWORK, NULL, 503, "transport_unavailable",
	    true, true, true, 5 },
	{ "nobody knows", ERR_UNKNOWN_OUTCOME, NULL, 502,
	    "submission_unconfirmed", true, false, true, 0 },
	{ "a lock", ERR_DB, "locked", 503, "locked", true, true, true, 1 },
	{ "a bug", ERR_INTERNAL, NULL, 502, "transport_failed", true, false,
	    true, 0 },
	{ "a reason that is not in the table", ERR_USAGE, "box", 422,
	    "invalid_request", true, true, true, 0 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	const struct err e = { .kind = r->kind, .reason = r->reason };
	struct http_mail_error x;

	http_mail_error(&e, false, false, &x);
	assert_int_equal(x.status, r->status);
	assert_string_equal(x.code, r->code);
	assert_int_equal(x.after, r->after);
	assert_int_equal(x.safe, r->read_safe);
	http_mail_error(&e, true, false, &x);
	assert_int_equal(x.safe, r->send_safe);
	http_mail_error(&e, true, true, &x);
	assert_int_equal(x.safe, r->keyed_safe);
	assert_int_equal(x.status, r->status);
}

/* No kind is without a status. */
static void
every_kind(void **state)
{
	(void)state;
	for (int k = ERR_NONE + 1; k < ERR_KINDS; k++) {
		const struct err e = { .kind = (enum err_kind)k };
		struct http_mail_error x;

		http_mail_error(&e, false, false, &x);
		assert_true(x.status >= 400 && x.status < 600);
		assert_non_null(x.code);
	}
}

static void
as_json(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct http_mail_error x;
	struct buf b;

	(void)state;
	buf_init(&b, a, 4096);
	http_mail_refuse(&b, 401, "a \"word\"");
	rows_same(buf_view(&b),
	    S("{\"detail\":\"a \\\"word\\\"\",\"code\":\"unauthenticated\","
	      "\"retry_safe\":true}"));
	http_mail_error(&(struct err){ .kind = ERR_DB, .reason = "locked" },
	    false, false, &x);
	rows_same(json_text(http_mail_error_json(a, &x, S("busy")), a),
	    S("{\"detail\":\"busy\",\"code\":\"locked\",\"retry_safe\":true,"
	      "\"retry_after\":1}"));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("every kind", every_kind, NULL);
	rows_add("as JSON", as_json, NULL);
	return cmocka_run_group_tests_name("door/http_mail_error", rows_tests,
	    NULL, NULL);
}
