/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_REMATCH_H
#define STORE_REMATCH_H

/*
 * Recognizes messages after a server renumbers a folder: an acked message is
 * kept as a fingerprint of its Message-ID, sender and date, which a new number
 * does not change.  Sender and date are included so that nobody can get another
 * person's message treated as acked by sending its Message-ID first.
 */
#include "store/store.h"

#define STORE_PRINT 16

struct store_mark {
	unsigned char print[STORE_PRINT];
	uint32_t uid; /* 0: not found at the last renumbering */
	bool acked;   /* by the agent; else at the floor */
};

/* False if it has no Message-ID: then it cannot be recognized. */
bool store_rematch_print(struct str message_id, struct str from, int64_t date_s,
    unsigned char out[STORE_PRINT]);
/* store_seen_ack(), and remembers these (at most n of the same uids). */
int store_rematch_ack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, const struct store_mark *marks,
    size_t marked, struct err *e);
/* Remembers what is at the floor of a folder that is new to us. */
int store_rematch_floor(struct store *s, const struct store_folder *f,
    const struct store_mark *marks, size_t n, struct err *e);
/*
 * Everything remembered, ascending by fingerprint; *acks: how many acked uids
 * above the floor have no fingerprint.
 */
int store_rematch_known(struct store *s, struct arena *a,
    const struct store_folder *f, struct store_mark **out, size_t *n,
    size_t *acks, struct err *e);

/* The new state of a folder under f->uidvalidity. */
struct store_rematch {
	uint32_t was;                   /* the uidvalidity before */
	uint32_t floor;                 /* the new one */
	const struct store_mark *found; /* with their new uids */
	size_t n;
};

/*
 * Replaces the folder's previous state, in one transaction; *done is false, and
 * nothing is written, if another process was first.
 */
int store_rematch_apply(struct store *s, const struct store_folder *f,
    const struct store_rematch *r, bool *done, struct err *e);

#endif
