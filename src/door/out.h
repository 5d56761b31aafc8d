#ifndef DOOR_OUT_H
#define DOOR_OUT_H

/*
 * Text on its way to a person or a pipe.  What strangers wrote (an agent's
 * words in the audit log, a server's banner) is made harmless before it
 * reaches a terminal.
 */
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* Writes all of it; -1 with errno. */
int out_write(int fd, struct str text);
/* The same and a line end. */
int out_write_line(int fd, struct str text);
/* Adds a document, on a line of its own. */
void out_json(struct buf *b, struct arena *a, const struct json *j);
/* Writes b to stdout: exit status 0, or 1 with a line on stderr. */
int out_done(const struct buf *b);
/* Of a call that is not understood: where it is told what one looks like. */
void out_help(struct err *e, struct arena *a, struct str command);
/*
 * What to exit with when standard output could not be written, errno saying
 * why: 1 with a line on stderr, or `status` where a reader has read enough.
 */
int out_unwritten(int status);
/*
 * A copy fit for a terminal: no control characters but line ends, nothing
 * that turns the direction of writing, valid UTF-8; "?" stands for what was
 * there.
 */
struct str out_safe(struct arena *a, struct str s);
/* The same with "?" for line ends. */
struct str out_line(struct arena *a, struct str s);
/* The same between quotes, at most 40 bytes of it. */
struct str out_quote(struct arena *a, struct str s);
/* "emcli: ..." and a line end on stderr; detail only when for_operator. */
void out_complain(const struct err *e, bool for_operator);
/* 0 for no error, 2 for one of usage, else 1. */
int out_status(const struct err *e);

/* A row of cells padded to the columns' widths, which are in characters. */
struct out_row {
	const struct str *cell;
};
/* Adds the rows as an aligned table, as wide as a terminal is that it is for;
 * all have n cells. */
void out_table(struct buf *b, const struct out_row *rows, size_t count,
    size_t n);

#endif
