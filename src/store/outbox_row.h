/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_OUTBOX_ROW_H
#define STORE_OUTBOX_ROW_H

/* The outbox as rows, and the lock of a sender. */
#include "store/internal.h"
#include "store/outbox.h"

/* -- outbox_lock.c: who sends holds a lock that ends with its process. ------
 */

/*
 * Before the transaction that takes one: connects where a lock needs that, so
 * that nobody waits for it who wants to write.  ERR_DB.
 */
int outbox_lock_ready(struct store *s, struct err *e);
/* For CLEANUP(): of a lock that was not taken. */
void outbox_lock_unready(struct store **s);
/* One at a time for each handle.  ERR_DB. */
int outbox_lock_take(struct store *s, int64_t id, struct err *e);
/* Does anybody, including this handle, hold it?  1, 0, -1. */
int outbox_lock_held(struct store *s, int64_t id, struct err *e);
/* Does anybody hold one, for a message or for a change?  1, 0, -1. */
int outbox_lock_any(struct store *s, struct err *e);
void outbox_lock_drop(struct store *s);
/* Only if it is that one. */
void outbox_lock_drop_of(struct store *s, int64_t id);

/* -- outbox_row.c --------------------------------------------------------- */

#define OUTBOX_ROW_COLUMNS                                                     \
	"o.id, o.account_id, o.principal, o.idempotency_key, o.request,"       \
	" o.message_id, o.sender, o.smtputf8, o.bytes, o.digest, o.policy,"    \
	" o.state, o.reason, o.copy, o.created_s, o.changed_s, o.expires_s,"   \
	" o.frozen_s"

/* A row of these columns, without recipients and bytes. */
void outbox_row_read(struct stmt *st, struct arena *a,
    struct store_outbox *out);
const char *outbox_row_word(enum store_outbox_state state);
/* Its recipients. */
int outbox_row_recipients(struct store *s, struct arena *a,
    struct store_outbox *row, struct err *e);
/*
 * Its recipients become correspondents, within a transaction; not the operator,
 * to whom a notice goes (gate/notice_mail.c): no agent wrote it.
 */
int outbox_row_correspondents(struct store *s, int64_t id, struct err *e);
/* Applies changes due to time: senders that died, approvals that expired. */
int outbox_row_refresh(struct store *s, struct err *e);
/*
 * outbox_settle.c: the commit of a new row failed, and nothing was sent.  If it
 * is written all the same, it has failed.
 */
void outbox_settle_unsent(struct store *s, const struct store_outbox *row);
/* -- outbox_change.c ------------------------------------------------------ */

/* A row's part that is a change, and reading it: row->change, or NULL. */
int outbox_change_put(struct store *s, struct arena *a,
    const struct store_outbox *row, struct err *e);
int outbox_change_read(struct store *s, struct arena *a,
    struct store_outbox *row, struct err *e);
/*
 * Within the transaction of the journal's new row: takes the held row that it
 * releases, for one caller, once.  Errors as store_outbox_release().
 */
int outbox_change_claim(struct store *s, const struct store_journal *made,
    struct err *e);
/* The change was refused before anything was done: the journal's row is gone.
 */
int outbox_change_fail(struct store *s, int64_t journal, struct err *e);
/* outbox_release.c.  May this handle release?  Within a transaction. */
int outbox_release_may(struct store *s, struct err *e);
/* By the caller's key, unchanged: 1, 0, -1. */
int outbox_row_find(struct store *s, struct arena *a, int64_t account,
    struct str principal, struct str key, struct store_outbox *out,
    struct err *e);

#endif
