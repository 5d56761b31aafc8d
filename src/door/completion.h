#ifndef DOOR_COMPLETION_H
#define DOOR_COMPLETION_H

/* What can be completed, walked once for each shell. */
#include "base/buf.h"

/* What follows an option. */
enum completion_value {
	COMPLETION_NOTHING,
	COMPLETION_TEXT, /* nobody can guess it */
	COMPLETION_FILE,
	COMPLETION_CHOICE,
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

#endif
