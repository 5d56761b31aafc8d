#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

/*
 * What the room's own files share: the handle, statements, transactions, keys,
 * sealing.  SQL is static text always, never put together from strings.
 */
#include <sqlite3.h>

#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "store/key.h"
#include "store/store.h"

struct store {
	sqlite3 *db;
	struct secret *dek; /* what seals the accounts' secrets */
	int64_t dek_count;  /* how often it had been changed when it was read */
	enum store_role role;
};

/* -- connect.c ----------------------------------------------------------- */

/* Opens the file, which is there, and sets the connection up.  No key yet. */
int store_connect_open(const char *path, struct store **out, struct err *e);

/* -- file.c -------------------------------------------------------------- */

/* 1 when there is a database file and it is fit to be used, 0 when there is
 * none; others' permissions are taken off. */
int store_file_check(const char *path, struct err *e);
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

#define ACCOUNT_ROW_BOUND 24
#define ACCOUNT_ROW_COLUMNS                                                    \
	"id, name, backend, mode, outbound, from_addr, username, auth_type,"   \
	" imap_host, smtp_host, imap_port, smtp_port, imap_security,"          \
	" smtp_security, ca_file, tls_pin, path, attach_dir,"                  \
	" whitelist_in_enabled, whitelist_out_enabled, subject_regex,"         \
	" process_backlog, quirk_id, quirk_sasl_ir, sent_copy,"                \
	" enc_password IS NOT NULL"

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
