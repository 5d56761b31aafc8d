#ifndef DOOR_CLI_INTERNAL_H
#define DOOR_CLI_INTERNAL_H

#include "base/buf.h"
#include "gate/gate.h"

enum {
	FLAGS_MAX = 2
};

struct flags {
	const struct op *op;
	const struct arg_spec *flag[FLAGS_MAX]; /* the door's own, n of them */
	size_t n;
	bool given[FLAGS_MAX]; /* what came of them */
	bool help;
	struct args args; /* of the operation's own table */
};

/* flags.c: ERR_USAGE and so on, as argv_parse(); what was read by then is
 * there. */
int flags_parse(struct flags *f, int argc, char **argv, struct arena *a,
    struct err *e);

/* person.c: lines for a person on standard output; in colour where that is a
 * terminal, unless NO_COLOR or a dumb one forbids it.  -1 with errno. */
int person_write(struct arena *a, const struct gate_lines *lines);
void person_put(struct buf *b, const struct gate_lines *lines);

/* show.c: a reply as a person reads it: its table, made from the result's
 * fields, and then its lines. */
void show_put(struct buf *b, const struct op *op, const struct reply *r);

#endif
