#ifndef DOOR_FORM_FACE_TERMINAL_H
#define DOOR_FORM_FACE_TERMINAL_H

/*
 * How a terminal is drawn on: terminfo(5) of this machine or, in the static
 * program where there is none, of the common terminals.
 */

/* For setupterm(3X) and newterm(3X), until face_terminal_end(); NULL: TERM's.
 */
const char *face_terminal_begin(void);
void face_terminal_end(void);

/* A terminal of gen/door/terminals.c, which tools/terminals makes. */
struct face_terminal {
	const char *name;
	const char *entry; /* as the variable TERMINFO has it */
};

extern const struct face_terminal terminals_all[]; /* {NULL} ends it */

#endif
