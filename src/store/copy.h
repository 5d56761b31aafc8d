/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_COPY_H
#define STORE_COPY_H

/*
 * Copies of a whole store.  What is sealed in it stays sealed: a copy opens
 * with the keys that opened the store when it was made.
 */
#include "store/store.h"

/*
 * Writes the store as it is at one moment into a new file, mode 0600: all of it
 * or nothing, and on disk when it returns.  Others may write to the store
 * meanwhile.  Only its pages are read, so a copy is as sound as the store is.
 * ERR_USAGE: something has that name, or a name that SQLite would take for a
 * part of the copy, or the copy would be a part of another file; ERR_CONFIG: it
 * cannot be made there.
 */
int store_copy_make(struct store *s, const char *to,
    void (*progress)(uint64_t done, uint64_t all), uint64_t *bytes,
    struct err *e);
/*
 * The copies that are kept beside the store of what it was before migrations
 * and restores, by their paths: no key of today may open them.
 * store/copy_before.c
 */
void store_copy_before_kept(struct store *s, struct arena *a, struct strs *out);

#endif
