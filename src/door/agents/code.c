/*
 * The gateway's codes and emcli's kinds of errors.  A reply of the gateway has
 * a code, and becomes an error of emcli's kind; an error of emcli's own gets
 * the code that the gateway would have answered.
 */
#include "door/agents/internal.h"

static const struct code {
	const char *code;
	enum err_kind kind;
	bool usual; /* of errors of that kind without a reason */
} codes[] = {
	{ "invalid_request", ERR_USAGE, true },
	{ "unauthenticated", ERR_AUTH, false },
	{ "forbidden_origin", ERR_AUTH, false },
	{ "message_not_found", ERR_NOT_FOUND, false },
	{ "box_not_found", ERR_NOT_FOUND, false },
	{ "attachment_not_found", ERR_NOT_FOUND, false },
	{ "stale_binding", ERR_USAGE, false },
	{ "idempotency_conflict", ERR_USAGE, false },
	{ "registration_conflict", ERR_CONFIG, false },
	{ "too_large", ERR_LIMIT, true },
	{ "no_mailbox", ERR_CONFIG, false },
	{ "not_actionable", ERR_CONFIG, false },
	{ "unsupported", ERR_UNSUPPORTED, true },
	{ "unknown_recipient", ERR_REJECTED, false },
	{ "inactive_recipient", ERR_REJECTED, false },
	{ "reply_not_allowed", ERR_UNSUPPORTED, false },
	{ "rate_limited", ERR_LIMIT, false },
	{ "transport_failed", ERR_NETWORK, false },
	{ "submission_rejected", ERR_REJECTED, true },
	{ "submission_unconfirmed", ERR_UNKNOWN_OUTCOME, true },
	{ "locked", ERR_DB, false },
	{ "transport_unavailable", ERR_NETWORK, true },
	{ "not_loopback", ERR_CONFIG, false },
	{ "policy", ERR_POLICY, false },
	{ "approval", ERR_APPROVAL, false },
};

#define CODES (sizeof(codes) / sizeof(codes[0]))

const char *
agents_code_of(const struct err *e)
{
	if (e->reason != NULL)
		return e->reason;
	for (size_t i = 0; i < CODES; i++)
		if (codes[i].kind == e->kind && codes[i].usual)
			return codes[i].code;
	return NULL;
}

enum err_kind
agents_code_kind(struct str code, int status)
{
	for (size_t i = 0; i < CODES; i++)
		if (str_eq(code, str_of(codes[i].code)))
			return codes[i].kind;
	/* One that is newer than this program. */
	if (status == 403)
		return ERR_POLICY;
	return status < 500 ? ERR_USAGE : ERR_NETWORK;
}
