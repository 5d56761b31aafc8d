#ifndef STORE_STORE_H
#define STORE_STORE_H

/*
 * Everything emcli remembers: accounts, policy, sealed credentials, the
 * seen-set, uids, the audit log.  SQLite in WAL mode, file 0600 in a folder
 * 0700; any number of processes at once.  All SQL of the program is here.
 * Errors are ERR_DB unless said otherwise.
 *
 * The room refuses: to show a secret (it hands out struct secret), to open
 * without a key that fits, and the operator's half to who holds only the
 * agent's key.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "policy/policy.h"

struct store;

enum store_role {
	STORE_AGENT, /* unwraps dek_wrap_agent, or _admin with that key */
	STORE_ADMIN, /* unwraps dek_wrap_admin only; no way round */
};

/* Keys as they come from the environment: base64 of 32 bytes; NULL: unset. */
struct store_keys {
	const struct secret *admin;
	const struct secret *agent;
};

/*
 * Opens the database and unwraps the DEK.  Applies migrations.  ERR_CONFIG
 * with the seed's sentences: "EMCLI_KEY is not set", "emcli: this command
 * requires EMCLI_ADMIN_KEY (admin privilege)", a key that is malformed or does
 * not fit, no database ("run emcli init").
 */
int store_open(const char *path, enum store_role role,
    const struct store_keys *k, struct store **out, struct err *e);
/* Purges what is older than the audit log is kept.  store/tidy.c */
int store_tidy(struct store *s, struct err *e);
/*
 * Both, as a command begins.  An admin key that does not fit beside an agent's
 * that does leaves an audit row: principal "unknown", action "operator", at
 * most one a second.  store/enter.c
 */
int store_enter(const char *path, enum store_role role,
    const struct store_keys *k, struct store **out, struct err *e);
void store_close(struct store **s);
/*
 * The file's mode before it was opened, when others could read it, else 0.
 * They cannot any more; what they read is theirs.  A row of the audit log says
 * so: principal "unknown", action "database".
 */
unsigned store_open_mode(const struct store *s);
/*
 * Makes the database, its folder and the DEK under both keys.  Idempotent: an
 * existing DEK is kept (*created false) and the keys must fit it.  store/init.c
 */
int store_init(const char *path, const struct store_keys *k, bool *created,
    struct err *e);
/*
 * The folder beside the database for what can be made again, such as indexes
 * over archives.  It may be missing.  store/file.c
 */
struct str store_file_cache(struct store *s, struct arena *a);
/* Asks for every commit to be on disk before it is believed (sends). */
int store_durable(struct store *s, struct err *e);

/* SQLite's version; false: not the one this program was compiled for.
 * store/connect.c */
bool store_connect_sqlite(const char **version);

/* -- accounts: store/account.c ---------------------------------------- */

/* Whether a login says who we are (ID, RFC 2971). */
enum store_quirk_id {
	STORE_ID_AUTO, /* when the server offers it */
	STORE_ID_ON,   /* always, and waited for */
	STORE_ID_OFF,
};

struct store_account {
	int64_t id;
	struct str name, backend;
	enum mode mode;
	enum outbound outbound;
	enum organise organise;
	struct str from_addr, username;
	struct str auth_type; /* "password" or "oauth2" */
	struct str imap_host, smtp_host;
	uint16_t imap_port, smtp_port;
	enum store_quirk_id quirk_id;
	struct str imap_security, smtp_security; /* "tls" or "starttls" */
	struct str ca_file, tls_pin, path, attach_dir;
	struct str url;  /* of its service: JMAP, Gmail, Pony Mail */
	struct str list; /* the address of the list it is a source of */
	/* Folders; empty: by their roles. */
	struct str list_folder, drafts_folder, sent_folder;
	struct str thread_url;    /* with <id>, <hash>, <list> in it */
	struct str subject_regex; /* empty: none */
	struct str authserv_id;   /* RFC 8601; empty: signatures are verified */
	uint32_t taint_minutes;   /* 0: reading holds no send */
	/* For each agent in 24 hours, and of one message; 0: no limit. */
	uint32_t limit_messages, limit_new_recipients, limit_recipients;
	uint64_t limit_bytes;
	bool in_on, out_on;
	bool in_dmarc; /* what an entry of the list in asks when added */
	bool process_backlog;
	bool quirk_no_sasl_ir;    /* no login carries its first answer along */
	bool no_sent_copy;        /* the server makes its own */
	bool scope_thread;        /* only replies, to people of the thread */
	bool no_secrets_check;    /* nothing is held for what it carries */
	bool no_unfinished_check; /* nothing is refused as unfinished */
	bool has_password;        /* a sealed one is there */
};

/* The sealed columns. */
enum store_sealed {
	STORE_PASSWORD,
	STORE_OAUTH_CLIENT_ID,
	STORE_OAUTH_CLIENT_SECRET,
	STORE_OAUTH_REFRESH_TOKEN,
	STORE_SEALED /* how many there are */
};

/* One transaction; secret may be NULL.  ERR_USAGE when the name is taken. */
int store_account_add(struct store *s, const struct store_account *acct,
    const struct secret *password, struct err *e);
/*
 * Changes an account in one transaction: it is read, handed to `change`, which
 * alters what it likes but the id and may refuse, and written back.  What
 * becomes of the password is in `secret`.  ERR_NOT_FOUND, ERR_USAGE when a new
 * name is taken, and what `change` says.  store/account_change.c
 */
struct store_change {
	int (*change)(struct store_account *acct, void *ctx, struct err *e);
	void *ctx;
	const struct secret *password; /* a new one; NULL: none */
	const bool *forget;            /* looked at after `change`: drop it */
};

int store_account_change(struct store *s, struct arena *a, struct str name,
    const struct store_change *ch, struct err *e);
/* With everything that depends on it.  ERR_NOT_FOUND. */
int store_account_remove(struct store *s, struct str name, struct err *e);
/* By its name, or its number.  ERR_NOT_FOUND. */
int store_account_get(struct store *s, struct arena *a, struct str name,
    struct store_account *out, struct err *e);
int store_account_of(struct store *s, struct arena *a, int64_t id,
    struct store_account *out, struct err *e);
/* In the order of their names. */
int store_account_list(struct store *s, struct arena *a,
    struct store_account **out, size_t *n, struct err *e);
int store_account_names(struct store *s, struct arena *a, struct strs *out,
    struct err *e);
/* Unseals one column.  ERR_NOT_FOUND when empty, ERR_CONFIG when it will not
 * unseal: tampered with, or moved from another row. */
int store_account_secret(struct store *s, int64_t id, enum store_sealed what,
    struct secret **out, struct err *e);
int store_account_seal(struct store *s, int64_t id, enum store_sealed what,
    const struct secret *value, struct err *e);
/* Which of them are there.  ERR_NOT_FOUND.  store/account_sealed.c */
int store_account_sealed(struct store *s, int64_t id, bool set[STORE_SEALED],
    struct err *e);

/* -- whitelists: store/list.c.  Entries are stored as handed in. -------- */

enum store_list {
	STORE_LIST_IN,
	STORE_LIST_IN_DMARC, /* of the same list: senders that must be
			      * authenticated; an entry is in one of both */
	STORE_LIST_OUT,
};

/* All or nothing; an entry already there is no error, and one of the other half
 * of the list in changes over. */
int store_list_add(struct store *s, int64_t account, enum store_list which,
    const struct strs *entries, struct err *e);
/* All or nothing; ERR_NOT_FOUND when one is not there, in either half. */
int store_list_remove(struct store *s, int64_t account, enum store_list which,
    const struct strs *entries, struct err *e);
int store_list_get(struct store *s, struct arena *a, int64_t account,
    enum store_list which, struct strs *out, struct err *e);

/* Puts the list in force, or out of it.  ERR_NOT_FOUND: no such account.
 * store/list_switch.c */
int store_list_switch(struct store *s, int64_t account, enum store_list which,
    bool on, struct err *e);

/* -- the seen-set: store/seen.c.  Each principal has its own. ----------- */

struct store_folder {
	int64_t account;
	struct str principal;
	struct str folder;
	uint32_t uidvalidity;
};

/*
 * What is known of the folder: 1 and floor and uidvalidity, 0 when it was never
 * met, -1 error.
 */
int store_seen_state(struct store *s, const struct store_folder *f,
    uint32_t *uidvalidity, uint32_t *floor, struct err *e);
/*
 * Makes sure the folder has a floor under f->uidvalidity: first contact sets
 * it to `baseline`; another uidvalidity forgets floor and acks, sets it to
 * `baseline` and *reset.  Safe when many do it at once.
 */
int store_seen_meet(struct store *s, const struct store_folder *f,
    uint32_t baseline, uint32_t *floor, bool *reset, struct err *e);
/*
 * Marks uids as dealt with, all in one transaction, then lets the floor rise
 * over the contiguous run above it.
 */
int store_seen_ack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e);
/*
 * The floor and the acked uids above it, ascending, as they were at one moment.
 * ERR_NOT_FOUND: the folder was renumbered since it was met.
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
	int64_t folder;      /* what the store calls the folder */
	struct store_uid *v; /* ascending */
	size_t n;
	uint32_t uidvalidity; /* the folder's, made up once */
	uint32_t uidnext;     /* the next number */
};

/*
 * Numbers ids as they are first seen, in the order given (arrival), and
 * forgets the ones that are gone; their numbers are never used again.
 * `listing` is a digest of them, or empty: who has it once more need not bring
 * them.
 */
int store_uid_sync(struct store *s, struct arena *a, int64_t account,
    struct str folder, const struct strs *ids, struct str listing,
    struct store_uids *out, struct err *e);
/*
 * store/uid_known.c.  1 when it was that listing which was numbered last, and
 * *out is all but v and n, else 0, or -1.
 */
int store_uid_known(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, struct err *e);
/* Of such a folder the highest `max` between the two, both included; v, n. */
int store_uid_known_page(struct store *s, struct arena *a, uint32_t low,
    uint32_t high, size_t max, struct store_uids *io, struct err *e);

/* -- settings: store/setting.c ------------------------------------------ */

/* 1 and the value, 0 when not set, -1. */
int store_setting_get(struct store *s, struct arena *a, struct str key,
    struct str *out, struct err *e);
int store_setting_set(struct store *s, struct str key, struct str value,
    struct err *e);

#endif
