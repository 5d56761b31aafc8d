/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_UNDO_PLAN_H
#define GATE_UNDO_PLAN_H

/* What is to be put back, given a row of the journal and what is there now. */
#include "gate/journal.h"
#include "gate/undo.h"

enum undo_fate {
	UNDO_BACK,    /* to be put back */
	UNDO_PART,    /* the rest of it was changed since */
	UNDO_NOTHING, /* the change had done nothing to it */
	UNDO_CHANGED, /* somebody has changed all of it since */
	UNDO_MOVED,   /* it is in another folder */
	UNDO_COPIED,  /* an earlier undo has left it in both folders */
	UNDO_GONE,    /* it is nowhere that was looked at */
	UNDO_FOLDER_GONE,
	UNDO_FAILED, /* the server did not do it */
	UNDO_BEGUN,  /* another call is changing it */
	UNDO_FATES
};

/* undo_plan.c.  "moved"; NULL for one that is put back whole. */
const char *undo_plan_word(enum undo_fate fate);
/*
 * Flags and labels of a message: what of the change is still as it left them,
 * the other way round.
 */
enum undo_fate undo_plan_mark(struct arena *a, const struct store_journal *of,
    const struct store_journal_message *v, unsigned flags,
    const struct strs *labels, struct flag_change *out);
/* The row of an undo, still without messages. */
void undo_plan_row(const struct store_journal *of, struct store_journal *out);
/* What a row of an undo asks for this message. */
void undo_plan_wanted(struct arena *a, const struct store_journal *row,
    const struct store_journal_message *v, struct flag_change *out);
/* Leaves all of the row's but `change` as it is in this message. */
void undo_plan_keep(struct arena *a, const struct store_journal *row,
    const struct flag_change *change, struct store_journal_message *v);
bool undo_plan_same(const struct flag_change *x, const struct flag_change *y);

/* One message of the change, and where it is now. */
struct undo_item {
	size_t at; /* its place in the change */
	enum undo_fate fate;
	bool found;
	struct ref ref;
	unsigned flags;
	struct strs labels, places;
	struct str subject;
	struct flag_change change; /* of a mark */
};

struct undo {
	struct mailbox *m;
	struct store_journal of;
	struct undo_item *v;
	size_t n;
	size_t before;
	uint32_t uidvalidity; /* of the folder where they are */
};

/* undo_find.c.  Where the messages are; the fate of those that are not where
 * the change left them. */
int undo_find(struct undo *u, struct err *e);
/* undo_where.c.  Of those not found: moved, or gone? */
int undo_where(struct undo *u, struct err *e);
/* undo_judge.c.  A row of a folder, read once, whatever it is compared with. */
struct undo_row {
	const struct row *row;
	struct mail mail;
	bool seen; /* without its signatures */
	unsigned char digest[STORE_JOURNAL_DIGEST];
};
void undo_judge_read(struct undo *u, struct arena *a, const struct row *row,
    struct undo_row *out);
bool undo_judge_is(const struct undo_row *r,
    const struct store_journal_message *v);
/* May the caller see it?  The operator sees all.  1, 0, -1. */
int undo_judge_sees(struct undo *u, struct arena *a, struct str folder,
    struct undo_row *r, struct err *e);
/* All of that: is it this message, and may the caller see it?  1, 0, -1. */
int undo_judge(struct undo *u, struct arena *a, struct str folder,
    const struct row *row, const struct store_journal_message *v,
    struct err *e);
/* undo_run.c.  Writes down what is to be put back, and does it.  row->id is 0
 * if it could not be written. */
int undo_run(struct undo *u, struct store_journal *row, struct err *e);
/* undo.c.  One change, whoever made it: the mailbox is open. */
int undo_one(struct mailbox *m, const struct store_journal *of, bool dry,
    struct undone *out, struct err *e);
/* Of one that is not over: nothing was put back. */
void undo_tell_begun(struct arena *a, const struct store_journal *of,
    struct undone *out);

#endif
