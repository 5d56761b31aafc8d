#ifndef DOOR_CLI_LOOK_H
#define DOOR_CLI_LOOK_H

/* How what a person reads is coloured, and where it goes. */
#include "base/buf.h"
#include "door/cli/internal.h"

#define LOOK_BOLD "\033[1m"
#define LOOK_NOTE "\033[33m"
#define LOOK_BAD "\033[1;31m"
#define LOOK_END "\033[0m"

/*
 * May what goes to that descriptor be coloured?  As --color says; else where it
 * is a terminal, unless NO_COLOR or a dumb one forbids it.
 */
bool look_coloured(const struct flags *f, int fd);
/* Writes it to standard output, through a pager where it is a terminal with
 * fewer lines.  Returns the exit status. */
int look_done(const struct flags *f, const struct buf *b);
/* out_complain() with a colour. */
void look_complain(const struct flags *f, const struct err *e);

#endif
