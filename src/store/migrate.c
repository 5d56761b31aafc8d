/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Migrations: numbered SQL files, compiled in, applied all together or not at
 * all, each recorded with its checksum.  An applied one never changes.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "store/copying.h"
#include "store/internal.h"
#include "store/opening.h"

#define MIGRATION                                                              \
	"migration ("                                                          \
	"  version INTEGER PRIMARY KEY," /* the file's number */               \
	"  checksum TEXT NOT NULL,"      /* SHA-256 of the file, hex */        \
	"  applied TEXT NOT NULL"        /* when: RFC 3339, UTC */             \
	")"

static const char table[] = "CREATE TABLE IF NOT EXISTS " MIGRATION;

int
migrate_is_ours(struct store *s, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	/* As SQLite writes it down. */
	if (stmt_prepare(s,
		"SELECT 1 FROM sqlite_master WHERE type = 'table'"
		" AND name = 'migration' AND sql = 'CREATE TABLE " MIGRATION
		"'",
		&st, e) < 0)
		return -1;
	return stmt_step(s, st, e);
}

int
migrate_known(struct store *s, struct err *e)
{
	return s->driver->has_table(s, "migration", e);
}

static int64_t
migrate_newest_of(const struct migration *m)
{
	int64_t newest = 0;

	for (; m->version != 0; m++)
		newest = m->version;
	return newest;
}

int64_t
migrate_newest(void)
{
	return migrate_newest_of(migrations_all);
}

static int
migrate_too_new(const struct migration *m, int64_t newest, struct err *e)
{
	(void)err_set(e, ERR_CONFIG,
	    "the database is newer than this emcli: it has version %" PRId64
	    ", and this emcli knows %" PRId64,
	    newest, migrate_newest_of(m));
	return err_hint(e, "use the emcli that changed it, or a newer one");
}

/*
 * Compares the applied migrations with the list; *next is the first missing
 * one.
 */
static int
migrate_verify(struct store *s, const struct migration *list,
    const struct migration **next, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	const struct migration *m = list;
	int64_t newest = 0;
	int r;

	if (stmt_prepare(s,
		"SELECT version, checksum FROM migration ORDER BY version", &st,
		e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		if (m->version == 0) {
			newest = stmt_column_int(st, 0);
			continue;
		}
		if (stmt_column_int(st, 0) != m->version ||
		    !str_eq(stmt_column(st, 1, a), str_of(m->checksum)))
			return err_set(e, ERR_CONFIG,
			    "the database was made by a different build of "
			    "emcli");
		m++;
	}
	*next = m;
	return newest > 0 && r == 0 ? migrate_too_new(list, newest, e) : r;
}

int
migrate_fits(struct store *s, struct err *e)
{
	const struct migration *ignored;

	return migrate_verify(s, migrations_all, &ignored, e);
}

static int
migrate_record(struct store *s, const struct migration *m, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(stmt_done) struct stmt *set = NULL;

	if (stmt_prepare(s,
		"INSERT INTO migration (version, checksum, applied)"
		" VALUES (?1, ?2, ?3)",
		&st, e) < 0 ||
	    stmt_prepare(s,
		"INSERT INTO settings (key, value) VALUES ('schema_version',"
		" ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
		&set, e) < 0)
		return -1;
	stmt_int(st, 1, m->version);
	stmt_text(st, 2, str_of(m->checksum));
	stmt_text(st, 3, clock_rfc3339(a, clock_now()));
	stmt_text(set, 1, str_fmt(a, "%d", m->version));
	if (stmt_run(s, st, e) < 0)
		return -1;
	return stmt_run(s, set, e);
}

static int
migrate_apply(struct store *s, const struct migration *m, struct err *e)
{
	if (s->driver->migrate(s, m->sql, e) < 0)
		return -1;
	return migrate_record(s, m, e);
}

/*
 * All that are missing, in one transaction: of several processes that begin at
 * the same time, one keeps the copy and applies them, and the others find none
 * missing.  If one fails, the emcli of before still opens the store.
 */
static int
migrate_apply_all(struct store *s, const struct migration *list, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	const struct migration *m = list;

	if (tx_begin_alone(s, &t, e) < 0 || stmt_exec(s, table, e) < 0 ||
	    migrate_verify(s, list, &m, e) < 0)
		return -1;
	if (m->version == 0)
		return 0;
	/* m[-1] is the newest that it has; a new store has none. */
	if (m != list && copy_before(s, m[-1].version, e) < 0)
		return -1;
	for (; m->version != 0; m++)
		if (migrate_apply(s, m, e) < 0)
			return -1;
	return s->driver->migrated(s, e) < 0 ? -1 : tx_commit(&t, e);
}

/* Only the owner of the schema changes it. */
static int
migrate_may(struct store *s, struct err *e)
{
	int r = s->driver->owns(s, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	(void)err_set(e, ERR_CONFIG,
	    "the database is older than this emcli, and this role may not "
	    "change it");
	return err_hint(e,
	    "any command by the operator's role brings it up to date, such as: "
	    "emcli config list");
}

int
migrate_run(struct store *s, const struct migration *list, struct err *e)
{
	const struct migration *m = list;
	int r = migrate_known(s, e);

	if (r < 0)
		return -1;
	/* The usual case takes no lock. */
	if (r == 1) {
		if (migrate_verify(s, list, &m, e) < 0)
			return -1;
		if (m->version == 0)
			return 0;
		if (migrate_may(s, e) < 0)
			return -1;
	}
	return migrate_apply_all(s, list, e);
}
