/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_OUTBOX_H
#define STORE_OUTBOX_H

/*
 * Outgoing messages.  A row with the exact bytes is committed (and on disk:
 * store_durable()) before the first octet is sent, and moves from state to
 * state by compare-and-set, so that one process sends and none sends twice:
 *
 *   (new) -> sending -> sent | rejected | failed | unknown_outcome
 *   (new) -> held -> sending ...        released by the operator, once
 *                 -> denied | expired
 *   unknown_outcome -> sent | failed    resolved by the operator
 *
 * A change of mail waits here too, held -> sent | failed, denied or expired:
 * `sent` is in one transaction with the journal's row, which tells the rest.
 *
 * `failed` and `rejected`: certainly nothing was sent.  A sender holds a lock
 * on a byte of a file beside the database.  To any reader, a `sending` row
 * without that lock is unknown_outcome, and a held row past its time is
 * expired.
 */
#include "store/store.h"

enum store_outbox_state {
	STORE_OUTBOX_HELD,
	STORE_OUTBOX_DENIED,
	STORE_OUTBOX_EXPIRED,
	STORE_OUTBOX_SENDING,
	STORE_OUTBOX_SENT,
	STORE_OUTBOX_REJECTED,
	STORE_OUTBOX_FAILED,
	STORE_OUTBOX_UNKNOWN,
	STORE_OUTBOX_STATES
};

enum store_outbox_copy {
	STORE_COPY_NONE, /* not wanted, or not due yet */
	STORE_COPY_SAVED,
	STORE_COPY_FAILED,
};

struct store_journal;

struct store_outbox_rcpt {
	struct str address, canonical;
	int code; /* SMTP; 0: never asked */
	struct str status;
};

struct store_outbox {
	int64_t id, account;
	struct str principal, key; /* key: idempotency; empty: none */
	struct str request;        /* digest of the request */
	struct str message_id, sender;
	bool smtputf8;
	struct str message; /* the bytes; empty once they are dropped */
	uint64_t bytes;
	struct str digest, policy;
	struct str said; /* digest of text, files, recipients */
	enum store_outbox_state state;
	struct str reason; /* "approval", "taint", "secret"; empty */
	enum store_outbox_copy copy;
	bool no_copy;  /* there will be none: once sent, the bytes go */
	bool unfrozen; /* emcli's own, to the operator: no freeze stops it */
	int64_t created_s, changed_s;
	int64_t expires_s; /* as bound to the digest ... */
	int64_t frozen_s;  /* ... and the time that does not count */
	struct store_outbox_rcpt *rcpt;
	size_t n;
	/*
	 * A change of mail that waits (store/journal.h), with what it became;
	 * it has no recipients, and `message` names its messages.  NULL: a
	 * message.
	 */
	struct store_journal *change;
};

/*
 * Limits of an account for one agent in 24 hours, and for one message; 0: none.
 */
struct store_outbox_limits {
	uint32_t messages, new_recipients, recipients;
	uint64_t bytes;
	/*
	 * Seconds in which the same text to the same people is refused:
	 * ERR_POLICY, "unfinished".  0: allowed.
	 */
	uint32_t again_s;
};

/*
 * Writes the row in state HELD or SENDING, in one transaction with the limits,
 * which count this agent's rows in any state except denied, expired, rejected
 * and failed.  ERR_LIMIT: nothing is written.  If the key exists: *found is
 * true, *row becomes that row, and nothing is written; ERR_USAGE if its request
 * differs.  The key of a row that was rejected or failed can be used again.
 * Sets row->id and times.  ERR_POLICY ("frozen"): its agent or account is
 * frozen, and nothing is written.  SENDING: the handle holds the row's lock
 * until it is settled or closed.  store/outbox_add.c
 */
int store_outbox_add(struct store *s, struct arena *a, struct store_outbox *row,
    const struct store_outbox_limits *l, bool *found, struct err *e);
/*
 * What store_outbox_add() would answer to this row.  Nothing is written, and no
 * limit counts it.
 */
int store_outbox_add_try(struct store *s, struct arena *a,
    const struct store_outbox *row, const struct store_outbox_limits *l,
    bool *found, struct err *e);
/*
 * HELD to SENDING, with the lock, for the one caller who wins.  ERR_POLICY
 * ("frozen") while its agent or account is frozen; it stays held.
 * ERR_NOT_FOUND if it is not held, has expired, or has another digest.
 * ERR_CONFIG without the operator's key, unless mcp_approve is "client".
 * ERR_DB, with a hint that says so: nothing is sent, and it is held again.
 * store/outbox_release.c
 */
int store_outbox_release(struct store *s, int64_t id, struct str digest,
    int64_t now_s, struct err *e);
/*
 * Directly before it is sent: is the lock held still?  Otherwise others see a
 * result that is unknown, and somebody may send it again.  ERR_DB if not.
 * store/outbox_lock.c
 */
int store_outbox_lock_still(struct store *s, struct err *e);
/*
 * SENDING to its result, with the recipients' answers.  Always releases the
 * lock.  If sent, the recipients become correspondents.  The bytes stay until
 * the copy is saved, or if the result is unknown.  It is waited for after the
 * call's time, too: five seconds, and ten more if a database's server is lost
 * then.  store/outbox_settle.c
 */
int store_outbox_settle(struct store *s, const struct store_outbox *row,
    enum store_outbox_state to, struct err *e);
/* HELD to DENIED or EXPIRED; UNKNOWN to SENT or FAILED.  ERR_NOT_FOUND. */
int store_outbox_move(struct store *s, int64_t id, enum store_outbox_state from,
    enum store_outbox_state to, struct err *e);
/* Records the result of the copy in Sent; drops the bytes unless it failed. */
int store_outbox_copied(struct store *s, int64_t id,
    enum store_outbox_copy copy, struct err *e);
/* One row, with bytes.  ERR_NOT_FOUND. */
int store_outbox_get(struct store *s, struct arena *a, int64_t id,
    struct store_outbox *out, struct err *e);
/* By the caller's key: 1, 0 when there is none, -1. */
int store_outbox_find(struct store *s, struct arena *a, int64_t account,
    struct str principal, struct str key, struct store_outbox *out,
    struct err *e);
/*
 * Newest first, without bytes; account 0: all; state STATES: any; changes:
 * those of mail too.
 */
int store_outbox_list(struct store *s, struct arena *a, int64_t account,
    enum store_outbox_state state, bool changes, size_t limit,
    struct store_outbox **out, size_t *n, struct err *e);
/*
 * store/outbox_change.c.  An agent's changes that wait, waited, or were
 * released, newest first, without bytes; and the state of one: after its
 * release that of the journal's row.
 */
int store_outbox_change_list(struct store *s, struct arena *a, int64_t account,
    struct str principal, size_t limit, struct store_outbox **out, size_t *n,
    struct err *e);
const char *store_outbox_change_word(const struct store_outbox *row);
/* Did this store ever send a message with that Message-ID?  1, 0, -1. */
int store_outbox_ours(struct store *s, int64_t account, struct str message_id,
    struct err *e);
/* "unknown_outcome". */
const char *store_outbox_word(enum store_outbox_state state);
/*
 * Deletes rows older than the audit log's retention, except held and sending.
 */
int store_outbox_purge(struct store *s, int64_t now_s, struct err *e);

/* SHA-256 (hex) of bytes, as sha256sum(1) has it.  store/digest.c */
struct str store_digest_file(struct arena *a, struct str bytes);
/* SHA-256 (hex) of several values, each delimited.  store/digest.c */
struct str store_digest(struct arena *a, const struct str *part, size_t n);

/* -- taint and canaries: store/taint.c ---------------------------------- */

/* This agent has now read mail of an unauthenticated sender. */
int store_taint_mark(struct store *s, struct str principal, int64_t now_s,
    struct err *e);
/* When it last did; 0: never. */
int store_taint_at(struct store *s, struct str principal, int64_t *out,
    struct err *e);
int store_canary_add(struct store *s, struct str word, struct err *e);
int store_canary_remove(struct store *s, struct str word, struct err *e);
int store_canary_list(struct store *s, struct arena *a, struct strs *out,
    struct err *e);

#endif
