/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CHAIN_H
#define STORE_CHAIN_H

/* How the audit log is chained and signed. */
#include "store/audit.h"
#include "store/chain_range.h"
#include "store/internal.h"
#include "store/seal.h"

/* -- chain.c: what the audit log is chained with -------------------------- */

enum {
	CHAIN_TS,
	CHAIN_PRINCIPAL,
	CHAIN_ACCOUNT,
	CHAIN_ACTION,
	CHAIN_TARGET,
	CHAIN_RESULT,
	CHAIN_REASON,
	CHAIN_OUTCOME,
	CHAIN_DETAIL,
	CHAIN_STATE,
	CHAIN_TEXTS, /* how many there are */
	CHAIN_HEX = 2 * SEAL_HASH,
	CHAIN_BYTES = 1 << 20 /* maximum size of a row for hashing */
};

#define CHAIN_ROW                                                              \
	"id, ts, principal, account, action, target, result, reason, outcome," \
	" detail, state"

/* A row of audit_log; texts borrowed from the statement; p is NULL for null. */
struct chain_row {
	int64_t id;
	struct str text[CHAIN_TEXTS];
	bool odd; /* its types or size cannot be emcli's */
};

#define CHAIN_LINK "seq, audit_id, mark, row, prev, hash"

struct chain_link {
	int64_t seq, audit_id;
	struct str mark, row, prev, hash;
	bool odd;
};

/* Reads a row of CHAIN_ROW; valid until the next step. */
void chain_row_read(struct stmt *st, struct chain_row *out);
/* Hashes a row; b is scratch space for at most CHAIN_BYTES. */
void chain_row_hash(struct buf *b, const struct chain_row *r,
    char hex[CHAIN_HEX]);
/* Reads a row of CHAIN_LINK; valid until the next step. */
void chain_link_read(struct stmt *st, struct chain_link *out);
/* The hash that it must have. */
void chain_link_hash(struct buf *b, const struct chain_link *l,
    char hex[CHAIN_HEX]);
/* "4:list,": the form in which a value is hashed; a null is "-,". */
void chain_put(struct buf *b, struct str s);
void chain_put_int(struct buf *b, int64_t n);
extern const char chain_zeros[CHAIN_HEX + 1];
enum {
	CHAIN_COUNTER = 32 /* bytes of a counter's name */
};
/* The name under which a chain's numbers are counted: "audit_link.3". */
struct str chain_counter(const char *table, int k, char name[CHAIN_COUNTER]);
/*
 * The highest id that a table with AUTOINCREMENT ever assigned in the range of
 * that chain; that before the first: none.
 */
int chain_given(struct store *s, const char *table, int k, int64_t *out,
    struct err *e);
/*
 * The newest link of that chain and its hash, all zeros if it is odd.  1; 0: it
 * has none; -1.
 */
int chain_head(struct store *s, int k, int64_t *seq, char hash[CHAIN_HEX],
    struct err *e);
/* Which chains have rows or links, or had some; the first always. */
int chain_there(struct store *s, bool there[CHAIN_RANGES], struct err *e);
/* Is there another one than the first? */
int chain_there_several(struct store *s, bool *out, struct err *e);
/* Adds those that have a signature; *n: how many there are of all. */
int chain_there_signed(struct store *s, bool there[CHAIN_RANGES], int64_t *n,
    struct err *e);
/*
 * Links the row as it is now, within an open transaction.  Puts the link's
 * number and hash into *seq and hex, which may be NULL.
 */
int chain_add(struct store *s, int64_t audit_id, int64_t *seq,
    char hex[CHAIN_HEX], struct err *e);

/* A signature: a row of audit_checkpoint. */
struct chain_point {
	int64_t n, seq, audit_id, days, taken;
	struct str hash, ts, mac;
	bool odd;
};

#define CHAIN_POINT "n, seq, hash, audit_id, ts, days, taken, mac"

/* Reads a row of CHAIN_POINT; valid until the next step. */
void chain_point_read(struct stmt *st, struct chain_point *out);

/* -- chain_check.c ------------------------------------------------------- */

/* Where to start checking a chain. */
struct chain_from {
	int64_t seq;      /* the link before the first one checked */
	int64_t audit_id; /* the newest row at that time */
	int64_t oldest;   /* the oldest row that is left; 0: none */
	char hash[CHAIN_HEX];
};

/* At the beginning of that chain. */
void chain_check_begin(int k, struct chain_from *out);
/*
 * Checks rows and links of a chain from there on.  Reports faults in *out;
 * *from moves to the newest.
 */
int chain_check(struct store *s, int k, struct chain_from *from,
    struct store_chain *out, struct err *e);
/* Records a fault, unless one of an older row is already recorded. */
void chain_check_fault(struct store_chain *out, int64_t id, const char *why);

/* -- chain_sign.c -------------------------------------------------------- */

/* Derives the signing key from the admin key. */
int chain_sign_key(const struct secret *admin, struct secret **out,
    struct err *e);
/* The MAC that a signature must have under that key. */
int chain_sign_mac(const struct secret *key, const struct chain_point *p,
    char hex[CHAIN_HEX], struct err *e);
/* Is the MAC right? */
int chain_sign_good(struct store *s, const struct chain_point *p, bool *out,
    struct err *e);
/* Compares the newest signature with what the signed rows say about it. */
int chain_sign_newest(struct store *s, const struct chain_point *p,
    struct store_chain *c, struct err *e);
/* Compares the signed link with its signature: 1; 0 if it was purged. */
int chain_sign_link(struct store *s, const struct chain_point *p,
    struct store_chain *c, struct err *e);
/* Whether a row of that chain that was signed was ever numbered. */
int chain_sign_row(struct store *s, int k, int64_t id, struct store_chain *c,
    struct err *e);
/* All signatures, oldest first. */
int chain_sign_points(struct store *s, struct arena *a,
    struct chain_point **out, size_t *n, struct err *e);
/* Signs with `fresh` what `old` signed, within an open transaction. */
int chain_sign_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e);
/* Signs the empty log of a new store, within an open transaction. */
int chain_sign_first(struct store *s, struct err *e);
/* Signs a new retention time, within an open transaction. */
int chain_sign_days(struct store *s, uint32_t days_were, struct err *e);

/*
 * Signs rows that are older than the chain, within an open transaction.  Makes
 * no signature if something is wrong with them.
 */
int chain_sign_older(struct store *s, struct err *e);

/* -- signed_copy.c, signed_newer.c
 * -------------------------------------------------------------- */

/* The first copy of a store, within an open transaction. */
int signed_copy_first(struct store *s, struct err *e);
/* Signs with `fresh` what `old` signed, within an open transaction. */
int signed_copy_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e);
/* Signs what migrations added, within an open transaction. */
int signed_newer(struct store *s, struct err *e);
/*
 * The newest signature of the audit log according to the copy: 1; 0: the copy
 * is missing or not valid; -1.
 */
int signed_copy_newest(struct store *s, struct arena *a,
    struct chain_point *out, struct err *e);
/* Around a transaction that writes; only tx.c calls these. */
int signed_copy_begin(struct store *s, struct err *e);
int signed_copy_renew(struct store *s, struct err *e);
void signed_copy_drop(struct store *s);
/* The driver calls this when a row of that table changes. */
void signed_copy_touched(const struct store *s, const char *table);

/* -- audit.c --------------------------------------------------------------- */

/* To syslog, if the log is copied there: a row that was done in a draft. */
int audit_tell_again(struct store *s, int64_t id, struct err *e);

/* -- audit_syslog.c ------------------------------------------------------ */

/* Is the log to be copied to syslog? */
int audit_syslog_on(struct store *s, bool *on, struct err *e);
/* Reports the new state of a row, and its link. */
void audit_syslog_say(const struct store_audit *row, int64_t seq,
    struct str hash);

#endif
