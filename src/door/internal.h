/* SPDX-License-Identifier: Apache-2.0 */
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

struct line;
struct skills_command;
/* The longest operator command at its start, or NULL; *words is its length. */
const struct op *words_find_desk(const struct line *l, int *words);
/* A command for models, or NULL; *words is the length of its name. */
const struct skills_command *words_find_pipe(const struct line *l, int *words);
/* A verb on an agent's own mailbox: LINE_WORDS words, or empty. */
struct str words_find_agents(const struct line *l);

/*
 * No command begins so: -1 with the nearest one; or the status, and it is said
 * that a word is missing.
 */
int words_unknown(const struct line *l, struct err *e);

/* print.c: each prints its text.  The exit status; -1: there is none of it. */
int print_help(const struct line *l, struct err *e);
/* Without arguments: a short overview. */
int print_brief(const struct line *l);
int print_schema(const struct line *l, struct err *e);
/* A text that one word chooses: "completion bash", "manual errors". */
int print_part(const struct line *l, const char *choices,
    bool (*put)(struct buf *b, struct str word));
/* A shell's script, and the values that it asks for during typing. */
int print_completion(const struct line *l, const struct env *env);
/* The version; with --json the commit and libraries too. */
int print_version(const struct line *l, const char *commit);

#endif
