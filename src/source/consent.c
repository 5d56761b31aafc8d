/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A consent, and the token that is made of it.  Connects oauth/, which makes
 * requests and stores nothing, with store/, which stores the consent and knows
 * no provider.
 */
#include "source/consent.h"

#include "base/clock.h"
#include "base/limits.h"

void
source_consent_done(struct source_consent *c)
{
	secret_close(&c->id);
	secret_close(&c->secret);
	secret_close(&c->refresh);
}

/* The operator's next step, including the account's name. */
static int
source_consent_again(const struct source_consent *c, const char *say,
    struct err *e)
{
	char detail[sizeof(e->detail)];

	memcpy(detail, e->detail, sizeof(detail));
	*e = (struct err){ 0 };
	(void)err_set(e, ERR_AUTH,
	    "%s: the operator must run emcli account consent %.*s", say,
	    STR_ARG(c->account));
	e->reason = "consent";
	(void)err_hint(e, "give consent again: emcli account consent NAME");
	return detail[0] != '\0' ? err_because(e, "%s", detail) : -1;
}

static int
source_consent_provider(const struct store_oauth *from,
    struct oauth_provider *out, struct err *e)
{
	const struct oauth_provider *known =
	    oauth_provider_find(from->provider);

	*out = known != NULL ? *known : (struct oauth_provider){ 0 };
	if (from->token_url.n > 0) {
		out->token_url = from->token_url;
		out->issuer = from->issuer;
		out->basic = from->basic;
	}
	if (out->token_url.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the account's OAuth provider is not known");
	return 0;
}

int
source_consent_load(struct store *s, struct arena *a,
    const struct store_account *acct, struct source_consent *out, struct err *e)
{
	*out = (struct source_consent){ .account = acct->name,
		.ca_file = acct->ca_file };
	if (store_oauth_get(s, a, acct->id, &out->from, e) < 0)
		return -1;
	if ((out->from.has_client_id &&
		store_account_secret(s, acct->id, STORE_OAUTH_CLIENT_ID,
		    &out->id, e) < 0) ||
	    (out->from.has_client_secret &&
		store_account_secret(s, acct->id, STORE_OAUTH_CLIENT_SECRET,
		    &out->secret, e) < 0) ||
	    (out->from.has_refresh &&
		store_account_secret(s, acct->id, STORE_OAUTH_REFRESH_TOKEN,
		    &out->refresh, e) < 0)) {
		source_consent_done(out);
		return -1;
	}
	return 0;
}

/*
 * The provider may already have rotated the token when we hang up; let a
 * request that was begun finish.
 */
static int64_t
source_consent_until(int64_t deadline_ms)
{
	if (clock_left_ms(deadline_ms) < LIMIT_OAUTH_REFRESH_MS)
		return clock_mono_ms() + LIMIT_OAUTH_REFRESH_MS;
	return deadline_ms;
}

int
source_consent_refresh(const struct source_consent *c, int64_t deadline_ms,
    struct oauth_token *out, struct err *e)
{
	struct oauth_provider provider;
	struct oauth_client client = {
		.provider = &provider,
		.id = c->id,
		.secret = c->secret,
		/*
		 * A private CA applies to the account's own provider; the
		 * providers in the table have public certificates.
		 */
		.ca_file = c->from.token_url.n > 0 ? c->ca_file : S(""),
	};

	if (c->id == NULL || c->refresh == NULL)
		return source_consent_again(c, "nobody has given consent yet",
		    e);
	if (source_consent_provider(&c->from, &provider, e) < 0)
		return -1;
	if (oauth_token_refresh(&client, c->refresh,
		source_consent_until(deadline_ms), out, e) == 0) {
		if (out->refresh != NULL && secret_eq(out->refresh, c->refresh))
			secret_close(&out->refresh);
		return 0;
	}
	if (e->reason != NULL && strcmp(e->reason, "consent") == 0)
		return source_consent_again(c,
		    "the provider no longer honours this account's consent", e);
	return -1;
}

void
source_consent_hold(sigset_t *before)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP,
		SIGIO };
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		(void)sigaddset(&set, stops[i]);
	(void)sigprocmask(SIG_BLOCK, &set, before);
}
