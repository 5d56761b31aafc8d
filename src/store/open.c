/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a store: checks the key first, so that nothing is touched without one;
 * then the file, its migrations and the DEK.
 */
#include "store/audit.h"
#include "store/chain.h"
#include "store/keeping.h"
#include "store/opening.h"
#include "store/setting_kept.h"
#include "store/slot.h"

int
store_open_no_database(const char *path, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "there is no database: run emcli init");
	(void)err_because(e, "%s", path);
	return err_hint(e, "check EMCLI_DB; to create a database: emcli init");
}

static int
store_open_unlock(struct store *s, const struct key *k, struct err *e)
{
	bool older;
	int r;

	/*
	 * The count first: a DEK newer than it is refused, an older one is not.
	 */
	if (store_key_count(s, &s->dek_count, e) < 0)
		return -1;
	r = store_key_unwrap_older(s, k, &s->dek, &older, e);
	s->older = s->role == STORE_ADMIN && older;
	return r == 0 ? store_key_refuse(k, e) : r < 0 ? -1 : 0;
}

/*
 * The operator's connection runs no code from the file: the effects of a
 * foreign trigger would be signed as the operator's.
 */
static int
store_open_be_operator(struct store *s, const struct key *k, struct err *e)
{
	s->driver->be_operator(s);
	store_until(s, 0);
	return chain_sign_key(k->key, &s->audit_key, e);
}

int
store_open_operate(struct store *s, const struct key *k, struct err *e)
{
	s->role = STORE_ADMIN;
	return store_open_unlock(s, k, e) < 0 ? -1
					      : store_open_be_operator(s, k, e);
}

static int
store_open_count_taken(struct store *s, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s,
		"SELECT (SELECT count(*) FROM accounts),"
		" (SELECT count(*) FROM whitelist_in)"
		" + (SELECT count(*) FROM whitelist_out),"
		" (SELECT count(*) FROM agent)",
		&st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	s->took.accounts = stmt_column_int(st, 0);
	s->took.entries = stmt_column_int(st, 1);
	s->took.agents = stmt_column_int(st, 2);
	return 0;
}

/* The command that converts a store may not report it, so a row records it. */
static int
store_open_note_taken(struct store *s, struct err *e)
{
	const struct store_audit row = {
		.principal = S("operator"),
		.action = S("database"),
	};
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str what = str_fmt(a,
	    "the database is older than signatures: %lld accounts, %lld "
	    "whitelist entries and %lld agents were signed as they are",
	    (long long)s->took.accounts, (long long)s->took.entries,
	    (long long)s->took.agents);
	int64_t id;

	if (store_audit_asked(s, &row, &id, e) < 0 ||
	    store_audit_judged(s, id, true, S(""), e) < 0)
		return -1;
	return store_audit_done(s, id, S(""), S("ok"), what, e);
}

/* A store older than signed rows: from now on it has them, and records that. */
static int
store_open_take_over(struct store *s, const struct key *k, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	CLEANUP(secret_close) struct secret *dek = NULL;
	bool older;

	if (tx_begin(s, &t, e) < 0 ||
	    store_key_unwrap_older(s, k, &dek, &older, e) < 0)
		return -1;
	if (older &&
	    (store_open_count_taken(s, e) < 0 ||
		store_open_note_taken(s, e) < 0 || chain_sign_older(s, e) < 0 ||
		signed_copy_first(s, e) < 0))
		return -1;
	s->taken = older;
	if ((older && store_key_renew(s, k, dek, e) < 0) ||
	    tx_commit(&t, e) < 0)
		return -1;
	s->older = false;
	return 0;
}

/* Another caller than the operator may open it first, so a row records it. */
static int
store_open_note_open(struct store *s, struct err *e)
{
	const struct store_audit row = {
		.principal = S("unknown"),
		.action = S("database"),
	};
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str what = str_fmt(a,
	    "others could read the database (mode %04o); emcli removed their "
	    "access",
	    (unsigned)s->mode_was);
	int64_t id;

	if (store_audit_asked(s, &row, &id, e) < 0)
		return -1;
	return store_audit_done(s, id, S("repaired"), S("repaired"), what, e);
}

unsigned
store_open_mode(const struct store *s)
{
	return s->mode_was;
}

/* How it is opened. */
struct store_opening {
	enum store_role role;
	const struct key *key;             /* NULL: it is served, */
	const struct store_keeper *keeper; /* by this one */
	bool draft;
};

static int
store_open_as(const char *path, const struct store_opening *how,
    struct store **out, struct err *e)
{
	const enum store_role role = how->role;
	CLEANUP(store_close) struct store *s = NULL;
	mode_t was;
	int r;

	r = store_file_check(path, &was, e);
	if (r <= 0)
		return r == 0 ? store_open_no_database(path, e) : -1;
	if (store_connect_open(path, &s, e) < 0)
		return -1;
	s->role = role;
	s->mode_was = was;
	s->draft = how->draft;
	setting_kept_on(s, role != STORE_ADMIN);
	if (how->keeper != NULL)
		s->keeper = *how->keeper;
	/* An agent's command is. */
	if (role != STORE_ADMIN)
		s->driver->be_short(s);
	r = migrate_known(s, e);
	if (r <= 0)
		return r == 0 ? store_open_no_database(path, e) : -1;
	/* What is no store of emcli's keeps its mode. */
	if (was != 0)
		store_file_shut(path);
	if (role == STORE_SERVED)
		store_again_note(s, path);
	/* A key that does not fit changes nothing, not even the schema. */
	if ((role == STORE_SERVED ? keeper_ask_hello(s, &s->dek_count, e)
		    : role == STORE_ADMIN
		    ? store_open_operate(s, how->key, e)
		    : store_open_unlock(s, how->key, e)) < 0 ||
	    migrate_run(s, migrations_all, e) < 0 ||
	    (s->older && store_open_take_over(s, how->key, e) < 0) ||
	    (was != 0 && store_open_note_open(s, e) < 0))
		return -1;
	setting_kept_on(s, false);
	store_until(s, 0);
	*out = s;
	s = NULL;
	return 0;
}

int
store_open(const char *path, enum store_role role, const struct store_keys *k,
    struct store **out, struct err *e)
{
	CLEANUP(store_key_done) struct key key = { 0 };

	if (role == STORE_SERVED)
		err_bug("store: a store is served by a keeper, not by keys");
	if (store_key_pick(role, k, &key, e) < 0)
		return -1;
	return store_open_as(path,
	    &(struct store_opening){ .role = role, .key = &key }, out, e);
}

int
store_open_draft(const char *path, const struct store_keys *k,
    struct store **out, struct err *e)
{
	CLEANUP(store_key_done) struct key key = { 0 };

	if (store_key_admin(k, &key, e) < 0)
		return -1;
	return store_open_as(path,
	    &(struct store_opening){ .role = STORE_ADMIN,
		.key = &key,
		.draft = true },
	    out, e);
}

int
store_open_served(const char *path, const struct store_keeper *k,
    struct store **out, struct err *e)
{
	const struct store_opening how = { .role = STORE_SERVED, .keeper = k };

	if (store_open_as(path, &how, out, e) < 0)
		return -1;
	stmt_kept_begin(*out);
	return 0;
}

void
store_open_keep(struct store *s)
{
	stmt_kept_begin(s);
}

const char *
store_open_path(const struct store *s)
{
	return s->path;
}

bool
store_open_is_served(const struct store *s)
{
	return s->role == STORE_SERVED;
}
