/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request for operations, in its own process, the first that reads the
 * stranger's text.
 */
#include "door/argv.h"
#include "door/envelope.h"
#include "door/given.h"
#include "door/http/ops.h"
#include "door/out.h"
#include "gate/agent.h"
#include "op/op.h"

struct ops_call {
	const struct route_request *by;
	struct arena *a;
	struct gate *gate;
	const struct op *op;
	struct args args;
	struct args_files files; /* none: ours are not the caller's */
};

/* The gate of a process that waited for its request, or NULL. */
static struct gate *early;

/* -- answers --------------------------------------------------------------- */

/* The whole answer; the process ends. */
static _Noreturn void
http_ops_end(struct ops_call *x, int status, const struct reply *r)
{
	int wait =
	    r->err.reason != NULL && str_eq(str_of(r->err.reason), S("busy"))
	    ? LIMIT_HTTP_BUSY_S
	    : LIMIT_HTTP_RETRY_S;

	gate_close(&x->gate);
	child_line(CHILD_STATUS, str_fmt(x->a, "%d", status));
	if (status == 429)
		child_line(CHILD_HEAD, str_fmt(x->a, "Retry-After: %d", wait));
	child_say(CHILD_ANSWER, envelope_make(x->a, r));
	_exit(0);
}

static _Noreturn void
http_ops_end_call(struct ops_call *x, struct reply *r)
{
	if (x->op != NULL)
		out_help(&r->err, x->a, argv_spell(x->a, x->op->name));
	http_ops_end(x, http_ops_status(r->err.kind), r);
}

/* Of a call that reached no operation: it is in the audit log all the same. */
static _Noreturn void
http_ops_fail(struct ops_call *x, const char *action, const struct err *e)
{
	struct reply r = { 0 };

	gate_refuse(x->gate, action, e, x->a, &r);
	http_ops_end_call(x, &r);
}

/* The answer in case this process dies of a message. */
static void
http_ops_say_last_words(const struct ops_call *x)
{
	enum effect effect =
	    args_given(&x->args, "dry_run") ? EFFECT_READ : x->op->effect;
	struct reply r = { 0 };

	if (effect == EFFECT_SEND)
		(void)err_set(&r.err, ERR_UNKNOWN_OUTCOME,
		    "the call did not finish: the message may have been sent");
	else
		(void)err_set(&r.err, ERR_INTERNAL, "the call did not finish%s",
		    effect == EFFECT_READ
			? ""
			: ": check what it did before you make it again");
	child_say(CHILD_FAULT, envelope_make(x->a, &r));
}

/* -- whose call it is ------------------------------------------------------ */

static int
http_ops_open_gate(struct ops_call *x, struct err *e)
{
	const struct http_ops_known *k = x->by->arg;

	x->gate = early;
	early = NULL;
	if (x->gate != NULL && gate_is_current(x->gate))
		return 0;
	gate_close(&x->gate);
	return gate_open(k->env, &x->gate, e);
}

/* 1; 0: it is no agent's; -1.  A token decides where there is one. */
static int
http_ops_admit(struct ops_call *x, struct err *e)
{
	const struct route_request *r = x->by;
	int is = 0;

	if (r->token.n > 0)
		is = gate_agent_enter(x->gate, r->token, e);
	else if (r->local && gate_agent_admit(x->gate, r->uid, S(""), e) == 0)
		is = 1;
	else if (r->local && e->kind != ERR_CONFIG)
		is = -1;
	if (is == 1 && r->local)
		gate_agent_from(x->gate, r->uid);
	return is;
}

static void
http_ops_meet(struct ops_call *x, const struct route_request *r)
{
	const struct http_ops_known *k = r->arg;
	struct reply no;
	struct err e = { 0 };
	int is;

	*x = (struct ops_call){ .by = r, .a = arena_open(LIMIT_ARENA) };
	/* Nothing is begun for a client that has gone. */
	if (r->left)
		_exit(0);
	if (http_ops_open_gate(x, &e) < 0 ||
	    k->confine(k->env, x->gate, &e) < 0)
		http_ops_fail(x, "unknown", &e);
	is = http_ops_admit(x, &e);
	if (is < 0)
		http_ops_fail(x, "unknown", &e);
	if (is > 0)
		return;
	http_ops_status_refusal(401, http_ops_status_no_agent, x->a, &no);
	http_ops_end(x, 401, &no);
}

void
http_ops_call_ready(void *arg)
{
	const struct http_ops_known *k = arg;
	struct err none = { 0 };

	if (gate_open(k->env, &early, &none) < 0)
		early = NULL;
}

/* -- a call ---------------------------------------------------------------- */

/* Files of the caller's do not come along, and ours are not its. */
static int
http_ops_check_files(const struct ops_call *x, struct err *e)
{
	for (size_t i = 0; i < x->args.n; i++)
		if ((x->args.v[i].spec->flags & ARG_FILE) &&
		    x->args.v[i].text.n > 0)
			return err_set(e, ERR_USAGE,
			    "%s names files, which no call over HTTP can send",
			    x->args.v[i].shown);
	return 0;
}

static int
http_ops_read(struct ops_call *x, struct err *e)
{
	struct err why = { 0 };
	const struct given_own none = { 0 };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;

	args_init(&x->args, x->op->args, x->a);
	argv_spell_all(&x->args, x->a);
	x->args.files = &x->files;
	/* Whatever is wrong with it, a later try is no better. */
	if (json_parse_open(x->by->body, LIMIT_HTTP_BODY, &doc, &why) < 0)
		return err_set(e, ERR_USAGE, "%s", why.say);
	if (!json_parse_is_object(json_parse_root(doc)))
		return err_set(e, ERR_USAGE,
		    "the arguments are no JSON object");
	if (given_read(json_parse_root(doc), &none, x->a, &x->args, e) < 0)
		return -1;
	return http_ops_check_files(x, e);
}

void
http_ops_call(const struct route_request *r)
{
	struct ops_call x;
	struct reply out = { 0 };
	struct err e = { 0 };

	http_ops_meet(&x, r);
	x.op = op_find(r->rest);
	if (x.op == NULL) {
		(void)err_set(&e, ERR_USAGE,
		    "unknown operation %.*s: see GET /v1/schema",
		    STR_ARG(out_quote(x.a, r->rest)));
		http_ops_fail(&x, "unknown", &e);
	}
	if (r->query.n > 0) {
		(void)err_set(&e, ERR_USAGE,
		    "a call has no query: its arguments are in the body");
		http_ops_fail(&x, x.op->name, &e);
	}
	if (http_ops_read(&x, &e) < 0)
		http_ops_fail(&x, x.op->name, &e);
	http_ops_say_last_words(&x);
	/* A read ends with its client; what changes something is finished. */
	if (x.op->effect == EFFECT_READ)
		child_may_end(true);
	gate_call(x.gate, x.op, &x.args, x.a, &out);
	http_ops_end_call(&x, &out);
}

/* -- what is no call ------------------------------------------------------- */

/* It waits for no mail server. */
bool
http_ops_call_brief(struct str body)
{
	(void)body;
	return true;
}

void
http_ops_call_schema(const struct route_request *r)
{
	struct ops_call x;
	struct json *j;

	http_ops_meet(&x, r);
	j = json_new(x.a);
	op_schema_put_all(j, ARG_FILE);
	gate_close(&x.gate);
	child_line(CHILD_STATUS, S("200"));
	child_say(CHILD_ANSWER, j);
}

void
http_ops_call_health(const struct route_request *r)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct json *j = json_new(a);

	(void)r;
	json_open_object(j, NULL);
	json_put_text(j, "status", "ok");
	json_close_object(j);
	child_line(CHILD_STATUS, S("200"));
	child_say(CHILD_ANSWER, j);
}
