/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard input and output: one message per line, and nothing else on standard
 * output.  Requests that need no gate are answered at once; others are queued.
 */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/limits.h"
#include "door/mcp/stdio.h"
#include "door/out.h"

struct talk {
	struct mcp *m;
	struct lines in;
	struct child child;
	struct mcp_job *job; /* the job that it works on */
	bool mute;           /* nobody waits for its answer any more */
	struct mcp_hold hold;
	struct mcp_parked parked;
	struct mcp_job *first, **last; /* queued, oldest first */
	size_t waiting, bytes;
	int64_t until_ms; /* the deadline after the end of input */
	bool gone;        /* nobody reads the output any more */
};

static void
mcp_stdio_put(struct talk *t, const struct json *j)
{
	if (json_write(j, STDOUT_FILENO) < 0 ||
	    out_write(STDOUT_FILENO, S("\n")) < 0)
		t->gone = true;
}

static void
mcp_stdio_put_line(struct talk *t, struct str line)
{
	if (out_write_line(STDOUT_FILENO, line) < 0)
		t->gone = true;
}

static void
mcp_stdio_enqueue(struct talk *t, struct mcp_job *job)
{
	*t->last = job;
	t->last = &job->next;
	t->waiting++;
	t->bytes += job->bytes;
}

/* Takes out the one that *at points to. */
static struct mcp_job *
mcp_stdio_dequeue(struct talk *t, struct mcp_job **at)
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

/* Ends a read; a call that may have begun a change ends by itself. */
static void
mcp_stdio_stop(struct talk *t)
{
	if (t->child.pid == 0)
		return;
	t->mute = true;
	child_signal(&t->child, CHILD_STOP);
}

/* An unknown or finished request cannot be cancelled. */
static void
mcp_stdio_cancel(struct talk *t, const struct mcp_request *q)
{
	struct mcp_job **at = &t->first;
	struct mcp_id id;

	if (!mcp_jsonrpc_id(json_parse_member(q->params, "requestId"), &id))
		return;
	if (t->child.pid != 0 && mcp_jsonrpc_same(&t->job->q.id, &id))
		mcp_stdio_stop(t);
	if (mcp_hold_cancel(&t->hold, &id) ||
	    mcp_parked_cancel(&t->parked, &id))
		return;
	while (*at != NULL) {
		if (mcp_jsonrpc_same(&(*at)->q.id, &id)) {
			struct mcp_job *job = mcp_stdio_dequeue(t, at);

			mcp_job_drop(&job);
		} else {
			at = &(*at)->next;
		}
	}
}

/* Takes the job in every case. */
static void
mcp_stdio_take(struct talk *t, struct mcp_job *job)
{
	struct mcp_request *q = &job->q;

	if (q->kind == MCP_NOTICE &&
	    str_eq(q->method, S("notifications/cancelled")))
		mcp_stdio_cancel(t, q);
	if (q->kind == MCP_REQUEST) {
		job->row = mcp_method_find(q);
		if (job->row != NULL && (job->row->flags & MCP_GATED)) {
			mcp_stdio_enqueue(t, job);
			return;
		}
		mcp_stdio_put(t,
		    job->row != NULL ? mcp_method_answer(q, job->row)
				     : mcp_jsonrpc_error(q));
	}
	if (q->kind == MCP_FAULT)
		mcp_stdio_put(t, mcp_jsonrpc_error(q));
	if (q->kind == MCP_ANSWER) {
		struct mcp_job *asked = mcp_parked_answer(&t->parked, q);

		if (asked != NULL)
			mcp_stdio_enqueue(t, asked);
	}
	mcp_job_drop(&job);
}

static void
mcp_stdio_take_line(struct talk *t, struct str line, bool whole)
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
		    "a message may have at most %lu bytes", LIMIT_MCP_LINE);
	}
	mcp_stdio_take(t, job);
}

static bool
mcp_stdio_may_take(const struct talk *t)
{
	return !t->gone && t->waiting < LIMIT_MCP_WAITING &&
	    t->bytes < LIMIT_MCP_WAITS_FOR;
}

static void
mcp_stdio_take_all(struct talk *t)
{
	enum lines_state s;
	struct str line = { 0 };

	while (mcp_stdio_may_take(t) &&
	    (s = lines_next(&t->in, &line)) != LINES_NONE)
		mcp_stdio_take_line(t, line, s == LINES_WHOLE);
}

static void
mcp_stdio_release(struct talk *t)
{
	if (mcp_hold_release(&t->hold) < 0)
		t->gone = true;
}

/* The process of the job. */
static void
mcp_stdio_work(void *arg)
{
	struct mcp_job *job = arg;

	if (mcp_params_may_end(&job->q))
		child_may_end(false);
	mcp_wires_use(job->q.m);
	child_say(CHILD_ANSWER, mcp_method_answer(&job->q, job->row));
}

static void
mcp_stdio_start_next(struct talk *t)
{
	struct err told_later = { 0 };
	struct mcp_job *job;

	if (t->child.pid != 0 || t->first == NULL)
		return;
	/* Here, once: each job has a process, which finds what came of it. */
	(void)env_command_ask(t->m->env, &told_later);
	job = mcp_stdio_dequeue(t, &t->first);
	/* A client that calls on did not wait: answers keep their order. */
	if (job->row->flags & MCP_CALLS)
		mcp_stdio_release(t);
	job->q.silent = job->q.silent || t->parked.n >= LIMIT_MCP_ASKED;
	job->asked = (struct str){ 0 };
	t->mute = false;
	if (child_start_with(&t->child, t->m->env, mcp_stdio_work, job,
		mcp_wires_join(job)) == 0) {
		t->job = job;
		return;
	}
	(void)mcp_jsonrpc_fault(&job->q, MCP_BROKEN,
	    "the process for it cannot be started");
	mcp_stdio_put(t, mcp_jsonrpc_error(&job->q));
	mcp_job_drop(&job);
}

/* The output of a job's process is a message, except its questions. */
static void
mcp_stdio_hear(void *arg, char kind, struct str text)
{
	struct talk *t = arg;
	struct mcp_job *job = t->job;

	if (t->mute)
		return;
	job->answered = job->answered || kind == CHILD_ANSWER;
	job->changed = job->changed || kind == MCP_CHANGED;
	if (kind == MCP_ASKED)
		mcp_parked_ask(job, text);
	else if (kind == CHILD_ANSWER && job->changed)
		job->answer = str_dup(job->a, text);
	else
		mcp_stdio_put_line(t, text);
}

static void
mcp_stdio_drop_all(struct talk *t)
{
	while (t->first != NULL) {
		struct mcp_job *job = mcp_stdio_dequeue(t, &t->first);

		mcp_job_drop(&job);
	}
	mcp_stdio_stop(t);
}

/* The process has ended: frees its job, unless its answer must wait. */
static void
mcp_stdio_finish(struct talk *t)
{
	struct mcp_job *job = t->job;
	bool lists = job->row->flags & MCP_LISTS;

	t->job = NULL;
	if (t->mute || !job->answered)
		mcp_wires_part(t->m);
	if (!t->mute && job->asked.n > 0) {
		/* After the end of input nobody answers. */
		if (t->in.end)
			mcp_stdio_enqueue(t, job);
		else
			mcp_parked_take(&t->parked, job);
		return;
	}
	if (!t->mute && job->answer.n > 0) {
		mcp_hold_take(&t->hold, job);
		return;
	}
	if (!t->mute && !job->answered) {
		mcp_params_fault(&job->q);
		mcp_stdio_put(t, mcp_jsonrpc_error(&job->q));
	}
	mcp_job_drop(&job);
	if (lists)
		mcp_hold_settle(&t->hold);
}

static void
mcp_stdio_read(struct talk *t)
{
	if (child_read(&t->child, mcp_stdio_hear, t))
		mcp_stdio_finish(t);
}

/* After the end of input open requests are answered, if that is soon. */
static int
mcp_stdio_patience(struct talk *t)
{
	if (t->hold.job != NULL)
		return t->in.end ? 0 : clock_left_ms(t->hold.until_ms);
	if (!t->in.end || t->mute)
		return -1;
	if (t->until_ms == 0)
		t->until_ms = clock_mono_ms() + LIMIT_MCP_GRACE_MS;
	if (clock_left_ms(t->until_ms) == 0) {
		mcp_stdio_drop_all(t);
		return -1;
	}
	return clock_left_ms(t->until_ms);
}

static void
mcp_stdio_wait_more(struct talk *t)
{
	struct pollfd p[] = {
		{ .fd = t->in.end || !mcp_stdio_may_take(t) ? -1 : STDIN_FILENO,
		    .events = POLLIN },
		{ .fd = t->child.pid != 0 ? t->child.fd : -1,
		    .events = POLLIN },
		{ .fd = mcp_wires_fd(t->m), .events = POLLIN },
	};

	if (poll(p, sizeof(p) / sizeof(p[0]), mcp_stdio_patience(t)) < 0) {
		if (errno != EINTR)
			err_bug("poll: %s", strerror(errno));
		return;
	}
	if (p[1].revents != 0)
		mcp_stdio_read(t);
	if (p[2].revents != 0)
		mcp_wires_hear(t->m);
	if (t->hold.job != NULL &&
	    (t->in.end || clock_left_ms(t->hold.until_ms) == 0))
		mcp_stdio_release(t);
	if (p[0].revents != 0)
		lines_fill(&t->in, STDIN_FILENO);
}

int
mcp_stdio(struct mcp *m)
{
	struct talk t = { .m = m, .in.max = LIMIT_MCP_LINE };

	t.last = &t.first;
	while (!t.gone) {
		mcp_stdio_take_all(&t);
		mcp_stdio_start_next(&t);
		/* Nobody reads any more, so nothing is read either. */
		if (t.gone)
			break;
		if (t.in.end && t.child.pid == 0 && t.first == NULL &&
		    t.hold.job == NULL)
			break;
		mcp_stdio_wait_more(&t);
	}
	mcp_stdio_drop_all(&t);
	while (t.child.pid != 0)
		mcp_stdio_wait_more(&t);
	mcp_parked_drop(&t.parked);
	mcp_stdio_release(&t);
	lines_close(&t.in);
	return t.gone ? 1 : 0;
}
