/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_LOOK_H
#define DOOR_CLI_LOOK_H

/* Colour of text for a person, and its destination. */
#include "base/buf.h"
#include "door/cli/internal.h"

#define LOOK_BOLD "\033[1m"
#define LOOK_NOTE "\033[33m"
#define LOOK_BAD "\033[1;31m"
#define LOOK_END "\033[0m"

/*
 * May text for that descriptor be coloured?  Decided by --color; otherwise only
 * for a terminal, unless NO_COLOR is set or it is dumb.
 */
bool look_coloured(const struct flags *f, int fd);
/*
 * Writes it to standard output, through a pager if that is a terminal with too
 * few lines.  Returns the exit status.
 */
int look_done(const struct flags *f, const struct buf *b);
/* out_complain() in colour. */
void look_complain(const struct flags *f, const struct err *e);

#endif
