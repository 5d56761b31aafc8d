/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_SASL_H
#define NET_SASL_H

/*
 * SASL for IMAP and SMTP: PLAIN (RFC 4616), LOGIN, XOAUTH2, OAUTHBEARER (RFC
 * 7628).  Responses are base64 and contain a secret: they are made in a stack
 * buffer that is lent to the caller and wiped.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

enum sasl_mech {
	SASL_NONE,
	SASL_PLAIN,
	SASL_LOGIN, /* two answers, user then password */
	SASL_XOAUTH2,
	SASL_OAUTHBEARER,
};

struct sasl {
	enum sasl_mech mech;
	struct str user;
	const struct secret *secret; /* password or access token */
	struct str host;             /* OAUTHBEARER includes them */
	uint16_t port;
};

/*
 * Picks the best offered mechanism ("PLAIN", "XOAUTH2" ...) for a password or a
 * token.  SASL_NONE if there is none.
 */
enum sasl_mech sasl_pick(const struct strs *offered, bool oauth);
const char *sasl_name(enum sasl_mech m);
/*
 * Lends the base64 of response number `step` (0 first).  Returns what fn
 * returns, or -1 with ERR_USAGE if a value is not allowed in one.
 */
int sasl_respond(const struct sasl *s, int step,
    int (*fn)(struct str base64, void *ctx), void *ctx, struct err *e);
/*
 * The words of an OAuth refusal (base64 of JSON with "status") as text for the
 * operator; otherwise the challenge itself.
 */
struct str sasl_refusal(struct arena *a, struct str challenge);

#endif
