/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_OPERATE_H
#define GATE_OPERATE_H

/*
 * The operator's half of the gate.  An operation of the operator's
 * (EFFECT_OPERATE) goes through gate_call() like an agent's, but only by a gate
 * that was opened for it here: no agent's gate can run one, and such a gate
 * runs nothing else.
 */
#include "gate/gate.h"

struct flow;
struct store;

/* What the call needs of them (enum gate_need): none before one that cannot be
 * read (args NULL). */
unsigned operate_needs(const struct op *op, const struct args *args);
/*
 * Does the caller hold the key that the operation demands?  ERR_CONFIG; an
 * agent that tried leaves a row in the audit log.  args: NULL when the call
 * could not be read.  person: somebody is there who can be asked.
 */
int operate_allow(const struct env *env, const struct op *op,
    const struct args *args, bool person, struct arena *a, struct err *e);
/* Of a name that an agent's operation and one of the operator's share: does
 * whoever holds these keys mean the operator's? */
bool operate_means(const struct env *env);
/*
 * If root is to run an operation on another user's database, this process
 * becomes that user, for good: before anything is opened or forked.  Operations
 * that write other programs' files stay root's, and are refused such a
 * database.  ERR_CONFIG.  gate/operate_owner.c
 */
int operate_owner(const struct env *env, const struct op *op,
    const struct args *args, struct err *e);
/* The same for an operation that opens that database itself. */
int operate_owner_become(const char *db, struct err *e);
/*
 * Checks the arguments and opens the gate for this one operation.  What was
 * written since the operator last came is signed.  env and op outlive the gate.
 */
int operate_open(const struct env *env, const struct op *op, struct args *args,
    struct arena *a, struct gate **out, struct err *e);
/* A tool of the agents'. */
struct operate_tool {
	const struct op *op;
	struct str text; /* as a model's request has it */
};

struct session_gateway;

/* The server of a session's mailbox, runtime/session.h. */
struct operate_gateway {
	/* Before the database is opened: prepares start(). */
	void (*begin)(const struct env *env);
	/* Starts it in a process of its own; returns when it listens, once. */
	int (*start)(const struct session_gateway *g, struct err *e);
	/* What was prepared and not started is gone. */
	void (*end)(void);
	/* Serves in this process, until it is told to stop. */
	int (*here)(const struct session_gateway *g, const struct env *env,
	    struct err *e);
};

/* The broker, and the question about it. */
struct operate_broker {
	/* Serves until it is told to stop; or, without "foreground", leaves a
	 * process that does. */
	int (*serve)(const struct env *env, const struct args *args,
	    struct err *e);
	/* Asks the one at that socket; empty: the default one.  An object. */
	int (*status)(struct str socket, struct arena *a, struct str *json,
	    struct err *e);
};

/* What a door does for the operator while the operation runs. */
struct operate_door {
	/*
	 * Hands over at once what no reply holds: a secret that is shown this
	 * once, or part of a stream.  lasts: it is to be on the disk where it
	 * goes to one.  -1 with errno.
	 */
	int (*write)(struct str text, bool lasts);
	/* operate_show()'s: -1 with errno. */
	int (*show)(struct arena *a, const struct gate_lines *lines);
	bool person; /* is somebody at the terminal, who can be asked? */
	bool remote; /* is this person at another machine? */
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
	int paste; /* where an answer may be pasted: a descriptor, or -1 */
	/* Shows the text, unless it is empty, and asks for the word, unless it
	 * is NULL: false when it was not given. */
	bool (*ask)(struct arena *a, struct str text, const char *word);
	/* Asks for a yes; the question ends without a mark. */
	bool (*agree)(struct arena *a, struct str question);
	/* Asks for a secret, not shown as it is typed.  ERR_USAGE. */
	int (*secret)(const char *question, struct secret **out, struct err *e);
	/* Has the questions of a flow (desk/flow.h) answered.  ERR_USAGE with
	 * reason "quit" when the person gave up. */
	int (*form)(struct flow *f, struct err *e);
	/* Opens an address in the person's browser, where there is one. */
	void (*browse)(struct arena *a, struct str url);
	const struct operate_gateway *gateway;
	const struct operate_broker *broker;
	/* The agents' tools by position; false after the last. */
	bool (*tool)(struct arena *a, size_t i, struct operate_tool *out);
};

/* `door` outlives the gate. */
void operate_serve(struct gate *g, const struct operate_door *door);
/* What operate_then() was told, for the door to do; fn NULL: nothing. */
struct operate_last {
	int (*fn)(void *ctx, struct arena *a, struct err *e);
	void *ctx;
};
struct operate_last operate_last(const struct gate *g);
/* What opening the database came upon, and what goes beside the reply, a line
 * each: for stderr. */
const struct gate_lines *operate_notes(const struct gate *g);

/*
 * The row of the audit log around what is done to a store that gate_call() did
 * not open: what is asked and judged before it, what came of it after it.  *e
 * is what came of it; what was done and cannot be written down fails.
 */
int operate_record(struct store *s, struct arena *a, const char *name,
    const struct args *args, int64_t *audit, struct err *e);
void operate_recorded(struct store *s, int64_t audit, struct str note,
    struct err *e);

/* Adds to operate_notes() what opening such a store came upon. */
void operate_opened(struct call *c, const struct store *s);

/* For the operations themselves, in desk/.  NULL without NEED_STORE or
 * NEED_RECORD, and with NEED_FILES where there is no database. */
struct store *operate_store(const struct call *c);
const struct op *operate_op(const struct call *c);
const struct env *operate_env(const struct call *c);
/* Adds a line to operate_notes(): beside a reply that is a secret's alone. */
void operate_note(struct call *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
const struct operate_door *operate_door(const struct call *c);
/*
 * Has that done when the call is recorded and its store is closed, instead of a
 * reply: it becomes another program.  Only if the call succeeds; `fn` returns
 * only when it fails.  ctx lives in the call's arena.
 */
void operate_then(struct call *c,
    int (*fn)(void *ctx, struct arena *a, struct err *e), void *ctx);
/* Shows now what gate_say() was told so far, which the reply then lacks.
 * ERR_INTERNAL. */
int operate_show(struct call *c, struct err *e);

#endif
