#ifndef DOOR_PROMPT_H
#define DOOR_PROMPT_H

/* Questions to the person at the terminal, on /dev/tty. */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

/* Is there a person to ask? */
bool prompt_possible(void);
/* Asks on the terminal without showing what is typed.  ERR_USAGE when the
 * person gives up. */
int prompt_secret(const char *question, struct secret **out, struct err *e);
/* One line, shown as it is typed; -1 at the end of input. */
int prompt_line(const char *question, struct arena *a, struct str *out);
/* Puts text onto the terminal. */
void prompt_say(struct str text);
/*
 * True only for the answer "yes" to a question, which ends without a mark.
 * What was typed before it is forgotten, and what is typed within 300 ms of it.
 */
bool prompt_yes(const char *question);
/* "To WHAT, type kamolu": the same for what cannot be taken back, with a word
 * that nobody can have typed before it was shown. */
bool prompt_word(const char *what, struct arena *a);
/* For a signal's handler: the question that is being asked is given up. */
void prompt_stop(int sig);

#endif
