/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_FIT_H
#define DOOR_FIT_H

/* Fits text to the width of a terminal. */
#include "base/buf.h"
#include "door/out.h"

/* Columns of the terminal that is standard output; 0: not a terminal. */
size_t fit_width(void);
/* How many columns the table needs, if nothing is cut. */
size_t fit_needs(struct arena *a, const struct out_row *rows, size_t count,
    size_t n);
/*
 * out_table() in that many columns; 0: no limit.  Shrinks the widest columns
 * first, and ends cut text in "...".
 */
void fit_table(struct buf *b, const struct out_row *rows, size_t count,
    size_t n, size_t width);
/*
 * Adds the text, which begins in column `at`, and breaks it between words;
 * further lines begin in column `indent`.  If too little room is left for a
 * line, or with width 0, adds it unchanged.
 */
void fit_wrap(struct buf *b, struct str text, size_t at, size_t indent,
    size_t width);

#endif
