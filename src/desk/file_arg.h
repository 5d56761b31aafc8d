/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_FILE_ARG_H
#define DESK_FILE_ARG_H

/* An argument that names a file which agents' commands read later. */
#include "gate/operate.h"

/*
 * Its absolute path, because they run in any folder; empty if it was not given.
 * name: as in the table of arguments; shown: as the option is spelt, without
 * dashes.  ERR_USAGE: it cannot be read.
 */
int file_arg_find(struct call *c, const char *name, const char *shown,
    struct str *out, struct err *e);
/* The same of a path that was given. */
int file_arg_path(struct arena *a, struct str given, const char *shown,
    struct str *out, struct err *e);

#endif
