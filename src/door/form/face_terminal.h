/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_FORM_FACE_TERMINAL_H
#define DOOR_FORM_FACE_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/*
 * How a terminal is drawn on: terminfo(5) of this machine or, in the static
 * program where there is none, of the common terminals.  The shared program has
 * the locale's characters from then on, the static one UTF-8.
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

/*
 * gen/door/widths.c, which tools/widths makes: how many columns characters
 * have.  Each row is the first character of some, times FACE_WIDTHS, and one
 * more than their columns: 0 is for what is not printed.  They are in order,
 * and the first is NUL's.
 */
enum {
	FACE_WIDTHS = 4
};

extern const uint32_t widths_all[];
extern const size_t widths_n;

#endif
