/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_AGENTS_AGENTS_H
#define DOOR_AGENTS_AGENTS_H

/*
 * `emcli agents mail VERB`: the mailbox of an agent's session, from that
 * session or from outside.  A verb is an operation on an agent's own mailbox,
 * called over the session's gateway, or directly by whoever has a key.  It
 * needs no operator's key, and prints what the upstream program prints.
 */
#include "base/buf.h"
#include "base/env.h"
#include "gate/gate.h"

struct agents_command {
	struct str name; /* "agents mail send" */
	const char *summary;
	const struct arg_spec *args;
	const struct field *result;
};

/* All of them in display order: false after the last. */
bool agents_command_at(struct arena *a, size_t i, struct agents_command *out);
/* By its whole name. */
bool agents_command_find(struct arena *a, struct str name,
    struct agents_command *out);

/* The upstream program: under its name emcli does what that does for an agent's
 * mailbox, and nothing else. */
#define AGENTS_UPSTREAM "houmao-mgr"
/* Was emcli called by that name? */
bool agents_is_upstream(int argc, char **argv);

/* How a reply becomes text for a person: door/cli/human.h. */
typedef int agents_show(struct buf *b, const struct op *op, struct str reply,
    bool coloured, struct err *e);

/*
 * argv begins after the verb, the last word of `name`.  Returns the exit
 * status: 0 also if it is not known whether the mailbox changed, which the
 * answer then says.
 */
int agents_run(struct str name, int argc, char **argv, const struct env *env,
    const struct err *broken, agents_show *show);

#endif
