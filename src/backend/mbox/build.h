/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MBOX_BUILD_H
#define BACKEND_MBOX_BUILD_H

/* An index is made, extended, and compared with the archive. */
#include "backend/mbox/source.h"

/* -- extract.c: a message's texts ------------------------------------------ */

/* Fills the row except its storage fields; its texts are added to *text. */
void mbox_extract_row(struct arena *a, const struct mbox_part *p,
    struct mbox_row *row, struct buf *text);

/* -- build.c: making and extending an index -------------------------------- */

#define MBOX_CHUNK (256 << 10)      /* bytes read at once */
#define MBOX_TEXTS_FULL (256 << 10) /* texts buffered before a write */

/* An index being built. */
struct mbox_build {
	struct mbox *m;
	struct arena *a, *scratch;
	unsigned used; /* messages on scratch */
	int out;
	struct buf text;  /* not written yet, */
	uint64_t text_at; /* and its position in the file */
	struct mbox_row *row;
	uint64_t n, room;
	struct mbox_file *file;
	size_t files;
	uint64_t chain;
	struct mbox_number was;
	bool known, differs; /* is there a number, and is it different? */
	uint64_t done, all;
	bool late;
	/* The file being read. */
	int fd;
	uint64_t size, place; /* index plus one of its unfinished message */
	bool stale;
	char *chunk;
};

/* build_put.c: writes after the header of the new file, at a position. */
int mbox_build_put(struct mbox_build *b, const void *p, size_t n, uint64_t at,
    struct err *e);
/* Writes the buffered texts. */
int mbox_build_put_texts(struct mbox_build *b, struct err *e);
/* Fails with the reason in errno. */
int mbox_build_put_failed(struct err *e);

/*
 * Builds on `old`, or from nothing: m->index.  MBOX_STALE: `old` is not valid.
 */
int mbox_build_index(struct mbox *m, const struct mbox_sources *src,
    const struct mbox_index *old, struct err *e);

/* -- scan.c: one file of it ---------------------------------------------- */

/*
 * Reads the last file of the table, open as b->fd, from where it was left.
 * Sets late if time ran out, and stale if the known data of the file cannot be
 * used.
 */
int mbox_scan_file(struct mbox_build *b, struct err *e);

/* -- state.c: how a file is, by what was known of it --------------------- */

enum mbox_state {
	MBOX_SAME,
	MBOX_GROWN,
	MBOX_CHANGED,
};
/* Compares a file with its known state; s is NULL if it is gone. */
enum mbox_state mbox_state_of(struct mbox *m, const struct mbox_file *f,
    const struct mbox_source *s);
/* The source with that name, or NULL; *at is where to look first. */
const struct mbox_source *mbox_state_source(const struct mbox_sources *src,
    const struct mbox_file *f, size_t *at);
/* The block before `size` as a number; false if it cannot be read. */
bool mbox_state_tail(int fd, uint64_t size, uint64_t *out);
bool mbox_state_is_still(int64_t mtime_ns);

#endif
