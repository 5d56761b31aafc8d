/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider's refusals as errors that an operator can act on: RFC 6749
 * sections 4.1.2.1 and 5.2, RFC 8628 section 3.5.
 */
#include "base/said.h"
#include "oauth/internal.h"

static const struct {
	struct str code;
	enum err_kind kind;
	const char *reason;
	const char *say;
} faults[] = {
	{ SI("access_denied"), ERR_AUTH, NULL,
	    "consent was denied at the provider" },
	{ SI("authorization_declined"), ERR_AUTH, NULL,
	    "consent was denied at the provider" },
	{ SI("invalid_grant"), ERR_AUTH, "consent",
	    "the provider no longer honours this consent: the operator must "
	    "run emcli account consent" },
	{ SI("interaction_required"), ERR_AUTH, "consent",
	    "the provider requires a new login: the operator must run emcli "
	    "account consent" },
	{ SI("consent_required"), ERR_AUTH, "consent",
	    "the provider requires a new consent: the operator must run emcli "
	    "account consent" },
	{ SI("login_required"), ERR_AUTH, "consent",
	    "the provider requires a new login: the operator must run emcli "
	    "account consent" },
	{ SI("expired_token"), ERR_AUTH, NULL,
	    "the code was not entered in time: run the command again" },
	{ SI("bad_verification_code"), ERR_AUTH, NULL,
	    "the provider no longer knows the code: run the command again" },
	{ SI("invalid_client"), ERR_CONFIG, NULL,
	    "the provider refuses the OAuth client: its id or its secret is "
	    "wrong" },
	{ SI("unauthorized_client"), ERR_CONFIG, NULL,
	    "the provider does not allow this OAuth client to do that: check "
	    "how it is registered" },
	{ SI("unsupported_grant_type"), ERR_CONFIG, NULL,
	    "the provider does not support this kind of consent" },
	{ SI("unsupported_response_type"), ERR_CONFIG, NULL,
	    "the provider does not support this kind of consent" },
	{ SI("invalid_scope"), ERR_CONFIG, NULL,
	    "the provider does not grant the requested scope: see --scope" },
	{ SI("invalid_request"), ERR_CONFIG, NULL,
	    "the provider refuses the request as invalid: check how the OAuth "
	    "client is registered" },
	{ SI("server_error"), ERR_NETWORK, NULL,
	    "the provider failed: try again later" },
	{ SI("temporarily_unavailable"), ERR_NETWORK, NULL,
	    "the provider is busy: try again later" },
};

void
oauth_fault_clean(char *out, size_t room, struct str s)
{
	size_t n = s.n < room - 1 ? s.n : room - 1;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		out[i] = s.p[i];
		if (c < 0x20 || c > 0x7e)
			out[i] = ' ';
	}
	out[n] = '\0';
}

int
oauth_fault_set(struct err *e, int status, struct str code, struct str words)
{
	char name[64], text[200];
	size_t i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (str_eq(code, faults[i].code))
			break;
	if (i < sizeof(faults) / sizeof(faults[0])) {
		(void)err_set(e, faults[i].kind, "%s", faults[i].say);
		e->reason = faults[i].reason;
	} else if (status >= 500 || status == 429 || status == 408) {
		(void)err_set(e, ERR_NETWORK,
		    "the provider cannot answer now: try again later");
	} else {
		(void)err_set(e, ERR_CONFIG,
		    "the provider refuses, for a reason that emcli does not "
		    "know");
	}
	said_clean(name, sizeof(name), code);
	said_clean(text, sizeof(text), words);
	if (status != 0)
		return err_because(e, "oauth: HTTP %d %s %s", status, name,
		    text);
	return err_because(e, "oauth: %s %s", name, text);
}
