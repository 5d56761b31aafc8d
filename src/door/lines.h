/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_LINES_H
#define DOOR_LINES_H

/* Lines from a descriptor: messages of a host, or of emcli's own processes. */
#include "base/err.h"
#include "base/str.h"

struct lines {
	size_t max; /* maximum length of a line */
	char *p;
	size_t from, n, room;
	size_t seen; /* bytes without a line end, from `from` on */
	bool drop;   /* inside a line that is too long */
	bool end;    /* end of input */
};

enum lines_state {
	LINES_NONE, /* read more */
	LINES_WHOLE,
	LINES_LONG, /* a line was dropped */
};

/* Reads once. */
void lines_fill(struct lines *l, int fd);
/* The next line, without its end; valid until the next fill. */
enum lines_state lines_next(struct lines *l, struct str *out);
void lines_close(struct lines *l);

#endif
