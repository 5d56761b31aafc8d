/* SPDX-License-Identifier: Apache-2.0 */
/* Consent in a browser: authorization code with PKCE over a loopback port. */
#include "base/clock.h"
#include "oauth/internal.h"

struct oauth_consent {
	const struct oauth_client *client;
	struct oauth_listen *listen;
	struct secret *verifier;
	struct str url, redirect_uri;
	char state[OAUTH_RANDOM + 1];
	struct oauth_answer answer;
	unsigned strays;
	struct err *e; /* of the current wait */
};

static int
oauth_consent_put_url(struct oauth_consent *c, struct arena *a,
    const char *challenge, struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };
	const struct oauth_client *cl = c->client;
	const struct oauth_provider *p = cl->provider;
	struct str scope = cl->scope.n > 0 ? cl->scope : p->scope;
	bool has_query = str_has_char(p->auth_url, '?');

	oauth_form_raw(&f, p->auth_url);
	/* RFC 6749 section 3.1: an existing query is kept. */
	oauth_form_raw(&f, has_query ? S("&") : S("?"));
	oauth_form_raw(&f, S("response_type=code"));
	oauth_form_secret(&f, "client_id", cl->id);
	oauth_form_put(&f, "redirect_uri", c->redirect_uri);
	if (scope.n > 0)
		oauth_form_put(&f, "scope", scope);
	oauth_form_put(&f, "state", str_of(c->state));
	oauth_form_put(&f, "code_challenge", str_of(challenge));
	oauth_form_put(&f, "code_challenge_method", S("S256"));
	oauth_form_raw(&f, p->more);
	if (f.over || f.n > LIMIT_URL)
		return err_set(e, ERR_CONFIG,
		    "the address for the consent is too long");
	c->url = str_dup(a, oauth_form_view(&f));
	return 0;
}

int
oauth_consent_open(const struct oauth_client *cl, struct arena *a,
    struct oauth_consent **out, struct err *e)
{
	struct oauth_consent *c = arena_new(a, struct oauth_consent);
	char verifier[OAUTH_RANDOM + 1], challenge[OAUTH_RANDOM + 1];
	struct oauth_redirect back = { .host = cl->provider->redirect,
		.path = S("/") };

	c->client = cl;
	if ((cl->redirect.n > 0 &&
		oauth_redirect_read(cl->redirect, &back, e) < 0) ||
	    oauth_listen_open(&back, &c->listen, e) < 0)
		return -1;
	c->redirect_uri =
	    oauth_redirect_uri(a, &back, oauth_listen_port(c->listen));
	oauth_pkce_random(c->state);
	oauth_pkce_random(verifier);
	oauth_pkce_challenge(str_of(verifier), challenge);
	c->verifier = secret_new(verifier, OAUTH_RANDOM);
	secret_wipe(verifier, sizeof(verifier));
	if (oauth_consent_put_url(c, a, challenge, e) < 0) {
		oauth_consent_close(&c);
		return -1;
	}
	*out = c;
	return 0;
}

void
oauth_consent_close(struct oauth_consent **cp)
{
	struct oauth_consent *c = *cp;

	if (c == NULL)
		return;
	*cp = NULL;
	oauth_listen_close(&c->listen);
	oauth_answer_done(&c->answer);
	secret_close(&c->verifier);
}

struct str
oauth_consent_url(const struct oauth_consent *c)
{
	return c->url;
}

static int
oauth_consent_take(struct str query, void *ctx)
{
	struct oauth_consent *c = ctx;
	int r = oauth_answer_read(query, str_of(c->state), c->client->provider,
	    &c->answer, c->e);

	/* Any number: a request without our state cannot end the wait. */
	if (r == 0)
		c->strays++;
	return r;
}

int
oauth_consent_wait(struct oauth_consent *c, int paste, int64_t deadline_ms,
    struct oauth_token *out, struct err *e)
{
	c->e = e;
	if (oauth_listen_serve(c->listen, paste, deadline_ms,
		oauth_consent_take, c, e) < 0) {
		if (c->strays > 0)
			(void)err_because(e,
			    "oauth: %u answers with another state were refused",
			    c->strays);
		return -1;
	}
	/* One answer, used once: no other request is accepted. */
	oauth_listen_close(&c->listen);
	return oauth_token_exchange(c->client, c->answer.code, c->verifier,
	    c->redirect_uri, clock_mono_ms() + LIMIT_OAUTH_STEP_MS, out, e);
}
