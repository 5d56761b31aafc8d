/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_HEAR_H
#define BACKEND_HEAR_H

/* Folders of this machine in which something changes, for `watch`. */
#include <stdint.h>

#include "backend/watch.h"

struct backend_hear_folder {
	int fd;        /* an open folder; -1: there is none */
	uint32_t mask; /* of inotify(7) */
};

/* Does that event end the wait? */
typedef bool backend_hear_counts(uint32_t mask, struct str name);

/*
 * As `watch`, in those folders; counts: NULL: every event does.
 * ERR_UNSUPPORTED: the system tells of no changes in one of them.
 */
int backend_hear(const struct backend_hear_folder *v, size_t n,
    backend_hear_counts *counts, const struct backend_watch *w, bool *changed,
    struct err *e);

#endif
