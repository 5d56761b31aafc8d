#ifndef DOOR_ROUTE_H
#define DOOR_ROUTE_H

/*
 * What a door serves over HTTP: a table of routes, each a method and a path,
 * who may ask for it, and the function that answers.  door/http/ serves any
 * such table and knows nothing of what is in it; door.c brings the two
 * together.  Each request is answered in a process of its own, which says what
 * the answer is by child_say() and child_line().
 */
#include "base/buf.h"
#include "door/child.h"
#include "door/running.h"
#include "gate/args.h"

enum route_who {
	ROUTE_HOST = 1 << 0,   /* it calls us by a name that is ours */
	ROUTE_ORIGIN = 1 << 1, /* no page asks, or one that may */
	ROUTE_BEARER = 1 << 2, /* it has a token, by its looks; whose it is,
				* the route finds out */
};

struct route;

/* In the process of a request that was let in. */
struct route_request {
	const struct route *route;
	void *arg; /* the table's */
	struct str body;
	struct str token;
	bool left;    /* its client hung up while it waited for its turn */
	bool streams; /* its client hears what is told on the way */
	struct running_place place;
	/* A header, trimmed; empty: there is none. */
	struct str (*header)(const struct route_request *r, const char *name);
	void *from; /* for that function */
};

struct route {
	const char *method, *path;
	unsigned who;
	const char *type; /* media type of its body; NULL: any */
	void (*answer)(const struct route_request *r);
	/* By its looks it waits for nothing, so it need not wait for its turn;
	 * NULL: there is no such. */
	bool (*brief)(struct str body);
};

struct route_table {
	const struct route *row; /* the first names us; no path ends it */
	void *arg;
	const struct env *env;
	const char *command;   /* whose options say who may */
	const char *no_path;   /* what is said to a path that is none */
	const char *no_method; /* and to a method that a path has not */
	/* The body of what is refused, as the door's clients read it. */
	void (*refuse)(struct buf *out, int status, const char *why);
};

/* Serves until it is told to stop, as the options http, host, origin, public
 * and workers say; the exit status. */
typedef int route_serve(const struct route_table *t, const struct args *args,
    struct arena *a);

#endif
