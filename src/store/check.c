/* SPDX-License-Identifier: Apache-2.0 */
/* Reads all of a database, and lists what is wrong with it. */
#include "store/check.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "store/issuer.h"
#include "store/opening.h"
#include "store/signed_rows.h"
#include "store/sqlite.h"

static void __attribute__((format(printf, 3, 4)))
store_check_add(struct arena *a, struct store_checked *out, const char *fmt,
    ...)
{
	va_list ap;

	if (out->faults.n == LIMIT_STORE_FAULTS)
		return;
	va_start(ap, fmt);
	str_push(a, &out->faults, str_fmt_list(a, fmt, ap));
	va_end(ap);
}

static bool
store_check_is_full(const struct store_checked *out)
{
	return out->faults.n == LIMIT_STORE_FAULTS;
}

static struct str
store_check_cut(struct str said)
{
	return utf8_first(said, LIMIT_STORE_FAULT);
}

/* A column's beginning: a name in the file may be as long as the file. */
static struct str
store_check_column(struct stmt *st, int i, struct arena *a)
{
	const struct str s = { (const char *)sqlite3_column_text(st->of, i),
		(size_t)sqlite3_column_bytes(st->of, i) };

	return s.p != NULL ? str_dup(a, store_check_cut(s)) : S("");
}

/* -- without a key --------------------------------------------------------- */

static int
store_check_pages(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = 1;

	if (stmt_prepare(s, "PRAGMA integrity_check", &st, e) < 0)
		return -1;
	while (!store_check_is_full(out) && (r = stmt_step(s, st, e)) == 1) {
		struct str said = store_check_column(st, 0, a);

		if (!str_eq(said, S("ok")))
			store_check_add(a, out, "the file: %.*s",
			    STR_ARG(said));
	}
	/* There may be more. */
	if (r == 1)
		return 0;
	/* It lists faults, and then fails at the worst of them. */
	if (r < 0 && (sqlite3_errcode(s->db) & 0xff) == SQLITE_CORRUPT) {
		store_check_add(a, out, "the file: %s", e->detail);
		*e = (struct err){ 0 };
		return 0;
	}
	return r;
}

static int
store_check_references(struct store *s, struct arena *a,
    struct store_checked *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = 1;

	if (stmt_prepare(s, "PRAGMA foreign_key_check", &st, e) < 0)
		return -1;
	while (!store_check_is_full(out) && (r = stmt_step(s, st, e)) == 1)
		store_check_add(a, out,
		    "a row of %.*s refers to one of %.*s that does not exist",
		    STR_ARG(store_check_column(st, 0, a)),
		    STR_ARG(store_check_column(st, 2, a)));
	return r < 0 ? -1 : 0;
}

static int
store_check_version(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	(void)a;
	if (stmt_prepare(s, "SELECT max(version) FROM migration", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	out->version = stmt_column_int(st, 0);
	return 0;
}

static void
store_check_add_edits(struct arena *a, struct store_checked *out,
    const struct store_signed *edits)
{
	for (size_t i = 0; i < edits->n; i++)
		store_check_add(a, out, "changed without emcli: %.*s: %.*s",
		    STR_ARG(store_check_cut(edits->v[i].where)),
		    STR_ARG(store_check_cut(edits->v[i].what)));
}

static int
store_check_none(struct store *s, struct err *e)
{
	return store_open_no_database(s->path, e);
}

/* Pages, or a table that is not as it was. */
static bool
store_check_is_damage(struct store *s)
{
	const int code = sqlite3_errcode(s->db) & 0xff;

	return code == SQLITE_CORRUPT || code == SQLITE_ERROR;
}

/*
 * Before anything in it is evaluated: an index, a column or a view of somebody
 * else's could take all memory.
 */
static int
store_check_schema(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	struct store_checked of = { 0 };
	struct store_signed edits = { 0 };
	int r = migrate_known(s, e);

	if (r == 0)
		return store_check_none(s, e);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	/* Of its columns, none but emcli's are read. */
	of.version = INT64_MAX;
	if (r == 1)
		r = migrate_is_ours(s, e);
	if (r == 1)
		r = store_check_version(s, a, &of, e);
	if (r == 0 && of.version < INT64_MAX && of.version > migrate_newest() &&
	    migrate_fits(s, e) < 0)
		return -1;
	/* What is damaged is compared with the schema of today. */
	if (r < 0 && !store_check_is_damage(s))
		return -1;
	if (r < 0)
		of.version = INT64_MAX;
	*e = (struct err){ 0 };
	if (signed_schema_check_of(s, of.version, a, &edits, e) < 0) {
		if (!store_check_is_damage(s))
			return -1;
		store_check_add(a, out, "the file: %s", e->detail);
		*e = (struct err){ 0 };
		return 0;
	}
	store_check_add_edits(a, out, &edits);
	out->foreign = edits.n > 0;
	return 0;
}

static int
store_check_bounded(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	static int (*const checks[])(struct store *, struct arena *,
	    struct store_checked *, struct err *) = { store_check_schema,
		store_check_pages, store_check_references };
	CLEANUP(check_bound_end) struct check_bound b = { 0 };

	check_bound_begin(s, clock_mono_ms() + LIMIT_STORE_CHECK_MS, &b);
	/* What is read from damaged pages says nothing. */
	for (size_t i = 0; i < 3 && out->faults.n == 0; i++)
		if (checks[i](s, a, out, e) < 0)
			return check_bound_fail(&b, e);
	return 0;
}

int
store_check_file(const char *path, struct arena *a, struct store_checked *out,
    struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	mode_t was;
	int r = store_file_check(path, &was, e);

	*out = (struct store_checked){ .chain = { .whole = true } };
	if (r <= 0)
		return r == 0 ? store_open_no_database(path, e) : -1;
	if (store_connect_open(path, &s, e) < 0)
		return -1;
	/* What is in the log is not moved into a file that may be damaged. */
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
	    NULL);
	return store_check_bounded(s, a, out, e);
}

/* -- with the admin key ---------------------------------------------------- */

static int
store_check_credentials(struct store *s, struct arena *a,
    struct store_checked *out, struct err *e)
{
	struct store_account *v;
	size_t n;

	if (store_account_list(s, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n && !store_check_is_full(out); i++) {
		bool set[STORE_SEALED];

		if (store_account_sealed(s, v[i].id, set, e) < 0)
			return -1;
		for (int k = 0; k < STORE_SEALED; k++) {
			struct err why = { 0 };

			if (set[k] &&
			    store_account_secret_opens(s, v[i].id,
				(enum store_sealed)k, &why) < 0)
				store_check_add(a, out, "account %.*s: %s",
				    STR_ARG(store_check_cut(v[i].name)),
				    why.say);
		}
	}
	return 0;
}

/* The secret of the client that asks the identity provider. */
static int
store_check_issuer(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	CLEANUP(secret_close) struct secret *plain = NULL;
	struct store_issuer x = { 0 };
	struct err why = { 0 };

	if (store_issuer_get(s, a, &x, e) < 0)
		return -1;
	if (x.has_secret && store_issuer_secret(s, &plain, &why) < 0)
		store_check_add(a, out, "issuer %.*s: %s",
		    STR_ARG(store_check_cut(x.issuer)), why.say);
	return 0;
}

static int
store_check_log(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	if (store_chain_verify(s, a, &out->chain, e) < 0)
		return -1;
	if (out->chain.whole)
		return 0;
	if (out->chain.broken_id > 0)
		store_check_add(a, out, "the audit log, row %lld: %.*s",
		    (long long)out->chain.broken_id, STR_ARG(out->chain.why));
	else
		store_check_add(a, out, "the audit log: %.*s",
		    STR_ARG(out->chain.why));
	return 0;
}

static int
store_check_edits(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	struct store_signed rows;

	if (store_signed_check(s, a, &rows, e) < 0 ||
	    signed_schema_check(s, a, &rows, e) < 0)
		return -1;
	store_check_add_edits(a, out, &rows);
	out->signed_ts = rows.ts;
	return 0;
}

/* They are in no signature: whoever can write the file can change them. */
static int
store_check_numbers(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	int r = check_numbers(s, e);

	if (r == 0 && !store_check_is_full(out))
		store_check_add(a, out,
		    "sqlite_sequence: a number is not as emcli wrote it");
	return r < 0 ? -1 : 0;
}

int
store_check_rows(struct store *s, struct arena *a, struct store_checked *out,
    struct err *e)
{
	static int (*const checks[])(struct store *, struct arena *,
	    struct store_checked *, struct err *) = { store_check_version,
		store_check_credentials, store_check_issuer, store_check_log,
		store_check_edits, store_check_numbers };

	if (store_key_need_admin(s, e) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (checks[i](s, a, out, e) < 0)
			return -1;
	return 0;
}
