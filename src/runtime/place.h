/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

/*
 * The runtime root, and folders below it: 0700, owned by the user, and opened
 * without following links.
 */
#include "base/err.h"
#include "base/str.h"

struct place {
	struct str root; /* absolute, without links */
	int fd;          /* its descriptor, or -1 */
};

/*
 * Opens the root: the given one, else HOUMAO_GLOBAL_RUNTIME_DIR, else
 * houmao/runtime in the user's folder of settings.  1: it does not exist, and
 * `make` is not set.  ERR_CONFIG: there is no path for it, or others may write
 * to it.  Call place_close() in any case.
 */
int place_open(struct place *p, struct str given, bool make, struct arena *a,
    struct err *e);
/* For CLEANUP(place_close). */
void place_close(struct place *p);

/*
 * Opens the folder with that name (without "/") in an open folder.  Creates a
 * missing one if `make` is set; others must not be able to write to it.  A
 * descriptor, or -1 with ERR_NOT_FOUND or ERR_CONFIG.
 */
int place_folder(int at, const char *name, bool make, struct err *e);
/* Is it a valid name for a home or a session?  Without "/", and not hidden. */
#define PLACE_NAME_MAX 100
bool place_is_name(struct str s);
/*
 * Creates one, unless that name exists; with `sync` it is synced when this
 * returns.  -1 with errno.
 */
int place_make(int at, const char *name, bool sync);
/* Waits for the folder's lock, which ends with the descriptor.  ERR_LIMIT. */
int place_lock(int folder, struct err *e);

/*
 * place_sweep.c: names of incomplete or half-removed entries.  The holder of
 * the folder's lock may remove all of them.
 */
#define PLACE_BUILD ".build-"
#define PLACE_REMOVE ".remove-"
/* Removes all entries with such names, at any depth.  ERR_CONFIG. */
int place_sweep(int folder, struct arena *a, struct err *e);

#endif
