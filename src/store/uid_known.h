#ifndef STORE_UID_KNOWN_H
#define STORE_UID_KNOWN_H

/* Numbers that were given already. */
#include "store/internal.h"

/*
 * uid_known.c.  How a folder is numbered, but for its messages: 1, or 0 when it
 * was not met.  *same: it was that listing which was numbered last.
 */
int uid_known_folder(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, bool *same, struct err *e);

#endif
