/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_AGENTS_INTERNAL_H
#define DOOR_AGENTS_INTERNAL_H

#include "door/agents/agents.h"
#include "runtime/find.h"
#include "runtime/instance.h"

/* -- verb.c: what can be typed, and the call that it makes. ---------------- */

struct agents_verb {
	const char *name;    /* "mark-read" */
	const char *op;      /* its operation; NULL: resolve-live has none */
	const char *route;   /* of the gateway, below /v1/mail/ */
	const char *summary; /* NULL: the operation's */
	bool is_get;         /* by GET, and without a body */
	bool prompts;        /* an agent can be asked to do it itself */
};

/* Ends with a row without a name. */
extern const struct agents_verb agents_verb_table[];
/* What is typed for it: a table in the arena. */
const struct arg_spec *agents_verb_args(struct arena *a,
    const struct agents_verb *v);
/*
 * The arguments of its operation from those that were typed, checked.  The body
 * of a message is read here, from a file or standard input.  ERR_USAGE,
 * ERR_LIMIT, ERR_CONFIG.
 */
int agents_verb_call(const struct agents_verb *v, const struct args *given,
    struct arena *a, struct args *out, struct err *e);

/* -- body.c ---------------------------------------------------------------- */

/*
 * The text of a message: of that file, or of standard input if `file` is empty
 * and it is no terminal.  ERR_USAGE: there is none, or it has a NUL;
 * ERR_CONFIG, ERR_LIMIT.
 */
int agents_body_read(struct str file, struct arena *a, struct str *out,
    struct err *e);

/* -- a call, and its ways to the mailbox ----------------------------------- */

struct agents_call {
	const struct agents_verb *verb;
	const struct op *op; /* or NULL */
	struct args given;   /* as they were typed */
	struct args args;    /* of the operation */
	struct find session;
	const struct env *env;
	const struct err *broken; /* why env cannot be used, or NULL */
	bool json;                /* how the answer is printed */
	struct arena *a;
};

/* The result of one. */
struct agents_answer {
	const char *path;    /* "manager_direct": execution_path */
	struct str model;    /* the members, as a JSON object */
	struct json *detail; /* more about a failure, or NULL */
	struct str full;     /* the error, if it is long; or empty */
	bool typed; /* the model is a whole envelope, and nothing is verified */
};

/* path.c: by the best way that there is; what it says is in *out. */
int agents_path_take(struct agents_call *c, struct agents_answer *out,
    struct err *e);

/* direct.c: as the operation itself, with a key of emcli's. */
bool agents_direct_can(const struct agents_call *c);
int agents_direct_call(struct agents_call *c, struct agents_answer *out,
    struct err *e);

/*
 * typed.c: as a prompt that is typed into the agent's terminal, the last way.
 * What comes of it is not known.
 */
int agents_typed_call(struct agents_call *c, struct agents_answer *out,
    struct err *e);
#define AGENTS_TYPED_TIMEOUT "timeout"

/* request.c: the body of a request to the gateway. */
struct str agents_request(const struct args *args, struct arena *a);

/* gateway.c: as a request to the session's gateway. */
struct agents_gateway {
	struct instance instance;
	int folder; /* of its socket and its token, or -1 */
	bool local; /* it answers on the socket */
};

/* Is one live?  What is damaged or dead is none.  agents_gateway_close() in any
 * case. */
bool agents_gateway_find(const struct agents_call *c, struct agents_gateway *g);
/* For CLEANUP(agents_gateway_close). */
void agents_gateway_close(struct agents_gateway *g);
/* ERR_UNKNOWN_OUTCOME: it did not answer, and a message may have been sent. */
int agents_gateway_call(const struct agents_call *c,
    const struct agents_gateway *g, struct agents_answer *out, struct err *e);
/* As `gateway` of resolve-live. */
void agents_gateway_put(const struct agents_gateway *g, bool extensions,
    struct json *j);

/* resolve.c: the binding, and the gateway if one is live.  ERR_CONFIG with
 * reason "no_mailbox" or "not_actionable". */
int agents_resolve(struct agents_call *c, struct agents_answer *out,
    struct err *e);
extern const struct field agents_resolve_fields[];

/* -- code.c ---------------------------------------------------------------- */

/* The gateway's code for an error, which may be a reason of emcli's own; or
 * NULL. */
const char *agents_code_of(const struct err *e);
/* What to do about an error of that code; NULL: it is not said. */
const char *agents_code_next(struct str code);
/* The kind of an error that the gateway answered with that code and status. */
enum err_kind agents_code_kind(struct str code, int status);

/* -- put.c: what is printed. ----------------------------------------------- */

/* The members that every answer of a mailbox begins with. */
extern const struct field agents_put_fields[];
/* Is JSON wanted, as the call and the environment say? */
bool agents_put_is_json(const struct args *given, const char *style, bool tty);
/* A model in upstream's envelope; without `extensions`, as upstream has it. */
struct str agents_put_envelope(const struct agents_call *c,
    const struct agents_answer *x);
/* Both return the exit status. */
int agents_put_answer(const struct agents_call *c,
    const struct agents_answer *x, agents_show *show);
int agents_put_error(const struct agents_call *c, const struct agents_answer *x,
    struct err *e);

#endif
