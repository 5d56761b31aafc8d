#ifndef STORE_REMATCH_H
#define STORE_REMATCH_H

/*
 * Knowing messages again when a server numbers a folder again: what was acked
 * is kept by a print of its Message-ID, sender and date, which a new number
 * does not change.  Sender and date are in it so that nobody can have another's
 * message taken for one that was dealt with by sending its Message-ID first.
 */
#include "store/store.h"

#define STORE_PRINT 16

struct store_mark {
	unsigned char print[STORE_PRINT];
	uint32_t uid; /* 0: was not found at the last renumbering */
	bool acked;   /* by the agent; else it lay at the floor */
};

/* False when it has no Message-ID: then it cannot be known again. */
bool store_rematch_print(struct str message_id, struct str from, int64_t date_s,
    unsigned char out[STORE_PRINT]);
/* store_seen_ack(), and remembers these (at most n of the same uids). */
int store_rematch_ack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, const struct store_mark *marks,
    size_t marked, struct err *e);
/* Remembers what is at the floor of a folder that was just met. */
int store_rematch_floor(struct store *s, const struct store_folder *f,
    const struct store_mark *marks, size_t n, struct err *e);
/* All that is remembered, ascending by print; *acks: how many uids are acked
 * above the floor without a print to know them by. */
int store_rematch_known(struct store *s, struct arena *a,
    const struct store_folder *f, struct store_mark **out, size_t *n,
    size_t *acks, struct err *e);

/* What a folder becomes under f->uidvalidity. */
struct store_rematch {
	uint32_t was;                   /* the uidvalidity before */
	uint32_t floor;                 /* the new one */
	const struct store_mark *found; /* with their new uids */
	size_t n;
};

/*
 * Puts it in the place of the folder's state of before, in one transaction;
 * *done false when somebody else was quicker, and nothing was written.
 */
int store_rematch_apply(struct store *s, const struct store_folder *f,
    const struct store_rematch *r, bool *done, struct err *e);

#endif
