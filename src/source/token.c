/*
 * An account's access token: made fresh from its consent, by one process at a
 * time.  Connects oauth/, which makes requests and stores nothing, with store/,
 * which stores the consent and knows no provider.
 */
#include <signal.h>

#include "base/clock.h"
#include "base/limits.h"
#include "source/source.h"
#include "store/oauth.h"

/* The unsealed values for one refresh. */
struct consent {
	struct arena *a;
	struct store_lock *lock;
	struct store_oauth from;
	struct oauth_provider provider;
	struct secret *id, *secret, *refresh;
	struct oauth_token token;
};

static void
source_token_consent_done(struct consent *c)
{
	oauth_token_done(&c->token);
	secret_close(&c->id);
	secret_close(&c->secret);
	secret_close(&c->refresh);
	store_lock_close(&c->lock);
	arena_close(&c->a);
}

/* The operator's next step, including the account's name. */
static int
source_token_consent_again(const struct source *src, const char *say,
    struct err *e)
{
	char detail[sizeof(e->detail)];

	memcpy(detail, e->detail, sizeof(detail));
	*e = (struct err){ 0 };
	(void)err_set(e, ERR_AUTH,
	    "%s: the operator must run emcli account consent %.*s", say,
	    STR_ARG(src->acct.name));
	e->reason = "consent";
	(void)err_hint(e, "give consent again: emcli account consent NAME");
	return detail[0] != '\0' ? err_because(e, "%s", detail) : -1;
}

static int
source_token_provider_of(const struct store_oauth *from,
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

static int
source_token_unseal(struct source *src, struct consent *c, struct err *e)
{
	int64_t id = src->acct.id;

	if (store_oauth_get(src->store, c->a, id, &c->from, e) < 0)
		return -1;
	if (!c->from.has_refresh || !c->from.has_client_id)
		return source_token_consent_again(src,
		    "nobody has given consent yet", e);
	if (source_token_provider_of(&c->from, &c->provider, e) < 0 ||
	    store_account_secret(src->store, id, STORE_OAUTH_CLIENT_ID, &c->id,
		e) < 0 ||
	    store_account_secret(src->store, id, STORE_OAUTH_REFRESH_TOKEN,
		&c->refresh, e) < 0)
		return -1;
	if (!c->from.has_client_secret)
		return 0;
	return store_account_secret(src->store, id, STORE_OAUTH_CLIENT_SECRET,
	    &c->secret, e);
}

static int
source_token_refresh(struct source *src, struct consent *c, int64_t deadline_ms,
    struct err *e)
{
	struct oauth_client client = {
		.provider = &c->provider,
		.id = c->id,
		.secret = c->secret,
		/*
		 * A private CA applies to the account's own provider; the
		 * providers in the table have public certificates.
		 */
		.ca_file = c->from.token_url.n > 0 ? src->acct.ca_file : S(""),
	};
	const struct secret *fresh;

	if (oauth_token_refresh(&client, c->refresh, deadline_ms, &c->token,
		e) < 0)
		return -1;
	fresh = c->token.refresh;
	if (fresh != NULL && secret_eq(fresh, c->refresh))
		fresh = NULL;
	return store_oauth_refreshed(src->store, src->acct.id, fresh, e);
}

/*
 * From the request to the commit only the deadline may stop us: the old refresh
 * token may already be invalid, and the new one is stored nowhere else.
 */
static int
source_token_refresh_unstopped(struct source *src, struct consent *c,
    int64_t deadline_ms, struct err *e)
{
	sigset_t stops, before;
	int r;

	(void)sigemptyset(&stops);
	(void)sigaddset(&stops, SIGINT);
	(void)sigaddset(&stops, SIGTERM);
	(void)sigaddset(&stops, SIGHUP);
	(void)sigaddset(&stops, SIGQUIT);
	(void)sigaddset(&stops, SIGTSTP);
	(void)sigprocmask(SIG_BLOCK, &stops, &before);
	r = source_token_refresh(src, c, deadline_ms, e);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}

static int
source_token_get(struct source *src, struct err *e)
{
	CLEANUP(source_token_consent_done)
	struct consent c = { .a = arena_open(1 << 20) };
	int64_t deadline = clock_mono_ms() + LIMIT_OAUTH_STEP_MS;

	if (src->view.deadline_ms < deadline)
		deadline = src->view.deadline_ms;
	/*
	 * The consent is read after taking the lock: the previous process may
	 * have replaced the token.
	 */
	if (store_lock_take(src->store, src->acct.id, deadline, &c.lock, e) <
		0 ||
	    source_token_unseal(src, &c, e) < 0)
		return -1;
	/*
	 * The provider may already have rotated the token when we hang up; let
	 * a request that was begun finish.
	 */
	if (clock_left_ms(deadline) < LIMIT_OAUTH_REFRESH_MS)
		deadline = clock_mono_ms() + LIMIT_OAUTH_REFRESH_MS;
	if (source_token_refresh_unstopped(src, &c, deadline, e) < 0) {
		if (e->reason != NULL && strcmp(e->reason, "consent") == 0)
			return source_token_consent_again(src,
			    "the provider no longer honours this account's "
			    "consent",
			    e);
		return -1;
	}
	secret_close(&src->secret);
	src->secret = c.token.access;
	src->view.secret = src->secret;
	src->token_lives_s = c.token.lives_s;
	src->consent_s = c.from.consent_s;
	c.token.access = NULL;
	return 0;
}

int
source_token_ask(void *ctx, bool again, struct err *e)
{
	struct source *src = ctx;

	if (!again)
		return src->secret != NULL ? 0 : source_token_get(src, e);
	if (src->renewed)
		return -1;
	src->renewed = true;
	return source_token_get(src, e);
}

int
source_token(struct source *src, struct err *e)
{
	int r = backend_token(&src->view, e);

	src->view.token = NULL;
	return r;
}
