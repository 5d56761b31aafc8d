#ifndef DOOR_CLI_INTERNAL_H
#define DOOR_CLI_INTERNAL_H

#include "base/buf.h"
#include "gate/gate.h"

struct flags {
	const struct op *op;
	struct args looks; /* the door's own: looks_flags() */
	bool help;
	struct args args; /* of the operation's own table */
};

/* flags.c: ERR_USAGE and so on, as argv_parse(); what was read by then is
 * there. */
int flags_parse(struct flags *f, int argc, char **argv, struct arena *a,
    struct err *e);
/* Was that one of the door's own given? */
bool flags_given(const struct flags *f, const char *name);
/* Can it be? */
bool flags_takes(const struct flags *f, const char *name);
/* What was said of it, or its default; empty where it cannot be. */
struct str flags_text(const struct flags *f, const char *name);

/* browser.c: opens an address where there is a display. */
void browser_open(struct arena *a, struct str url);
/* Is the person at another machine than we are? */
bool browser_is_remote(void);

/* person.c: lines for a person.  -1 with errno. */
int person_write(struct arena *a, int fd, const struct gate_lines *lines,
    bool coloured);
void person_put(struct buf *b, const struct gate_lines *lines, bool coloured);

#endif
