/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli init: from nothing to an account that works.  At a terminal it is a
 * guided flow; a script that says nothing of an account gets the database and
 * nothing else.
 */
#include "desk/init.h"

#include "desk/account.h"
#include "desk/desk.h"
#include "store/whole.h"

static const struct arg_spec args[] = {
	{ .name = "no_tui",
	    .type = ARG_FLAG,
	    .help = "ask line by line, without forms" },
	{ .name = "yes",
	    .type = ARG_FLAG,
	    .help = "ask nothing; an option that is not given takes its "
		    "default, or is an error" },
	{ .name = "no_test",
	    .type = ARG_FLAG,
	    .help = "do not test the account before it is written" },
	{ .name = "account",
	    .type = ARG_TEXT,
	    .help = "account name; default: the first word of its domain" },
	{ .name = "backend",
	    .type = ARG_CHOICE,
	    .help = "where the mail is: on a server, or in a folder here",
	    .choices = "imap|maildir",
	    .def = "imap" },
	{ .name = "path",
	    .type = ARG_PATH,
	    .help = "with maildir: the folder that holds cur, new and tmp" },
	{ .name = "from",
	    .type = ARG_ADDRESS,
	    .help = "the mailbox's address; without it and without a terminal, "
		    "no account is added" },
	{ .name = "mode",
	    .type = ARG_CHOICE,
	    .help = "RO: read only; RW: may also send",
	    .choices = "RO|RW",
	    .def = "RO" },
	{ .name = "imap_host", .type = ARG_TEXT, .help = "IMAP server" },
	{ .name = "imap_port",
	    .type = ARG_COUNT,
	    .help = "its port; default: 993 with tls, 143 with starttls",
	    .min = 1,
	    .max = 65535 },
	{ .name = "imap_security",
	    .type = ARG_CHOICE,
	    .help = "implicit TLS or STARTTLS; port 143 means starttls",
	    .choices = "tls|starttls",
	    .def = "tls" },
	{ .name = "smtp_host",
	    .type = ARG_TEXT,
	    .help = "submission server; without one the account cannot send" },
	{ .name = "smtp_port",
	    .type = ARG_COUNT,
	    .help = "its port; default: 465 with tls, 587 with starttls",
	    .min = 1,
	    .max = 65535 },
	{ .name = "smtp_security",
	    .type = ARG_CHOICE,
	    .help = "implicit TLS or STARTTLS; port 587 means starttls",
	    .choices = "tls|starttls",
	    .def = "tls" },
	{ .name = "auth",
	    .type = ARG_CHOICE,
	    .help = "oauth2: access tokens, from emcli account consent",
	    .choices = "password|oauth2",
	    .def = "password" },
	{ .name = "ca",
	    .type = ARG_PATH,
	    .help = "PEM file of CAs for the account, instead of the system's "
		    "CAs" },
	{ .name = "whitelist_in",
	    .type = ARG_CHOICE,
	    .help = "on: only listed senders are visible",
	    .choices = "on|off",
	    .def = "off" },
	{ .name = "allow_in",
	    .type = ARG_TEXT,
	    .flags = ARG_MANY,
	    .help = "listed senders: addresses, or @domain" },
	{ .name = "whitelist_auth",
	    .type = ARG_CHOICE,
	    .help = "what a listed sender needs: dmarc: an authenticated "
		    "domain; none: only a matching From line; default: what "
		    "the newest mail allows",
	    .choices = "none|dmarc" },
	{ .name = "authserv_id",
	    .type = ARG_TEXT,
	    .help = "server whose Authentication-Results count; without one, "
		    "DKIM signatures are verified here" },
	{ .name = "whitelist_out",
	    .type = ARG_CHOICE,
	    .help = "on: only listed recipients may be written to",
	    .choices = "on|off",
	    .def = "on" },
	{ .name = "allow_out",
	    .type = ARG_TEXT,
	    .flags = ARG_MANY,
	    .help = "listed recipients: addresses, or @domain" },
	{ .name = "username",
	    .type = ARG_TEXT,
	    .help = "user name for the login; default: the address" },
	{ .name = "issuer",
	    .type = ARG_TEXT,
	    .help = "with oauth2: who issues the tokens, if the mail server "
		    "does not tell" },
	{ .name = "oauth_scope",
	    .type = ARG_TEXT,
	    .help = "with --issuer: its scope for access to mail" },
	{ .name = "client_id",
	    .type = ARG_TEXT,
	    .help = "with oauth2: client id of the application registered with "
		    "the provider" },
	{ .name = "password_file",
	    .type = ARG_PATH,
	    .help = "file to read the password from, once" },
	{ .name = "password_stdin",
	    .type = ARG_FLAG,
	    .help = "read it from standard input" },
	{ .name = "password_command",
	    .type = ARG_TEXT,
	    .help = "program that prints it, run once, without a shell" },
	{ 0 },
};

static const struct field result[] = {
	{ "made", FIELD_BOOL, .help = "whether the database is new" },
	{ "database", FIELD_TEXT, .help = "where it is" },
	{ "account", FIELD_TEXT, .nullable = true,
	    .help = "the account that was added" },
	{ "next", FIELD_TEXT, .help = "the command that comes next" },
	NOTE_FIELD,
	{ 0 },
};

/* Is there a person, who wants to be asked? */
static bool
init_asks(const struct args *given, bool person)
{
	return person && !args_has(given, "yes") &&
	    !args_has(given, "password_stdin");
}

/* A person may be shown new keys. */
static bool
init_makes_keys(const struct env *env, const struct args *given, bool person)
{
	struct err none = { 0 };

	return init_asks(given, person) &&
	    store_whole_there(env->db, &none) == 0;
}

/* Does any option speak of an account? */
static bool
init_wants_account(const struct args *given)
{
	for (int k = 0; k < FLOW_STEPS; k++) {
		const struct arg *arg =
		    args_find(given, str_of(flow_step[k].key));

		if (arg != NULL && arg->text.n > 0)
			return true;
	}
	return args_has(given, "password_file") ||
	    args_has(given, "password_stdin") ||
	    args_has(given, "password_command");
}

/* One that was there already is looked at as by any command. */
static int
init_enter(struct init *in, const struct store_keys *keys, struct err *e)
{
	struct store_account *v;

	if (store_enter(operate_env(in->c)->db, STORE_ADMIN, keys, &in->store,
		e) < 0)
		return -1;
	operate_opened(in->c, in->store);
	return store_account_list(in->store, in->c->arena, &v,
	    &in->flow.accounts, e);
}

static int
init_database_only(struct init *in, struct json *out, struct err *e)
{
	const struct env *env = operate_env(in->c);
	struct store_keys keys = { env->admin_key, env->agent_key };
	bool made = false;

	if (keys.agent == NULL)
		return err_set(e, ERR_CONFIG, "EMCLI_KEY is not set");
	if (store_init(env->db, &keys, &made, e) < 0 ||
	    (!made && init_enter(in, &keys, e) < 0))
		return -1;
	in->flow.enough = true;
	init_tell(in, out, made);
	return 0;
}

/* What is there before anybody is asked. */
static int
init_look(struct init *in, struct err *e)
{
	const struct env *env = operate_env(in->c);
	struct store_keys keys = { env->admin_key, env->agent_key };
	struct flow *f = &in->flow;
	int there = store_whole_there(env->db, e);
	bool made;

	if (there < 0)
		return -1;
	f->there = there == 1;
	f->asks = f->person =
	    init_asks(in->c->args, operate_door(in->c)->person);
	f->lines = args_has(in->c->args, "no_tui");
	/* Whom to believe is for somebody to agree to. */
	f->look = f->person || args_has(in->c->args, "yes");
	f->has_admin = env->admin_key != NULL;
	f->has_agent = env->agent_key != NULL;
	/* What cannot be had, nobody need answer questions for. */
	if (!f->there)
		return secret_later_get(env->admin_key, e) < 0
		    ? -1
		    : secret_later_get(env->agent_key, e);
	/* Its keys were made long ago: no others open it. */
	if (!f->has_admin)
		return err_set(e, ERR_CONFIG,
		    "emcli: this command requires EMCLI_ADMIN_KEY (admin "
		    "privilege)");
	if (!f->has_agent)
		return err_set(e, ERR_CONFIG, "EMCLI_KEY is not set");
	if (store_init(env->db, &keys, &made, e) < 0)
		return -1;
	return init_enter(in, &keys, e);
}

/* Options of a server say nothing of a folder, nor the other way round. */
static int
init_misplaced(struct init *in, struct err *e)
{
	static const enum flow_key tied[] = { FLOW_PATH, FLOW_IMAP_HOST,
		FLOW_IMAP_PORT, FLOW_IMAP_SECURITY, FLOW_SMTP_HOST,
		FLOW_SMTP_PORT, FLOW_SMTP_SECURITY, FLOW_AUTH, FLOW_CA,
		FLOW_USERNAME };
	struct flow *f = &in->flow;
	struct str backend = flow_get(f, FLOW_BACKEND);

	for (size_t i = 0; i < sizeof(tied) / sizeof(tied[0]); i++) {
		const char *key = flow_step[tied[i]].key;

		if (!args_has(in->c->args, key) ||
		    flow_remote(f) == (tied[i] != FLOW_PATH))
			continue;
		return err_set(e, ERR_USAGE,
		    "%s does not go with --backend %.*s",
		    args_find(in->c->args, str_of(key))->shown,
		    STR_ARG(backend));
	}
	return 0;
}

/* What a consent takes means one, and a consent takes a person. */
static int
init_take_consent(struct init *in, struct err *e)
{
	static const enum flow_key of_consent[] = { FLOW_ISSUER, FLOW_SCOPE,
		FLOW_CLIENT_ID };
	struct flow *f = &in->flow;

	for (size_t i = 0; i < sizeof(of_consent) / sizeof(of_consent[0]);
	     i++) {
		const char *name;

		if (!f->given[of_consent[i]])
			continue;
		name =
		    args_find(in->c->args, str_of(flow_step[of_consent[i]].key))
			->shown;
		if (!f->given[FLOW_AUTH] &&
		    flow_give(f, FLOW_AUTH, S("oauth2"), e) < 0)
			return -1;
		if (!flow_consents(f))
			return err_set(e, ERR_USAGE,
			    "%s does not go without --auth oauth2", name);
		if (!f->person)
			return err_set(e, ERR_USAGE,
			    "%s is for a consent, which needs a person: give "
			    "it to emcli account consent instead",
			    name);
	}
	return 0;
}

/* Whoever lists senders means to see no others, unless it is said. */
static int
take_lists(struct flow *f, struct err *e)
{
	if (!f->given[FLOW_ALLOW_IN] || f->given[FLOW_WHITELIST_IN])
		return 0;
	return flow_give(f, FLOW_WHITELIST_IN, S("on"), e);
}

static int
init_take_options(struct init *in, struct err *e)
{
	struct call *c = in->c;
	struct flow *f = &in->flow;

	f->no_test = args_has(c->args, "no_test");
	for (int k = 0; k < FLOW_STEPS; k++) {
		const struct arg *arg =
		    args_find(c->args, str_of(flow_step[k].key));
		struct str all = S("");

		if (arg == NULL || arg->text.n == 0)
			continue;
		for (size_t i = 0; i < arg->text.n; i++)
			all = str_fmt(f->a, "%.*s%s%.*s", STR_ARG(all),
			    i > 0 ? " " : "", STR_ARG(arg->text.v[i]));
		if (flow_give(f, (enum flow_key)k, all, e) < 0)
			return -1;
	}
	if (init_misplaced(in, e) < 0 || init_take_consent(in, e) < 0)
		return -1;
	return take_lists(f, e);
}

/* Options are answers given before the question. */
static int
init_prefill(struct init *in, struct err *e)
{
	struct call *c = in->c;
	struct flow *f = &in->flow;
	CLEANUP(secret_close) struct secret *password = NULL;

	if (init_take_options(in, e) < 0)
		return -1;
	if (!account_secret_given(c))
		return 0;
	if (!flow_asked(f, FLOW_PASSWORD))
		return err_set(e, ERR_USAGE, "a password does not go with %s",
		    flow_remote(f) ? "OAuth 2, which this account logs in "
				     "with: leave it out; emcli account "
				     "consent is the next step"
				   : "--backend maildir");
	if (account_secret_read(c, "Password: ", &password, e) < 0)
		return -1;
	flow_put_password(f, password);
	password = NULL;
	return 0;
}

static int
init_guided(struct init *in, struct json *out, struct err *e)
{
	struct flow *f = &in->flow;
	bool made = false, oauth;

	init_hooks_begin(in);
	if (init_look(in, e) < 0 || init_prefill(in, e) < 0 ||
	    operate_door(in->c)->form(f, e) < 0 ||
	    (!f->enough && init_write(in, &made, e) < 0))
		return -1;
	oauth = flow_consents(f);
	if (!f->person) {
		gate_say_text(in->c, f->found);
		gate_say_text(in->c, f->seen);
	}
	init_tell(in, out, made);
	return oauth && !f->enough && f->person ? init_consent(in, e) : 0;
}

static int
init_run(struct call *c, struct json *out, struct err *e)
{
	struct notes notes = { .c = c };
	struct init in = { .c = c, .notes = &notes };
	int r;

	if (!init_asks(c->args, operate_door(c)->person) &&
	    !init_wants_account(c->args))
		r = init_database_only(&in, out, e);
	else
		r = init_guided(&in, out, e);
	json_put_strs(out, "notes", &notes.text);
	flow_done(&in.flow);
	store_close(&in.store);
	return r;
}

const struct op desk_init = {
	.name = "init",
	.summary = "Set up the database and an account, step by step",
	.effect = EFFECT_OPERATE,
	.needs = NEED_KEY,
	.keyless = init_makes_keys,
	.args = args,
	.result = result,
	.run = init_run,
};
