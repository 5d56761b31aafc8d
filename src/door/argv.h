#ifndef DOOR_ARGV_H
#define DOOR_ARGV_H

/*
 * The command line's syntax, the same for operations and the operator's
 * commands: --name VALUE or --name=VALUE, exact names only; an ARG_MANY option
 * takes values up to the next option; a value may begin with "-" when it comes
 * first behind its option, but the name of an option of the same command is
 * taken for a value only behind "=".  Behind "--" all words are positional.
 */
#include "base/err.h"
#include "gate/args.h"

/*
 * Reads argv (without the command's own words) into *out by the table.  Sets
 * *help for --help or -h.  A --NAME-file F of an ARG_LONG_TEXT is noted in
 * arg.file, but "-" is standard input and read here.  ERR_USAGE; ERR_LIMIT
 * when all words together are longer than LIMIT_ARGV; ERR_CONFIG when standard
 * input cannot be read.
 */
int argv_parse(const struct arg_spec *table, int argc, char **argv,
    struct arena *a, struct args *out, bool *help, struct err *e);
/* "reply-to": a table's name as the command line spells it. */
struct str argv_spell(struct arena *a, const char *name);
/* "REPLY-TO": the same in capitals, for a value or a column. */
struct str argv_spell_upper(struct arena *a, const char *name);

#endif
