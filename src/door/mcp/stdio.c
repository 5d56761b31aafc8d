/*
 * Standard input and output: a message a line, and nothing else on standard
 * output.  What needs no gate is answered at once, what does waits its turn.
 */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/limits.h"
#include "door/mcp/internal.h"
#include "door/out.h"

struct talk {
	struct mcp *m;
	struct mcp_line in;
	struct mcp_worker worker;
	struct mcp_hold hold;
	struct mcp_parked parked;
	struct mcp_job *first, **last; /* waiting, oldest first */
	size_t waiting, bytes;
	int64_t until_ms; /* behind the end of input */
	bool gone;        /* nobody reads us any more */
};

static void
put(struct talk *t, const struct json *j)
{
	if (json_write(j, STDOUT_FILENO) < 0 ||
	    out_write(STDOUT_FILENO, S("\n")) < 0)
		t->gone = true;
}

static void
enqueue(struct talk *t, struct mcp_job *job)
{
	*t->last = job;
	t->last = &job->next;
	t->waiting++;
	t->bytes += job->bytes;
}

/* Takes out the one that *at points to. */
static struct mcp_job *
dequeue(struct talk *t, struct mcp_job **at)
{
	struct mcp_job *job = *at;

	*at = job->next;
	if (job->next == NULL)
		t->last = at;
	job->next = NULL;
	t->waiting--;
	t->bytes -= job->bytes;
	return job;
}

/* What is not known, or done already, cannot be cancelled. */
static void
cancel(struct talk *t, const struct mcp_request *q)
{
	struct mcp_job **at = &t->first;
	struct mcp_id id;

	if (!mcp_jsonrpc_id(json_parse_member(q->params, "requestId"), &id))
		return;
	if (t->worker.pid != 0 && mcp_jsonrpc_same(&t->worker.job->q.id, &id))
		mcp_worker_cancel(&t->worker);
	if (mcp_hold_cancel(&t->hold, &id) ||
	    mcp_parked_cancel(&t->parked, &id))
		return;
	while (*at != NULL) {
		if (mcp_jsonrpc_same(&(*at)->q.id, &id)) {
			struct mcp_job *job = dequeue(t, at);

			mcp_worker_drop(&job);
		} else {
			at = &(*at)->next;
		}
	}
}

/* The job is taken, whatever becomes of it. */
static void
take(struct talk *t, struct mcp_job *job)
{
	struct mcp_request *q = &job->q;

	if (q->kind == MCP_NOTICE &&
	    str_eq(q->method, S("notifications/cancelled")))
		cancel(t, q);
	if (q->kind == MCP_REQUEST) {
		job->row = mcp_method_find(q);
		if (job->row != NULL && (job->row->flags & MCP_GATED)) {
			enqueue(t, job);
			return;
		}
		put(t,
		    job->row != NULL ? mcp_method_answer(q, job->row)
				     : mcp_jsonrpc_error(q));
	}
	if (q->kind == MCP_FAULT)
		put(t, mcp_jsonrpc_error(q));
	if (q->kind == MCP_ANSWER) {
		struct mcp_job *asked = mcp_parked_answer(&t->parked, q);

		if (asked != NULL)
			enqueue(t, asked);
	}
	mcp_worker_drop(&job);
}

static void
take_line(struct talk *t, struct str line, bool whole)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct mcp_job *job = arena_new(a, struct mcp_job);

	job->a = a;
	job->bytes = line.n;
	job->q = (struct mcp_request){ .a = a, .m = t->m };
	if (whole) {
		mcp_jsonrpc_read(line, &job->q, &job->doc);
	} else {
		job->q.kind = MCP_FAULT;
		(void)mcp_jsonrpc_fault(&job->q, MCP_NO_REQUEST,
		    "a message has at most %lu bytes", LIMIT_MCP_LINE);
	}
	take(t, job);
}

/* A line that is begun on standard output is ended first. */
static bool
may_take(const struct talk *t)
{
	bool begun = t->worker.midline && !t->worker.job->keeps;

	return !t->gone && !begun && t->waiting < LIMIT_MCP_WAITING &&
	    t->bytes < LIMIT_MCP_WAITS_FOR;
}

static void
take_all(struct talk *t)
{
	enum mcp_line_state s;
	struct str line = { 0 };

	while (
	    may_take(t) && (s = mcp_line_next(&t->in, &line)) != MCP_LINE_NONE)
		take_line(t, line, s == MCP_LINE_WHOLE);
}

static void
release(struct talk *t)
{
	if (mcp_hold_release(&t->hold) < 0)
		t->gone = true;
}

static void
start_next(struct talk *t)
{
	struct mcp_job *job;

	if (t->worker.pid != 0 || t->first == NULL)
		return;
	job = dequeue(t, &t->first);
	/* Whoever calls on has not waited for it: answers keep their order. */
	if (job->row->answer == mcp_call)
		release(t);
	job->q.silent = job->q.silent || t->parked.n >= LIMIT_MCP_ASKED;
	job->keeps = mcp_hold_wants(&job->q) || mcp_parked_wants(&job->q);
	if (job->keeps)
		buf_init(&job->kept, job->a, LIMIT_MCP_LINE);
	if (mcp_worker_start(&t->worker, job) == 0)
		return;
	(void)mcp_jsonrpc_fault(&job->q, MCP_BROKEN,
	    "no process for it can be started");
	put(t, mcp_jsonrpc_error(&job->q));
	mcp_worker_drop(&job);
}

static void
drop_all(struct talk *t)
{
	while (t->first != NULL) {
		struct mcp_job *job = dequeue(t, &t->first);

		mcp_worker_drop(&job);
	}
	mcp_worker_cancel(&t->worker);
}

/* The worker has ended: its job goes, unless its answer is to wait. */
static void
finish(struct talk *t)
{
	struct mcp_job *job = t->worker.job;
	bool mute = t->worker.mute, lists = job->row->answer == mcp_tools_list;

	t->worker = (struct mcp_worker){ 0 };
	if (!mute && job->keeps) {
		if (mcp_parked_asks(job)) {
			/* Nobody answers behind the end of input. */
			if (t->in.end)
				enqueue(t, job);
			else
				mcp_parked_take(&t->parked, job);
			return;
		}
		if (!t->in.end && mcp_hold_take(&t->hold, job))
			return;
		if (out_write(STDOUT_FILENO, buf_view(&job->kept)) < 0)
			t->gone = true;
	}
	mcp_worker_drop(&job);
	if (lists)
		mcp_hold_settle(&t->hold);
}

/* Behind the end of input what was asked is answered, if it is soon. */
static int
patience(struct talk *t)
{
	if (t->hold.job != NULL)
		return t->in.end ? 0 : clock_left_ms(t->hold.until_ms);
	if (!t->in.end || t->worker.mute)
		return -1;
	if (t->until_ms == 0)
		t->until_ms = clock_mono_ms() + LIMIT_MCP_GRACE_MS;
	if (clock_left_ms(t->until_ms) == 0) {
		drop_all(t);
		return -1;
	}
	return clock_left_ms(t->until_ms);
}

static void
wait_more(struct talk *t)
{
	struct pollfd p[2] = {
		{ .fd = t->in.end || !may_take(t) ? -1 : STDIN_FILENO,
		    .events = POLLIN },
		{ .fd = t->worker.pid != 0 ? t->worker.fd : -1,
		    .events = POLLIN },
	};

	if (poll(p, 2, patience(t)) < 0) {
		if (errno != EINTR)
			err_bug("poll: %s", strerror(errno));
		return;
	}
	if (p[1].revents != 0) {
		t->gone = mcp_worker_read(&t->worker) < 0 || t->gone;
		if (t->worker.pid == 0)
			finish(t);
	}
	if (t->hold.job != NULL &&
	    (t->in.end || clock_left_ms(t->hold.until_ms) == 0))
		release(t);
	if (p[0].revents != 0)
		mcp_line_fill(&t->in, STDIN_FILENO);
}

int
mcp_stdio(struct mcp *m)
{
	struct talk t = { .m = m };

	t.last = &t.first;
	while (!t.gone) {
		take_all(&t);
		start_next(&t);
		if (t.in.end && t.worker.pid == 0 && t.first == NULL &&
		    t.hold.job == NULL)
			break;
		wait_more(&t);
	}
	t.worker.mute = t.worker.mute || t.gone;
	drop_all(&t);
	while (t.worker.pid != 0 && mcp_worker_read(&t.worker) == 0)
		;
	mcp_worker_drop(&t.worker.job);
	mcp_parked_drop(&t.parked);
	release(&t);
	mcp_line_close(&t.in);
	return t.gone ? 1 : 0;
}
