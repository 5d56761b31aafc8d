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
	bool local; /* over a unix socket, from this user: it needs no token */
	struct str rest;  /* of the path, behind the row's */
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
	const char *command;   /* the command whose options control access */
	const char *no_path;   /* the error for an unknown path */
	const char *no_method; /* and for a method that a path does not have */
	const char *no_token;  /* likewise; NULL: tokens are the agents' */
	const char *too_far;   /* for ROUTE_NEAR: others could ask; or NULL */
	size_t body_max;       /* of one request; 0: LIMIT_MCP_BODY */
	size_t bodies_max;     /* of a worker's; 0: LIMIT_MCP_BODIES */
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

#endif
