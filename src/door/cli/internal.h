/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_INTERNAL_H
#define DOOR_CLI_INTERNAL_H

#include "base/buf.h"
#include "door/far.h"

struct flags {
	const struct op *op;
	struct args looks; /* the door's own: looks_flags() */
	bool help;
	struct args args; /* of the operation's own table */
};

/*
 * flags.c: ERR_USAGE and others, as argv_parse(); keeps what was parsed before
 * an error.
 */
int flags_parse(struct flags *f, int argc, char **argv, struct arena *a,
    struct err *e);
/* Was that option of the door given? */
bool flags_given(const struct flags *f, const char *name);
/* Does it exist here? */
bool flags_takes(const struct flags *f, const char *name);
/* Its value or default; empty if it does not exist here. */
struct str flags_text(const struct flags *f, const char *name);

/*
 * follow.c: call after call, until standard output is closed or one fails.  far
 * NULL: in this process.  Returns the exit status.
 */
int follow_run(struct flags *f, const struct env *env, const struct far *far);

/* browser.c: opens an address where there is a display. */
void browser_open(struct arena *a, struct str url);
/* Is the person at another machine than we are? */
bool browser_is_remote(void);

/* person.c: lines for a person.  -1 with errno. */
int person_write(struct arena *a, int fd, const struct gate_lines *lines,
    bool coloured);
void person_put(struct buf *b, const struct gate_lines *lines, bool coloured);

#endif
