#ifndef STORE_WHOLE_H
#define STORE_WHOLE_H

/*
 * For who makes several things at once and wants all of them or none: a store
 * that is made beside its place and then put there, and changes that become
 * one.
 */
#include "store/store.h"

/* A store in the making: CLEANUP(store_whole_drop) struct store_whole w. */
struct store_whole {
	char *path;  /* where it is to be */
	char *draft; /* where it is made: in the same folder */
};

/*
 * Makes the folder and names the draft, which store_init() and store_open()
 * then make and fill.  ERR_CONFIG.
 */
int store_whole_begin(const char *path, struct store_whole *w, struct err *e);
/*
 * Puts the draft, which nobody has open, in its place.  ERR_CONFIG when
 * somebody else has made a store there since.
 */
int store_whole_publish(struct store_whole *w, struct err *e);
/* What is left of a draft that was not published goes. */
void store_whole_drop(struct store_whole *w);

/* 1: there is a file at the path, 0: nothing.  ERR_CONFIG when it is none. */
int store_whole_there(const char *path, struct err *e);

/*
 * Runs fn in one transaction: when it fails, nothing it did to the store has
 * happened.  Every function of store.h that changes the store may be called
 * from it.
 */
int store_whole_change(struct store *s,
    int (*fn)(struct store *s, void *ctx, struct err *e), void *ctx,
    struct err *e);

#endif
