/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PROMPT_CHECK_H
#define RUNTIME_PROMPT_CHECK_H

/* What must be true before a request is typed.  Errors: prompt_turn(). */
#include "runtime/prompt.h"

/* The session has a mailbox, and what it needs is there. */
int prompt_check_mailbox(const struct prompt_ask *q, struct arena *a,
    struct err *e);
/* The password of a mailbox on a server is in the session's open folder. */
int prompt_check_credential(int folder, const struct binding *b,
    struct arena *a, struct err *e);
/*
 * Who the sender and the recipients of a message are in the mailbox root: the
 * members resolved_sender, resolved_to and resolved_cc.  NULL: it is no message
 * to somebody, or the transport has no root.
 */
int prompt_check_people(const struct prompt_ask *q, struct arena *a,
    struct json **out, struct err *e);
/* Are both skills in the home? */
bool prompt_check_skills(const struct manifest *m, const char *below,
    struct arena *a);

#endif
