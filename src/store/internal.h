#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

/*
 * What the room's own files share: the handle, statements, transactions, keys,
 * sealing.  SQL is static text always, never put together from strings.
 */
#include <sqlite3.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "store/audit.h"
#include "store/key.h"
#include "store/outbox.h"
#include "store/signed.h"
#include "store/store.h"

struct signed_set;

struct store {
	sqlite3 *db;
	struct secret *dek; /* what seals the accounts' secrets */
	struct secret
	    *audit_key;    /* of the chain's signatures; the operator's */
	int64_t dek_count; /* how often it had been changed when it was read */
	enum store_role role;
	bool older;                /* than signed copies of the rows */
	bool taken;                /* it was older, until it was opened */
	struct store_taken took;   /* with this in it */
	struct signed_set *before; /* the rows, in a transaction; NULL */
	struct arena *before_in;
	struct outbox_lock *sending; /* outbox_lock.c; NULL: nothing */
	mode_t mode_was; /* of the file, when others could read it; else 0 */
};

/* -- connect.c ----------------------------------------------------------- */

/* Opens the file, which is there, and sets the connection up.  No key yet. */
int store_connect_open(const char *path, struct store **out, struct err *e);

/* -- file.c -------------------------------------------------------------- */

/*
 * 1 when there is a database file and it is fit to be used, 0 when there is
 * none.  *was is its mode when others may read it, else 0.  ERR_CONFIG for one
 * that others own or may write to.
 */
int store_file_check(const char *path, mode_t *was, struct err *e);
/* Takes others' permissions off. */
void store_file_shut(const char *path);
/* ERR_CONFIG when others may replace files in its folder, which is there. */
int store_file_guarded(const char *path, struct err *e);
/* Makes the folder it lies in, mode 0700, where missing. */
int store_file_folder(const char *path, struct err *e);
/* Makes an empty one, mode 0600, and its folder, mode 0700, where missing. */
int store_file_make(const char *path, struct err *e);

/* -- stmt.c -------------------------------------------------------------- */

int stmt_prepare(struct store *s, const char *sql, sqlite3_stmt **out,
    struct err *e);
void stmt_done(sqlite3_stmt **st);
/* Parameters count from 1.  The bytes are borrowed until the step. */
void stmt_text(sqlite3_stmt *st, int i, struct str s);
void stmt_text_or_null(sqlite3_stmt *st, int i, struct str s);
void stmt_int(sqlite3_stmt *st, int i, int64_t n);
void stmt_blob(sqlite3_stmt *st, int i, struct str s);
/* 1 for a row, 0 for the end, -1. */
int stmt_step(struct store *s, sqlite3_stmt *st, struct err *e);
/* Runs a statement that has no rows, and makes it ready for the next. */
int stmt_run(struct store *s, sqlite3_stmt *st, struct err *e);
/* Columns count from 0; a copy in the arena; NULL is the empty string. */
struct str stmt_column(sqlite3_stmt *st, int i, struct arena *a);
uint32_t stmt_column_u32(sqlite3_stmt *st, int i);
/* Runs fixed SQL of any number of statements. */
int stmt_exec(struct store *s, const char *sql, struct err *e);
/*
 * ERR_DB with SQLite's reason as the operator's detail; ERR_NOT_FOUND when the
 * row would belong to an account that is not there.
 */
int stmt_fail(struct store *s, struct err *e);

/* -- tx.c ---------------------------------------------------------------- */

/* CLEANUP(tx_done) struct tx t = { 0 }: rolled back unless committed. */
struct tx {
	struct store *s;
};

/* Takes the write lock at once: a read that turns into a write would fail when
 * somebody else wrote in between, however long it was willing to wait. */
int tx_begin(struct store *s, struct tx *t, struct err *e);
/* All that is read is as it was at one moment; nothing is written. */
int tx_begin_read(struct store *s, struct tx *t, struct err *e);
int tx_commit(struct tx *t, struct err *e);
void tx_done(struct tx *t);

/* -- seal.c: AES-256-GCM ------------------------------------------------- */

#define SEAL_KEY 32
#define SEAL_NONCE 12
#define SEAL_TAG 16

/* A fresh random key.  ERR_INTERNAL. */
int seal_key(struct secret **out, struct err *e);
/*
 * Nonce, ciphertext and tag of plain under key, bound to `where`: it opens
 * only with the same key and the same `where`.  ERR_INTERNAL.
 */
int seal_make(const struct secret *key, struct str where,
    const struct secret *plain, struct arena *a, struct str *sealed,
    struct err *e);
/* ERR_CONFIG when it does not open. */
int seal_open(const struct secret *key, struct str where, struct str sealed,
    struct secret **out, struct err *e);

#define SEAL_HASH 32

/* SHA-256. */
void seal_hash(struct str bytes, unsigned char out[SEAL_HASH]);
/* HMAC-SHA-256.  ERR_INTERNAL. */
int seal_mac(const struct secret *key, struct str text,
    unsigned char out[SEAL_HASH], struct err *e);
/* Another key out of one, by HKDF-SHA-256.  ERR_INTERNAL. */
int seal_derive(const struct secret *key, struct str info, struct secret **out,
    struct err *e);
/* Are they equal?  In constant time for one length. */
bool seal_same(struct str x, struct str y);

/* -- key.c --------------------------------------------------------------- */

/* A key of the environment, and the slot in settings it opens. */
struct key {
	const char *env;  /* "EMCLI_KEY" */
	const char *slot; /* "dek_wrap_agent" */
	struct secret *key;
};

/* The key that serves the role: for an agent its own, or else the admin's.
 * ERR_CONFIG with the seed's sentences. */
int store_key_pick(enum store_role role, const struct store_keys *k,
    struct key *out, struct err *e);
int store_key_admin(const struct store_keys *k, struct key *out, struct err *e);
int store_key_agent(const struct store_keys *k, struct key *out, struct err *e);
void store_key_done(struct key *k);
/* 1 and the DEK, 0 when the slot is empty, -1. */
int store_key_unwrap(struct store *s, const struct key *k, struct secret **dek,
    struct err *e);
/* The same of the admin's slot; *older: it says nothing of signed rows. */
int store_key_unwrap_older(struct store *s, const struct key *k,
    struct secret **dek, bool *older, struct err *e);
/* Fills the slot, which was empty. */
int store_key_wrap(struct store *s, const struct key *k,
    const struct secret *dek, struct err *e);
/* Puts another wrapping into a slot that is full. */
int store_key_renew(struct store *s, const struct key *k,
    const struct secret *dek, struct err *e);
/* What the environment gives for a slot.  ERR_CONFIG. */
int store_key_slot(enum store_slot which, const struct store_keys *k,
    struct key *out, struct err *e);
/* A key out of its base64; NULL when it is none. */
struct secret *store_key_read(const struct secret *text);
/* How often the DEK was changed. */
int store_key_count(struct store *s, int64_t *out, struct err *e);
/* Refuses to go on with a DEK that somebody else has changed since. */
int store_key_current(struct store *s, struct err *e);
/* ERR_CONFIG: "EMCLI_KEY does not open this store" */
int store_key_refuse(const struct key *k, struct err *e);
/* Refuses who did not open the store as the operator. */
int store_key_need_admin(const struct store *s, struct err *e);

/* -- refused.c ----------------------------------------------------------- */

/* A row of the audit log: the operator's key was given, and was none. */
void store_refused_note(const char *path, const struct store_keys *k,
    const struct err *why);

/* -- account_row.c, account_secret.c -------------------------------------- */

#define ACCOUNT_ROW_BOUND 40
#define ACCOUNT_ROW_COLUMNS                                                    \
	"id, name, backend, mode, outbound, from_addr, username, auth_type,"   \
	" imap_host, smtp_host, imap_port, smtp_port, imap_security,"          \
	" smtp_security, ca_file, tls_pin, path, attach_dir,"                  \
	" whitelist_in_enabled, whitelist_out_enabled, subject_regex,"         \
	" process_backlog, quirk_id, quirk_sasl_ir, sent_copy, authserv_id,"   \
	" scope, secrets_check, taint_minutes, limit_messages,"                \
	" limit_new_recipients, limit_recipients, limit_bytes, url, list,"     \
	" list_folder, drafts_folder, sent_folder, thread_url,"                \
	" whitelist_auth, check_unfinished, enc_password IS NOT NULL"

/* Is it 1 to 64 letters, digits, dots, underscores and hyphens? */
bool account_row_is_name(struct str s);
/* Parameters 1 to ACCOUNT_ROW_BOUND: the columns but id and the sealed ones, as
 * in store_account_add(). */
void account_row_bind(sqlite3_stmt *st, const struct store_account *x);
/* A row of ACCOUNT_ROW_COLUMNS. */
void account_row_read(sqlite3_stmt *st, struct arena *a,
    struct store_account *x);
/* Seals a value into its column, within a transaction that is open. */
int store_account_secret_put(struct store *s, int64_t id,
    enum store_sealed what, const struct secret *value, struct err *e);
/* Seals every value anew, within a transaction; *n counts them. */
int store_account_secret_reseal(struct store *s, const struct secret *old,
    const struct secret *fresh, size_t *n, struct err *e);

/* -- freeze.c -------------------------------------------------------------
 */

struct store_freeze;

/* Writes the row, within a transaction that is open or in one of its own;
 * capped: only while there are fewer than LIMIT_FREEZES. */
int freeze_add(struct store *s, const struct store_freeze *f, bool capped,
    struct err *e);
/* The account's id; 0 for the empty name. */
int freeze_account(struct store *s, struct str name, int64_t *id,
    struct err *e);

/* -- outbox_lock.c: who sends holds a lock that ends with its process. ------
 */

/* One at a time for each handle.  ERR_DB. */
int outbox_lock_take(struct store *s, int64_t id, struct err *e);
/* Does anybody, this handle too, hold it?  1, 0, -1. */
int outbox_lock_held(struct store *s, int64_t id, struct err *e);
void outbox_lock_drop(struct store *s);

/* -- outbox_row.c --------------------------------------------------------- */

/*
 * uid_known.c.  How a folder is numbered, but for its messages: 1, or 0 when it
 * was not met.  *same: it was that listing which was numbered last.
 */
int uid_known_folder(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, bool *same, struct err *e);

#define OUTBOX_ROW_COLUMNS                                                     \
	"o.id, o.account_id, o.principal, o.idempotency_key, o.request,"       \
	" o.message_id, o.sender, o.smtputf8, o.bytes, o.digest, o.policy,"    \
	" o.state, o.reason, o.copy, o.created_s, o.changed_s, o.expires_s,"   \
	" o.frozen_s"

/* A row of these columns, without recipients and bytes. */
void outbox_row_read(sqlite3_stmt *st, struct arena *a,
    struct store_outbox *out);
const char *outbox_row_word(enum store_outbox_state state);
/* Its recipients. */
int outbox_row_recipients(struct store *s, struct arena *a,
    struct store_outbox *row, struct err *e);
/* Its recipients become correspondents, within a transaction. */
int outbox_row_correspondents(struct store *s, int64_t id, struct err *e);
/* What nobody's doing has changed: dead senders, approvals that ran out. */
int outbox_row_refresh(struct store *s, struct err *e);
/* By the caller's key, as it stands: 1, 0, -1. */
int outbox_row_find(struct store *s, struct arena *a, int64_t account,
    struct str principal, struct str key, struct store_outbox *out,
    struct err *e);

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
/* Its hash, as it is; b is room for at most CHAIN_BYTES, used anew. */
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

/* -- signed.c -------------------------------------------------------------- */

/* The first copy of a store, within a transaction that is open. */
int signed_first(struct store *s, struct err *e);
/* What old signed is signed with fresh, likewise. */
int signed_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e);
/* What migrations added is signed, likewise. */
int signed_newer(struct store *s, struct err *e);
/* The newest signature of the audit log as the copy has it: 1; 0: there is no
 * copy, or nobody's; -1. */
int signed_newest(struct store *s, struct arena *a, struct chain_point *out,
    struct err *e);
/* Around a transaction that writes: of it tx.c alone knows. */
int signed_begin(struct store *s, struct err *e);
int signed_renew(struct store *s, struct err *e);
void signed_drop(struct store *s);
/* A row is changing; SQLite calls it. */
void signed_touched(void *store, int what, const char *db, const char *table,
    sqlite3_int64 row);

/* -- audit_purge.c ------------------------------------------------------- */

/* The days to keep; 0 for ever. */
int audit_purge_days(struct store *s, uint32_t *days, struct err *e);

/* -- audit_syslog.c ------------------------------------------------------ */

/* Is the log to be copied to syslog? */
int audit_syslog_on(struct store *s, bool *on, struct err *e);
/* Says what has become of a row, and its link. */
void audit_syslog_say(const struct store_audit *row, int64_t seq,
    struct str hash);

/* -- seen.c -------------------------------------------------------------- */

/* The key of a folder's rows, always parameters 1 to 3. */
void seen_bind(sqlite3_stmt *st, const struct store_folder *f);
int seen_state_put(struct store *s, const struct store_folder *f,
    uint32_t floor, struct err *e);
/* ERR_NOT_FOUND when the folder is not what it was; *floor. */
int seen_state_same(struct store *s, const struct store_folder *f,
    uint32_t *floor, struct err *e);
/* Adds those above the floor. */
int seen_acks_put(struct store *s, const struct store_folder *f, uint32_t floor,
    const uint32_t *uids, size_t n, struct err *e);
/* Forgets those up to a uid. */
int seen_acks_forget(struct store *s, const struct store_folder *f,
    uint32_t last, struct err *e);
/* Runs fixed SQL of those three parameters. */
int seen_run(struct store *s, const struct store_folder *f, const char *sql,
    struct err *e);

/* -- claim.c ------------------------------------------------------------- */

/* Ends claims on these, within a transaction that is open. */
int claim_end(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e);

/* -- migrate.c ----------------------------------------------------------- */

struct migration {
	int version; /* from 1, without gaps; 0 ends the list */
	const char *checksum;
	const char *sql;
};

/* Made by tools/migrations out of migrations/NNN_*.sql. */
extern const struct migration migrations_all[];

/* Has it been an emcli store before?  1, 0, -1. */
int migrate_known(struct store *s, struct err *e);
/*
 * Applies what is missing, each in a transaction of its own.  ERR_CONFIG when
 * one that was applied has changed, or when the store is newer than we are.
 */
int migrate_run(struct store *s, const struct migration *list, struct err *e);

#endif
