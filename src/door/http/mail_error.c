/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One table from our kinds of errors, and the rules that refuse, to the codes
 * and statuses of the gateway.  The status says whose fault it is: the
 * caller's (4xx), the mail server's (502), or nobody's, for now (503).
 */
#include "door/http/gateway.h"

/* By the rule, before the kind. */
static const struct {
	const char *reason, *code;
	int status;
	uint32_t after;
} reasons[] = {
	{ "message_not_found", "message_not_found", 404, 0 },
	{ "box_not_found", "box_not_found", 404, 0 },
	{ "attachment_not_found", "attachment_not_found", 404, 0 },
	{ "stale_binding", "stale_binding", 409, 0 },
	{ "idempotency_conflict", "idempotency_conflict", 409, 0 },
	{ "registration_conflict", "registration_conflict", 409, 0 },
	{ "no_mailbox", "no_mailbox", 422, 0 },
	{ "not_actionable", "not_actionable", 422, 0 },
	{ "mailbox_missing", "not_actionable", 422, 0 },
	{ "root_stale", "not_actionable", 422, 0 },
	{ "credential_missing", "not_actionable", 422, 0 },
	{ "unknown_recipient", "unknown_recipient", 422, 0 },
	{ "inactive_recipient", "inactive_recipient", 422, 0 },
	{ "reply_not_allowed", "reply_not_allowed", 422, 0 },
	{ "rate_limited", "rate_limited", 429, 3600 },
	{ "locked", "locked", 503, 1 },
};

static const struct {
	const char *code;
	int status;
	uint32_t after;
} kinds[ERR_KINDS] = {
	[ERR_USAGE] = { "invalid_request", 422, 0 },
	[ERR_CONFIG] = { "not_actionable", 422, 0 },
	[ERR_NOT_FOUND] = { "message_not_found", 404, 0 },
	[ERR_POLICY] = { "policy", 403, 0 },
	[ERR_APPROVAL] = { "approval", 403, 0 },
	[ERR_SKILL] = { "policy", 403, 0 },
	[ERR_UNSUPPORTED] = { "unsupported", 422, 0 },
	[ERR_LIMIT] = { "too_large", 413, 0 },
	[ERR_AUTH] = { "transport_failed", 502, 0 },
	[ERR_REJECTED] = { "submission_rejected", 502, 0 },
	[ERR_NETWORK] = { "transport_unavailable", 503, 5 },
	[ERR_UNKNOWN_OUTCOME] = { "submission_unconfirmed", 502, 0 },
	[ERR_DB] = { "transport_unavailable", 503, 5 },
	[ERR_INTERNAL] = { "transport_failed", 502, 0 },
};

/* What may have been done, and would be done twice. */
static bool
http_mail_error_is_safe(const struct err *e, bool sends, bool keyed)
{
	if (!sends || keyed)
		return true;
	return e->kind != ERR_UNKNOWN_OUTCOME && e->kind != ERR_APPROVAL &&
	    e->kind != ERR_INTERNAL;
}

void
http_mail_error(const struct err *e, bool sends, bool keyed,
    struct http_mail_error *out)
{
	*out = (struct http_mail_error){ 502, "transport_failed", false, 0 };
	if (e->kind > ERR_NONE && e->kind < ERR_KINDS)
		*out = (struct http_mail_error){ kinds[e->kind].status,
			kinds[e->kind].code,
			http_mail_error_is_safe(e, sends, keyed),
			kinds[e->kind].after };
	if (e->reason == NULL)
		return;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (str_eq(str_of(e->reason), str_of(reasons[i].reason))) {
			out->status = reasons[i].status;
			out->code = reasons[i].code;
			out->after = reasons[i].after;
		}
}

void
http_mail_error_of_status(int status, struct http_mail_error *out)
{
	static const struct http_mail_error table[] = {
		{ 401, "unauthenticated", true, 0 },
		{ 403, "forbidden_origin", true, 0 },
		{ 413, "too_large", true, 0 },
		{ 431, "too_large", true, 0 },
		/* It may have been done before its process died. */
		{ 500, "transport_failed", false, 0 },
		{ 503, "not_loopback", true, 0 },
	};

	*out = (struct http_mail_error){ status, "invalid_request", true, 0 };
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].status == status)
			*out = table[i];
}

struct json *
http_mail_error_json(struct arena *a, const struct http_mail_error *x,
    struct str detail)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_str(j, "detail", detail);
	json_put_text(j, "code", x->code);
	json_put_bool(j, "retry_safe", x->safe);
	if (x->after > 0)
		json_put_int(j, "retry_after", x->after);
	json_close_object(j);
	return j;
}
