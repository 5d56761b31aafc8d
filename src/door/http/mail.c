/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request to a mailbox, in its own process.  The session's manifest is read
 * at every call, so a binding that was changed counts from the next one on.
 */
#include "door/http/gateway.h"

#include <fcntl.h>

#include "base/path.h"
#include "op/op.h"

static void
http_mail_say(struct arena *a, int status, const struct json *j)
{
	child_line(CHILD_STATUS, str_fmt(a, "%d", status));
	child_say(CHILD_ANSWER, j);
}

_Noreturn void
http_mail_end(struct arena *a, const struct op *op, bool keyed,
    const struct err *e)
{
	struct http_mail_error x;

	http_mail_error(e, op != NULL && op->effect == EFFECT_SEND, keyed, &x);
	http_mail_say(a, x.status, http_mail_error_json(a, &x, str_of(e->say)));
	_exit(0);
}

/* The server's own refusals have the same form. */
void
http_mail_refuse(struct buf *out, int status, const char *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct http_mail_error x;

	http_mail_error_of_status(status, &x);
	buf_str(out, json_text(http_mail_error_json(a, &x, str_of(why)), a));
}

/* It waits for no mail server. */
bool
http_mail_brief(struct str body)
{
	(void)body;
	return true;
}

void
http_mail_health(const struct route_request *r)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct json *j = json_new(a);

	(void)r;
	json_open_object(j, NULL);
	json_put_text(j, "protocol_version", "v1");
	json_put_text(j, "status", "ok");
	json_close_object(j);
	http_mail_say(a, 200, j);
}

static void
http_mail_check_token(struct http_mail *x)
{
	struct http_mail_error no;

	if (x->by->local || instance_token_is(&x->gateway->token, x->by->token))
		return;
	http_mail_error_of_status(401, &no);
	http_mail_say(x->a, no.status,
	    http_mail_error_json(x->a, &no,
		S("the token is not that of this gateway: read run/token "
		  "again")));
	_exit(0);
}

static int
http_mail_read_session(struct http_mail *x, struct err *e)
{
	bool needed = x->op->needs & NEED_ACCOUNT;
	CLEANUP(path_close)
	int fd = path_dir_open(AT_FDCWD, x->gateway->session);

	if (fd >= 0 && manifest_read(fd, x->a, &x->manifest, e) == 0 &&
	    session_file_read(fd, x->a, &x->state, e) == 0) {
		if (!needed ||
		    (x->manifest.mailbox.transport != TRANSPORT_NONE &&
			x->state.account.n > 0))
			return 0;
	} else if (fd >= 0 && e->kind != ERR_NOT_FOUND) {
		e->reason = "not_actionable";
		return -1;
	}
	(void)err_set(e, ERR_CONFIG, "the session has no mailbox");
	e->reason = "no_mailbox";
	return -1;
}

/* The agent's name, as its calls are recorded. */
static const char *
http_mail_agent(const struct http_mail *x)
{
	const char *agent = str_c(x->a, x->manifest.agent);
	const char *principal = str_c(x->a, x->manifest.mailbox.principal_id);

	if (env_is_agent(agent))
		return agent;
	return env_is_agent(principal) ? principal : "agent";
}

int
http_mail_open(struct http_mail *x, const char *operation, struct err *e)
{
	const struct binding *b = &x->manifest.mailbox;

	x->op = op_find_mail(str_of(operation));
	if (x->op == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "this emcli does not have that operation");
	if (http_mail_read_session(x, e) < 0)
		return -1;
	x->env = *x->gateway->env;
	x->env.agent = strdup(http_mail_agent(x));
	if (x->env.agent == NULL)
		err_bug("out of memory");
	x->env.account = NULL;
	x->binding = (struct gate_binding){
		.transport = str_of(transport_name(b->transport)),
		.principal = b->principal_id,
		.address = b->address,
		.version = b->bindings_version,
		.session = str_of(x->gateway->session),
	};
	str_push(x->a, &x->accounts, x->state.account);
	args_init(&x->args, x->op->args, x->a);
	return 0;
}

void
http_mail_meet(struct http_mail *x, const struct route_request *r)
{
	struct err e = { 0 };

	*x = (struct http_mail){
		.by = r,
		.gateway = r->arg,
		.a = arena_open(LIMIT_ARENA),
	};
	http_mail_check_token(x);
	if (http_mail_open(x, r->route->does, &e) < 0)
		http_mail_end(x->a, x->op, false, &e);
}

static bool
http_mail_is_keyed(const struct http_mail *x)
{
	return args_find(&x->args, S("idempotency_key")) != NULL &&
	    args_has(&x->args, "idempotency_key");
}

/* What was done before there was a request, in a process that waited for it. */
static struct {
	struct http_mail mail;
	struct gate *gate; /* or NULL */
} early;

void
http_mail_ready(void *arg)
{
	struct err none = { 0 };

	early.mail =
	    (struct http_mail){ .gateway = arg, .a = arena_open(LIMIT_ARENA) };
	if (http_mail_open(&early.mail, "mail_status", &none) < 0 ||
	    gate_open(&early.mail.env, &early.gate, &none) < 0)
		early.gate = NULL;
}

/* That gate, if it is what would be opened now. */
static int
http_mail_gate(struct http_mail *x, struct gate **out, struct err *e)
{
	*out = early.gate;
	early.gate = NULL;
	if (*out != NULL &&
	    str_eq(str_of(early.mail.env.agent), str_of(x->env.agent)) &&
	    gate_is_current(*out))
		return 0;
	gate_close(out);
	return gate_open(&x->env, out, e);
}

int
http_mail_ask(struct http_mail *x, struct reply *out, struct err *e)
{
	const struct gate_caller who = { .accounts = &x->accounts,
		.binding = &x->binding };
	struct arg *account = args_find(&x->args, S("account"));
	struct gate *g;

	if ((account != NULL &&
		args_add(&x->args, x->a, account, x->state.account, e) < 0) ||
	    http_mail_gate(x, &g, e) < 0)
		return -1;
	gate_caller_set(g, &who);
	gate_watching(g, x->watching);
	gate_call(g, x->op, &x->args, x->a, out);
	gate_close(&g);
	if (out->err.kind == ERR_NONE)
		return 0;
	*e = out->err;
	return -1;
}

void
http_mail_call(struct http_mail *x, struct reply *out)
{
	struct err e = { 0 };

	if (http_mail_ask(x, out, &e) < 0)
		http_mail_end(x->a, x->op, http_mail_is_keyed(x), &e);
}

/* What a request without a body can say. */
static int
http_mail_take_query(struct http_mail *x, struct err *e)
{
	struct arg *arg = args_find(&x->args, S("extensions"));

	if (x->by->query.n == 0)
		return 0;
	if (arg == NULL || !str_eq(x->by->query, S("extensions=true")))
		return err_set(e, ERR_USAGE,
		    "the only parameter is extensions=true");
	return args_add(&x->args, x->a, arg, S("true"), e);
}

/* The answer in case this process dies of a message. */
static void
http_mail_say_last_words(const struct http_mail *x)
{
	struct http_mail_error no;

	http_mail_error_of_status(500, &no);
	no.safe = x->op->effect != EFFECT_SEND || http_mail_is_keyed(x);
	child_say(CHILD_FAULT,
	    http_mail_error_json(x->a, &no, S("the call did not finish")));
}

/* What every answer of an operation holds; the rest is only ours. */
static bool
http_mail_is_theirs(const struct op *op, struct str key)
{
	for (const struct field *f = op->result; f->name != NULL; f++)
		if (str_eq(str_of(f->name), key))
			return !f->optional;
	return false;
}

/* A name in a text is written with other quotes than a member's. */
static bool
http_mail_has_ours(const struct op *op, struct str text, struct arena *a)
{
	for (const struct field *f = op->result; f->name != NULL; f++)
		if (f->optional &&
		    str_find(text, str_fmt(a, "\"%s\":", f->name)) >= 0)
			return true;
	return false;
}

static const struct json *
http_mail_without_ours(struct http_mail *x, const struct json *data)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct json *j = json_new(x->a);
	const struct json_value *one;
	struct str key = { 0 }, text = json_text(data, x->a);
	struct err e = { 0 };

	if (!http_mail_has_ours(x->op, text, x->a))
		return data;
	if (json_parse_open(text, SIZE_MAX, &d, &e) < 0)
		err_bug("%s", e.say);
	json_open_object(j, NULL);
	while ((one = json_parse_next(json_parse_root(d), &key)) != NULL)
		if (http_mail_is_theirs(x->op, key))
			json_copy_put(j, str_c(x->a, key), one);
	json_close_object(j);
	return j;
}

void
http_mail_answer(const struct route_request *r)
{
	struct http_mail x;
	struct reply out;
	struct err e = { 0 };
	const struct json *data;

	http_mail_meet(&x, r);
	if ((r->route->type != NULL ? http_mail_body(r->body, &x.args, x.a, &e)
				    : http_mail_take_query(&x, &e)) < 0)
		http_mail_end(x.a, x.op, false, &e);
	http_mail_say_last_words(&x);
	if (x.op->effect == EFFECT_READ)
		child_may_end(true);
	http_mail_call(&x, &out);
	data = out.data;
	if (!args_has(&x.args, "extensions"))
		data = http_mail_without_ours(&x, data);
	http_mail_say(x.a, 200, data);
}
