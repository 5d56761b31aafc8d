/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_ELICIT_H
#define DOOR_MCP_ELICIT_H

/* Asks a client's user about a held send, and reads the answer. */
#include "door/mcp/internal.h"

struct outbox_ask;
struct outbox_ask_answer;

/* Do these capabilities say that a client can show a form? */
bool mcp_elicit_declared(const struct json_value *capabilities);
/* Can its client show one, in this request? */
bool mcp_elicit_can(const struct mcp_request *q);
/* Reads the answer of a client's user.  False: it is something else. */
bool mcp_elicit_word(const struct json_value *answer, int *word);
/*
 * Reads the state that a call returns from an earlier one: 1, 0 none; -1:
 * q->fault.
 */
int mcp_elicit_read(struct mcp_request *q, struct outbox_ask_answer *out);
/* The members of a result that asks. */
void mcp_elicit_put(struct mcp_request *q, struct json *out,
    const struct outbox_ask *ask);
/*
 * Asks a legacy client by a request of emcli's.  Over HTTP it returns with the
 * answer in q; on standard input it does not return, and another process
 * continues.
 */
void mcp_elicit_ask(struct mcp_request *q, const struct outbox_ask *ask);

#endif
