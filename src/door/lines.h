#ifndef DOOR_LINES_H
#define DOOR_LINES_H

/* Lines from a descriptor: a host's messages, and what our own processes say.
 */
#include "base/err.h"
#include "base/str.h"

struct lines {
	size_t max; /* bytes of a line */
	char *p;
	size_t from, n, room;
	size_t seen; /* bytes without a line end, from `from` on */
	bool drop;   /* inside a line that is too long */
	bool end;    /* there is no more to read */
};

enum lines_state {
	LINES_NONE, /* read on */
	LINES_WHOLE,
	LINES_LONG, /* one was left out */
};

/* Reads once. */
void lines_fill(struct lines *l, int fd);
/* The next line, without its end; good until the next fill. */
enum lines_state lines_next(struct lines *l, struct str *out);
void lines_close(struct lines *l);

#endif
