/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a person to allow access, and stores the refresh token. */
#include "desk/consent.h"

#include "base/clock.h"
#include "base/limits.h"

static struct str
consent_scope(const struct oauth_client *client)
{
	return client->scope.n > 0 ? client->scope : client->provider->scope;
}

static int
consent_by_device(struct call *c, const struct oauth_client *client,
    int64_t deadline_ms, struct oauth_token *t, struct err *e)
{
	CLEANUP(oauth_device_close) struct oauth_device *d = NULL;

	if (oauth_device_open(client, c->arena, deadline_ms, &d, e) < 0)
		return -1;
	gate_say_line(c,
	    str_fmt(c->arena, "Requested scope: %.*s",
		STR_ARG(consent_scope(client))));
	gate_say_text(c,
	    str_fmt(c->arena,
		"On any device, open\n\n  %.*s\n\nand enter the code\n\n"
		"  %.*s\n\nWaiting ...\n",
		STR_ARG(oauth_device_url(d)), STR_ARG(oauth_device_code(d))));
	if (operate_show(c, e) < 0)
		return -1;
	return oauth_device_wait(d, deadline_ms, t, e);
}

static int
consent_by_browser(struct call *c, const struct oauth_client *client,
    const struct consent_ask *ask, int64_t deadline_ms, struct oauth_token *t,
    struct err *e)
{
	CLEANUP(oauth_consent_close) struct oauth_consent *x = NULL;
	const struct operate_door *door = operate_door(c);

	if (oauth_consent_open(client, c->arena, &x, e) < 0)
		return -1;
	gate_say_line(c,
	    str_fmt(c->arena, "Requested scope: %.*s",
		STR_ARG(consent_scope(client))));
	gate_say_text(c,
	    str_fmt(c->arena,
		"Open this address and allow access:\n\n  %.*s\n\n",
		STR_ARG(oauth_consent_url(x))));
	if (door->remote)
		gate_say_line(c,
		    S("You are on another machine: its browser will end at an "
		      "address that it cannot reach."));
	if (door->paste >= 0)
		gate_say_line(c,
		    S("If the browser ends at an error page, paste the address "
		      "of that page here."));
	gate_say_line(c, S("Waiting ..."));
	if (operate_show(c, e) < 0)
		return -1;
	if (!ask->no_browser)
		door->browse(c->arena, oauth_consent_url(x));
	return oauth_consent_wait(x, door->paste, deadline_ms, t, e);
}

/* The consent page may let a person leave boxes unticked. */
static int
consent_check_scope(struct notes *n, const struct consent_from *from,
    const struct oauth_token *t, struct err *e)
{
	struct str asked =
	    from->keep.scope.n > 0 ? from->keep.scope : from->provider.scope;
	struct str missing;

	switch (oauth_token_granted(t, asked, &missing)) {
	case OAUTH_GRANTED_ALL:
		break;
	case OAUTH_GRANTED_SOME:
		note_say(n, "not granted: %.*s", STR_ARG(missing));
		break;
	case OAUTH_GRANTED_NONE:
		return err_set(e, ERR_AUTH,
		    "consent was given, but not for mail: allow %.*s",
		    STR_ARG(str_first(missing, 100)));
	}
	if (t->refresh != NULL)
		return 0;
	(void)err_set(e, ERR_AUTH,
	    "the provider gave no refresh token, so the consent would end "
	    "within the hour");
	return err_hint(e,
	    "request one, often with offline_access in --scope, and allow it "
	    "where the application is registered");
}

/* The lock keeps others from refreshing the token that is replaced here. */
static int
consent_keep(struct store *s, const struct store_account *acct,
    const struct consent_from *from, const struct oauth_token *t, struct err *e)
{
	CLEANUP(store_lock_close) struct store_lock *lock = NULL;
	const struct store_consent consent = {
		.from = from->keep,
		.client_id = from->id,
		.client_secret = from->secret,
		.refresh = t->refresh,
	};

	if (store_lock_take(s, acct->id, clock_mono_ms() + LIMIT_TIMEOUT_MS,
		&lock, e) < 0)
		return -1;
	return store_oauth_consent(s, acct->id, &consent, e);
}

int
consent_get(struct notes *n, struct store *s, const struct store_account *acct,
    const struct consent_ask *ask, struct err *e)
{
	CLEANUP(consent_from_done) struct consent_from from = { .id = NULL };
	CLEANUP(oauth_token_done) struct oauth_token t = { .access = NULL };
	int64_t deadline = clock_mono_ms() +
	    1000 *
		(int64_t)(ask->timeout_s > 0 ? ask->timeout_s
					     : CONSENT_TIMEOUT_S);
	struct oauth_client client = { .provider = &from.provider };
	struct call *c = n->c;
	int r;

	if (consent_from(c->arena, s, acct, ask, deadline, &from, e) < 0)
		return -1;
	client.id = from.id;
	client.secret = from.secret;
	client.scope = from.keep.scope;
	client.redirect = ask->redirect;
	/* A private CA is only for the account's own provider. */
	if (from.keep.token_url.n > 0)
		client.ca_file = acct->ca_file;
	r = ask->device ? consent_by_device(c, &client, deadline, &t, e)
			: consent_by_browser(c, &client, ask, deadline, &t, e);
	if (r == 0 && ask->open)
		note_say(n,
		    "others can read the file of --client-secret-file: chmod "
		    "600 it, or delete it: it is no longer needed");
	if (r < 0 || consent_check_scope(n, &from, &t, e) < 0 ||
	    consent_keep(s, acct, &from, &t, e) < 0)
		return -1;
	gate_say(c, GATE_TEXT, "the consent for %.*s is kept",
	    STR_ARG(acct->name));
	return 0;
}
