#ifndef DOOR_MCP_STDIO_H
#define DOOR_MCP_STDIO_H

/* Calls on standard input: on their way, held back, or parked. */
#include "door/child.h"
#include "door/mcp/internal.h"

/* -- job.c ---------------------------------------------------------------- */

/* A request that asks the gate, on its way: one that came on standard input. */
struct mcp_job {
	struct mcp_job *next;
	struct arena *a;
	struct json_doc *doc;
	struct mcp_request q;
	const struct mcp_method *row;
	size_t bytes;        /* of its line */
	bool changed;        /* it told that the list is another */
	bool answered;       /* an answer was heard */
	struct str answer;   /* the one to be held, in its arena */
	struct str asked;    /* the id of what its client's user is asked */
	struct str question; /* and the message that asks */
};

void mcp_job_drop(struct mcp_job **job);

/* -- hold.c --------------------------------------------------------------- */

/* The answer to what changed the list, until the host has listed again. */
struct mcp_hold {
	struct mcp_job *job; /* NULL: none is held */
	int64_t until_ms;
};

/* Holds the answer of a job that has ended, and told the change. */
void mcp_hold_take(struct mcp_hold *h, struct mcp_job *job);
/* The host has its list: it wants a moment to take it in. */
void mcp_hold_settle(struct mcp_hold *h);
/* Hands it on, if one is held.  -1: nobody reads. */
int mcp_hold_release(struct mcp_hold *h);
/* Is that one held?  Then it is not handed on any more. */
bool mcp_hold_cancel(struct mcp_hold *h, const struct mcp_id *id);

/* -- parked.c: calls whose client's user is asked. ------------------------ */

struct mcp_parked {
	struct mcp_job *first;
	size_t n;
};

/* What the process of a job asks: "ID STATE MESSAGE".  Made once more, the job
 * asks no more. */
void mcp_parked_ask(struct mcp_job *job, struct str text);
/* Asks, and parks it. */
void mcp_parked_take(struct mcp_parked *p, struct mcp_job *job);
/* The one that this is an answer to, to be made once more, or NULL. */
struct mcp_job *mcp_parked_answer(struct mcp_parked *p,
    const struct mcp_request *answer);
/* Is that one parked?  Then it is gone, and its question taken back. */
bool mcp_parked_cancel(struct mcp_parked *p, const struct mcp_id *id);
void mcp_parked_drop(struct mcp_parked *p);

/* -- stdio.c -------------------------------------------------------------- */

/* Until the end of input.  Returns the exit status. */
int mcp_stdio(struct mcp *m);

#endif
