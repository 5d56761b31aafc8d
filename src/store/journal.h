/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H

/*
 * Changes of mail that stays: flags, labels, folders.  A row with everything
 * that undoing it needs is committed before the first command is sent:
 *
 *   (new) -> begun -> done | partly | failed
 *   done | partly <-> undone
 *
 * An undo is a change with a row of its own, which names the change that it
 * takes back.  Messages are taken back one by one: a row is undone when all
 * that it changed was.  An undo that is taken back puts its change into effect
 * again.
 *
 * Whoever makes the change holds a lock on a byte of a file beside the database
 * (outbox_lock.c).  A row that is begun and not locked was left by a process
 * that has died: the next call that changes mail of the account, or asks for
 * changes, looks at the server and settles it (gate/journal_settle.c).
 *
 * A server without MOVE copies first.  When it has confirmed all copies, the
 * row gets their names, and is still begun: whoever finds it then knows what is
 * left to do.  Only a call that changes mail settles that one.
 */
#include "store/store.h"

enum store_journal_state {
	STORE_JOURNAL_BEGUN,
	STORE_JOURNAL_DONE,
	STORE_JOURNAL_PARTLY,
	STORE_JOURNAL_FAILED,
	STORE_JOURNAL_UNDONE,
	STORE_JOURNAL_STATES
};

#define STORE_JOURNAL_DIGEST 16

struct store_journal_message {
	uint32_t uid;          /* what the store calls it, with uids */
	struct str id;         /* and without */
	struct str folder;     /* where the row names none */
	struct str message_id; /* with angle brackets, or empty */
	unsigned char digest[STORE_JOURNAL_DIGEST]; /* of its header */
	unsigned flags;                             /* before */
	struct strs labels;
	struct strs places; /* before; the store's ids; empty: not known */
	uint32_t new_uid;   /* of a moved one, in the target; 0, and */
	struct str new_id;  /* empty: not known */
	bool done;
	bool undone; /* taken back */
	/* Of an undo: its place in the change that is taken back; and what of
	 * the row's flags and labels is left as it is in this message. */
	uint32_t origin;
	unsigned kept;
	struct strs kept_labels;
};

/* Not moved, but the target has a message with the same header. */
static inline bool
store_journal_is_copied(const struct store_journal_message *v)
{
	return !v->done && (v->new_uid != 0 || v->new_id.n > 0);
}

struct store_journal {
	int64_t id, account, audit;
	int64_t undoes;       /* the change that this one takes back; 0: none */
	struct str principal; /* "operator": no freeze stops it */
	bool move;            /* otherwise flags and labels are changed */
	struct str folder;    /* empty: each message names its own */
	struct str target;    /* of an undo empty: the same */
	uint32_t uidvalidity, target_uidvalidity;
	unsigned set, clear;
	struct strs add, drop;
	enum store_journal_state state;
	int64_t created_s, changed_s;
	/* The held row of the outbox that it releases, and its digest; 0. */
	int64_t approval;
	struct str approved;
	struct store_journal_message *v;
	size_t n; /* of a list: how many there are, and v is NULL */
	size_t done, copied, undone;
	int64_t behind; /* store_journal_begin() */
};

/* Begun, and its copies are known: store_journal_settle_copied(). */
static inline bool
store_journal_has_copies(const struct store_journal *row)
{
	bool all = row->state == STORE_JOURNAL_BEGUN && row->move &&
	    row->target.n > 0 && row->target_uidvalidity != 0 && row->n > 0;

	for (size_t i = 0; i < row->n && all; i++)
		all = row->v[i].new_uid != 0;
	return all;
}

/*
 * Writes the row and takes its lock.  ERR_LIMIT: this agent, and others of its
 * user, would change more than `most` messages in 24 hours (0: no limit).
 * ERR_POLICY ("frozen").  With `approval`: ERR_NOT_FOUND if that does not wait
 * any more; otherwise it is taken in the same transaction.  Sets row->id.  The
 * handle holds the lock until the row is settled or left.  ERR_LIMIT and
 * row->behind: that row is about some of these messages too, and its process
 * lives.  ERR_LIMIT also if such a row has copies, and is not finished; and for
 * an undo of what is being undone, or was.
 * store/journal_begin.c
 */
int store_journal_begin(struct store *s, struct store_journal *row,
    uint32_t most, struct err *e);
/*
 * BEGUN to what was found, with each message's result; with an undo, the rows
 * that it takes back (store/journal_undo.c).  Always releases the lock of this
 * row.  A row that another process has settled stays as it is.
 * store/journal_settle.c
 */
int store_journal_settle(struct store *s, const struct store_journal *row,
    enum store_journal_state to, struct err *e);
/*
 * The server has confirmed a copy of each message, and every original is still
 * there: the row, which is begun, gets new_uid and new_id of all, and
 * target_uidvalidity.  On disk when it returns, like the row itself.
 * store/journal_settle.c
 */
int store_journal_settle_copied(struct store *s,
    const struct store_journal *row, struct err *e);
/*
 * Takes the lock of a row that a process which has died left, to finish what
 * it began.  1; 0: it is settled, or a process lives that makes it; -1.
 */
int store_journal_settle_take(struct store *s, const struct store_journal *row,
    struct err *e);
/* Releases the lock of a row whose result is not known. */
void store_journal_settle_not(struct store *s, const struct store_journal *row);
/*
 * A row that is begun goes, with its lock: the change was refused before the
 * first command, so that nothing was changed and nothing is to be undone.
 */
int store_journal_settle_none(struct store *s, const struct store_journal *row,
    struct err *e);
/*
 * The changes of an account that are begun, whether their processes live or
 * not: `first`, then what was looked at the longest time ago.
 */
int store_journal_begun(struct store *s, struct arena *a, int64_t account,
    int64_t first, int64_t **id, size_t *n, struct err *e);
/* As store_journal_settle_not(); the row also comes after the others now. */
void store_journal_settle_later(struct store *s,
    const struct store_journal *row);
/*
 * Messages of a change, by their places, that an undo of it has left in both
 * folders.  store/journal_undo.c
 */
int store_journal_undo_copied(struct store *s, int64_t id, bool *copied,
    size_t n, struct err *e);
/* Does the process live that makes this change?  1, 0, -1. */
int store_journal_lives(struct store *s, int64_t id, struct err *e);
/* One, with messages.  ERR_NOT_FOUND. */
int store_journal_get(struct store *s, struct arena *a, int64_t id,
    struct store_journal *out, struct err *e);
/*
 * Newest first, without messages.  account 0: all; principal empty: all; those
 * below the id `before`, unless it is 0; and not older than since_s.
 */
struct store_journal_query {
	int64_t account;
	struct str principal;
	int64_t before, since_s;
	size_t limit;
};
int store_journal_list(struct store *s, struct arena *a,
    const struct store_journal_query *q, struct store_journal **out, size_t *n,
    struct err *e);
/* By which a message is found again: of fields that no server changes. */
void store_journal_digest(struct str message_id, struct str from,
    int64_t date_s, struct str subject,
    unsigned char out[STORE_JOURNAL_DIGEST]);
/* "partly". */
const char *store_journal_word(enum store_journal_state state);
/* Deletes rows older than the audit log's retention, except those begun. */
int store_journal_purge(struct store *s, int64_t now_s, struct err *e);

/*
 * store/seen_follow.c.  Messages that were moved: what was acked stays acked in
 * its new folder, for every agent, and claims and prints follow.  A folder that
 * an agent has not met yet gets a floor at its first message with `backlog`;
 * otherwise all that is there then counts as seen anyway.
 */
struct store_seen_follow {
	int64_t account;
	struct str from, to;
	uint32_t from_uidvalidity, to_uidvalidity;
	bool backlog;
	const uint32_t *was, *is; /* by pairs */
	size_t n;
};
int store_seen_follow(struct store *s, const struct store_seen_follow *f,
    struct err *e);
/* Is anything known of that folder?  Otherwise nothing follows.  1, 0, -1. */
int store_seen_follow_due(struct store *s, int64_t account, struct str from,
    struct err *e);

#endif
