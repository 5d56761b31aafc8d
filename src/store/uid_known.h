/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_UID_KNOWN_H
#define STORE_UID_KNOWN_H

/* Numbers that were already given. */
#include "store/internal.h"

/* How long a missing message keeps its number, in seconds. */
#define UID_KEEP_S 3600

/*
 * uid_known.c. The numbering of a folder without its messages: 1, or 0 if the
 * folder is new.  *same: that listing was the last one numbered.
 */
int uid_known_folder(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, bool *same, struct err *e);

#endif
