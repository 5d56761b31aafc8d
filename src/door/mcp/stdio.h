/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_STDIO_H
#define DOOR_MCP_STDIO_H

/* Calls on standard input: running, held back, or parked. */
#include "door/child.h"
#include "door/mcp/internal.h"

/* -- job.c ---------------------------------------------------------------- */

/* A running request that asks the gate and came on standard input. */
struct mcp_job {
	struct mcp_job *next;
	struct arena *a;
	struct json_doc *doc;
	struct mcp_request q;
	const struct mcp_method *row;
	size_t bytes;        /* length of its line */
	bool changed;        /* it reported a changed list */
	bool answered;       /* it gave an answer */
	struct str answer;   /* the answer to hold, in its arena */
	struct str asked;    /* the id of the question for its client's user */
	struct str question; /* and the message with the question */
};

void mcp_job_drop(struct mcp_job **job);

/* -- hold.c --------------------------------------------------------------- */

/*
 * Holds the answer to a call that changed the list, until the host has listed
 * again.
 */
struct mcp_hold {
	struct mcp_job *job; /* NULL: none is held */
	int64_t until_ms;
};

/* Holds the answer of a job that has ended and reported a change. */
void mcp_hold_take(struct mcp_hold *h, struct mcp_job *job);
/* The host has listed: give it a moment to process the list. */
void mcp_hold_settle(struct mcp_hold *h);
/* Sends a held answer. -1: nobody reads. */
int mcp_hold_release(struct mcp_hold *h);
/* Is that call's answer held?  Then it is dropped. */
bool mcp_hold_cancel(struct mcp_hold *h, const struct mcp_id *id);

/* -- parked.c: calls whose client's user is asked. ------------------------ */

struct mcp_parked {
	struct mcp_job *first;
	size_t n;
};

/*
 * The question of a job's process: "ID STATE MESSAGE".  A repeated job asks no
 * more.
 */
void mcp_parked_ask(struct mcp_job *job, struct str text);
/* Asks, and parks the job. */
void mcp_parked_take(struct mcp_parked *p, struct mcp_job *job);
/* The job that this answers, to be repeated, or NULL. */
struct mcp_job *mcp_parked_answer(struct mcp_parked *p,
    const struct mcp_request *answer);
/* Is that job parked?  Then it is removed, and its question cancelled. */
bool mcp_parked_cancel(struct mcp_parked *p, const struct mcp_id *id);
void mcp_parked_drop(struct mcp_parked *p);

/* -- wires.c: what a session's calls are lent. ----------------------------- */

/* A socket for the process of that job, or -1. */
int mcp_wires_join(const struct mcp_job *job);
/* In that process. */
void mcp_wires_use(const struct mcp *m);
/* It has ended in its middle. */
void mcp_wires_part(const struct mcp *m);
/* To be polled for input, or -1; and what follows from it. */
int mcp_wires_fd(const struct mcp *m);
void mcp_wires_hear(const struct mcp *m);

/* -- stdio.c -------------------------------------------------------------- */

/* Runs until the end of input.  Returns the exit status. */
int mcp_stdio(struct mcp *m);

#endif
