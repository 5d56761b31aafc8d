/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SETTING_KEPT_H
#define STORE_SETTING_KEPT_H

/*
 * The settings, read by one statement for all that a call asks for.  They are
 * kept for a second at the most, and never longer than to the next transaction,
 * the end of this one, or the end of the call: a decision under the lock is by
 * settings that were read under it, and a call's by none of the one before.
 */
#include "store/internal.h"

enum {
	SETTING_KEPT_MS = 1000,
	SETTING_KEPT_MOST = 100,   /* settings; others are asked one by one, */
	SETTING_KEPT_BYTES = 4000, /* and longer ones */
	SETTING_KEPT_NOT = 2       /* from setting_kept_find() */
};

/* From now on, or no more.  Nobody writes settings by this handle meanwhile. */
void setting_kept_on(struct store *s, bool on);
/* Forgets what was read. */
void setting_kept_drop(struct store *s);
/*
 * 1 and the value, borrowed; 0 if not set; SETTING_KEPT_NOT: it is to be asked
 * by itself; -1.
 */
int setting_kept_find(struct store *s, struct str key, struct str *out,
    struct err *e);

#endif
