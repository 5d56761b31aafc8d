#ifndef DOOR_MCP_INTERNAL_H
#define DOOR_MCP_INTERNAL_H

/*
 * What the door's files share.  A line becomes a message (jsonrpc.c), the
 * message a row of the table of methods (method_table.c), the row's function
 * puts the members of a result.  Legacy is 2025-06-18 and 2025-11-25, which
 * begin with a handshake; modern is 2026-07-28, where each request says it all.
 */
#include "base/json.h"
#include "door/mcp/host.h"
#include "door/selector.h"
#include "gate/agent.h"

struct op;
struct running_place;

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
	const struct running_place
	    *place;   /* of its call; NULL: not over HTTP */
	bool streams; /* over HTTP, what is told on the way is heard */
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
	MCP_OPENS = 1 << 3,  /* begins a session */
	MCP_LISTS = 1 << 4,  /* gives the list of tools */
	MCP_CALLS = 1 << 5,  /* calls one */
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

/* -- revision.c ----------------------------------------------------------- */

bool mcp_revision_speaks(struct str version, enum mcp_era era);
/* The one that is agreed on with a client of that one. */
const char *mcp_revision_legacy(struct str version);
void mcp_revision_put_modern(struct json *j, const char *key);
void mcp_revision_put_info(struct json *j, const char *key);

/* -- params.c ------------------------------------------------------------- */

/* A list comes in one page: any cursor but an empty one is not ours. */
int mcp_params_cursor(struct mcp_request *q);
/* params[key], which must be a string. */
int mcp_params_text(struct mcp_request *q, const char *key, struct str *out);
/* The operation a call names, or NULL. */
const struct op *mcp_params_op(const struct mcp_request *q);
/* May it end in the middle without harm?  Reads may. */
bool mcp_params_may_end(const struct mcp_request *q);
/* Puts into q->fault what is said when its process died. */
void mcp_params_fault(struct mcp_request *q);

/* What the process of a call says to its parent, beside a child's own kinds. */
enum mcp_kind_said {
	MCP_CHANGED = 'c', /* a note: the list is another */
	MCP_ASKED = 'q',   /* "ID STATE MESSAGE": its client's user is asked */
};

#endif
