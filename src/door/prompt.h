/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_PROMPT_H
#define DOOR_PROMPT_H

/* Questions to the person at the terminal, on /dev/tty. */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

/* Is there a person to ask? */
bool prompt_possible(void);
/* Asks on the terminal without echo.  ERR_USAGE if the person gives up. */
int prompt_secret(const char *question, struct secret **out, struct err *e);
/* One line, with echo; -1 at the end of input. */
int prompt_line(const char *question, struct arena *a, struct str *out);
/* Writes text to the terminal. */
void prompt_say(struct str text);
/*
 * True only for the answer "yes" to the question, which has no question mark.
 * Input from before it and within 300 ms after it is ignored.
 */
bool prompt_yes(const char *question);
/*
 * "To WHAT, type kamolu": the same for irreversible actions, with a random word
 * that nobody can have typed before.
 */
bool prompt_word(const char *what, struct arena *a);
/* For a signal handler: cancels the current question, or else the next ones. */
void prompt_stop(int sig);

#endif
