/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account consent: a person allows access by OAuth 2. */
#include "desk/consent.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ "name", ARG_ACCOUNT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to get a consent for" },
	{ "provider", ARG_CHOICE,
	    .help = "who issues the tokens; default: known from the account's "
		    "mail server",
	    .choices = OAUTH_PROVIDER_NAMES },
	{ "issuer", ARG_TEXT,
	    .help = "https URL of any other provider; its metadata is read "
		    "from there (OpenID Connect Discovery, RFC 8414)" },
	{ "scope", ARG_TEXT,
	    .help = "scope to request; default: the narrowest that the account "
		    "needs" },
	{ "client_id", ARG_TEXT,
	    .help = "client id of the application registered with the "
		    "provider; may be in --client-secret-file" },
	{ "client_secret_file", ARG_PATH,
	    .help =
		"file with the client's secret, or Google's "
		"client_secret.json; without it, the client has no secret" },
	{ "redirect", ARG_TEXT,
	    .help = "http://127.0.0.1:PORT/PATH, if the client was registered "
		    "with one; default: any free port" },
	{ "device", ARG_FLAG,
	    .help = "show a code to be entered on another device (RFC 8628)" },
	{ "no_browser", ARG_FLAG, .help = "only show the address" },
	{ "timeout", ARG_COUNT, .help = "seconds to wait for the person",
	    .min = 1, .max = 3600, .def = "300" },
	{ 0 },
};

static const struct field result[] = {
	{ "account", FIELD_TEXT, .help = "whose consent is kept now" },
	NOTE_FIELD,
	{ "next", FIELD_TEXT, .help = "the command that tests it" },
	{ 0 },
};

static int
account_consent_run(struct call *c, struct json *out, struct err *e)
{
	CLEANUP(consent_client_done) struct consent_client client = { 0 };
	struct store *s = operate_store(c);
	struct notes notes = { .c = c };
	struct store_account acct;
	struct str next;
	struct consent_ask ask = {
		.provider = args_text(c->args, "provider"),
		.issuer = args_text(c->args, "issuer"),
		.scope = args_text(c->args, "scope"),
		.device = args_has(c->args, "device"),
		.no_browser = args_has(c->args, "no_browser"),
		.timeout_s = args_count(c->args, "timeout", CONSENT_TIMEOUT_S),
	};

	if (ask.device && args_has(c->args, "redirect"))
		return err_set(e, ERR_USAGE,
		    "--redirect does not go with --device: leave one out");
	if (store_account_get(s, c->arena, args_text(c->args, "name"), &acct,
		e) < 0 ||
	    consent_client_read(c, &client, e) < 0)
		return -1;
	ask.client_id = client.id;
	ask.client_secret = client.secret;
	ask.redirect = client.redirect;
	ask.open = client.open;
	if (consent_get(&notes, s, &acct, &ask, e) < 0)
		return -1;
	c->note = S("consent kept");
	next = str_fmt(c->arena, "emcli doctor --account %.*s",
	    STR_ARG(acct.name));
	json_put_str(out, "account", acct.name);
	json_put_strs(out, "notes", &notes.text);
	json_put_str(out, "next", next);
	gate_say(c, GATE_TEXT, "Next: %.*s", STR_ARG(next));
	return 0;
}

const struct op desk_account_consent = {
	.name = "account consent",
	.shows = "emcli account list",
	.summary = "Let a person allow access by OAuth 2",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = account_consent_run,
};
