/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by the access tokens of an identity provider. */
#include "gate/bearer.h"

#include "base/buf.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "source/issuer.h"
#include "store/agent.h"

int
gate_bearer_resource(struct gate *g, struct arena *a,
    struct gate_bearer_resource *out, struct err *e)
{
	struct store_issuer x;
	int r = store_issuer_get(g->store, a, &x, e);

	if (r == 1)
		*out = (struct gate_bearer_resource){ x.issuer, x.resource,
			x.scope };
	return r;
}

/*
 * In ASCII: the provider, or whoever could choose a name there, writes it, and
 * a character that looks like another one must be seen to be none.
 */
struct str
gate_bearer_word(struct arena *a, struct str subject)
{
	struct buf b;
	bool plain = true;

	buf_init(&b, a, LIMIT_BEARER_SUBJECT * 4 + 4);
	for (size_t i = 0; i < subject.n; i++)
		plain = plain && subject.p[i] >= ' ' && subject.p[i] <= '~';
	if (plain) {
		buf_shell(&b, subject);
		return buf_view(&b);
	}
	buf_text(&b, "$'");
	for (size_t i = 0; i < subject.n; i++) {
		char c = subject.p[i];

		if (c >= ' ' && c <= '~' && c != '\'' && c != '\\')
			buf_char(&b, c);
		else
			buf_fmt(&b, "\\x%02x", (unsigned char)c);
	}
	buf_char(&b, '\'');
	return buf_view(&b);
}

/* A good token: its subject is an agent, or nobody. */
static int
gate_bearer_take(struct gate *g, struct arena *a, const struct store_issuer *by,
    struct str subject, enum gate_bearer_is *is, struct gate_agent *out,
    struct str *why, struct err *e)
{
	struct store_agent x;
	int r = store_agent_by_subject(g->store, a, by->issuer, subject, &x, e);

	if (r < 0)
		return -1;
	*is = r == 1 ? GATE_BEARER_AGENT : GATE_BEARER_NOBODY;
	if (r == 1)
		*out = gate_agent_of(a, &x);
	else
		*why = str_fmt(a,
		    "the token is good, but its subject is no agent here: the "
		    "operator runs emcli agent add NAME --subject=%.*s",
		    STR_ARG(gate_bearer_word(a, subject)));
	return 0;
}

int
gate_bearer_find(struct gate *g, struct arena *a, struct str token,
    enum gate_bearer_is *is, struct gate_agent *out, struct str *why,
    struct err *e)
{
	struct oauth_bearer got = { .why = "no identity provider is set" };
	struct store_issuer by;
	int r = store_issuer_get(g->store, a, &by, e);

	*is = GATE_BEARER_INVALID;
	if (r < 0 ||
	    (r == 1 && issuer_check(g->store, a, &by, token, &got, e) < 0))
		return -1;
	if (got.is == OAUTH_BEARER_GOOD)
		return gate_bearer_take(g, a, &by, got.subject, is, out, why,
		    e);
	if (got.is == OAUTH_BEARER_SCOPE)
		*is = GATE_BEARER_SCOPE;
	*why = str_fmt(a, "the token is not accepted: %s", got.why);
	return 0;
}
