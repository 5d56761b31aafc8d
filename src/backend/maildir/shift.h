/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MAILDIR_SHIFT_H
#define BACKEND_MAILDIR_SHIFT_H

/*
 * Files get other names, one rename(2) for each: whenever the process ends, a
 * message is there once.  Other programs do the same meanwhile.
 */
#include <limits.h>

#include "backend/maildir/internal.h"

/* How often a message is looked for again that was renamed meanwhile. */
#define MAILDIR_SHIFTS 8

/* shift.c */
/* The file of a message that can be read: 1; 0: there is none; -1. */
int maildir_shift_find(struct maildir *m, struct str id,
    struct maildir_file *out, struct err *e);
/* All of them; ERR_NOT_FOUND. */
int maildir_shift_all(struct maildir *m, const struct refs *refs,
    struct err *e);
/*
 * Renames a file of the index into the half `to` of a folder; never over
 * another.  1; 0: it is no longer there; or -1 with errno.
 */
int maildir_shift(const struct maildir *m, const struct maildir_file *f, int to,
    const char *name);
/* An error of that errno; -1. */
int maildir_shift_failed(struct err *e, int why);
int maildir_shift_absent(struct err *e);
int maildir_shift_restless(struct err *e);
/* On disk, as far as the file system tells; the index is read again. */
void maildir_shift_end(struct maildir *m);

/* mark.c, move.c */
int maildir_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);
int maildir_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e);

#endif
