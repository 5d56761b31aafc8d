/*
 * emcli init: from nothing to an account that works.  At a terminal it is a
 * guided flow; a script that says nothing of an account gets the database and
 * nothing else.
 */
#include "door/admin/init.h"
#include "door/admin/account.h"
#include "door/argv.h"
#include "door/out.h"
#include "door/prompt.h"
#include "store/whole.h"

const struct arg_spec init_args[] = {
	{ .name = "no_tui",
	    .type = ARG_FLAG,
	    .help = "ask line by line, without forms" },
	{ .name = "yes",
	    .type = ARG_FLAG,
	    .help = "ask nothing: what no option says is assumed, or missing" },
	{ .name = "no_test",
	    .type = ARG_FLAG,
	    .help = "do not try the account before it is kept" },
	{ .name = "account",
	    .type = ARG_TEXT,
	    .help = "what agents call the account; its domain's first word" },
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
	    .help = "the mailbox's address; without it, and nobody to ask, "
		    "no account is added" },
	{ .name = "mode",
	    .type = ARG_CHOICE,
	    .help = "RO: read only; RW: may also send",
	    .choices = "RO|RW",
	    .def = "RO" },
	{ .name = "imap_host", .type = ARG_TEXT, .help = "IMAP server" },
	{ .name = "imap_port",
	    .type = ARG_COUNT,
	    .help = "its port; 993 with tls, 143 with starttls",
	    .min = 1,
	    .max = 65535 },
	{ .name = "imap_security",
	    .type = ARG_CHOICE,
	    .help = "TLS from the start, or by STARTTLS, as port 143 means it",
	    .choices = "tls|starttls",
	    .def = "tls" },
	{ .name = "smtp_host",
	    .type = ARG_TEXT,
	    .help = "submission server; none: the account cannot send" },
	{ .name = "smtp_port",
	    .type = ARG_COUNT,
	    .help = "its port; 465 with tls, 587 with starttls",
	    .min = 1,
	    .max = 65535 },
	{ .name = "smtp_security",
	    .type = ARG_CHOICE,
	    .help = "TLS from the start, or by STARTTLS, as port 587 means it",
	    .choices = "tls|starttls",
	    .def = "tls" },
	{ .name = "auth",
	    .type = ARG_CHOICE,
	    .help = "oauth2: consent follows, with emcli account consent",
	    .choices = "password|oauth2",
	    .def = "password" },
	{ .name = "ca",
	    .type = ARG_PATH,
	    .help = "PEM file of a private CA, in place of the system's" },
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
	    .help = "what is asked of a listed sender: dmarc: to be known to "
		    "be from there; none: the From line alone; what the newest "
		    "mail allows, when not given",
	    .choices = "none|dmarc" },
	{ .name = "authserv_id",
	    .type = ARG_TEXT,
	    .help = "whose Authentication-Results tell it; none: DKIM "
		    "signatures are verified here" },
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
	    .help = "who logs in; the address when not given" },
	{ .name = "issuer",
	    .type = ARG_TEXT,
	    .help = "with oauth2: who gives the tokens, when its mail server "
		    "does not tell" },
	{ .name = "oauth_scope",
	    .type = ARG_TEXT,
	    .help = "with --issuer: what it calls access to mail" },
	{ .name = "client_id",
	    .type = ARG_TEXT,
	    .help = "with oauth2: the application registered with the "
		    "provider" },
	{ .name = "password_file",
	    .type = ARG_PATH,
	    .help = "file the password is read from, once" },
	{ .name = "password_stdin",
	    .type = ARG_FLAG,
	    .help = "read it from standard input" },
	{ 0 },
};

static bool
init_has(const struct admin_call *c, const char *name)
{
	const struct arg *arg = args_find(c->args, str_of(name));

	return arg != NULL && arg->text.n > 0;
}

/* Is there a person, who wants to be asked? */
static bool
init_asks(const struct admin_call *c)
{
	return !init_has(c, "yes") && !init_has(c, "password_stdin") &&
	    prompt_possible();
}

bool
init_makes_keys(const struct admin_call *c)
{
	struct err none = { 0 };

	return init_asks(c) && store_whole_there(c->env->db, &none) == 0;
}

/* Does any option speak of an account? */
static bool
init_wants_account(const struct admin_call *c)
{
	for (int k = 0; k < FLOW_STEPS; k++)
		if (init_has(c, flow_step[k].key))
			return true;
	return init_has(c, "password_file") || init_has(c, "password_stdin");
}

static int
init_database_only(struct admin_call *c, struct err *e)
{
	struct store_keys keys = { c->env->admin_key, c->env->agent_key };
	struct init_added x = { 0 };
	struct store_account *v;
	bool made = false;

	if (keys.agent == NULL)
		return err_set(e, ERR_CONFIG, "EMCLI_KEY is not set");
	if (store_init(c->env->db, &keys, &made, e) < 0)
		return -1;
	/* One that was there already is looked at as by any command. */
	if (!made &&
	    store_enter(c->env->db, STORE_ADMIN, &keys, &c->store, e) < 0)
		return -1;
	if (c->store != NULL) {
		init_tell_open(c->store, c->arena);
		if (store_account_list(c->store, c->arena, &v, &x.there, e) < 0)
			return -1;
	}
	init_tell(c, made, &x);
	return 0;
}

/* What is there before anybody is asked. */
static int
init_look(struct init *in, struct err *e)
{
	const struct env *env = in->c->env;
	struct store_keys keys = { env->admin_key, env->agent_key };
	struct flow *f = &in->flow;
	struct store_account *v;
	int there = store_whole_there(env->db, e);
	bool made;

	if (there < 0)
		return -1;
	f->a = in->c->arena;
	f->path = out_line(f->a, str_of(env->db));
	f->there = there == 1;
	f->person = init_asks(in->c);
	/* Whom to believe is for somebody to agree to. */
	f->look = f->person || init_has(in->c, "yes");
	f->has_admin = env->admin_key != NULL;
	f->has_agent = env->agent_key != NULL;
	if (!f->there)
		return 0;
	/* Its keys were made long ago: no others open it. */
	if (!f->has_admin)
		return err_set(e, ERR_CONFIG,
		    "emcli: this command requires EMCLI_ADMIN_KEY (admin "
		    "privilege)");
	if (!f->has_agent)
		return err_set(e, ERR_CONFIG, "EMCLI_KEY is not set");
	if (store_init(env->db, &keys, &made, e) < 0 ||
	    store_enter(env->db, STORE_ADMIN, &keys, &in->store, e) < 0)
		return -1;
	init_tell_open(in->store, f->a);
	return store_account_list(in->store, f->a, &v, &f->accounts, e);
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
	struct str backend = flow_get(f, FLOW_BACKEND), name;

	for (size_t i = 0; i < sizeof(tied) / sizeof(tied[0]); i++) {
		const char *key = flow_step[tied[i]].key;

		if (!init_has(in->c, key) ||
		    flow_remote(f) == (tied[i] != FLOW_PATH))
			continue;
		name = argv_spell(f->a, key);
		return err_set(e, ERR_USAGE,
		    "--%.*s does not go with --backend %.*s", STR_ARG(name),
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
	struct str name;

	for (size_t i = 0; i < sizeof(of_consent) / sizeof(of_consent[0]);
	     i++) {
		if (!f->given[of_consent[i]])
			continue;
		name = argv_spell(f->a, flow_step[of_consent[i]].key);
		if (!f->given[FLOW_AUTH] &&
		    flow_give(f, FLOW_AUTH, S("oauth2"), e) < 0)
			return -1;
		if (!flow_consents(f))
			return err_set(e, ERR_USAGE,
			    "--%.*s does not go without --auth oauth2",
			    STR_ARG(name));
		if (!f->person)
			return err_set(e, ERR_USAGE,
			    "--%.*s is for a consent, which takes a person: "
			    "leave it to emcli account consent",
			    STR_ARG(name));
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
	struct admin_call *c = in->c;
	struct flow *f = &in->flow;

	f->no_test = init_has(c, "no_test");
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
	struct admin_call *c = in->c;
	struct flow *f = &in->flow;
	CLEANUP(secret_close) struct secret *password = NULL;

	if (init_take_options(in, e) < 0)
		return -1;
	if (!account_secret_given(c))
		return 0;
	if (!flow_asked(f, FLOW_PASSWORD))
		return err_set(e, ERR_USAGE, "a password does not go with %s",
		    flow_remote(f) ? "OAuth 2, by which this account logs in: "
				     "leave it out; emcli account consent "
				     "comes next"
				   : "--backend maildir");
	if (account_secret_read(c, "Password: ", &password, e) < 0)
		return -1;
	flow_put_password(f, password);
	password = NULL;
	return 0;
}

static void
init_tell_all(struct init *in, bool made)
{
	struct flow *f = &in->flow;
	struct init_added x = { 0 };

	if (!f->person) {
		buf_str(in->c->out, out_safe(f->a, f->found));
		buf_str(in->c->out, out_safe(f->a, f->seen));
	}
	if (!f->enough)
		x = (struct init_added){ &in->acct,
			flow_list(f, FLOW_ALLOW_IN).n,
			flow_list(f, FLOW_ALLOW_OUT).n, flow_consents(f), 0 };
	x.there = f->accounts;
	init_tell(in->c, made, &x);
}

static int
init_guided(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	struct flow_hooks hooks = init_hooks;
	bool made = false, oauth;

	hooks.ctx = in;
	if (init_look(in, e) < 0 || init_prefill(in, e) < 0)
		return -1;
	if (init_asks(in->c)
		? face_ask(f, !init_has(in->c, "no_tui"), &hooks, e) < 0
		: flow_run(f, &face_flags, NULL, &hooks, e) < 0)
		return -1;
	if (!f->enough && init_write(in, &made, e) < 0)
		return -1;
	oauth = flow_consents(f);
	init_tell_all(in, made);
	return oauth && !f->enough && f->person ? init_consent(in, e) : 0;
}

int
init_run(struct admin_call *c, struct err *e)
{
	struct init in = { .c = c };
	int r;

	if (!init_asks(c) && !init_wants_account(c))
		return init_database_only(c, e);
	r = init_guided(&in, e);
	flow_done(&in.flow);
	store_close(&in.store);
	return r;
}
