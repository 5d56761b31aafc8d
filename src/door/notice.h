/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_NOTICE_H
#define DOOR_NOTICE_H

/*
 * Notices to the operator (gate/notice.h), given by a process of its own:
 * nobody waits for it, and it does not end with whoever made the call.
 */
#include "base/env.h"

/* For notice_by(): begins that process. */
void notice_apart(const struct env *env);

#endif
