/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_REMOTE_REMOTE_H
#define DOOR_REMOTE_REMOTE_H

/*
 * The broker's client: it has neither key nor store, and knows no operation.
 * It opens the files that arguments name with its own rights.
 */
#include "door/far.h"

extern const struct far remote_far;
/*
 * Asks the broker at that socket (empty: the default one) about itself: JSON,
 * in the arena.  ERR_NETWORK, ERR_CONFIG; ERR_POLICY: the caller is neither
 * root nor the broker's user.
 */
int remote_status(struct str socket, struct arena *a, struct str *json,
    struct err *e);

#endif
