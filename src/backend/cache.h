/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_CACHE_H
#define BACKEND_CACHE_H

#include "backend/backend.h"

/*
 * A folder in cache_dir with an account's prefix, made if it is missing: the
 * cache_dir of a process that may use no other account's files.  Empty: there
 * is none.  backend_cache_forget() deletes it, too.
 */
struct str backend_cache_apart(struct arena *a, const struct backend *be,
    const struct backend_account *acct);

#endif
