/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_RUNNING_H
#define DOOR_RUNNING_H

/*
 * The running calls of all processes of one server: a table in shared memory,
 * made before they start.  The process of a call registers whose call it is,
 * another request's process marks it, and its parent sees the mark and ends it.
 * Processes only set marks: only its parent signals a process, so no reused
 * process id is signalled.
 *
 * Calls, questions and sessions are named by hashes: a collision is between
 * calls of one agent, so it harms no other.
 */
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct running;

/*
 * The place of a call in the table.  A process can outlive its parent, and its
 * place may be reused by then, so each use of a place has a number.
 */
struct running_place {
	struct running *table; /* NULL: none */
	size_t at;
	uint32_t use;
};

/* A table for that many servers; NULL: no memory, or nothing random. */
struct running *running_new(size_t servers, size_t places);
/* A server has started: its places are free. */
void running_clear(struct running *t, size_t server);
/* A process for that request is about to start. */
struct running_place running_take(struct running *t, size_t server,
    size_t place, int64_t since_ms);
void running_drop(const struct running_place *p);
/* Whose it is, by a number that is not 0. */
void running_is(const struct running_place *p, uint64_t caller);
/* Callers that were accepted, to be met again: all or some of them. */
bool running_knows(const struct running *t, uint64_t caller);
void running_learn(struct running *t, uint64_t caller);
void running_unlearn(struct running *t, uint64_t caller);
/* How many run: of that caller, or, for 0, of all. */
size_t running_of(const struct running *t, uint64_t caller);

/* In that process: registers the call. */
void running_name(const struct running_place *p, int64_t agent, uint64_t call);
/*
 * In any process: cancels that call of this agent, which may not have started
 * yet.
 */
void running_cancel(struct running *t, int64_t agent, uint64_t call);
bool running_cancelled(const struct running_place *p);

/*
 * In the process of a call, after it is named: it asks that question.  False:
 * too many wait.
 */
bool running_ask(const struct running_place *p, uint64_t question);
/*
 * Waits for the answer.  False, and *word unchanged: none came in
 * LIMIT_MCP_ASK_MS, or the call was cancelled.
 */
bool running_await(const struct running_place *p, int *word);
/*
 * In any process: this agent's answer, at least 0; RUNNING_SILENT: none will
 * come.
 */
#define RUNNING_SILENT (-1)
void running_told(struct running *t, int64_t agent, uint64_t question,
    int word);

/*
 * A counter of recent events in that session, or in one with the same number;
 * and its increment.
 */
uint32_t running_count(struct running *t, uint64_t session);
void running_counted(struct running *t, uint64_t session);
/* Waits until the counter changes, at most LIMIT_MCP_HOLD_MS. */
void running_hold(struct running *t, uint64_t session, uint32_t since);

#endif
