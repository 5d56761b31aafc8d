/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_JMAP_PUT_H
#define BACKEND_JMAP_PUT_H

/* Messages go into folders and are sent. */
#include "backend/jmap/internal.h"

/* -- put.c: messages into folders ------------------------------------------ */

enum jmap_mark {
	JMAP_READ,
	JMAP_DRAFT,
	JMAP_PASSING, /* a draft, until it is sent */
};

struct jmap_put {
	struct str id, thread;
	bool existed; /* these bytes were already in the account */
};

/* Uploads and imports.  0, -1, JMAP_STALE. */
int jmap_put(struct jmap *j, struct arena *a, const struct jmap_box *box,
    struct str message, enum jmap_mark mark, struct jmap_put *out,
    struct err *e);
int jmap_put_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e);
int jmap_put_drafts(struct conn *c, struct arena *a, struct str *folder,
    struct err *e);
int jmap_put_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e);

/* -- submit.c: the only way anything leaves -------------------------------- */

int jmap_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e);

/* -- submitted.c: what became of a submission, RFC 8621 section 7 ---------- */

/*
 * Asks once, and writes what the server says into s->to; what it does not say
 * stays.  ERR_REJECTED: the server cancelled it, and nothing was sent.
 */
int jmap_submitted(struct jmap *j, struct arena *a, struct str id,
    struct submission *s, struct err *e);

#endif
