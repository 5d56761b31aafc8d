/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_USER_H
#define BASE_USER_H

/* Another user, whom a process of root's becomes. */
#include <pwd.h>

#include "base/err.h"

/*
 * For good: its groups first, then its numbers, the saved ones too.  Without
 * pw_name it has no other groups than pw_gid.  HOME becomes pw_dir, unless that
 * is NULL.  ERR_CONFIG: the kernel refuses; the process may then have lost its
 * groups.
 */
int user_become(const struct passwd *pw, struct err *e);

#endif
