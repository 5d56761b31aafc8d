/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to ask for consent and as which client: from the options, else from the
 * account, else from what its server announces.
 */
#include "desk/consent.h"
#include "gate/setting.h"
#include "source/provider.h"

void
consent_from_done(struct consent_from *f)
{
	f->id = f->secret = NULL;
	secret_close(&f->kept_id);
	secret_close(&f->kept_secret);
}

/* The mail server's provider, if its way of consent is known. */
static struct str
consent_from_guess(const struct store_account *acct)
{
	const struct provider *p;

	for (p = provider_table; p->name != NULL; p++)
		if (p->consent != NULL && p->imap_host != NULL &&
		    str_eq_case(str_of(p->imap_host), acct->imap_host))
			return str_of(p->consent);
	return S("");
}

/* Is it the same one?  A slash at the end of an issuer does not count. */
static bool
consent_from_is_kept(const struct consent_ask *ask,
    const struct store_oauth *keep)
{
	struct str x = ask->issuer, y = keep->issuer;

	if (str_ends(x, S("/")))
		x = str_first(x, x.n - 1);
	if (str_ends(y, S("/")))
		y = str_first(y, y.n - 1);
	return str_eq(ask->provider, keep->provider) && str_eq(x, y);
}

static int
consent_from_pick_provider(const struct store_account *acct,
    const struct consent_ask *ask, struct store_oauth *keep, struct err *e)
{
	if (ask->provider.n > 0 || ask->issuer.n > 0) {
		/* The client's secret is for one issuer only. */
		if (!consent_from_is_kept(ask, keep))
			keep->has_client_id = keep->has_client_secret = false;
		/* The scope was for the previous one. */
		keep->scope = S("");
		keep->provider = ask->provider;
		keep->issuer = ask->issuer;
	} else if (keep->provider.n == 0 && keep->issuer.n == 0) {
		keep->provider = consent_from_guess(acct);
	}
	if (ask->scope.n > 0)
		keep->scope = ask->scope;
	keep->token_url = S("");
	if (keep->provider.n == 0 && keep->issuer.n == 0)
		return err_set(e, ERR_USAGE,
		    "--provider or --issuer is missing: who issues the tokens "
		    "for %.*s?",
		    STR_ARG(acct->imap_host.n > 0 ? acct->imap_host
						  : acct->smtp_host));
	return 0;
}

/* The least that the account needs; --scope is the operator's to narrow it. */
static void
consent_from_pick_scope(const struct store_account *acct,
    struct oauth_provider *p)
{
	struct str least;

	if (acct->smtp_host.n > 0)
		return;
	if (!str_eq(acct->backend, S("gmail")))
		least = p->scope_imap;
	else
		least = acct->mode == MODE_RO        ? p->scope_read
		    : acct->organise != ORGANISE_OFF ? p->scope_label
						     : p->scope_draft;
	if (least.n > 0)
		p->scope = least;
}

static int
consent_from_find_provider(struct arena *a, const struct store_account *acct,
    int64_t deadline_ms, struct consent_from *out, struct err *e)
{
	const struct oauth_provider *known =
	    oauth_provider_find(out->keep.provider);

	if (known != NULL)
		out->provider = *known;
	else if (out->keep.provider.n > 0)
		return err_set(e, ERR_USAGE, "unknown provider %.*s",
		    STR_ARG(setting_quote(a, out->keep.provider)));
	if (out->keep.issuer.n > 0) {
		if (oauth_discover(a, out->keep.issuer, acct->ca_file,
			deadline_ms, &out->provider, e) < 0)
			return -1;
		out->keep.issuer = out->provider.issuer;
		out->keep.token_url = out->provider.token_url;
	}
	out->keep.basic = out->provider.basic;
	consent_from_pick_scope(acct, &out->provider);
	if (out->keep.scope.n == 0 && out->provider.scope.n == 0)
		return err_set(e, ERR_USAGE,
		    "--scope is missing: what does this provider call access "
		    "to mail?");
	return 0;
}

/* A client given by option has its own secret or none. */
static int
consent_from_find_client(struct store *s, const struct store_account *acct,
    const struct consent_ask *ask, struct consent_from *out, struct err *e)
{
	bool same = ask->client_id == NULL;

	if (same && !out->keep.has_client_id)
		return err_set(e, ERR_USAGE,
		    "--client-id is missing: register a desktop application "
		    "with the provider, see emcli(1)");
	if (same &&
	    store_account_secret(s, acct->id, STORE_OAUTH_CLIENT_ID,
		&out->kept_id, e) < 0)
		return -1;
	if (same && ask->client_secret == NULL && out->keep.has_client_secret &&
	    store_account_secret(s, acct->id, STORE_OAUTH_CLIENT_SECRET,
		&out->kept_secret, e) < 0)
		return -1;
	out->id = same ? out->kept_id : ask->client_id;
	out->secret =
	    ask->client_secret != NULL ? ask->client_secret : out->kept_secret;
	return 0;
}

int
consent_from(struct arena *a, struct store *s, const struct store_account *acct,
    const struct consent_ask *ask, int64_t deadline_ms,
    struct consent_from *out, struct err *e)
{
	if (!str_eq(acct->auth_type, S("oauth2")))
		return err_set(e, ERR_USAGE,
		    "the account logs in with a password: change that with "
		    "emcli account edit --auth oauth2");
	if (store_oauth_get(s, a, acct->id, &out->keep, e) < 0 ||
	    consent_from_pick_provider(acct, ask, &out->keep, e) < 0 ||
	    consent_from_find_client(s, acct, ask, out, e) < 0 ||
	    consent_from_find_provider(a, acct, deadline_ms, out, e) < 0)
		return -1;
	return 0;
}
