#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

/*
 * The runtime root, and folders below it: 0700, the user's own, and reached
 * through no link.
 */
#include "base/err.h"
#include "base/str.h"

struct place {
	struct str root; /* absolute, with no link on the way */
	int fd;          /* of it, or -1 */
};

/*
 * Opens the root: the one given, else HOUMAO_GLOBAL_RUNTIME_DIR, else
 * houmao/runtime in the user's folder of settings.  1: there is none, and
 * `make` did not ask for one.  ERR_CONFIG: no place for it, or others may write
 * to it.  place_close() follows in any case.
 */
int place_open(struct place *p, struct str given, bool make, struct arena *a,
    struct err *e);
/* For CLEANUP(place_close). */
void place_close(struct place *p);

/*
 * Opens the folder of that name, one without a "/", in an open folder.  It is
 * made when it is missing and `make` asks for it, and others may not write to
 * it.  A descriptor, or -1 with ERR_NOT_FOUND or ERR_CONFIG.
 */
int place_folder(int at, const char *name, bool make, struct err *e);
/* Is it a name for a home or a session?  No "/" is in it, and it is not hidden.
 */
#define PLACE_NAME_MAX 100
bool place_is_name(struct str s);
/* Makes one, unless there is something of that name; with `sync` it is on disk
 * when it returns.  -1 with errno. */
int place_make(int at, const char *name, bool sync);
/* Waits for the folder's lock, which ends with the descriptor.  ERR_LIMIT. */
int place_lock(int folder, struct err *e);

/*
 * place_sweep.c: the names of what is not whole yet, or not any more.  Who
 * holds the folder's lock may take all of them away.
 */
#define PLACE_BUILD ".build-"
#define PLACE_REMOVE ".remove-"
/* Takes away all that has such a name, however deep it is.  ERR_CONFIG. */
int place_sweep(int folder, struct arena *a, struct err *e);

#endif
