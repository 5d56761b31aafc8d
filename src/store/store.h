/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

/*
 * Everything that emcli remembers: accounts, policy, sealed credentials, the
 * seen-set, uids, the audit log.  SQLite in WAL mode, file 0600 in a folder
 * 0700; any number of processes at once.  All SQL of the program is here.
 * Errors are ERR_DB unless stated otherwise.
 *
 * The room never shows a secret (it returns struct secret), never opens without
 * a key that fits (in this process or the keeper's), and refuses the operator's
 * functions to a process that has only the agent's key.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "policy/policy.h"

struct store;

enum store_role {
	STORE_AGENT,  /* unwraps dek_wrap_agent, or _admin with that key */
	STORE_ADMIN,  /* unwraps only dek_wrap_admin; nothing else */
	STORE_SERVED, /* an agent's, without the DEK: store/keeper.h */
};

/* Keys as they come from the environment: base64 of 32 bytes; NULL: unset. */
struct store_keys {
	const struct secret *admin;
	const struct secret *agent;
};

/*
 * Opens the database and unwraps the DEK.  Applies migrations.  ERR_CONFIG with
 * the seed's sentences: "EMCLI_KEY is not set", "emcli: this command requires
 * EMCLI_ADMIN_KEY (admin privilege)", a key that is malformed or does not fit,
 * no database ("run emcli init").
 */
int store_open(const char *path, enum store_role role,
    const struct store_keys *k, struct store **out, struct err *e);
/* Purges rows older than the audit log's retention.  store/tidy.c */
int store_tidy(struct store *s, struct err *e);
/*
 * Both, at the start of a command.  An admin key that does not fit, next to an
 * agent's key that does, writes an audit row: principal "unknown", action
 * "operator", at most one per second.  store/enter.c
 */
int store_enter(const char *path, enum store_role role,
    const struct store_keys *k, struct store **out, struct err *e);
void store_close(struct store **s);
/*
 * Has this process a store open?  A child of it must then open none: it has
 * SQLite's table of open files, but not the locks, and destroys the store.
 */
bool store_opened_any(void);
/* Is that the error of a file that is damaged, or is no store? */
bool store_stmt_damaged(const struct err *e);
/*
 * For a process that asks the same again and again: the statements of this one
 * store are kept.
 */
void store_open_keep(struct store *s);
/*
 * The file's mode before it was opened if others could read it, else 0.
 * Opening removes their access, but not what they read before.  An audit row
 * records it: principal "unknown", action "database".
 */
unsigned store_open_mode(const struct store *s);
/* Its file: a whole path, without links.  The store's.  NULL: it has none. */
const char *store_open_path(const struct store *s);
/*
 * Creates the database, its folder and the DEK under both keys.  Idempotent: an
 * existing DEK is kept (*created false) and the keys must fit it.  store/init.c
 */
int store_init(const char *path, const struct store_keys *k, bool *created,
    struct err *e);
/*
 * The folder beside the database for data that can be rebuilt, such as indexes
 * of archives.  It may be missing.  store/file.c
 */
struct str store_file_cache(struct store *s, struct arena *a);
/*
 * Since it was opened nobody else wrote to it, and its file is in its place.
 * store/same.c
 */
bool store_same(struct store *s);
/* Its file is in its place, whoever wrote to it.  store/same.c */
bool store_same_file(struct store *s);
/*
 * Can a store be opened and written, and does this emcli know it?  Nothing is
 * unsealed, so it needs no key.  ERR_CONFIG, ERR_DB.  store/look.c
 */
int store_look(const char *path, struct err *e);
/* Does EMCLI_DB name a file?  If not, a database of a server.  store/about.c */
bool store_about_is_file(const char *db);
/* False: there is no such file.  A server's database is not looked for. */
bool store_about_is_there(const char *db);
/* ERR_UNSUPPORTED where it does not: "`what` is for a store in a file". */
int store_about_need_file(const char *db, const char *what, const char *hint,
    struct err *e);
/* Of a store in a server what is in force, in words; empty of a file. */
struct str store_about(struct store *s, struct arena *a);
/* From now on, every commit is on disk before it returns (for sends). */
int store_durable(struct store *s, struct err *e);

/* -- the time of a call: store/until.c -------------------------------- */

/*
 * A call begins, or has more time: what asks the server of a database ends by
 * that time, on clock_mono_ms(), with ERR_DB.  The last eight seconds before
 * it, or half of a shorter time, are kept for what must be recorded when the
 * rest is over; waits of two seconds at least are left for that in any case.
 * 0: the call has ended, and each wait ends by itself.  An operator's handle
 * has no deadline: from now on it may wait for half an hour in all.  A file is
 * waited for ten seconds at most, whatever this says.  NULL-safe.
 */
void store_until(struct store *s, int64_t deadline_ms);
/* It was opened, since then, for a call that comes next. */
void store_until_opened(struct store *s, int64_t since_ms);
/* When the call began that begins now: what opening it took counts, once. */
int64_t store_until_begun(struct store *s);
/* What is written now is the last: it has the rest of the time.  NULL-safe. */
void store_until_last(struct store *s);

/*
 * SQLite's version; false: it differs from the version at compile time.
 * store/connect.c
 */
bool store_connect_sqlite(const char **version);

/* -- accounts: store/account.c ---------------------------------------- */

/* Whether a login sends the client's name (ID, RFC 2971). */
enum store_quirk_id {
	STORE_ID_AUTO, /* if the server offers it */
	STORE_ID_ON,   /* always, and waits for the answer */
	STORE_ID_OFF,
};

/* Is an account an agent's own mailbox?  Only the runtime says so. */
enum store_bound {
	STORE_BOUND_NO, /* zero: it is a person's */
	STORE_BOUND_YES,
	STORE_BOUND_UNSAID, /* of an account older than the mark */
};

struct store_account {
	int64_t id;
	struct str name, backend;
	enum mode mode;
	enum outbound outbound;
	enum organise organise;
	enum store_bound bound;
	struct str from_addr, username;
	struct str auth_type; /* "password" or "oauth2" */
	struct str imap_host, smtp_host;
	uint16_t imap_port, smtp_port;
	enum store_quirk_id quirk_id;
	struct str imap_security, smtp_security; /* "tls" or "starttls" */
	struct str ca_file, tls_pin, path, attach_dir;
	struct str url;  /* of its service: JMAP, Gmail, Pony Mail */
	struct str list; /* the address of the list it is a source of */
	/* Folders; empty: found by their roles. */
	struct str list_folder, drafts_folder, sent_folder;
	struct str organise_folders; /* agents organise these; empty: all */
	struct str thread_url;       /* contains <id>, <hash>, <list> */
	struct str signature;        /* below what is sent; empty: none */
	struct str subject_regex;    /* empty: none */
	struct str authserv_id; /* RFC 8601; empty: signatures are verified */
	uint32_t taint_minutes; /* 0: reading never holds a send */
	/* Per agent in 24 hours, and per message; 0: no limit. */
	uint32_t limit_messages, limit_new_recipients, limit_recipients;
	uint32_t limit_organise; /* messages an agent may change in 24 hours */
	uint64_t limit_bytes;
	bool in_on, out_on;
	bool in_dmarc; /* new entries of the list in need DMARC */
	bool process_backlog;
	bool quirk_no_sasl_ir;    /* logins send no initial response */
	bool no_sent_copy;        /* the server makes its own */
	bool scope_thread;        /* only replies, to people of the thread */
	bool forward;             /* mail of others may be passed on */
	bool html_copy;           /* texts have a copy as a page */
	bool no_secrets_check;    /* nothing is held because of its content */
	bool no_unfinished_check; /* nothing is refused as unfinished */
	bool has_password;        /* a sealed password exists */
};

/* The sealed columns. */
enum store_sealed {
	STORE_PASSWORD,
	STORE_OAUTH_CLIENT_ID,
	STORE_OAUTH_CLIENT_SECRET,
	STORE_OAUTH_REFRESH_TOKEN,
	STORE_SEALED /* how many there are */
};

/* One transaction; secret may be NULL.  ERR_USAGE if the name is taken. */
int store_account_add(struct store *s, const struct store_account *acct,
    const struct secret *password, struct err *e);
/*
 * Changes an account in one transaction: it is read, given to `change`, which
 * may alter anything but the id, or refuse, and written back.  `secret` says
 * what to do with the password.  ERR_NOT_FOUND, ERR_USAGE if a new name is
 * taken, and errors of `change`.  store/account_change.c
 */
struct store_change {
	int (*change)(struct store_account *acct, void *ctx, struct err *e);
	void *ctx;
	const struct secret *password; /* a new one; NULL: none */
	const bool *forget;            /* read after `change`: drop it */
};

int store_account_change(struct store *s, struct arena *a, struct str name,
    const struct store_change *ch, struct err *e);
/* Removes it with everything that depends on it.  ERR_NOT_FOUND. */
int store_account_remove(struct store *s, struct str name, struct err *e);
/* By its name, or its number.  ERR_NOT_FOUND. */
int store_account_get(struct store *s, struct arena *a, struct str name,
    struct store_account *out, struct err *e);
int store_account_of(struct store *s, struct arena *a, int64_t id,
    struct store_account *out, struct err *e);
/* Ordered by name. */
int store_account_list(struct store *s, struct arena *a,
    struct store_account **out, size_t *n, struct err *e);
int store_account_names(struct store *s, struct arena *a, struct strs *out,
    struct err *e);
/*
 * Unseals one column.  ERR_NOT_FOUND if empty, ERR_CONFIG if it does not
 * unseal: it was tampered with, or moved from another row.
 */
int store_account_secret(struct store *s, int64_t id, enum store_sealed what,
    struct secret **out, struct err *e);
/* Does it unseal?  Errors as before; in a process without the data key, the
 * keeper says so. */
int store_account_secret_opens(struct store *s, int64_t id,
    enum store_sealed what, struct err *e);
int store_account_seal(struct store *s, int64_t id, enum store_sealed what,
    const struct secret *value, struct err *e);
/* Which columns are set.  ERR_NOT_FOUND.  store/account_sealed.c */
int store_account_sealed(struct store *s, int64_t id, bool set[STORE_SEALED],
    struct err *e);
/*
 * A digest, in hexadecimal, that changes with any setting and any credential of
 * the account, but not when its token is refreshed.  ERR_NOT_FOUND.
 * store/account_print.c
 */
int store_account_print(struct store *s, struct arena *a, int64_t id,
    struct str *out, struct err *e);

/* -- whitelists: store/list.c.  Entries are stored as handed in. -------- */

enum store_list {
	STORE_LIST_IN,
	STORE_LIST_IN_DMARC, /* on the same list, for senders that must be
				authenticated; an entry is on one of the two */
	STORE_LIST_OUT,
	STORE_LISTS
};

/*
 * All or nothing.  An existing entry is not an error; one on the other half of
 * the list in moves to this half.
 */
int store_list_add(struct store *s, int64_t account, enum store_list which,
    const struct strs *entries, struct err *e);
/* All or nothing; ERR_NOT_FOUND if one is not on either half. */
int store_list_remove(struct store *s, int64_t account, enum store_list which,
    const struct strs *entries, struct err *e);
/* All of them, by one statement. */
int store_list_get_all(struct store *s, struct arena *a, int64_t account,
    struct strs out[STORE_LISTS], struct err *e);
int store_list_get(struct store *s, struct arena *a, int64_t account,
    enum store_list which, struct strs *out, struct err *e);

/*
 * Turns the list on or off.  ERR_NOT_FOUND: no such account.
 * store/list_switch.c
 */
int store_list_switch(struct store *s, int64_t account, enum store_list which,
    bool on, struct err *e);

/* -- the seen-set: store/seen.c.  Each principal has its own. ----------- */

struct store_folder {
	int64_t account;
	struct str principal;
	struct str folder;
	uint32_t uidvalidity;
};

/* The state of a folder: 1 with floor and uidvalidity, 0 if it is new, -1. */
int store_seen_state(struct store *s, const struct store_folder *f,
    uint32_t *uidvalidity, uint32_t *floor, struct err *e);
/*
 * Makes sure that the folder has a floor under f->uidvalidity: a new folder
 * gets `baseline`; with another uidvalidity, floor and acks are dropped, the
 * floor becomes `baseline`, and *reset is set.  Safe for concurrent callers.
 */
int store_seen_meet(struct store *s, const struct store_folder *f,
    uint32_t baseline, uint32_t *floor, bool *reset, struct err *e);
/*
 * Marks uids as acked, in one transaction, then raises the floor over the
 * contiguous run above it.
 */
int store_seen_ack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e);
/*
 * The floor and the acked uids above it, ascending, from one moment.
 * ERR_NOT_FOUND: the folder was renumbered meanwhile.
 */
int store_seen_acked(struct store *s, struct arena *a,
    const struct store_folder *f, uint32_t *floor, uint32_t **out, size_t *n,
    struct err *e);

/* -- uids for stores that have none: store/uid.c ------------------------ */

struct store_uid {
	uint32_t uid;
	struct str id;
};

/* A folder's numbering. */
struct store_uids {
	int64_t folder;      /* the store's id of the folder */
	struct store_uid *v; /* ascending */
	size_t n;
	uint32_t uidvalidity; /* the folder's, chosen once */
	uint32_t uidnext;     /* the next number */
};

/*
 * Numbers new ids in the given order (arrival), and drops ids that are gone;
 * their numbers are never used again.  `listing` is a digest of them, or empty:
 * a caller with the same digest need not pass them again.
 */
int store_uid_sync(struct store *s, struct arena *a, int64_t account,
    struct str folder, const struct strs *ids, struct str listing,
    struct store_uids *out, struct err *e);
/*
 * store/uid_known.c. 1 if that listing was the last one numbered, and *out is
 * filled in except v and n; 0; or -1.
 */
int store_uid_known(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, struct err *e);
/*
 * store/uid_change.c.  The listing that was numbered last: 1, and *out is
 * filled in except v and n; 0 if there is none; or -1.
 */
int store_uid_change_last(struct store *s, struct arena *a, int64_t account,
    struct str folder, struct store_uids *out, struct str *listing,
    struct err *e);
/* What changed between two listings.  An id of `came` may have been there, and
 * one of `gone` not. */
struct store_uid_change {
	struct str since, listing;
	const struct strs *came, *gone; /* came: in order of arrival */
};
/* Numbers those that came, and drops those that are gone, as a sync does.  1;
 * 0: `since` was not the last listing that was numbered; or -1. */
int store_uid_change(struct store *s, int64_t account, struct str folder,
    const struct store_uid_change *c, struct store_uids *out, struct err *e);
/* store/uid_folders.c.  The account's folders that had that id when they were
 * last numbered. */
int store_uid_folders(struct store *s, struct arena *a, int64_t account,
    struct str id, struct strs *out, struct err *e);
/* The highest `max` uids of such a folder between the two, inclusive; v, n. */
int store_uid_known_page(struct store *s, struct arena *a, uint32_t low,
    uint32_t high, size_t max, struct store_uids *io, struct err *e);

/* -- settings: store/setting.c ------------------------------------------ */

/* 1 and the value, 0 if not set, -1. */
int store_setting_get(struct store *s, struct arena *a, struct str key,
    struct str *out, struct err *e);
/* timeout_seconds, or what it is by itself, in milliseconds. */
int store_setting_timeout(struct store *s, int64_t *out_ms, struct err *e);
/* A call begins: what was read before is read again. */
void store_setting_forget(struct store *s);
int store_setting_set(struct store *s, struct str key, struct str value,
    struct err *e);

#endif
