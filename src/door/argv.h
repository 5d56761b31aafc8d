/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_ARGV_H
#define DOOR_ARGV_H

/*
 * The command line's syntax, the same for operations and the operator's
 * commands: --name VALUE or --name=VALUE, exact names only; an ARG_MANY option
 * takes values up to the next option.  A value may begin with "-" if it is the
 * first after its option, but the name of an option of the same command is a
 * value only after "=".  After "--" all words are positional.
 */
#include "base/err.h"
#include "gate/args.h"

/*
 * Parses argv (without the command's own words) into *out by the table.  Sets
 * *help for --help or -h.  A --NAME-file F of an ARG_LONG_TEXT is stored in
 * arg.file; "-" is standard input, which is read here.  ERR_USAGE; ERR_LIMIT if
 * all words together are longer than LIMIT_ARGV; ERR_CONFIG if standard input
 * cannot be read.
 */
int argv_parse(const struct arg_spec *table, int argc, char **argv,
    struct arena *a, struct args *out, bool *help, struct err *e);
/* "reply-to": the command line's form of a table's name. */
struct str argv_spell(struct arena *a, const char *name);
/* The same for the names of all arguments, in errors. */
void argv_spell_all(struct args *args, struct arena *a);
/* "REPLY-TO": the same in capitals, for a value or a column. */
struct str argv_spell_upper(struct arena *a, const char *name);

#endif
