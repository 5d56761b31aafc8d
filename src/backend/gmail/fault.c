/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meaning of Gmail's refusals.  A table has the reasons; others go by the
 * status.  If a quota is used up, the error says how long to wait, and the
 * caller decides: emcli never waits silently.
 */
#include <stdio.h>

#include "backend/gmail/internal.h"
#include "base/said.h"

static const struct fault {
	int status; /* 0: any */
	enum err_kind kind;
	struct str reason;
	const char *say;
	const char *hint;
} faults[] = {
	{ 0, ERR_LIMIT, SI("rateLimitExceeded"), "Gmail's quota is used up",
	    NULL },
	{ 0, ERR_LIMIT, SI("userRateLimitExceeded"),
	    "Gmail's quota of this account is used up", NULL },
	{ 0, ERR_LIMIT, SI("dailyLimitExceeded"),
	    "Gmail's quota of the day is used up", NULL },
	{ 0, ERR_LIMIT, SI("quotaExceeded"), "Gmail's quota is used up", NULL },
	{ 403, ERR_CONFIG, SI("accessNotConfigured"),
	    "the Gmail API is not enabled for the OAuth client",
	    "enable the Gmail API in the client's Google Cloud project" },
	{ 403, ERR_AUTH, SI("insufficientPermissions"),
	    "the consent does not include that",
	    "give consent again, which asks for what the account's settings "
	    "need: emcli account consent NAME" },
	{ 403, ERR_AUTH, SI("domainPolicy"),
	    "the account's domain does not allow access by programs",
	    "ask the administrator of the Google Workspace domain" },
	{ 400, ERR_CONFIG, SI("failedPrecondition"),
	    "the account has no Gmail mailbox", NULL },
	{ 401, ERR_AUTH, SI(""), "Gmail refused the token", NULL },
	{ 403, ERR_AUTH, SI(""), "Gmail refused access", NULL },
	{ 404, ERR_NOT_FOUND, SI(""), "no such folder or message", NULL },
	{ 410, ERR_NOT_FOUND, SI(""), "no such folder or message", NULL },
	{ 413, ERR_LIMIT, SI(""), "that is too large for Gmail", NULL },
	{ 429, ERR_LIMIT, SI(""), "Gmail asks for fewer requests", NULL },
};

/* The first reason of an error's body, and its message. */
static void
gmail_fault_read_reason(struct json_doc *d, struct str *reason,
    struct str *message)
{
	const struct json_value *v =
	    json_parse_member(json_parse_root(d), "error");
	const struct json_value *first =
	    json_parse_item(json_parse_member(v, "errors"), 0);

	(void)json_parse_str(json_parse_member(first, "reason"), reason);
	(void)json_parse_str(json_parse_member(v, "message"), message);
}

static const struct fault *
gmail_fault_find(int status, struct str reason)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		const struct fault *f = &faults[i];

		if (f->status != 0 && f->status != status)
			continue;
		if (f->reason.n == 0 || str_eq(f->reason, reason))
			return f;
	}
	return NULL;
}

int
gmail_fault(int status, struct str body, int64_t retry_after_s, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct str reason = S(""), message = S("");
	const struct fault *f;
	struct err ignore = { 0 };
	char wait[64] = "", name[60], words[200];

	if (body.n > 0 && body.p[0] == '{' &&
	    json_parse_open(body, LIMIT_OAUTH_ANSWER, &d, &ignore) == 0)
		gmail_fault_read_reason(d, &reason, &message);
	f = gmail_fault_find(status, reason);
	*e = (struct err){ 0 };
	if (retry_after_s > 0)
		(void)snprintf(wait, sizeof(wait), "; it asks to wait %lld s",
		    (long long)retry_after_s);
	if (f != NULL) {
		(void)err_set(e, f->kind, "%s%s%s", f->say,
		    f->kind == ERR_LIMIT ? ": emcli does not retry" : "", wait);
		if (f->hint != NULL)
			(void)err_hint(e, f->hint);
	} else if (status >= 500) {
		(void)err_set(e, ERR_NETWORK, "Gmail failed (%d)%s", status,
		    wait);
	} else {
		(void)err_set(e, ERR_NETWORK,
		    "Gmail does not understand the request (%d)", status);
	}
	said_clean(name, sizeof(name), reason);
	said_clean(words, sizeof(words), message);
	return err_because(e, "gmail: %d %s: %s", status, name, words);
}
