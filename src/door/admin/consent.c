/* emcli account consent: a person says yes, and the refresh token is kept. */
#include "door/admin/consent.h"
#include "base/clock.h"
#include "base/limits.h"
#include "door/out.h"

enum {
	TIMEOUT_S = 300
};

const struct arg_spec consent_args[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to get a consent for" },
	{ .name = "provider",
	    .type = ARG_CHOICE,
	    .help = "who gives the tokens; its mail server tells, when it is "
		    "one of these",
	    .choices = OAUTH_PROVIDER_NAMES },
	{ .name = "issuer",
	    .type = ARG_TEXT,
	    .help = "https address of any other provider, which describes "
		    "itself there (OpenID Connect Discovery, RFC 8414)" },
	{ .name = "scope",
	    .type = ARG_TEXT,
	    .help = "what to ask for, instead of the least that the account "
		    "is known to need" },
	{ .name = "client_id",
	    .type = ARG_TEXT,
	    .help = "of the desktop application registered with the provider; "
		    "the file below may hold it" },
	{ .name = "client_secret_file",
	    .type = ARG_PATH,
	    .help = "file its secret is read from, once; none: it has none; or "
		    "Google's client_secret.json" },
	{ .name = "redirect",
	    .type = ARG_TEXT,
	    .help = "http://127.0.0.1:PORT/PATH, where the client was "
		    "registered with one; else any free port" },
	{ .name = "device",
	    .type = ARG_FLAG,
	    .help = "show a code to be entered on another device (RFC 8628)" },
	{ .name = "no_browser",
	    .type = ARG_FLAG,
	    .help = "only show the address" },
	{ .name = "timeout",
	    .type = ARG_COUNT,
	    .help = "seconds to wait for the person",
	    .min = 1,
	    .max = 3600,
	    .def = "300" },
	{ 0 },
};

static struct str
scope_of(const struct oauth_client *client)
{
	return client->scope.n > 0 ? client->scope : client->provider->scope;
}

/* What cannot wait for the end of the command. */
static int
consent_show(struct admin_call *c, struct str text, struct err *e)
{
	if (out_write(STDOUT_FILENO, out_safe(c->arena, text)) == 0)
		return 0;
	(void)err_set(e, ERR_INTERNAL, "the address cannot be shown");
	return err_errno(e, "standard output");
}

static int
consent_by_device(struct admin_call *c, const struct oauth_client *client,
    int64_t deadline_ms, struct oauth_token *t, struct err *e)
{
	CLEANUP(oauth_device_close) struct oauth_device *d = NULL;
	struct str url, code;

	if (oauth_device_open(client, c->arena, deadline_ms, &d, e) < 0)
		return -1;
	url = oauth_device_url(d);
	code = oauth_device_code(d);
	if (consent_show(c,
		str_fmt(c->arena,
		    "It is asked for: %.*s\n"
		    "On any device, open\n\n  %.*s\n\nand enter the code\n\n"
		    "  %.*s\n\nWaiting ...\n",
		    STR_ARG(scope_of(client)), STR_ARG(url), STR_ARG(code)),
		e) < 0)
		return -1;
	return oauth_device_wait(d, deadline_ms, t, e);
}

static int
consent_by_browser(struct admin_call *c, const struct oauth_client *client,
    const struct consent_ask *ask, int64_t deadline_ms, struct oauth_token *t,
    struct err *e)
{
	CLEANUP(oauth_consent_close) struct oauth_consent *x = NULL;
	bool terminal = isatty(STDIN_FILENO) == 1;
	struct buf b;

	if (oauth_consent_open(client, c->arena, &x, e) < 0)
		return -1;
	buf_init(&b, c->arena, 1UL << 20);
	buf_fmt(&b,
	    "It is asked for: %.*s\n"
	    "Open this address and allow access:\n\n  %.*s\n\n",
	    STR_ARG(scope_of(client)), STR_ARG(oauth_consent_url(x)));
	if (browser_is_remote())
		buf_text(&b,
		    "You are at another machine: its browser will end at an "
		    "address it cannot reach.\n");
	if (terminal)
		buf_text(&b,
		    "If the browser ends at an error page, paste the address "
		    "of that page here.\n");
	buf_text(&b, "Waiting ...\n");
	if (consent_show(c, buf_view(&b), e) < 0)
		return -1;
	if (!ask->no_browser)
		(void)browser_open(oauth_consent_url(x), c->arena);
	return oauth_consent_wait(x, terminal ? STDIN_FILENO : -1, deadline_ms,
	    t, e);
}

/* People can be given boxes to leave unticked. */
static int
consent_check_scope(struct admin_call *c, const struct consent_from *from,
    const struct oauth_token *t, struct err *e)
{
	struct str asked =
	    from->keep.scope.n > 0 ? from->keep.scope : from->provider.scope;
	struct str missing;

	switch (oauth_token_granted(t, asked, &missing)) {
	case OAUTH_GRANTED_ALL:
		break;
	case OAUTH_GRANTED_SOME:
		buf_fmt(c->out, "note: not granted: %.*s\n",
		    STR_ARG(out_line(c->arena, missing)));
		break;
	case OAUTH_GRANTED_NONE:
		return err_set(e, ERR_AUTH,
		    "consent was given, but not for mail: allow %.*s",
		    STR_ARG(out_line(c->arena, str_first(missing, 100))));
	}
	if (t->refresh != NULL)
		return 0;
	(void)err_set(e, ERR_AUTH,
	    "the provider gave no refresh token, so the consent would end "
	    "with the hour");
	return err_hint(e,
	    "ask for it, often with offline_access in --scope, and allow it "
	    "where the application is registered");
}

/* Nobody may be refreshing what we are about to replace. */
static int
consent_keep(struct admin_call *c, const struct store_account *acct,
    const struct consent_from *from, const struct oauth_token *t, struct err *e)
{
	CLEANUP(store_lock_close) struct store_lock *lock = NULL;
	const struct store_consent consent = {
		.from = from->keep,
		.client_id = from->id,
		.client_secret = from->secret,
		.refresh = t->refresh,
	};

	if (store_lock_take(c->store, acct->id,
		clock_mono_ms() + LIMIT_TIMEOUT_MS, &lock, e) < 0)
		return -1;
	return store_oauth_consent(c->store, acct->id, &consent, e);
}

int
consent_get(struct admin_call *c, const struct store_account *acct,
    const struct consent_ask *ask, struct err *e)
{
	CLEANUP(consent_from_done) struct consent_from from = { .id = NULL };
	CLEANUP(oauth_token_done) struct oauth_token t = { .access = NULL };
	int64_t deadline = clock_mono_ms() +
	    1000 * (int64_t)(ask->timeout_s > 0 ? ask->timeout_s : TIMEOUT_S);
	struct oauth_client client = { .provider = &from.provider };
	int r;

	if (consent_from(c, acct, ask, deadline, &from, e) < 0)
		return -1;
	client.id = from.id;
	client.secret = from.secret;
	client.scope = from.keep.scope;
	client.redirect = ask->redirect;
	/* A private CA is for the account's own provider. */
	if (from.keep.token_url.n > 0)
		client.ca_file = acct->ca_file;
	r = ask->device ? consent_by_device(c, &client, deadline, &t, e)
			: consent_by_browser(c, &client, ask, deadline, &t, e);
	if (r < 0 || consent_check_scope(c, &from, &t, e) < 0 ||
	    consent_keep(c, acct, &from, &t, e) < 0)
		return -1;
	buf_fmt(c->out, "the consent for %.*s is kept\n", STR_ARG(acct->name));
	return 0;
}

int
consent_run(struct admin_call *c, struct err *e)
{
	CLEANUP(consent_client_done) struct consent_client client = { 0 };
	struct store_account acct;
	struct consent_ask ask = {
		.provider = args_text(c->args, "provider"),
		.issuer = args_text(c->args, "issuer"),
		.scope = args_text(c->args, "scope"),
		.device = args_has(c->args, "device"),
		.no_browser = args_has(c->args, "no_browser"),
		.timeout_s = args_count(c->args, "timeout", TIMEOUT_S),
	};

	if (ask.device && args_has(c->args, "redirect"))
		return err_set(e, ERR_USAGE,
		    "--redirect does not go with --device: leave one out");
	if (store_account_get(c->store, c->arena, args_text(c->args, "name"),
		&acct, e) < 0 ||
	    consent_client_read(c, &client, e) < 0)
		return -1;
	ask.client_id = client.id;
	ask.client_secret = client.secret;
	ask.redirect = client.redirect;
	if (consent_get(c, &acct, &ask, e) < 0)
		return -1;
	c->done = S("consent kept");
	buf_fmt(c->out, "Next: emcli doctor --account %.*s\n",
	    STR_ARG(acct.name));
	return 0;
}
