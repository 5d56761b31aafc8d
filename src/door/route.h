/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_ROUTE_H
#define DOOR_ROUTE_H

/*
 * A door's HTTP service: a table of routes, each with a method, a path, its
 * access rule and the function that answers.  door/http/ serves any such table
 * and knows nothing about its contents; door.c connects them.  Each request is
 * answered in its own process, which reports the answer with child_say() and
 * child_line().
 */
#include "base/buf.h"
#include "door/child.h"
#include "door/running.h"
#include "gate/args.h"

enum route_who {
	ROUTE_HOST = 1 << 0,   /* the Host is one of ours */
	ROUTE_ORIGIN = 1 << 1, /* there is no Origin, or an allowed one */
	/* It has a well-formed token; the route checks whose it is. */
	ROUTE_BEARER = 1 << 2,
	ROUTE_NEAR = 1 << 3, /* nobody outside this machine can ask */
};

struct route;

/* In the process of an accepted request. */
struct route_request {
	const struct route *route;
	void *arg; /* the table's */
	struct str body;
	struct str token;
	bool local;   /* over a unix socket: it needs no token */
	uint32_t uid; /* with local: the user of the process that connected */
	uint64_t caller; /* the token, or else the user, as a number; 0: none */
	struct str rest; /* of the path, behind the row's */
	struct str query; /* behind the "?"; or empty */
	bool left;        /* its client hung up while it waited */
	bool streams;     /* its client receives notes before the answer */
	struct running_place place;
	/* A header, trimmed; empty if missing. */
	struct str (*header)(const struct route_request *r, const char *name);
	void *from; /* data for that function */
};

struct route {
	const char *method;
	const char *path; /* with "/" at its end: of all paths below it */
	unsigned who;
	const char *type; /* required media type of its body; NULL: any */
	void (*answer)(const struct route_request *r);
	/*
	 * Is it brief by its form, so that it need not wait for a place?  NULL:
	 * never.
	 */
	bool (*brief)(struct str body);
	const char *does; /* for that function: what it is to do; or NULL */
};

struct route_table {
	const struct route *row; /* the first one names the service; ends with a
				    row without a path */
	void *arg;
	const struct env *env;
	const char *command;   /* whose options control access; NULL: none */
	const char *no_path;   /* the error for an unknown path */
	const char *no_method; /* and for a method that a path does not have */
	const char *no_token;  /* likewise; NULL: tokens are the agents' */
	/*
	 * WWW-Authenticate, where others issue tokens too: then any token of
	 * RFC 6750 section 2.1 is passed on.  NULL: only ours are.
	 */
	const char *challenge;
	const char *too_far; /* for ROUTE_NEAR: others could ask; or NULL */
	size_t body_max;     /* of one request; 0: LIMIT_MCP_BODY */
	size_t bodies_max;   /* of a worker's; 0: LIMIT_MCP_BODIES */
	/* One caller's calls leave room for those of others: LIMIT_HTTP_CALLS
	 * and what follows it, instead of LIMIT_MCP_RUNNING. */
	bool shared;
	int fault;        /* the status if a process dies; 0: 500 */
	const char *tail; /* behind each answer that is JSON; or NULL */
	/*
	 * What a process does that waits for its request; NULL: none waits.
	 * Whatever may change until then is looked at again by the request.
	 * It answers the rows with `does`, which read no header.
	 */
	void (*ready)(void *arg);
	/* The body of a refusal, in the form for the door's clients. */
	void (*refuse)(struct buf *out, int status, const char *why);
};

/*
 * Serves until it is told to stop, with the options http, host, origin, public
 * and workers; returns the exit status.
 */
typedef int route_serve(const struct route_table *t, const struct args *args,
    struct arena *a);

struct gate;

/*
 * Confines the process of one call, which has opened that gate, before it reads
 * a byte of its caller.  ERR_INTERNAL.
 */
typedef int route_confine(const struct env *env, struct gate *g, struct err *e);

/*
 * Confines a process that speaks with strangers, has started whatever starts
 * others for it, and has only sockets left.  ERR_INTERNAL.
 */
typedef int route_confine_server(struct err *e);

/*
 * A service that runs beside the server of another door, which starts it in a
 * process of its own: the broker's.
 */
struct route_beside {
	/*
	 * Listens where the arguments say: 1 with *service; 0: nowhere.
	 * ERR_USAGE, ERR_CONFIG.
	 */
	int (*open)(const struct args *args, void **service, struct err *e);
	/* Where: an address of TCP, and the path of a socket; or empty. */
	void (
	    *where)(const void *service, struct str *address, struct str *path);
	/*
	 * In that process, of whose descriptors it closes all but its own:
	 * serves until it is told to stop.  Returns the exit status.
	 */
	int (*serve)(void *service, const struct env *env,
	    route_confine *confine, route_confine_server *server);
	/* Nobody finds it any more. */
	void (*close)(void *service);
};

#endif
