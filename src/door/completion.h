/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_COMPLETION_H
#define DOOR_COMPLETION_H

/* The words to complete, collected once for each shell. */
#include "base/buf.h"
#include "base/env.h"

/* The value of an option. */
enum completion_value {
	COMPLETION_NOTHING,
	COMPLETION_TEXT, /* cannot be completed */
	COMPLETION_FILE,
	COMPLETION_CHOICE,
	COMPLETION_ACCOUNTS, /* emcli lists them on demand */
	COMPLETION_SKILLS,
};

struct completion_option {
	struct str name; /* without "--" */
	const char *help;
	enum completion_value value;
	struct str choices; /* "RO RW" */
};

/* One command with its options; --help is last. */
struct completion_command {
	struct str name;
	const char *summary;
	struct completion_option *option;
	size_t options;
};

/* A position where words follow: after "whitelist in" come add, remove, ... */
struct completion_place {
	struct str prefix;
	struct strs words;
	enum completion_value value; /* words listed on demand, in addition */
	const struct completion_command
	    *command; /* the command with that name, whose options may follow */
};

struct completion {
	struct completion_command *command;
	size_t commands;
	struct completion_place *place;
	size_t places;
};

/* Each writes a script. */
void completion_bash(struct buf *b, const struct completion *c);
void completion_zsh(struct buf *b, const struct completion *c);
void completion_fish(struct buf *b, const struct completion *c);
/* The summary of a word that follows a place, or NULL. */
const char *completion_summary(const struct completion *c,
    const struct completion_place *p, struct str word);

/* completion_values.c: "accounts", the word that requests them; or NULL. */
const char *completion_values_kind(enum completion_value v);
/* The answer to that word; false if it is unknown. */
bool completion_values_put(struct buf *b, const struct env *env,
    struct str kind);

#endif
