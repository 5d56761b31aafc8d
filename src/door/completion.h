#ifndef DOOR_COMPLETION_H
#define DOOR_COMPLETION_H

/* What can be completed, walked once for each shell. */
#include "base/buf.h"
#include "gate/args.h"

/* One command with the options it takes. */
struct completion_command {
	struct str name;
	const char *summary;
	const struct arg_spec *args;
	bool json; /* takes --json too */
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
/* Does the option's value name a file? */
bool completion_is_file(const struct arg_spec *s);
/* "RO|RW" as "RO RW"; empty when it is no choice. */
struct str completion_choices(struct arena *a, const struct arg_spec *s);
/* The summary of a command's name, or NULL. */
const char *completion_summary(const struct completion *c, struct str prefix,
    struct str word);

#endif
