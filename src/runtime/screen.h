/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_SCREEN_H
#define RUNTIME_SCREEN_H

/*
 * What is on a terminal.  A program draws frames, bullets and prompts there
 * and breaks lines, so what is read is a guess, and it is used as one.
 */
#include "runtime/home.h"

/* The text on it and the last lines before it, with lines that its width broke
 * joined.  ERR_CONFIG: tmux cannot read it. */
int screen_capture(struct str id, struct arena *a, struct str *out,
    struct err *e);
/* Does a person scroll back in it?  It takes no text then.  1 yes, 0 no. */
int screen_in_mode(struct str id, struct arena *a, struct err *e);
/* Has a person pressed a key in it within that many seconds?  1 yes, 0 no. */
int screen_is_used(struct str id, int64_t seconds, struct arena *a,
    struct err *e);

/* -- pure ------------------------------------------------------------------ */

/* The lines without what frames and bullets they begin and end with. */
struct str screen_plain(struct str text, struct arena *a);
/* Does it show the program's prompt, and nothing that says it works? */
bool screen_is_ready(struct str text, const struct home_host *host,
    struct arena *a);
/*
 * The text in which the result of a request may be: what is below the request,
 * whose last line is `last`; where the program shows the request shortened,
 * what is below the last result of another.
 */
struct str screen_below(struct str text, struct str last, struct str request_id,
    struct arena *a);

#endif
