#ifndef DOOR_SELECTOR_ARGS_H
#define DOOR_SELECTOR_ARGS_H

/* A model's arguments, and the mailbox among them. */
#include "door/given.h"
#include "door/selector.h"

/*
 * To texts by name, as given_read() does; the mailbox that is named, or the
 * only one, becomes the account.  Where `ours` (struct given_own's `is`) leaves
 * it to the caller, the account may be named as well, but not both.  ERR_USAGE
 * with what to mend, in full in *say; ERR_CONFIG when there is no mailbox.
 */
int selector_args_read(const struct selector *s, const struct op *op,
    const struct json_value *given, bool (*ours)(const struct arg_spec *s),
    struct arena *a, struct args *out, struct str *say, struct err *e);
/* Has a refusal for that say all of it, however many mailboxes it names. */
void selector_args_tell(struct reply *r, struct str say);

#endif
