/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

/*
 * A line that names a program and its arguments.  No shell reads it: blanks
 * separate the words, so no text in it is ever an operator.
 */
#include "base/err.h"
#include "base/str.h"

enum {
	COMMAND_WORDS = 64
};

/* What the operator is to do about a line that cannot be run. */
extern const char command_hint[];
/*
 * Where it runs.  A program may look in its folder for more of itself, and an
 * agent, or whoever wrote a repository, may have chosen the caller's.
 */
extern const char command_dir[];

/* The next word; false: there is none. */
bool command_word(const char **at, struct str *word);
/*
 * Cuts the line, in place, into the words of an argv that ends with NULL.
 * `what` names it in messages.  ERR_CONFIG: there are none, or too many.
 */
int command_split(const char *what, char *line, char *argv[COMMAND_WORDS + 1],
    struct err *e);
/*
 * Does the line begin with the whole path of a program, and can only root and
 * the user change or replace that and each argument that is a whole path?  An
 * argument that begins with "./" or "../" is refused, and so is one of these in
 * or below the folder `apart`; NULL: none is.  ERR_CONFIG.
 */
int command_trust(const char *what, const char *line, const char *apart,
    uint32_t user, struct err *e);

#endif
