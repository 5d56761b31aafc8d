/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_FAR_H
#define DOOR_FAR_H

/*
 * Calls of operations that another process runs, which holds key and store:
 * door/serve answers them, and door/remote makes them for the other doors.
 */
#include "gate/gate.h"

/* The version of the protocol: emcli-serve(8). */
#define FAR_VERSION 1

/* The socket's path if none is named. */
#define FAR_FOLDER "/run/emcli"
#define FAR_SOCKET FAR_FOLDER "/emcli.sock"

/* Types of frames. */
enum far_type {
	FAR_CALL = 'C',     /* from the client */
	FAR_OPEN = 'O',     /* a pipe, */
	FAR_INPUT = 'I',    /* and its input; an empty one is its end */
	FAR_SAVED = 'A',    /* and a file was saved, or not */
	FAR_STATUS = 'S',   /* from the operator */
	FAR_PROGRESS = 'P', /* from the server */
	FAR_OUTPUT = 'U',   /* of a pipe: standard output, */
	FAR_ERROR = 'E',    /* and standard error */
	FAR_SAVE = 'F',     /* a file to be saved, or all are to be kept */
	FAR_REPLY = 'R',    /* its head */
	FAR_BYTES = 'B'     /* and a part of it */
};

struct far_call {
	const struct op *op;
	const struct args *args;
	bool person; /* a person reads it: gate_caller_set_person() */
	bool lines;  /* and sees lines instead of JSON, if there are some */
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
};

struct far_reply {
	int status;              /* what the process exits with */
	struct str envelope;     /* JSON; valid as long as the process */
	struct gate_lines lines; /* for a person; none if not asked for */
};

/* A command that reads a stream: it can run in the other process. */
struct far_pipe {
	const char *name; /* "skills filter" */
	const struct arg_spec *args;
	bool turns;      /* it answers while it reads: mcp */
	const void *cmd; /* its own */
	/* Runs it in this process; returns the exit status. */
	int (*main)(const struct far_pipe *p, int argc, char **argv,
	    const struct env *env);
};

struct far {
	/* Is there one, for a caller with this environment? */
	bool (*is)(const struct env *env);
	/*
	 * Makes the call.  A refusal by the other process is a reply.  -1 if
	 * there is none: ERR_NETWORK, ERR_CONFIG; ERR_USAGE, ERR_LIMIT: the
	 * call cannot be sent; ERR_INTERNAL or, for an operation that sends,
	 * ERR_UNKNOWN_OUTCOME: the other process died.
	 */
	int (*call)(const struct env *env, const struct far_call *c,
	    struct arena *a, struct far_reply *out, struct err *e);
	/*
	 * Runs the command there, on this process's standard input and output.
	 * argv begins after the command's words.  Returns the exit status.
	 */
	int (*pipe)(const struct env *env, const struct far_pipe *p, int argc,
	    char **argv);
};

/* "good": a mark on the wire, and back (GATE_PLAIN if it is unknown). */
const char *far_mark(enum gate_mark mark);
enum gate_mark far_mark_of(struct str word);
/* The data of an envelope without an error. */
struct str far_data(struct str envelope);
/* The error of one, for a person; its kind is not known. */
void far_error(struct arena *a, struct str envelope, struct err *e);

/* -- far_pipe.c ----------------------------------------------------------- */

/* Those that there are, for good; ends with a row whose name is NULL. */
void far_pipe_table(const struct far_pipe *v);
/* The pipe with that name, or NULL. */
const struct far_pipe *far_pipe_find(struct str name);
/*
 * May another process run it with these words?  ERR_USAGE; ERR_UNSUPPORTED: an
 * option is for the operator alone.
 */
int far_pipe_check(const struct far_pipe *p, int argc, char **argv,
    struct err *e);

#endif
