/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_JOURNAL_H
#define GATE_JOURNAL_H

/*
 * The journal of what agents change of mail (store/journal.h), written around a
 * backend's call.
 */
#include "gate/internal.h"
#include "store/journal.h"

/*
 * journal.c.  Writes the row, with these messages, before the first command.
 * What cannot be written must not be done.  ERR_DB, ERR_LIMIT, ERR_POLICY.
 */
int journal_begin(struct mailbox *m, const struct mailbox_set *set,
    struct store_journal *row, struct err *e);
/* The same of a row that has its messages; it waits for no other change.  The
 * operator spends no limit. */
int journal_write(struct mailbox *m, struct store_journal *row, struct err *e);
/*
 * journal_move.c.  The backend's `move`, of messages of the row: those at these
 * places, or all of them (NULL).  Where the server copies first, the row has
 * the copies before an original is removed.
 */
int journal_move(struct mailbox *m, struct store_journal *row,
    const struct refs *refs, const size_t *at, struct str to,
    struct refs *moved, struct err *e);
/* Of a row that has them: removes the originals that are still there. */
int journal_move_rest(struct mailbox *m, const struct store_journal *row,
    struct err *e);
/* Or leaves them there, as they were: backend.h's copying.gives_up. */
int journal_move_give_up(struct mailbox *m, const struct store_journal *row,
    struct err *e);
/* Waits until that change is over, or there is no time left.  1, 0, -1. */
int journal_await(struct mailbox *m, int64_t id, struct err *e);
/*
 * After the backend's call, which returned r with *e: finds out what was done,
 * and settles the row; or leaves it for a later call if the server cannot be
 * asked.  `moved` as from backend.h.  Returns r, or -1 if the server has done
 * nothing though it said so.  row->id is 0 if nothing was touched and there is
 * no row.
 */
int journal_end(struct mailbox *m, struct store_journal *row, int r,
    const struct refs *moved, struct err *e);
/* The same after several calls, of which the first changed something. */
int journal_finish(struct mailbox *m, struct store_journal *row, int r,
    const struct refs *moved, struct err *e);
/* journal_message.c */
void journal_message_digest(const struct mail *mail,
    unsigned char out[STORE_JOURNAL_DIGEST]);
/* What the messages of the row come to.  copies: some were made, even if they
 * are gone. */
enum store_journal_state journal_state(const struct store_journal *row,
    bool copies);

/*
 * journal_settle.c.  Settles what processes that died have left of this
 * account.  finishes: moves whose copies are known are finished if their agents
 * could make them now; the operator finishes his own, and the change `named`,
 * which comes first, and which he ends a day later if no server answers for it.
 * Otherwise they stay begun, and nothing is changed on the server.  Errors are
 * ignored: the next call does it.  Returns whether the server was asked.
 */
bool journal_settle_left(struct mailbox *m, bool finishes, int64_t named);
/*
 * The same before a change of these messages.  ERR_NOT_FOUND if their folder
 * was renumbered meanwhile: a connection that has read another one since does
 * not know.
 */
int journal_settle_before(struct mailbox *m, const struct mailbox_set *set,
    struct err *e);

/*
 * journal_look.c.  Looks at the server and sets for each message whether it was
 * done, and its name in the target.  Copies that the row has are looked for by
 * their names, and by digests only if the target was numbered again.
 */
int journal_look(struct mailbox *m, struct store_journal *row, struct err *e);
/* journal_target.c: the same in the target, of messages that are `there` where
 * they were or not. */
int journal_target(struct mailbox *m, struct store_journal *row,
    const bool *there, struct err *e);
/* Are flags and labels as the change asks for this message? */
bool journal_look_is_marked(const struct store_journal *row,
    const struct store_journal_message *v, unsigned flags,
    const struct strs *labels);
/* Asks for some of the row's messages only: 1 if all is as it was told, 0. */
int journal_look_sample(struct mailbox *m, struct store_journal *row,
    struct err *e);

/*
 * journal_follow.c.  What agents know of the messages follows them, and the
 * row gets their uids in the target.  Errors are ignored.
 */
void journal_follow(struct mailbox *m, struct store_journal *row);

/* Is it what a server says of its folders and messages?  Other errors, such as
 * a login that was refused, say nothing of them. */
static inline bool
journal_is_answer(const struct err *e)
{
	return e->kind == ERR_NOT_FOUND || e->kind == ERR_UNSUPPORTED ||
	    e->kind == ERR_REJECTED;
}

/* Can the server not be asked now? */
static inline bool
journal_is_lost(const struct err *e)
{
	return e->kind == ERR_NETWORK || e->kind == ERR_UNKNOWN_OUTCOME;
}

/* Where a message of a move was, and where it went.  Empty: anywhere. */
static inline struct str
journal_from(const struct store_journal *row,
    const struct store_journal_message *v)
{
	return row->folder.n > 0 ? row->folder : v->folder;
}

static inline struct str
journal_to(const struct store_journal *row,
    const struct store_journal_message *v)
{
	return row->target.n > 0 ? row->target : v->folder;
}

#endif
