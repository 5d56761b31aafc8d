/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_INTERNAL_H
#define DOOR_MCP_INTERNAL_H

/*
 * Shared by the door's files.  A line becomes a message (jsonrpc.c), the
 * message a row of the table of methods (method_table.c), and the row's
 * function puts the members of a result.  Legacy is 2025-06-18 and 2025-11-25,
 * which begin with a handshake; modern is 2026-07-28, where each request is
 * complete.
 */
#include "base/json.h"
#include "door/mcp/host.h"
#include "door/selector.h"
#include "gate/agent.h"

struct lent_wires;
struct op;
struct running_place;

/* JSON-RPC's codes, and those MCP adds. */
enum mcp_code {
	MCP_NOT_JSON = -32700,
	MCP_NO_REQUEST = -32600,
	MCP_NO_METHOD = -32601,
	MCP_BAD_PARAMS = -32602,
	MCP_BROKEN = -32603,
	MCP_NO_RESOURCE = -32002, /* only legacy */
	MCP_BAD_HEADER = -32020,  /* only modern, like the next */
	MCP_BAD_VERSION = -32022,
};

enum mcp_era {
	MCP_LEGACY = 1 << 0,
	MCP_MODERN = 1 << 1,
};

/* The state of one process: its caller and its options. */
struct mcp {
	const struct env *env;
	const struct err *broken;   /* why env could not be read, or NULL */
	bool always;                /* no skills: all tools are shown */
	struct str tools;           /* legacy lists: auto, filter or all */
	bool filter;                /* they show only what is granted */
	bool structured;            /* every client reads only that form */
	struct str prefix;          /* prefix of tools' names: the operator's */
	bool prefixes;              /* if this is set; otherwise by the host */
	struct selector_opts boxes; /* how they are chosen */
	bool begun;                 /* a legacy handshake was answered */
	char conversation[40];      /* a name for the legacy session */
	const char *revision;       /* revision from a legacy handshake */
	bool elicits;               /* a legacy client can show a form */
	char client_name[100];
	struct str client; /* the name given in it; may be empty */
	const struct mcp_host
	    *host; /* the host with that name; NULL: unknown */
	const struct gate_agent
	    *agent; /* the agent of the token; NULL: no token */
	const struct running_place
	    *place;   /* the place of its call; NULL: not over HTTP */
	bool streams; /* over HTTP, notes are streamed */
	const struct lent_wires
	    *wires; /* where its calls get connections; NULL: they make them */
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

/* Why a message gets an error instead of a result. */
struct mcp_fault {
	enum mcp_code code;
	char say[200];
	int status;        /* HTTP status; 0: the code's default */
	struct json *data; /* or NULL */
};

/* Headers of a request over HTTP; may be empty. */
struct mcp_heads {
	struct str version, method, name;
};

enum mcp_kind {
	MCP_NOTHING, /* a blank line */
	MCP_REQUEST,
	MCP_NOTICE,
	MCP_ANSWER, /* to our request: params is its result, or NULL */
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
	bool asks; /* the result asks a question first: modern */
	/*
	 * A repeated legacy call with its state and answer; `silent`: there is
	 * no answer, and none will come.
	 */
	struct str state;
	int word; /* an enum outbox_ask_word */
	bool silent;
};

enum mcp_flags {
	MCP_GATED = 1 << 0,  /* asks the gate, in a separate process */
	MCP_CACHED = 1 << 1, /* says how long it is valid: modern */
	MCP_PUBLIC = 1 << 2, /* and that it is the same for everybody */
	MCP_OPENS = 1 << 3,  /* begins a session */
	MCP_LISTS = 1 << 4,  /* gives the list of tools */
	MCP_CALLS = 1 << 5,  /* calls one */
};

struct mcp_method {
	const char *name;
	unsigned eras;
	unsigned flags;
	/* Puts the members of the result; -1: q->fault has the reason. */
	int (*answer)(struct mcp_request *q, struct json *out);
};

/* -- jsonrpc.c ------------------------------------------------------------ */

/*
 * Parses a line into *q, whose arena and door are set.  *doc owns its data, and
 * may stay NULL.
 */
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
/* The complete error message for q->fault. */
struct json *mcp_jsonrpc_error(const struct mcp_request *q);

/* -- method.c ------------------------------------------------------------- */

/* The era of a request, from its own content. */
enum mcp_era mcp_method_era(const struct mcp_request *q);
/*
 * The method of the request, if it exists and its era is known.  NULL:
 * q->fault.
 */
const struct mcp_method *mcp_method_find(struct mcp_request *q);
/* The complete answer: a result, or an error. */
struct json *mcp_method_answer(struct mcp_request *q,
    const struct mcp_method *row);

/* -- revision.c ----------------------------------------------------------- */

bool mcp_revision_speaks(struct str version, enum mcp_era era);
/* The revision to use with a client of that revision. */
const char *mcp_revision_legacy(struct str version);
void mcp_revision_put_modern(struct json *j, const char *key);
void mcp_revision_put_info(struct json *j, const char *key);

/* -- params.c ------------------------------------------------------------- */

/* A list comes in one page: any cursor except an empty one is invalid. */
int mcp_params_cursor(struct mcp_request *q);
/* params[key], which must be a string. */
int mcp_params_text(struct mcp_request *q, const char *key, struct str *out);
/* The operation of a call, or NULL. */
const struct op *mcp_params_op(const struct mcp_request *q);
/* Can it be interrupted without harm?  Reads can. */
bool mcp_params_may_end(const struct mcp_request *q);
/* Sets q->fault for a call whose process died. */
void mcp_params_fault(struct mcp_request *q);

/* Lines from the process of a call, besides a child's own kinds. */
enum mcp_kind_said {
	MCP_CHANGED = 'c', /* a note: the list has changed */
	MCP_ASKED = 'q',   /* "ID STATE MESSAGE": ask its client's user */
};

#endif
