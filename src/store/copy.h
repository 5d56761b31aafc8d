#ifndef STORE_COPY_H
#define STORE_COPY_H

/*
 * Copies of a whole store.  What is sealed in it stays sealed: a copy opens
 * with the keys that open the store.
 */
#include "store/store.h"

/*
 * Writes the store as it is at one moment into a new file, mode 0600, all of it
 * or nothing; others may write to the store meanwhile.  ERR_USAGE: there is
 * something by that name; ERR_CONFIG: it cannot be written.
 */
int store_copy_make(struct store *s, const char *to, uint64_t *bytes,
    struct err *e);

/* A restore: what was checked, and what became of the store before. */
struct store_restored {
	struct str before; /* where that is now; empty: there was none */
	struct str taken;  /* when the copy's newest audit row was written, or
			      empty */
};
/*
 * Puts a copy in the store's place.  It must open with the operator's key, and
 * be as emcli wrote it.  Every agent in it is stopped: it says again what was
 * so when it was made, and agents, grants and rules may have been taken away
 * since.  `done` changes it further, as the operator, before anybody else can
 * see it.  Processes that have the store open find the copy in it.  ERR_CONFIG,
 * ERR_DB: nothing was changed.  store/restore.c
 */
struct store_restore {
	const char *path; /* the store's */
	const char *from; /* the copy's; it is only read */
	const struct store_keys *keys;
	int (*done)(struct store *s, void *ctx, struct err *e);
	void *ctx;
};
int store_restore(const struct store_restore *r, struct arena *a,
    struct store_restored *out, struct err *e);

#endif
