#ifndef DOOR_INTERNAL_H
#define DOOR_INTERNAL_H

/* Private to the room: text made from the two tables. */
#include "base/buf.h"
#include "gate/gate.h"

/* help.c: the text of `emcli help`. */
void help_put(struct buf *b);
/* A short version of it. */
void help_brief(struct buf *b);
/*
 * Help for a command's words, or for all commands that begin with them: false
 * if there are none.
 */
bool help_command(struct buf *b, struct str words);

/* completion.c: false for an unknown shell. */
bool completion_put(struct buf *b, struct str shell);

/* manual.c: "operations", "commands", "agents", "errors" ... as mdoc(7);
 * false for any other part. */
bool manual_put(struct buf *b, struct str part);

/*
 * words.c: every command's name as it is typed: operations, operator commands,
 * and the door's own words.
 */
void words_all(struct arena *a, struct strs *out);
/* The words that may follow `prefix` (empty: the first words), once each. */
void words_next(struct arena *a, const struct strs *all, struct str prefix,
    struct strs *out);

#endif
