#ifndef STORE_CHAIN_H
#define STORE_CHAIN_H

/* What chains the audit log, and what signs it. */
#include "store/audit.h"
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
	CHAIN_BYTES = 1 << 20 /* a row may have when it is hashed */
};

#define CHAIN_ROW                                                              \
	"id, ts, principal, account, action, target, result, reason, outcome," \
	" detail, state"

/* A row of audit_log; texts borrowed from the statement; p is NULL for null. */
struct chain_row {
	int64_t id;
	struct str text[CHAIN_TEXTS];
	bool odd; /* of types or a size that nobody wrote here */
};

#define CHAIN_LINK "seq, audit_id, mark, row, prev, hash"

struct chain_link {
	int64_t seq, audit_id;
	struct str mark, row, prev, hash;
	bool odd;
};

/* A row of CHAIN_ROW, good until the next step. */
void chain_row_read(sqlite3_stmt *st, struct chain_row *out);
/* Its hash, as it is; b is room for at most CHAIN_BYTES, used again. */
void chain_row_hash(struct buf *b, const struct chain_row *r,
    char hex[CHAIN_HEX]);
/* A row of CHAIN_LINK, good until the next step. */
void chain_link_read(sqlite3_stmt *st, struct chain_link *out);
/* What its hash must be. */
void chain_link_hash(struct buf *b, const struct chain_link *l,
    char hex[CHAIN_HEX]);
/* "4:list,": how a value is put to be hashed; a null is "-,". */
void chain_put(struct buf *b, struct str s);
void chain_put_int(struct buf *b, int64_t n);
extern const char chain_zeros[CHAIN_HEX + 1];
/* The highest number a table with AUTOINCREMENT ever gave; 0: none. */
int chain_given(struct store *s, const char *table, int64_t *out,
    struct err *e);
/*
 * Links the row as it is now, within a transaction that is open.  The link's
 * number and hash are put into *seq and hex, which may be NULL.
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

/* A row of CHAIN_POINT, good until the next step. */
void chain_point_read(sqlite3_stmt *st, struct chain_point *out);

/* -- chain_check.c ------------------------------------------------------- */

/* From where on to look; all zero: everything there is. */
struct chain_from {
	int64_t seq;      /* the link before the first one looked at */
	int64_t audit_id; /* the newest row then */
	char hash[CHAIN_HEX];
};

/*
 * Looks at rows and links from there on.  What is wrong goes into *out; *from
 * moves to the newest.
 */
int chain_check(struct store *s, struct chain_from *from,
    struct store_chain *out, struct err *e);
/* Says what is wrong, unless that is known of an older row. */
void chain_check_fault(struct store_chain *out, int64_t id, const char *why);

/* -- chain_sign.c -------------------------------------------------------- */

/* The key of signatures, out of the admin key. */
int chain_sign_key(const struct secret *admin, struct secret **out,
    struct err *e);
/* What a signature's MAC must be under that key. */
int chain_sign_mac(const struct secret *key, const struct chain_point *p,
    char hex[CHAIN_HEX], struct err *e);
/* Is the MAC what it must be? */
int chain_sign_good(struct store *s, const struct chain_point *p, bool *out,
    struct err *e);
/* Holds the newest signature to what the signed rows say of it. */
int chain_sign_newest(struct store *s, const struct chain_point *p,
    struct store_chain *c, struct err *e);
/* Holds the link that was signed to the signature: 1; 0 when it was purged. */
int chain_sign_link(struct store *s, const struct chain_point *p,
    struct store_chain *c, struct err *e);
/* All signatures, oldest first. */
int chain_sign_points(struct store *s, struct arena *a,
    struct chain_point **out, size_t *n, struct err *e);
/* Signs what old signed with fresh, within a transaction that is open. */
int chain_sign_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e);
/* Signs the empty log of a new store, likewise. */
int chain_sign_first(struct store *s, struct err *e);
/* Signs that rows are kept for another time than before, likewise. */
int chain_sign_days(struct store *s, uint32_t days_were, struct err *e);

/* Takes rows over that are older than the chain, likewise.  Without a signature
 * when something is wrong with them. */
int chain_sign_older(struct store *s, struct err *e);

/* -- signed_copy.c, signed_newer.c
 * -------------------------------------------------------------- */

/* The first copy of a store, within a transaction that is open. */
int signed_copy_first(struct store *s, struct err *e);
/* What old signed is signed with fresh, likewise. */
int signed_copy_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e);
/* What migrations added is signed, likewise. */
int signed_newer(struct store *s, struct err *e);
/* The newest signature of the audit log as the copy has it: 1; 0: there is no
 * copy, or nobody's; -1. */
int signed_copy_newest(struct store *s, struct arena *a,
    struct chain_point *out, struct err *e);
/* Around a transaction that writes: of it tx.c alone knows. */
int signed_copy_begin(struct store *s, struct err *e);
int signed_copy_renew(struct store *s, struct err *e);
void signed_copy_drop(struct store *s);
/* A row is changing; SQLite calls it. */
void signed_copy_touched(void *store, int what, const char *db,
    const char *table, sqlite3_int64 row);

/* -- audit_syslog.c ------------------------------------------------------ */

/* Is the log to be copied to syslog? */
int audit_syslog_on(struct store *s, bool *on, struct err *e);
/* Says what has become of a row, and its link. */
void audit_syslog_say(const struct store_audit *row, int64_t seq,
    struct str hash);

#endif
