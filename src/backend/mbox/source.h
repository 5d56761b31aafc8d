/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MBOX_SOURCE_H
#define BACKEND_MBOX_SOURCE_H

/* The files of an archive, and emcli's own beside them. */
#include "backend/mbox/internal.h"

/* -- source.c: the files of an archive ------------------------------------ */

struct mbox_source {
	struct str name; /* in the folder; empty: the path itself */
	uint64_t disk_n;
	int64_t mtime_ns;
};

struct mbox_sources {
	struct mbox_source *v;
	size_t n;
};

int mbox_source_list(struct mbox *m, struct arena *a, struct mbox_sources *out,
    struct err *e);
int64_t mbox_source_mtime(const struct stat *st);
/* Opens one for reading only: 1, or 0 if it is gone. */
int mbox_source_open(struct mbox *m, struct str name, int *fd, struct err *e);

/* -- cache.c: our own files ----------------------------------------------- */

/*
 * Opens the folder of emcli's files, creating it if necessary; -1 if there is
 * none.
 */
int mbox_cache_open(struct mbox *m, struct err *e);
/* Creates a file without a name, and gives it one. */
int mbox_cache_make(struct mbox *m, int *fd, struct err *e);
int mbox_cache_name(struct mbox *m, int fd, const char *name, struct err *e);
/* The names of emcli's files: of the index, and of an unpacked source. */
struct str mbox_cache_index(struct mbox *m, struct arena *a);
struct str mbox_cache_raw(struct mbox *m, struct arena *a, struct str name);
/* Waits for another process that builds the index; closing releases it. */
int mbox_cache_lock(struct mbox *m, int *fd, struct err *e);
/*
 * The numbering survives a lost index: it stays the same as long as the chain
 * over the first `n` messages does.  False if nothing is known.
 */
struct mbox_number {
	uint32_t uidvalidity;
	uint64_t n, chain;
};
bool mbox_cache_number(struct mbox *m, struct mbox_number *out);
int mbox_cache_number_keep(struct mbox *m, const struct mbox_number *n,
    struct err *e);

/* -- unpack.c -------------------------------------------------------------- */

enum mbox_pack {
	MBOX_PLAIN,
	MBOX_GZIP,
	MBOX_XZ,
	MBOX_BZIP2, /* recognized, not read */
};

enum mbox_pack mbox_unpack_sniff(int fd);
/*
 * Unpacks at most LIMIT_MBOX bytes into `out`.  *whole is false if the data is
 * truncated.
 */
int mbox_unpack(struct mbox *m, enum mbox_pack how, int in, int out,
    bool *whole, struct err *e);

#endif
