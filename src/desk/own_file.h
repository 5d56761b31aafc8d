/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_OWN_FILE_H
#define DESK_OWN_FILE_H

/*
 * Files whose whole text is emcli's, in places where somebody may have changed
 * them: a changed one is overwritten only by whoever says so.
 */
#include "base/err.h"
#include "base/str.h"

struct own_file {
	const char *path;
	struct str text;
	bool force; /* overwrite a changed one, too */
	bool mine;  /* for its owner alone */
};

/*
 * 1: it is there with that text; 0: it is missing, or may be overwritten.
 * ERR_CONFIG: it was changed, or cannot be read.
 */
int own_file_is_there(const struct own_file *f, struct arena *a, struct err *e);
/*
 * Puts it there, readable by all unless `mine`, in a folder that exists: a
 * reader finds the old or the new one.  1: it was written; 0: it was there.
 * ERR_CONFIG.
 */
int own_file_put(const struct own_file *f, struct arena *a, struct err *e);
/* ERR_CONFIG with the reason in errno; returns -1. */
int own_file_fail(struct err *e, const char *what, const char *path);

#endif
