#ifndef DOOR_RUNNING_H
#define DOOR_RUNNING_H

/*
 * The calls on their way, as all processes of one server see them: a table in
 * memory made before they were.  The process of a call says whose call it is,
 * that of another request marks it, and its parent, which looks at the mark,
 * ends it.  Nothing but a mark passes between them: no process is signalled by
 * any but its parent, and so none that has taken over its number.
 *
 * A call, a question and a session are named by hashes: two that meet are of
 * one agent, which harms nobody else by it.
 */
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct running;

/* Where a call is in the table.  A process can outlive its parent, and its
 * place be another's by then: each use of a place has a number. */
struct running_place {
	struct running *table; /* NULL: nowhere */
	size_t at;
	uint32_t use;
};

/* Places for that many servers; NULL: there is no memory. */
struct running *running_new(size_t servers, size_t places);
/* A server has begun: its places are free, whoever had them. */
void running_clear(struct running *t, size_t server);
/* A process is about to be made for what came in then. */
struct running_place running_take(struct running *t, size_t server,
    size_t place, int64_t since_ms);
void running_drop(const struct running_place *p);

/* In that process: whose call it is. */
void running_name(const struct running_place *p, int64_t agent, uint64_t call);
/* In any: that call of this agent is not wanted.  It may not be there yet. */
void running_cancel(struct running *t, int64_t agent, uint64_t call);
bool running_cancelled(const struct running_place *p);

/* In the process of a call, when it is named: it asks that question.  False:
 * too many wait. */
bool running_ask(const struct running_place *p, uint64_t question);
/* The answer to it.  False, and *word as it was: there is none, for
 * LIMIT_MCP_ASK_MS or because nobody wants it. */
bool running_await(const struct running_place *p, int *word);
/* In any: this agent's answer, zero or more; RUNNING_SILENT: none will come. */
#define RUNNING_SILENT (-1)
void running_told(struct running *t, int64_t agent, uint64_t question,
    int word);

/* How often something happened of late in that session, or in one that shares
 * its number; and once more. */
uint32_t running_count(struct running *t, uint64_t session);
void running_counted(struct running *t, uint64_t session);
/* Until it happened again since then, LIMIT_MCP_HOLD_MS at most. */
void running_hold(struct running *t, uint64_t session, uint32_t since);

#endif
