/* SPDX-License-Identifier: Apache-2.0 */
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

/* Takes the marks off a line, ">>" or "> >", and says how many there were. */
size_t quote_take_marks(struct str *line);
/* Adds the lines of a text, each so many marks deeper than it is. */
void quote_flow(struct buf *out, struct str text, size_t deeper);
/* "2026-06-21 12:00 +02:00", of an RFC 3339 date. */
void quote_put_date(struct buf *out, struct str date);
/* An attribution line and the quote: format=flowed, LF. */
struct str quote_block(struct arena *a, const struct quote *q);
/* One's own text above such a block. */
struct str quote_above(struct arena *a, struct str own, struct str below);

#endif
