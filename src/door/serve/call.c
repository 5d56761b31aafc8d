/* SPDX-License-Identifier: Apache-2.0 */
/* One call: from a frame to the gate, and its reply. */
#include "door/argv.h"
#include "door/child.h"
#include "door/out.h"
#include "door/serve/internal.h"
#include "gate/agent.h"
#include "reader/reader.h"

/* Where progress goes; a worker has one call at a time. */
static int progress_to = -1;

/* One call, with what is known of its caller. */
struct call_in {
	struct serve_worker *w;
	int conn;
	struct arena *a;
	struct ipc_peer who;
	struct env env;
	struct gate *gate; /* NULL: it could not be opened, since: */
	struct err shut;
	struct serve_request q;
};

static void
serve_call_progress(uint64_t done, uint64_t all)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct json *j = json_new(a);
	struct err unread = { 0 };

	json_open_object(j, NULL);
	json_put_int(j, "done", (int64_t)done);
	json_put_int(j, "all", (int64_t)all);
	json_close_object(j);
	(void)ipc_frame_send(progress_to,
	    &(struct ipc_frame){ FAR_PROGRESS, json_text(j, a) }, NULL, 0,
	    &unread);
}

/*
 * A call that only reads ends when its client is gone; any other is finished
 * and recorded.
 */
static void
serve_call_may_end(const struct call_in *c)
{
	const char note = SERVE_READS;
	const struct timespec now = { 0 };
	sigset_t left;

	/* What a client says of files that it saved is no end. */
	if (c->q.op->effect != EFFECT_READ || c->q.saves)
		return;
	/* It was for the call before. */
	(void)sigemptyset(&left);
	(void)sigaddset(&left, CHILD_LEFT);
	while (sigtimedwait(&left, NULL, &now) > 0)
		;
	child_may_end(true);
	(void)ipc_pass_send(c->w->monitor, (struct str){ &note, 1 }, NULL, 0);
}

static void
serve_call_goes_on(void)
{
	sigset_t left;

	(void)sigemptyset(&left);
	(void)sigaddset(&left, CHILD_LEFT);
	(void)sigprocmask(SIG_BLOCK, &left, NULL);
}

/* The environment of a call: ours, and of its caller what it may choose. */
static struct env
serve_call_env(const struct call_in *c, struct str agent, struct str account)
{
	struct env env = *c->w->env;

	env.confined_by = sandbox_say(&c->w->confined);
	env.confined = sandbox_is_whole(&c->w->confined);
	env.foreign = true;
	env.uid = c->who.uid;
	env.agent = str_c(c->a, agent);
	env.named = agent.n > 0;
	env.account = account.n > 0 ? str_c(c->a, account) : NULL;
	return env;
}

/* As the agent that this user is. */
static void
serve_call_run(struct call_in *c, struct reply *r)
{
	const struct gate_saves saves = { &c->conn, serve_saves_file,
		serve_saves_keep };
	struct gate *g = c->gate;

	c->env.account = c->q.account.n > 0 ? str_c(c->a, c->q.account) : NULL;
	if (g == NULL ||
	    gate_agent_admit(g, c->who.uid, c->q.agent, &c->shut) < 0) {
		gate_refuse(NULL, c->q.op->name, &c->shut, c->a, r);
		return;
	}
	reader_get_begin(gate_agent_name(g));
	gate_agent_confined(g, sandbox_say(&c->w->confined),
	    sandbox_is_whole(&c->w->confined));
	if (c->q.person)
		gate_caller_set_person(g);
	progress_to = c->conn;
	if (c->q.progress)
		gate_progress(g, serve_call_progress);
	gate_saving(g, &saves);
	serve_call_may_end(c);
	gate_call(g, c->q.op, &c->q.args, c->a, r);
	serve_call_goes_on();
	out_help(&r->err, c->a, argv_spell(c->a, c->q.op->name));
}

/*
 * Few of those that wait for mail: the other calls have workers, too.  False:
 * it has its answer.
 */
static bool
serve_call_may_wait(const struct call_in *c)
{
	return c->q.op->follows == NULL ||
	    serve_may(c->w, SERVE_WATCH, c->conn);
}

static void
serve_call_answer(struct call_in *c, struct str payload,
    const struct ipc_passed *with)
{
	struct reply r = { 0 };
	struct err e = { 0 };

	if (serve_request(payload, c->a, &c->q, &e) < 0 ||
	    serve_request_files(&c->q, with, &e) < 0) {
		gate_rest(&c->gate);
		serve_reply_refuse(c->conn, &e);
		return;
	}
	if (!serve_call_may_wait(c)) {
		gate_rest(&c->gate);
		return;
	}
	serve_call_run(c, &r);
	gate_rest(&c->gate);
	serve_reply(c->conn, c->a, &r, c->q.lines);
}

/* A stream of calls, if its caller may make any. */
static void
serve_call_pipe(const struct call_in *c, struct str payload)
{
	struct serve_request_pipe q;
	struct gate *g = NULL;
	struct err e = { 0 };
	struct env env;

	if (serve_request_pipe(payload, c->a, &q, &e) < 0) {
		serve_reply_refuse(c->conn, &e);
		return;
	}
	env = serve_call_env(c, q.agent, q.account);
	if (gate_open(&env, &g, &e) < 0) {
		serve_reply_refuse(c->conn, &e);
		return;
	}
	gate_close(&g);
	gate_rest_end();
	reader_get_drop();
	serve_pipe(c->w, c->conn, &env, &q);
}

static void
serve_call_unknown(const struct call_in *c)
{
	struct err e = { 0 };

	(void)err_set(&e, ERR_USAGE, "a frame of an unknown type");
	serve_reply_refuse(c->conn, &e);
}

/* Only root and our own user may know: for others there is no such frame. */
static void
serve_call_status(const struct call_in *c)
{
	struct reply r = { .data = json_new(c->a) };

	if (!ipc_peer_is_own(c->conn)) {
		serve_call_unknown(c);
		return;
	}
	json_open_object(r.data, NULL);
	serve_status_put(r.data, c->w->board);
	json_close_object(r.data);
	serve_reply(c->conn, c->a, &r, false);
}

static void
serve_call_take(struct call_in *c)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct ipc_frame f = { 0 };
	struct err e = { 0 };
	int r = ipc_peer(c->conn, &c->who, &e);

	if (r == 0)
		r = ipc_frame_recv(c->conn, false, c->a, &f, &with, &e);
	/* A pipe has processes of its own, which open the store. */
	if (r <= 0 || f.type != FAR_CALL)
		gate_rest(&c->gate);
	if (r < 0 && e.kind == ERR_USAGE)
		serve_reply_refuse(c->conn, &e);
	if (r <= 0)
		return;
	if (f.type == FAR_CALL)
		serve_call_answer(c, f.payload, &with);
	else if (f.type == FAR_OPEN && with.n == 0)
		serve_call_pipe(c, f.payload);
	else if (f.type == FAR_STATUS && with.n == 0)
		serve_call_status(c);
	else
		serve_call_unknown(c);
}

bool
serve_call(struct serve_worker *w, int conn, bool any)
{
	static char name[] = "agent";
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct call_in c = { .w = w, .conn = conn, .a = a, .env = *w->env };
	bool holds;

	/* No byte of the call is read yet, so that another can have it. */
	c.env.agent = name;
	(void)gate_open(&c.env, &c.gate, &c.shut);
	holds = any || serve_confine_holds(w, c.gate, a);
	if (holds)
		serve_call_take(&c);
	gate_rest(&c.gate);
	return holds;
}
