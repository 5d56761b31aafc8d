/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_WHOLE_H
#define STORE_WHOLE_H

/*
 * For making several things as all or nothing: a store that is made beside its
 * place and then moved there, and changes that become one transaction.
 */
#include "store/store.h"

/* A store being made: CLEANUP(store_whole_drop) struct store_whole w. */
struct store_whole {
	char *path;  /* its final place */
	char *draft; /* where it is made, in the same folder */
};

/*
 * Creates the folder and names the draft, which store_init() and store_open()
 * then create and fill.  ERR_CONFIG.
 */
int store_whole_begin(const char *path, struct store_whole *w, struct err *e);
/*
 * Moves the draft, which nobody has open, to its place.  ERR_CONFIG if another
 * process made a store there meanwhile.
 */
int store_whole_publish(struct store_whole *w, struct err *e);
/* Removes a draft that was not published. */
void store_whole_drop(struct store_whole *w);

/*
 * 1: there is a file at the path, 0: nothing.  ERR_CONFIG if it is not a file.
 */
int store_whole_there(const char *path, struct err *e);

/*
 * Runs fn in one transaction; if it fails, the store is unchanged.  fn may call
 * every function of store.h that changes the store.
 */
int store_whole_change(struct store *s,
    int (*fn)(struct store *s, void *ctx, struct err *e), void *ctx,
    struct err *e);

#endif
