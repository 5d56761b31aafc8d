/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call that waits for the answer to a question, if the question is a request
 * of ours.  The job waits beside the queue for as long as the person takes,
 * while others are worked on; the answer makes the call once more, with the
 * question.
 */
#include "door/mcp/elicit.h"
#include "door/mcp/stdio.h"
#include "door/out.h"
#include "gate/outbox_ask.h"

void
mcp_parked_ask(struct mcp_job *job, struct str text)
{
	struct str id, state;

	text = str_dup(job->a, text);
	(void)str_cut(text, ' ', &id, &text);
	(void)str_cut(text, ' ', &state, &text);
	job->asked = id;
	job->question = text;
	job->q.state = state;
	job->q.word = OUTBOX_ASK_DONE;
	job->q.silent = true;
}

void
mcp_parked_take(struct mcp_parked *p, struct mcp_job *job)
{
	/* A closed pipe is noticed with the next line. */
	(void)out_write_line(STDOUT_FILENO, job->question);
	job->next = p->first;
	p->first = job;
	p->n++;
}

static struct mcp_job *
mcp_parked_unpark(struct mcp_parked *p, struct mcp_job **at)
{
	struct mcp_job *job = *at;

	*at = job->next;
	job->next = NULL;
	p->n--;
	return job;
}

/* An unreadable answer is neither yes nor no; an error ends the asking. */
struct mcp_job *
mcp_parked_answer(struct mcp_parked *p, const struct mcp_request *answer)
{
	for (struct mcp_job **at = &p->first; *at != NULL; at = &(*at)->next) {
		struct mcp_job *job = *at;

		if (answer->id.kind != MCP_ID_TEXT ||
		    !str_eq(job->asked, answer->id.text))
			continue;
		job->q.silent = answer->params == NULL;
		if (!mcp_elicit_word(answer->params, &job->q.word))
			job->q.word = OUTBOX_ASK_DONE;
		return mcp_parked_unpark(p, at);
	}
	return NULL;
}

static void
mcp_parked_take_back(const struct mcp_job *job)
{
	struct json *j = json_new(job->a);

	json_open_object(j, NULL);
	json_put_text(j, "jsonrpc", "2.0");
	json_put_text(j, "method", "notifications/cancelled");
	json_open_object(j, "params");
	json_put_str(j, "requestId", job->asked);
	json_close_object(j);
	json_close_object(j);
	(void)json_write(j, STDOUT_FILENO);
	(void)out_write(STDOUT_FILENO, S("\n"));
}

bool
mcp_parked_cancel(struct mcp_parked *p, const struct mcp_id *id)
{
	for (struct mcp_job **at = &p->first; *at != NULL; at = &(*at)->next) {
		struct mcp_job *job = *at;

		if (!mcp_jsonrpc_same(&job->q.id, id))
			continue;
		job = mcp_parked_unpark(p, at);
		mcp_parked_take_back(job);
		mcp_job_drop(&job);
		return true;
	}
	return false;
}

void
mcp_parked_drop(struct mcp_parked *p)
{
	while (p->first != NULL) {
		struct mcp_job *job = mcp_parked_unpark(p, &p->first);

		mcp_job_drop(&job);
	}
}
