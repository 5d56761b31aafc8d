/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MBOX_INTERNAL_H
#define BACKEND_MBOX_INTERNAL_H

/*
 * Shared by the files of this backend.  Magnitudes: files of 10^10 bytes, 300
 * files per archive, 10^5 to 10^6 messages; an index of 400 bytes per message.
 */
#include <sys/stat.h>

#include "backend/internal.h"
#include "backend/mbox/index.h"
#include "backend/mbox/split.h"
#include "base/buf.h"
#include "base/limits.h"

struct mbox;

/* A return value beside 0 and -1: the archive differs from the index. */
#define MBOX_STALE (-2)

/* -- refresh.c: is what we know still so? ---------------------------------- */

/* Makes m->index the index of the archive as it is now. */
int mbox_refresh(struct mbox *m, struct err *e);
/* The archive differs from its index: builds it again, once. */
int mbox_refresh_again(struct mbox *m, struct err *e);

/* -- mbox.c -------------------------------------------------------------- */

/* A connection. */
struct mbox {
	struct conn conn;
	char *path;
	int dir;         /* the archive if it is a folder, else -1 */
	int cache;       /* the folder of emcli's files, or -1 */
	const char *key; /* prefix of emcli's file names */
	struct mbox_index index;
	bool ready;    /* this connection has checked the index */
	bool rebuilt;  /* this connection has built it again */
	int fd;        /* the file read last, or -1 */
	uint32_t file; /* its index in the table */
};

/* The text for backend_in_time(). */
#define MBOX_LATE "reading the archive took too long"

/* -- folder.c ------------------------------------------------------------ */

/* ERR_NOT_FOUND except for INBOX; then makes sure there is an index. */
int mbox_folder(struct mbox *m, struct str folder, struct err *e);

/* -- read.c -------------------------------------------------------------- */

int mbox_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int mbox_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);
void mbox_read_state(const struct mbox *m, struct folder_state *st);
/*
 * These return MBOX_STALE if the archive differs from the index.  First the
 * bytes of the header.
 */
int mbox_read_head(struct mbox *m, const struct mbox_row *r, struct arena *a,
    struct str *out, struct err *e);
/* At most max bytes of the message, without quoting. */
int mbox_read_first(struct mbox *m, const struct mbox_row *r, size_t max,
    struct arena *a, struct str *out, struct err *e);
/* Adds a row; head is the header. */
int mbox_read_row(struct mbox *m, const struct mbox_row *r, uint32_t uid,
    struct str head, struct arena *a, struct rows *out, struct err *e);

/* -- links.c ------------------------------------------------------------- */

int mbox_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e);

/* -- find.c -------------------------------------------------------------- */

int mbox_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);

#endif
