#ifndef DOOR_FIT_H
#define DOOR_FIT_H

/* Text in the width of a terminal. */
#include "base/buf.h"
#include "door/out.h"

/* Columns of the terminal that is standard output; 0: it is none. */
size_t fit_width(void);
/*
 * out_table() in so many columns; 0: as many as it takes.  The widest columns
 * give way first, and what is cut ends in "...".
 */
void fit_table(struct buf *b, const struct out_row *rows, size_t count,
    size_t n, size_t width);
/*
 * Adds the text, which begins in column `at`, and breaks it between words;
 * further lines begin in column `indent`.  Where too little is left for a
 * line, or with width 0, it is added as it is.
 */
void fit_wrap(struct buf *b, struct str text, size_t at, size_t indent,
    size_t width);

#endif
