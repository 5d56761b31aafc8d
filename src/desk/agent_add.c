/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agent add: registers an agent for doors that strangers can reach. */
#include <pwd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/secret.h"
#include "desk/agent_rights.h"
#include "desk/desk.h"
#include "desk/issuer.h"
#include "desk/token.h"

static const struct arg_spec args[] = {
	{ "agent", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name, as the audit log will have it" },
	{ "account", ARG_ACCOUNT, ARG_MANY,
	    .help = "an account it may use; default: all" },
	{ "skill", ARG_TEXT, ARG_MANY,
	    .help = "a skill it may load; default: all" },
	{ "op", ARG_TEXT, ARG_MANY,
	    .help = "an operation on mail it may call; default: all" },
	{ "user", ARG_TEXT, ARG_MANY,
	    .help = "a user whose processes are this agent, for emcli serve" },
	{ "uid", ARG_TEXT, ARG_MANY, .help = "the same by the user's number" },
	{ "subject", ARG_TEXT,
	    .help = "the subject (sub) of the identity provider's tokens that "
		    "are this agent's, for mcp --http: see issuer set" },
	{ "issuer", ARG_TEXT,
	    .help = "with subject: the identity provider; default: the one "
		    "that is set" },
	{ 0 },
};

/* " home work ", or no limit at all. */
static int
agent_add_set(struct call *c, enum agent_right right, const char *option,
    struct str *out, struct err *e)
{
	const struct strs *given = args_list(c->args, option);

	*out = (struct str){ 0 };
	return given->n == 0 ? 0 : agent_rights_set(c, right, given, out, e);
}

static int
agent_add_user(struct call *c, struct str name, uint32_t *uid, struct err *e)
{
	const struct passwd *pw = getpwnam(str_c(c->arena, name));

	if (pw == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no user \"%.*s\" on this machine",
		    STR_ARG(str_first(name, 64)));
	*uid = pw->pw_uid;
	return 0;
}

/* The highest number is nobody's: it means that there is none. */
static int
agent_add_uids(struct call *c, struct store_agent *x, struct err *e)
{
	const struct strs *users = args_list(c->args, "user");
	const struct strs *uids = args_list(c->args, "uid");
	uint32_t *v;

	if (users->n + uids->n > LIMIT_AGENT_UIDS)
		return err_set(e, ERR_LIMIT, "an agent has at most %d users",
		    LIMIT_AGENT_UIDS);
	v = arena_array(c->arena, LIMIT_AGENT_UIDS, sizeof(*v));
	x->uid = v;
	for (size_t i = 0; i < users->n; i++)
		if (agent_add_user(c, users->v[i], &v[x->uids++], e) < 0)
			return -1;
	for (size_t i = 0; i < uids->n; i++)
		if (!str_to_u32(uids->v[i], UINT32_MAX - 1, &v[x->uids++]))
			return err_set(e, ERR_USAGE,
			    "--uid is a number from 0 to %u", UINT32_MAX - 1);
	return 0;
}

/* As the provider spells itself, which a final slash must not decide. */
static int
agent_add_issuer(struct call *c, struct store_agent *x, struct err *e)
{
	struct str given = args_text(c->args, "issuer");
	struct store_issuer is = { 0 };
	int r;

	x->subject = args_text(c->args, "subject");
	if (x->subject.n == 0 && given.n > 0)
		return err_set(e, ERR_USAGE, "--issuer needs --subject");
	if (x->subject.n == 0)
		return 0;
	if (x->subject.n > LIMIT_BEARER_SUBJECT || given.n > LIMIT_BEARER_TEXT)
		return err_set(e, ERR_USAGE, "--subject takes at most %d bytes",
		    LIMIT_BEARER_SUBJECT);
	r = store_issuer_get(operate_store(c), c->arena, &is, e);
	if (r < 0)
		return -1;
	x->issuer = given;
	if (given.n == 0 ||
	    (r == 1 && str_eq(issuer_bare(given), issuer_bare(is.issuer))))
		x->issuer = is.issuer;
	return x->issuer.n > 0
	    ? 0
	    : err_set(e, ERR_USAGE,
		  "no identity provider is set: run emcli issuer set first, "
		  "or give --issuer");
}

/* "; subject: S of https://id.example", as the audit log has it. */
static struct str
agent_add_subject_text(struct call *c, const struct store_agent *x)
{
	return x->subject.n == 0 ? S("")
				 : str_fmt(c->arena, "; subject: %.*s of %.*s",
				       STR_ARG(x->subject), STR_ARG(x->issuer));
}

/* "; uids: 1001 1002", as the audit log has it; nothing if there are none. */
static struct str
agent_add_uids_text(struct call *c, const struct store_agent *x)
{
	struct buf b;

	buf_init(&b, c->arena, 1 << 10);
	if (x->uids > 0)
		buf_text(&b, "; uids:");
	for (size_t i = 0; i < x->uids; i++)
		buf_fmt(&b, " %u", x->uid[i]);
	return buf_view(&b);
}

/* Shows the token once; an agent whose token could not be shown is not kept. */
static int
agent_add_show_and_keep(struct call *c, const struct store_agent *x,
    struct err *e)
{
	char text[TOKEN_TEXT];
	int r = token_make(text, e);

	if (r == 0)
		r = store_agent_add(operate_store(c), c->arena, x,
		    (struct str){ text, TOKEN_TEXT - 1 }, e);
	if (r == 0 &&
	    operate_door(c)->write((struct str){ text, TOKEN_TEXT }, false) <
		0) {
		struct err gone = { 0 };

		(void)store_agent_remove(operate_store(c), x->name, &gone);
		(void)err_set(e, ERR_INTERNAL, "the token cannot be written");
		r = err_errno(e, "standard output");
	}
	secret_wipe(text, sizeof(text));
	return r;
}

/* Written apart from the token, which may go into a file or a variable. */
static void
agent_add_note_next(struct call *c, struct str name)
{
	operate_note(c,
	    "emcli: the token is shown only once; for its limits see emcli "
	    "agent list");
	operate_note(c,
	    "emcli: next: on the command line set EMCLI_AGENT=%.*s; over "
	    "HTTP put the token into EMCLI_TOKEN:",
	    STR_ARG(name));
	operate_note(c, "emcli:   emcli mcp --http 127.0.0.1:8765");
	operate_note(c,
	    "emcli:   emcli mcp install --client NAME --http "
	    "http://127.0.0.1:8765/mcp");
}

/* " home work", as the audit log has it. */
static struct str
agent_add_limit(struct str set)
{
	return set.n > 0 ? str_first(set, set.n - 1) : S(" all");
}

static int
agent_add_run(struct call *c, struct json *out, struct err *e)
{
	struct store_agent x = { .name = args_text(c->args, "agent") };

	(void)out;
	if (!env_is_new_agent(str_c(c->arena, x.name)))
		return err_set(e, ERR_USAGE,
		    "an agent's name is 1 to 64 of A-Z a-z 0-9 . _ -, does not "
		    "begin with -, and is not operator");
	if (agent_add_set(c, AGENT_RIGHT_ACCOUNTS, "account", &x.accounts, e) <
		0 ||
	    agent_add_set(c, AGENT_RIGHT_SKILLS, "skill", &x.skills, e) < 0 ||
	    agent_add_set(c, AGENT_RIGHT_OPS, "op", &x.ops, e) < 0 ||
	    agent_add_uids(c, &x, e) < 0 || agent_add_issuer(c, &x, e) < 0)
		return -1;
	if (agent_add_show_and_keep(c, &x, e) < 0)
		return -1;
	/*
	 * The audit row names one account; the note has all that the token
	 * opens.
	 */
	c->note = str_fmt(c->arena,
	    "accounts:%.*s; skills:%.*s; ops:%.*s%.*s%.*s",
	    STR_ARG(agent_add_limit(x.accounts)),
	    STR_ARG(agent_add_limit(x.skills)), STR_ARG(agent_add_limit(x.ops)),
	    STR_ARG(agent_add_uids_text(c, &x)),
	    STR_ARG(agent_add_subject_text(c, &x)));
	agent_add_note_next(c, x.name);
	return 0;
}

const struct op desk_agent_add = {
	.name = "agent add",
	.shows = "emcli agent list",
	.summary = "Add an agent and print its token, once",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.run = agent_add_run,
};
