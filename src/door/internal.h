#ifndef DOOR_INTERNAL_H
#define DOOR_INTERNAL_H

/* The room's own: text made from the two tables. */
#include "base/buf.h"
#include "gate/gate.h"

/* help.c: what `emcli help` shows. */
void help_put(struct buf *b);
/* A screen of it. */
void help_brief(struct buf *b);
/* Help for a command's words, or for all that begin with them: false when
 * there is none. */
bool help_command(struct buf *b, struct str words);

/* completion.c: false for a shell we do not know. */
bool completion_put(struct buf *b, struct str shell);

/* manual.c: "operations", "commands", "pipes", "errors" ... as mdoc(7);
 * false for any other part. */
bool manual_put(struct buf *b, struct str part);

/* words.c: every command's name as it is typed: operations, operator
 * commands, and the door's own words. */
void words_all(struct arena *a, struct strs *out);
/* The words that may follow `prefix` (empty: the first words), once each. */
void words_next(struct arena *a, const struct strs *all, struct str prefix,
    struct strs *out);

#endif
