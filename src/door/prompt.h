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
/* True only for the answer "yes". */
bool prompt_yes(const char *question);
/* For a signal's handler: the question that is being asked is given up. */
void prompt_stop(int sig);

#endif
