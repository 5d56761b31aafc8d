/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_NOTE_H
#define DESK_NOTE_H

/* What is worth knowing of what was done: a line for a person, and one of
 * data.notes. */
#include "gate/operate.h"

#define NOTE_FIELD                                                             \
	{                                                                      \
		"notes", FIELD_TEXTS, .help = "what is worth knowing of it"    \
	}

struct notes {
	struct call *c;
	struct strs text;
};

/* Adds one, and says it. */
void note_say(struct notes *n, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
