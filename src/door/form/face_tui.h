/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_FORM_FACE_TUI_H
#define DOOR_FORM_FACE_TUI_H

/* What the files of the full-screen face share. */
#define NCURSES_NOMACROS 1
#include <form.h>
#include <ncurses.h>

#include "door/form/face.h"

enum {
	FACE_FIELDS = 12,    /* on one page, and some */
	FACE_TYPED = 4096,   /* of a password */
	FACE_LINES_MIN = 12, /* a screen that is smaller shows one sentence */
	FACE_COLUMNS_MIN = 50
};

struct tui {
	SCREEN *screen;
	struct flow *f;
	FILE *in, *out;
	int scroll; /* first line of the text that is shown */
	/* The form of the page that is shown. */
	FORM *form;
	WINDOW *window;
	FIELD *field[FACE_FIELDS + 1];
	enum flow_key key[FACE_FIELDS];
	struct str shown[FACE_FIELDS]; /* before anything was typed */
	int n, at;
	bool fresh; /* nothing was done in that field: typing replaces */
	/* A password being typed: past the form, which keeps copies. */
	char typed[FACE_TYPED];
	size_t typed_n;
};

/* face_screen.c */
/* False when the terminal is not one for forms. */
bool face_screen_open(struct tui *t);
/* Leaves an empty screen, and then the screen. */
void face_screen_close(struct tui *t);
/* Writes over every cell, for terminals that keep what is cleared. */
void face_screen_blot(void);
bool face_screen_small(void);
/* Draws all but the fields; where they begin. */
int face_screen_draw(struct tui *t, enum flow_page at, const struct err *why,
    int fields, const char *legend);
/* The sentence about the field one is in. */
void face_screen_help(const char *help);

/* face_form.c */
/* A form for the questions of the page, in rows from `top`. */
void face_form_open(struct tui *t, enum flow_page at, int top);
void face_form_close(struct tui *t);
/* Puts the cursor into a field, fresh. */
void face_form_focus(struct tui *t, int i);
/* How far the cursor is into its field, what is scrolled away included; -1
 * in a fresh one. */
int face_form_column(const struct tui *t);
/* Puts it there again, in a form built again. */
void face_form_resume(struct tui *t, int column);
/* The field to begin in: the first that has to be filled and is not. */
int face_form_first(const struct tui *t);
/* One key: a code when `special`, or a character. */
void face_form_key(struct tui *t, bool special, wint_t key);
/* Hands the answers over; the field that is wrong, or -1.  *why is its
 * error. */
int face_form_take(struct tui *t, struct err *why);
/* Hands over what is in the fields, right or not, to build them again. */
void face_form_keep(struct tui *t);
/* How many questions a page has. */
int face_form_count(const struct flow *f, enum flow_page at);

#endif
