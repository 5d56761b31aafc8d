/* SPDX-License-Identifier: Apache-2.0 */
/* A mailbox's password on a server: whose it is, and what is to happen to it.
 */
#include "desk/credential_args.h"

#include "base/clock.h"
#include "base/env.h"
#include "base/limits.h"
#include "base/path.h"

const struct arg_spec credential_args_one[] = {
	{ .name = "ref",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "the credential, as credential list has it" },
	AGREE_ARG_YES,
	HOME_ARGS_ROOT,
	{ 0 },
};

const struct field credential_args_changed[] = {
	{ "credential_ref", FIELD_TEXT, .help = "the credential" },
	{ "address", FIELD_TEXT, .help = "the mailbox's" },
	{ "sessions", FIELD_INT, .help = "sessions that name it" },
	{ "account", FIELD_TEXT, .nullable = true,
	    .help = "the account that is the mailbox" },
	{ 0 },
};

static struct stalwart_want
credential_args_want(struct call *c, const struct binding *b)
{
	const struct env *env = operate_env(c);

	return (struct stalwart_want){
		.binding = b,
		.keys = { env->stalwart_token, env->stalwart_key,
		    env->stalwart_secret },
		.deadline_ms = clock_mono_ms() + LIMIT_STALWART_MS,
	};
}

int
credential_args_provision(struct call *c, const struct binding *b,
    struct err *e)
{
	CLEANUP(secret_close) struct secret *given = NULL;
	CLEANUP(place_close) struct place p = { .fd = -1 };
	struct stalwart_want w = credential_args_want(c, b);
	struct str file = args_text(c->args, "mailbox_password_file");
	struct strs notes = { 0 };
	int r;

	if (b->transport != TRANSPORT_STALWART)
		return 0;
	w.reset = args_has(c->args, "reset_password");
	if (file.n > 0 && w.reset)
		return err_set(e, ERR_USAGE,
		    "--mailbox-password-file and --reset-password exclude each "
		    "other");
	if (file.n > 0 &&
	    env_key_read("--mailbox-password-file", str_c(c->arena, file),
		&given, e) < 0)
		return -1;
	w.given = given;
	if (place_open(&p, args_text(c->args, "runtime_root"), true, c->arena,
		e) < 0)
		return -1;
	r = stalwart_provision(&p, &w, c->arena, &notes, e);
	for (size_t i = 0; i < notes.n; i++)
		operate_note(c, "emcli: note: %.*s", STR_ARG(notes.v[i]));
	return r;
}

static int
credential_args_unknown(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND,
	    "there is no such credential: see emcli credential list");
}

/* By the durable file; one of another program's says less than a session. */
static int
credential_args_binding(struct call *c, struct sessions *s, struct str ref,
    struct binding *out, struct err *e)
{
	CLEANUP(credential_done) struct credential has = { 0 };
	CLEANUP(path_close) int folder = -1;
	struct session_credential_used used;
	int r =
	    s->place.fd < 0 ? 1 : credential_open(&s->place, false, &folder, e);

	if (r == 0 && !credential_ref_is_safe(ref))
		r = 1;
	if (r == 0)
		r = credential_read(folder, ref, c->arena, &has, e);
	if (r != 0)
		return r < 0 ? -1 : credential_args_unknown(e);
	*out = (struct binding){
		.transport = TRANSPORT_STALWART,
		.address = has.address,
		.jmap_url = has.jmap_url,
		.management_url = has.management_url,
		.login_identity = has.login,
		.credential_ref = str_dup(c->arena, ref),
	};
	if (has.jmap_url.n > 0 && has.management_url.n > 0 && has.address.n > 0)
		return 0;
	r = session_credential_find(s, ref, out, &used, e);
	return r <= 0 ? r
		      : err_set(e, ERR_CONFIG,
			    "which server the credential is for is not known "
			    "here: no session names it");
}

static int
credential_args_open(struct call *c, struct sessions *s, struct err *e)
{
	return session_args_open(c, false, s, e) < 0 ? -1 : 0;
}

/* The server is asked without the lock on sessions, which others wait for. */
static int
credential_args_do(struct call *c, const struct credential_args_verb *v,
    const struct binding *b, struct err *e)
{
	CLEANUP(place_close) struct place p = { .fd = -1 };
	struct stalwart_want w = credential_args_want(c, b);

	if (place_open(&p, args_text(c->args, "runtime_root"), true, c->arena,
		e) < 0)
		return -1;
	return v->change(&p, &w, c->arena, e);
}

static void
credential_args_put(struct call *c, const struct credential_args_verb *v,
    const struct binding *b, const struct session_credential_used *used,
    struct json *out)
{
	json_put_str(out, "credential_ref", b->credential_ref);
	json_put_str(out, "address", b->address);
	json_put_int(out, "sessions", (int64_t)used->sessions);
	json_put_str_or_null(out, "account", used->account);
	gate_say_pair(c, "credential", b->credential_ref);
	gate_say_pair(c, "address", b->address);
	if (used->account.n > 0)
		gate_say_pair(c, "account", used->account);
	gate_say(c, GATE_PLAIN, "%s", v->done);
	c->note = str_fmt(c->arena, "credential %.*s: %s",
	    STR_ARG(b->credential_ref), v->done);
}

int
credential_args_change(struct call *c, const struct credential_args_verb *v,
    struct json *out, struct err *e)
{
	struct str ref = args_text(c->args, "ref");
	struct session_credential_used used;
	struct binding b = { 0 };
	struct sessions s;
	int r = credential_args_open(c, &s, e);

	if (r == 0)
		r = credential_args_binding(c, &s, ref, &b, e);
	session_args_close(c, &s);
	if (r < 0 ||
	    agree(c,
		str_fmt(c->arena, "%s %.*s", v->question, STR_ARG(b.address)),
		e) < 0 ||
	    credential_args_do(c, v, &b, e) < 0)
		return -1;
	r = credential_args_open(c, &s, e);
	if (r == 0)
		r = session_credential_refresh(&s, &b, v->gone, &used, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	credential_args_put(c, v, &b, &used, out);
	return 0;
}
