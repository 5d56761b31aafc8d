#ifndef DOOR_COMPLETION_H
#define DOOR_COMPLETION_H

/* What can be completed, walked once for each shell. */
#include "base/buf.h"
#include "base/env.h"

/* What follows an option. */
enum completion_value {
	COMPLETION_NOTHING,
	COMPLETION_TEXT, /* nobody can guess it */
	COMPLETION_FILE,
	COMPLETION_CHOICE,
	COMPLETION_ACCOUNTS, /* asked of emcli when they are wanted */
	COMPLETION_SKILLS,
};

struct completion_option {
	struct str name; /* without "--" */
	const char *help;
	enum completion_value value;
	struct str choices; /* "RO RW" */
};

/* One command with the options it takes, --help the last. */
struct completion_command {
	struct str name;
	const char *summary;
	struct completion_option *option;
	size_t options;
};

/* A place where words follow: after "whitelist in" come add, remove, ... */
struct completion_place {
	struct str prefix;
	struct strs words;
	enum completion_value value; /* words that are asked for, too */
	const struct completion_command *command; /* of that very name, whose
						   * options may follow */
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
/* What a word is for behind the words of a place, or NULL. */
const char *completion_summary(const struct completion *c,
    const struct completion_place *p, struct str word);

/* completion_values.c: "accounts", the word that asks for them; or NULL. */
const char *completion_values_kind(enum completion_value v);
/* What that word is answered with; false: it is no such word. */
bool completion_values_put(struct buf *b, const struct env *env,
    struct str kind);

#endif
