#ifndef MIME_QUOTE_H
#define MIME_QUOTE_H

/* Text as format=flowed (RFC 3676), and the text of a message, quoted. */
#include "base/buf.h"
#include "base/str.h"

struct quote {
	struct str text; /* UTF-8, LF; at most LIMIT_QUOTE of it is quoted */
	struct str date; /* RFC 3339 in the writer's zone, or empty */
	struct str who;  /* the sender's address, clean; or empty */
};

/* Adds the lines of a text, each so many marks deeper than it is. */
void quote_flow(struct buf *out, struct str text, size_t deeper);
/* One's own text, an attribution line and the quote: format=flowed, LF. */
struct str quote_text(struct arena *a, struct str own, const struct quote *q);

#endif
