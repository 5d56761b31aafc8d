#ifndef DOOR_MCP_ELICIT_H
#define DOOR_MCP_ELICIT_H

/* Asking a client's user about a send that is held, and the answer. */
#include "door/mcp/internal.h"

struct outbox_ask;
struct outbox_ask_answer;

/* Do these capabilities say that a client can show a form? */
bool mcp_elicit_declared(const struct json_value *capabilities);
/* Can its client show one, now? */
bool mcp_elicit_can(const struct mcp_request *q);
/* By what a client brings of its user's answer.  False: nothing of the kind. */
bool mcp_elicit_word(const struct json_value *answer, int *word);
/* What a call brings of an earlier one: 1, 0 nothing; -1: q->fault. */
int mcp_elicit_read(struct mcp_request *q, struct outbox_ask_answer *out);
/* The members of a result that asks. */
void mcp_elicit_put(struct mcp_request *q, struct json *out,
    const struct outbox_ask *ask);
/*
 * Asks a legacy client, by a request of our own.  Over HTTP it comes back with
 * the answer in q; on standard input another process will, and it never does.
 */
void mcp_elicit_ask(struct mcp_request *q, const struct outbox_ask *ask);

#endif
