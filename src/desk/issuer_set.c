/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli issuer set: whose access tokens agents may call with over HTTP.  The
 * provider is asked before anything is kept: for its own spelling of its name,
 * for its keys, or about a token that is none.
 */
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "desk/file_arg.h"
#include "desk/issuer.h"
#include "source/issuer.h"

static const struct arg_spec args[] = {
	{ "issuer", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its address, as in its tokens (iss), such as "
		    "https://id.example.org/realms/mail" },
	{ "resource", ARG_TEXT, ARG_REQUIRED,
	    .help = "the address that clients use for this server, such as "
		    "https://mail.example.org/mcp" },
	{ "audience", ARG_TEXT,
	    .help = "what tokens must be for (aud); default: the resource" },
	{ "scope", ARG_TEXT,
	    .help = "the scopes that they need, separated by blanks; default: "
		    "none" },
	{ "any_type", ARG_FLAG,
	    .help = "accept signed tokens whose header names no type, or JWT, "
		    "for providers that do not say at+jwt" },
	{ "client_id", ARG_TEXT,
	    .help = "ask the provider about each token (introspection), as "
		    "this client, instead of checking signatures" },
	{ "client_secret_file", ARG_PATH,
	    .help = "with client-id: the file with the client's secret" },
	{ "client_secret_stdin", ARG_FLAG,
	    .help = "with client-id: read its secret from standard input" },
	{ "ca", ARG_PATH,
	    .help = "PEM file of CAs for the provider, instead of the "
		    "system's CAs" },
	{ 0 },
};

static int
issuer_set_read_secret(struct call *c, const struct store_issuer *x,
    struct secret **out, struct err *e)
{
	struct str file = args_text(c->args, "client_secret_file");
	bool in = args_has(c->args, "client_secret_stdin");

	if ((file.n > 0 || in) != (x->client.n > 0) || (file.n > 0 && in))
		return err_set(e, ERR_USAGE,
		    "--client-id needs --client-secret-file or "
		    "--client-secret-stdin, and these need it");
	if (in)
		return secret_read(STDIN_FILENO, out, e);
	if (file.n > 0)
		return env_key_read("--client-secret-file",
		    str_c(c->arena, file), out, e);
	return 0;
}

static int
issuer_set_run(struct call *c, struct json *out, struct err *e)
{
	CLEANUP(secret_close) struct secret *secret = NULL;
	struct issuer_tried is;
	struct store_issuer x = {
		.issuer = args_text(c->args, "issuer"),
		.resource = args_text(c->args, "resource"),
		.audience = args_text(c->args, "audience"),
		.scope = args_text(c->args, "scope"),
		.client = args_text(c->args, "client_id"),
		.any_type = args_has(c->args, "any_type"),
	};

	if (issuer_fits(&x, e) < 0 ||
	    file_arg_find(c, "ca", "ca", &x.ca_file, e) < 0 ||
	    issuer_set_read_secret(c, &x, &secret, e) < 0 ||
	    issuer_try(c->arena, &x, secret,
		clock_mono_ms() + LIMIT_OAUTH_STEP_MS, &is, e) < 0)
		return -1;
	x.issuer = is.issuer;
	if (store_issuer_set(operate_store(c), &x, secret, e) < 0)
		return -1;
	c->note = str_fmt(c->arena, "%.*s; resource: %.*s; audience: %.*s",
	    STR_ARG(x.issuer), STR_ARG(x.resource),
	    STR_ARG(x.audience.n > 0 ? x.audience : x.resource));
	issuer_put(out, &x);
	gate_tell(c, "tokens of %.*s are accepted by emcli mcp --http",
	    STR_ARG(x.issuer));
	gate_say(c, GATE_NEXT, "emcli agent add NAME --subject SUBJECT");
	return 0;
}

const struct op desk_issuer_set = {
	.name = "issuer set",
	.shows = "emcli issuer show",
	.summary = "Accept access tokens of an identity provider over HTTP",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = issuer_fields,
	.run = issuer_set_run,
};
