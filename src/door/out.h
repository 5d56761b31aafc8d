/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_OUT_H
#define DOOR_OUT_H

/*
 * Output to a person or a pipe.  Text that strangers wrote (an agent's words in
 * the audit log, a server's banner) is made safe before it reaches a terminal.
 */
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* Writes all of it; -1 with errno. */
int out_write(int fd, struct str text);
/* The same and a line end. */
int out_write_line(int fd, struct str text);
/* Adds a document as one line. */
void out_json(struct buf *b, struct arena *a, const struct json *j);
/* Writes b to stdout: exit status 0, or 1 with a line on stderr. */
int out_done(const struct buf *b);
/* For a call that is malformed: adds which help to read. */
void out_help(struct err *e, struct arena *a, struct str command);
/*
 * The exit status if standard output could not be written, with errno: 1 with a
 * line on stderr, or `status` if a reader closed the pipe.
 */
int out_unwritten(int status);
/*
 * A copy that is safe for a terminal: no control characters except line ends,
 * nothing that changes the direction of writing, valid UTF-8; "?" replaces the
 * rest.
 */
struct str out_safe(struct arena *a, struct str s);
/* The same with "?" for line ends. */
struct str out_line(struct arena *a, struct str s);
/* The same in quotes, at most 40 bytes of it. */
struct str out_quote(struct arena *a, struct str s);
/* "emcli: ..." and a line end on stderr; detail only if for_operator. */
void out_complain(const struct err *e, bool for_operator);
/* 0 for no error, 2 for a usage error, else 1. */
int out_status(const struct err *e);

/* A row of cells, padded to the columns' widths in characters. */
struct out_row {
	const struct str *cell;
};
/*
 * Adds the rows as an aligned table, fitted to its terminal; all have n cells.
 */
void out_table(struct buf *b, const struct out_row *rows, size_t count,
    size_t n);

#endif
