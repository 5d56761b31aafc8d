/* SPDX-License-Identifier: Apache-2.0 */
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
	const char
	    *next; /* what to do, where the gateway did not say; or NULL */
} codes[] = {
	{ "invalid_request", ERR_USAGE, true, NULL },
	{ "unauthenticated", ERR_AUTH, false,
	    "tell the operator: emcli gateway status" },
	{ "forbidden_origin", ERR_AUTH, false,
	    "tell the operator: emcli gateway status" },
	{ "message_not_found", ERR_NOT_FOUND, false,
	    "check lists the messages: give the message_ref of one" },
	{ "box_not_found", ERR_NOT_FOUND, false,
	    "name inbox, sent, drafts, archive or a box of your own" },
	{ "attachment_not_found", ERR_NOT_FOUND, false,
	    "peek shows a message with its attachments" },
	{ "stale_binding", ERR_USAGE, false,
	    "ask resolve-live for the version of today" },
	{ "idempotency_conflict", ERR_USAGE, false,
	    "give another message another --idempotency-key" },
	{ "registration_conflict", ERR_CONFIG, false,
	    "tell the operator: emcli mailbox accounts" },
	{ "too_large", ERR_LIMIT, true, "ask for less, or send less at once" },
	{ "no_mailbox", ERR_CONFIG, false,
	    "tell the operator: emcli agents mailbox status" },
	{ "not_actionable", ERR_CONFIG, false,
	    "tell the operator: emcli agents mailbox status" },
	{ "unsupported", ERR_UNSUPPORTED, true, NULL },
	{ "unknown_recipient", ERR_REJECTED, false,
	    "write to an address that has a mailbox here" },
	{ "inactive_recipient", ERR_REJECTED, false,
	    "write to somebody else, or tell the operator" },
	{ "reply_not_allowed", ERR_UNSUPPORTED, false, "leave it unanswered" },
	{ "rate_limited", ERR_LIMIT, false, "try again later" },
	{ "transport_failed", ERR_NETWORK, false,
	    "try again later, or tell the operator" },
	{ "submission_rejected", ERR_REJECTED, true,
	    "correct what the server names, or tell the operator" },
	{ "submission_unconfirmed", ERR_UNKNOWN_OUTCOME, true,
	    "do not send it again: list --box sent shows what left" },
	{ "locked", ERR_DB, false, "try again in a moment" },
	{ "transport_unavailable", ERR_NETWORK, true, "try again later" },
	{ "not_loopback", ERR_CONFIG, false,
	    "tell the operator: emcli gateway start --host 127.0.0.1" },
	{ "policy", ERR_POLICY, false,
	    "do not try again: the rule is the operator's" },
	{ "approval", ERR_APPROVAL, false,
	    "go on: it leaves when the operator allows it; do not send it "
	    "again" },
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

const char *
agents_code_next(struct str code)
{
	for (size_t i = 0; i < CODES; i++)
		if (str_eq(code, str_of(codes[i].code)))
			return codes[i].next;
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
