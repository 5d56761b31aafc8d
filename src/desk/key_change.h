/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_KEY_CHANGE_H
#define DESK_KEY_CHANGE_H

#include "gate/gate.h"

/*
 * After a change of keys: says so if the database's log still has data that the
 * old key opens.
 */
void key_change_note_log(struct call *c);
/*
 * Says so if a copy that was kept before a migration still opens with the old
 * key.  It stays: whether it is needed, the operator knows.
 */
void key_change_note_kept(struct call *c);

#endif
