#ifndef DOOR_MCP_INTERNAL_H
#define DOOR_MCP_INTERNAL_H

/*
 * What the door's files share.  A line becomes a message (jsonrpc.c), the
 * message a row of the table of methods (method.c), the row's function puts
 * the members of a result.  Legacy is 2025-06-18 and 2025-11-25, which begin
 * with a handshake; modern is 2026-07-28, where each request says it all.
 */
#include <sys/types.h>

#include "base/buf.h"
#include "base/env.h"
#include "base/json.h"
#include "door/mcp/host.h"
#include "door/selector.h"
#include "gate/agent.h"
#include "gate/gate.h"

struct mcp_http;
struct outbox_ask;
struct outbox_ask_answer;

/* JSON-RPC's codes, and those MCP adds. */
enum mcp_code {
	MCP_NOT_JSON = -32700,
	MCP_NO_REQUEST = -32600,
	MCP_NO_METHOD = -32601,
	MCP_BAD_PARAMS = -32602,
	MCP_BROKEN = -32603,
	MCP_NO_RESOURCE = -32002, /* legacy only */
	MCP_BAD_HEADER = -32020,  /* modern only, as the next */
	MCP_BAD_VERSION = -32022,
};

enum mcp_era {
	MCP_LEGACY = 1 << 0,
	MCP_MODERN = 1 << 1,
};

/* One process's worth: who asks, and what it was told to do. */
struct mcp {
	const struct env *env;
	const struct err *broken;   /* why env could not be taken, or NULL */
	bool always;                /* no skills: all tools are there */
	struct str tools;           /* legacy lists: auto, filter or all */
	bool filter;                /* they show what is granted */
	bool structured;            /* every client reads that alone */
	struct str prefix;          /* of tools' names: said by the operator, */
	bool prefixes;              /* if this; else by what the host does */
	struct selector_opts boxes; /* how they are chosen from */
	bool begun;                 /* a legacy handshake was answered */
	char conversation[40];      /* a name for the legacy session */
	const char *revision;       /* what a legacy handshake agreed on */
	bool elicits;               /* a legacy client can show a form */
	char client_name[100];
	struct str client;           /* the name given in it; may be empty */
	const struct mcp_host *host; /* whose name that is; NULL: not known */
	const struct gate_agent *agent; /* whose token it was; NULL: no token */
	const struct mcp_http *streams; /* over HTTP, what is told on the way is
					 * heard; else NULL */
};

enum mcp_id_kind {
	MCP_ID_NONE,
	MCP_ID_INT,
	MCP_ID_TEXT,
};

struct mcp_id {
	enum mcp_id_kind kind;
	int64_t n;
	struct str text;
};

/* Why a message gets an error and no result. */
struct mcp_fault {
	enum mcp_code code;
	char say[200];
	int status;        /* of HTTP's; 0: what the code stands for */
	struct json *data; /* or NULL */
};

/* What a request says of itself beside its body, over HTTP: may be empty. */
struct mcp_heads {
	struct str version, method, name;
};

enum mcp_kind {
	MCP_NOTHING, /* a blank line */
	MCP_REQUEST,
	MCP_NOTICE,
	MCP_ANSWER, /* to what we asked: params is its result, or NULL */
	MCP_FAULT,  /* none of these: `fault` says why */
};

struct mcp_request {
	struct arena *a;
	struct mcp *m;
	enum mcp_kind kind;
	struct mcp_id id;
	struct str method;
	const struct json_value *params; /* an object, or NULL */
	enum mcp_era era;
	const struct mcp_heads *heads; /* NULL: not over HTTP */
	struct mcp_fault fault;
	bool asks; /* the result asks for something first: modern */
	/* A legacy call that is made once more, with what was asked about it
	 * and the answer; `silent`: there is none, and none will come. */
	struct str state;
	int word; /* an enum outbox_ask_word */
	bool silent;
};

enum mcp_flags {
	MCP_GATED = 1 << 0,  /* asks the gate, in a process of its own */
	MCP_CACHED = 1 << 1, /* says how long it holds: modern */
	MCP_PUBLIC = 1 << 2, /* and that it is the same for everybody */
};

struct mcp_method {
	const char *name;
	unsigned eras;
	unsigned flags;
	/* Puts the members of the result; -1: q->fault says why not. */
	int (*answer)(struct mcp_request *q, struct json *out);
};

/* -- jsonrpc.c ------------------------------------------------------------ */

/* Reads a line into *q, whose arena and door are set.  *doc is what it points
 * into, and may stay NULL. */
void mcp_jsonrpc_read(struct str line, struct mcp_request *q,
    struct json_doc **doc);
/* An integer or a string of at most 200 bytes; else false. */
bool mcp_jsonrpc_id(const struct json_value *v, struct mcp_id *out);
bool mcp_jsonrpc_same(const struct mcp_id *x, const struct mcp_id *y);
void mcp_jsonrpc_put_id(struct json *j, const char *key,
    const struct mcp_id *id);
/* Fills in q->fault; returns -1. */
int mcp_jsonrpc_fault(struct mcp_request *q, enum mcp_code code,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The whole message that q->fault stands for. */
struct json *mcp_jsonrpc_error(const struct mcp_request *q);

/* -- method.c ------------------------------------------------------------- */

/* Which era it is of, by what it says of itself. */
enum mcp_era mcp_method_era(const struct mcp_request *q);
/* Whose request it is, and is there such a method?  NULL: q->fault. */
const struct mcp_method *mcp_method_find(struct mcp_request *q);
/* The whole answer: a result, or an error. */
struct json *mcp_method_answer(struct mcp_request *q,
    const struct mcp_method *row);
/* A list comes in one page: any cursor but an empty one is not ours. */
int mcp_method_cursor(struct mcp_request *q);
/* params[key], which must be a string. */
int mcp_method_text(struct mcp_request *q, const char *key, struct str *out);

/* -- initialize.c, tools.c, call.c, resources.c, directory.c: the answers - */

int mcp_initialize(struct mcp_request *q, struct json *out);
/* Whatever would stop every call is an error now: a key, a store. */
int mcp_initialize_store(const struct mcp *m, struct err *e);
int mcp_initialize_discover(struct mcp_request *q, struct json *out);
int mcp_initialize_ping(struct mcp_request *q, struct json *out);
bool mcp_initialize_speaks(struct str version, enum mcp_era era);
void mcp_initialize_put_modern(struct json *j);
void mcp_initialize_put_info(struct json *j, const char *key);

int mcp_tools_list(struct mcp_request *q, struct json *out);

int mcp_resources_list(struct mcp_request *q, struct json *out);
int mcp_resources_templates(struct mcp_request *q, struct json *out);
int mcp_resources_read(struct mcp_request *q, struct json *out);
int mcp_resources_skills(struct mcp_request *q, struct json *out);
int mcp_resources_skill(struct mcp_request *q, struct json *out);
/* The skill below whose folder a URI is, if this caller may have it, and its
 * path there: empty for the folder itself. */
const struct skill *mcp_resources_of(const struct mcp_request *q,
    struct str uri, struct str *path);
/* One file of a skill. */
void mcp_resources_put(struct json *j, struct arena *a, const struct skill *s,
    const char *path, struct str text);

int mcp_directory_read(struct mcp_request *q, struct json *out);

int mcp_call(struct mcp_request *q, struct json *out);
/* The operation a call names, or NULL. */
const struct op *mcp_call_op(const struct mcp_request *q);

/* -- elicit.c ------------------------------------------------------------- */

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

/* -- parked.c: calls whose client's user is asked, on standard input. ------ */

struct mcp_job;

struct mcp_parked {
	struct mcp_job *first;
	size_t n;
};

/* May it come to that? */
bool mcp_parked_wants(const struct mcp_request *q);
/* Does the job, which has ended, ask?  Made once more it asks no more. */
bool mcp_parked_asks(struct mcp_job *job);
/* Asks, and parks it. */
void mcp_parked_take(struct mcp_parked *p, struct mcp_job *job);
/* The one that this is an answer to, to be made once more, or NULL. */
struct mcp_job *mcp_parked_answer(struct mcp_parked *p,
    const struct mcp_request *answer);
/* Is that one parked?  Then it is gone, and its question taken back. */
bool mcp_parked_cancel(struct mcp_parked *p, const struct mcp_id *id);
void mcp_parked_drop(struct mcp_parked *p);

/* -- sight.c -------------------------------------------------------------- */

/* The gate for this caller; what *who points at is the door's.  On an error
 * there may be one, for the record. */
int mcp_sight_gate(const struct mcp_request *q, struct gate_caller *who,
    struct gate **out, struct err *e);
/* A legacy session's client has said its name, or has none. */
void mcp_sight_meet(struct mcp *m, struct str client);
/* Does its list follow what is loaded? */
bool mcp_sight_filters(const struct mcp_request *q);
/* What the names of tools begin with; may be empty. */
struct str mcp_sight_prefix(const struct mcp_request *q);
/* Does its client read the structured form of a result alone? */
bool mcp_sight_structured(const struct mcp_request *q);
/* Of the skills by position: a bit for each that is live, or else for each
 * that may be had.  Without a gate there are none. */
uint64_t mcp_sight_skills(const struct mcp_request *q, struct gate *g,
    bool live);
uint64_t mcp_sight_mine(const struct mcp_request *q, bool live);
/* The mailboxes its tools choose from; there may be none. */
int mcp_sight_boxes(const struct mcp_request *q, struct gate *g, bool quiet,
    struct selector *out, struct err *e);
/* Does it deal in skills, and not in mail? */
bool mcp_sight_control(const struct op *op);
bool mcp_sight_shows(const struct mcp_request *q, uint64_t skills,
    const struct op *op);

/* -- schema.c ------------------------------------------------------------- */

/* Without a lease where nothing needs one; a mailbox stands for the account.
 * `skills` are those a tool that takes one may be given. */
void mcp_schema_put_input(struct json *j, const struct op *op,
    const struct op_selector *boxes, const struct strs *skills, bool lease);
void mcp_schema_put_output(struct json *j);

/* -- line.c, stdio.c ------------------------------------------------------ */

struct mcp_line {
	char *p;
	size_t from, n, room;
	size_t seen; /* bytes without a line end, from `from` on */
	bool drop;   /* inside a line that is too long */
	bool end;    /* there is no more to read */
};

enum mcp_line_state {
	MCP_LINE_NONE, /* read on */
	MCP_LINE_WHOLE,
	MCP_LINE_LONG, /* one was left out */
};

/* Reads once. */
void mcp_line_fill(struct mcp_line *l, int fd);
/* The next line, without its end; good until the next fill. */
enum mcp_line_state mcp_line_next(struct mcp_line *l, struct str *out);
void mcp_line_close(struct mcp_line *l);

/* Until the end of input.  Returns the exit status. */
int mcp_stdio(struct mcp *m);

/* -- hold.c --------------------------------------------------------------- */

/* The answer to what changed the list, until the host has listed again. */
struct mcp_hold {
	struct mcp_job *job; /* NULL: none is held */
	int64_t until_ms;
};

/* May it change the list that its client is shown? */
bool mcp_hold_wants(const struct mcp_request *q);
/* Tells the change and holds the job, which has ended; false: there is nothing
 * to wait for, and the job is still the caller's. */
bool mcp_hold_take(struct mcp_hold *h, struct mcp_job *job);
/* The host has its list: it wants a moment to take it in. */
void mcp_hold_settle(struct mcp_hold *h);
/* Hands it on, if one is held.  -1: nobody reads. */
int mcp_hold_release(struct mcp_hold *h);
/* Is that one held?  Then it is not handed on any more. */
bool mcp_hold_cancel(struct mcp_hold *h, const struct mcp_id *id);

/* -- worker.c ------------------------------------------------------------- */

/* A request that asks the gate, on its way. */
struct mcp_job {
	struct mcp_job *next;
	struct arena *a;
	struct json_doc *doc;
	struct mcp_request q;
	const struct mcp_method *row;
	size_t bytes;     /* of its line */
	bool keeps;       /* what is said to it, but progress, is looked at */
	struct buf kept;  /* that, in its arena */
	struct str asked; /* the id of what its client's user is asked */
};

void mcp_worker_drop(struct mcp_job **job);

/* The process that works on one; zero: none does. */
struct mcp_worker {
	pid_t pid;
	int fd; /* what it says */
	struct mcp_job *job;
	bool mute;    /* nobody waits for its answer any more */
	bool midline; /* the last of what it said is no whole line */
};

/* Takes the job; -1: no process could be made, and the job is still there. */
int mcp_worker_start(struct mcp_worker *w, struct mcp_job *job);
/*
 * Hands on what it says, to standard output or to the job that keeps it, which
 * keeps no progress; at its end also the error of one that died.  1: it has
 * ended, and the job is its owner's again; 0: there is more to come, -1: nobody
 * reads.
 */
int mcp_worker_read(struct mcp_worker *w);
/* Its answer is not wanted.  A read is ended; what may have begun to change
 * something ends by itself. */
void mcp_worker_cancel(struct mcp_worker *w);
/* One message on its way out, from the process that works on a request. */
void mcp_worker_say(const struct json *j);
/* The same of what is no message. */
void mcp_worker_line(struct str line);
/* May it end in the middle without harm?  Reads may. */
bool mcp_worker_may_end(const struct mcp_job *job);
/* Puts into q->fault what is said of a job whose process died. */
void mcp_worker_fault(const struct mcp_job *job, struct mcp_request *q);
/* For children made until it is called again: do they get the keys? */
void mcp_worker_keys(const struct env *env, bool inherit);
/* In a child: takes its keys; what it says goes to fd (-1: it says nothing). */
void mcp_worker_become(const struct env *env, int fd);

#endif
