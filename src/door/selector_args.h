/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SELECTOR_ARGS_H
#define DOOR_SELECTOR_ARGS_H

/* A model's arguments, including the mailbox. */
#include "door/given.h"
#include "door/selector.h"

/*
 * To texts by name, like given_read(); the named mailbox, or the only one,
 * becomes the account.  If `ours` (struct given_own's `is`) leaves the account
 * to the caller, it may be named too, but not both.  ERR_USAGE with what to
 * correct, in full in *say; ERR_CONFIG if there is no mailbox.
 */
int selector_args_read(const struct selector *s, const struct op *op,
    const struct json_value *given, bool (*ours)(const struct arg_spec *s),
    struct arena *a, struct args *out, struct str *say, struct err *e);
/* Gives a refusal its full text, however many mailboxes it names. */
void selector_args_tell(struct reply *r, struct str say);

#endif
