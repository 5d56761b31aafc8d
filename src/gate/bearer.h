/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_BEARER_H
#define GATE_BEARER_H

/*
 * Callers with an access token of the operator's identity provider: whose it
 * is, and what a client must know to get one (RFC 9728).
 */
#include "gate/agent.h"

/* What the operator set: emcli issuer set. */
struct gate_bearer_resource {
	struct str issuer, resource;
	struct str scope; /* words that a token needs; may be empty */
};

/* 1; 0: there is no identity provider; -1. */
int gate_bearer_resource(struct gate *g, struct arena *a,
    struct gate_bearer_resource *out, struct err *e);

enum gate_bearer_is {
	GATE_BEARER_INVALID, /* zero: the token is none that counts here */
	GATE_BEARER_SCOPE,   /* it lacks the scope */
	GATE_BEARER_NOBODY,  /* it is good, and its subject is no agent */
	GATE_BEARER_AGENT,
};

/*
 * 0 with the verdict: an agent, or why not, in words for whoever has the token.
 * -1: the identity provider cannot be asked.
 */
int gate_bearer_find(struct gate *g, struct arena *a, struct str token,
    enum gate_bearer_is *is, struct gate_agent *out, struct str *why,
    struct err *e);
/* A subject, in which anything may be, as a word for a shell; no I/O. */
struct str gate_bearer_word(struct arena *a, struct str subject);

#endif
