/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_LINE_H
#define DOOR_LINE_H

/* A command line: argv as words. */
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

enum {
	LINE_WORDS = 3 /* of a command's name, at most */
};

/* argv without the program's name. */
struct line {
	int argc;
	char **argv;
	struct arena *a;
};

/* Is its first word this one, or the option, which may be NULL? */
bool line_is_word(const struct line *l, const char *word, const char *option);
/* The first n words with single spaces between them. */
struct str line_join(const struct line *l, int n);

#endif
