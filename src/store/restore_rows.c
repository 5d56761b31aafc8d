/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a restore does with each table.  The copy is `main`, the store that it
 * replaces `present`.
 *
 * A new table is named here, with what a restore means for it.
 */
#include "base/clock.h"
#include "store/chain_range.h"
#include "store/internal.h"
#include "store/notice.h"
#include "store/restoring.h"

/* More than are given between a copy and a restore. */
enum {
	GAP_UIDS = 1000000,
	GAP_ROWS = 10000
};

/* Accounts that both have. */
#define KIN "(SELECT id FROM temp.kin)"

/*
 * And those that were made again (restore_moved.c); and messages of which is
 * known that they still wait.
 */
static const char kin_none[] =
    "CREATE TEMP TABLE kin (id INTEGER PRIMARY KEY);"
    "CREATE TEMP TABLE moved (was INTEGER PRIMARY KEY, id INTEGER NOT NULL);"
    "CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY)";

/*
 * Numbers of accounts are never used again; but where somebody put a copy back
 * by hand, one number may be two accounts.
 */
static const char kin_fill[] =
    "INSERT INTO temp.kin SELECT a.id FROM main.accounts a"
    " JOIN present.accounts p ON p.id = a.id"
    " WHERE p.name = a.name OR (p.backend = a.backend"
    " AND p.username IS a.username AND p.from_addr IS a.from_addr"
    " AND p.imap_host IS a.imap_host AND p.path IS a.path"
    " AND p.url IS a.url)";

#define OF_ACCOUNT(t)                                                          \
	"DELETE FROM main." t " WHERE account_id IN " KIN ";"                  \
	"INSERT INTO main." t " SELECT * FROM present." t                      \
	" WHERE account_id IN " KIN

/* With a number that is never used again, and that others refer to. */
#define NUMBERED(t)                                                            \
	"DELETE FROM main." t " WHERE account_id IN " KIN                      \
	" OR id IN (SELECT id FROM present." t " WHERE account_id IN " KIN     \
	");"                                                                   \
	"INSERT INTO main." t " SELECT * FROM present." t                      \
	" WHERE account_id IN " KIN " AND id <= " RESTORE_MOST("'" t "'")

/* Of what was taken. */
#define PART_OF(t, whole, key)                                                 \
	"INSERT INTO main." t " SELECT * FROM present." t " WHERE " key        \
	" IN (SELECT id FROM main." whole " WHERE account_id IN " KIN ")"

/* As SQL from the present store.  Each is after what it refers to. */
static const struct how {
	const char *table;
	const char *how;
	const char *sql;
} hows[] = {
	{ "accounts", "copy", NULL },
	{ "account_op", "copy", NULL },
	{ "acked", "present", OF_ACCOUNT("acked") },
	{ "agent", "copy", NULL },
	{ "agent_uid", "copy", NULL },
	{ "audit_checkpoint", "log", NULL },
	{ "audit_link", "log", NULL },
	{ "audit_log", "log", NULL },
	{ "canary", "copy", NULL },
	{ "claim", "present", OF_ACCOUNT("claim") },
	{ "correspondent", "present", OF_ACCOUNT("correspondent") },
	{ "folder_state", "present", OF_ACCOUNT("folder_state") },
	/* A freeze counts for an account of that number or of that name. */
	{ "freeze", "both",
	    "INSERT INTO main.freeze (agent, account_id, why, at_s)"
	    " SELECT agent, 0, why, at_s FROM present.freeze"
	    " WHERE account_id = 0"
	    " AND NOT (agent = '' AND why = '" RESTORE_FREEZE "')"
	    " UNION SELECT f.agent, a.id, f.why, f.at_s FROM present.freeze f"
	    " JOIN present.accounts p ON p.id = f.account_id"
	    " JOIN main.accounts a ON a.name = p.name"
	    " OR (a.id = p.id AND a.id IN " KIN ")"
	    " WHERE true ON CONFLICT DO NOTHING" },
	{ "issuer", "copy", NULL },
	{ "issuer_kept", "dropped", NULL },
	{ "journal", "present", NUMBERED("journal") },
	{ "journal_message", "present",
	    PART_OF("journal_message", "journal", "journal_id") },
	{ "mcp_session", "dropped", NULL },
	{ "migration", "copy", NULL },
	{ "model", "copy", NULL },
	/* What is held is told of again; the rest comes up again. */
	{ "notice", "dropped", NULL },
	{ "notice_told", "dropped", NULL },
	{ "outbox", "present", NUMBERED("outbox") },
	{ "outbox_change", "present",
	    PART_OF("outbox_change", "outbox", "outbox_id") },
	{ "outbox_recipient", "present",
	    PART_OF("outbox_recipient", "outbox", "outbox_id") },
	{ "seen_message", "present", OF_ACCOUNT("seen_message") },
	{ "settings", "copy", NULL },
	{ "signed", "copy", NULL },
	/* What agents loaded and where they logged in ended since, or not. */
	{ "skill_grant", "dropped", NULL },
	{ "taint", "both",
	    "INSERT INTO main.taint (principal, read_s)"
	    " SELECT principal, read_s FROM present.taint WHERE true"
	    " ON CONFLICT (principal) DO UPDATE"
	    " SET read_s = max(read_s, excluded.read_s)" },
	{ "uid_folder", "present", NUMBERED("uid_folder") },
	{ "uid_map", "present", PART_OF("uid_map", "uid_folder", "folder_id") },
	{ "whitelist_in", "copy", NULL },
	{ "whitelist_out", "copy", NULL },
};

#define HOWS (sizeof(hows) / sizeof(hows[0]))

const char *
restore_rows_how(const char *table)
{
	for (size_t i = 0; i < HOWS; i++)
		if (strcmp(hows[i].table, table) == 0)
			return hows[i].how;
	return NULL;
}

const char *
restore_rows_table(size_t i)
{
	return i < HOWS ? hows[i].table : NULL;
}

static const char dropped[] = "DELETE FROM main.issuer_kept WHERE true;"
			      "DELETE FROM main.mcp_session WHERE true;"
			      "DELETE FROM main.notice WHERE true;"
			      "DELETE FROM main.notice_told WHERE true;"
			      "DELETE FROM main.skill_grant WHERE true";

/* After the outbox is in place. */
static const char waiting[] =
    "INSERT INTO main.notice (kind, account_id, item, since_s, ready_s)"
    " SELECT 'held', account_id, id, created_s, created_s FROM main.outbox"
    " WHERE state = 'held' AND EXISTS (SELECT 1 FROM main.settings"
    " WHERE key = '" STORE_NOTICE_WAY "' AND value <> '" STORE_NOTICE_OFF "')";

/*
 * Numbers that were given since are not given again.  A log without a row would
 * look as if the rows before had been purged.
 */
#define LOG "('audit_log', 'audit_link', 'audit_checkpoint')"
/* Of the chains of a server's store, to which nothing is added here. */
#define CHAINS "name GLOB 'audit_l*.*'"
#define CHAIN_NAMES                                                            \
	"WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k"      \
	" WHERE n < 31) SELECT 'audit_log.' || n FROM k"                       \
	" UNION ALL SELECT 'audit_link.' || n FROM k"
#define NUMBER_WAS                                                             \
	"coalesce(max(0, (SELECT max(min(CAST(p.seq AS "                       \
	"INTEGER), " RESTORE_MOST(                                             \
	    "q.name") ")) FROM present.sqlite_sequence p"                      \
		      " WHERE p.name = q.name)), 0)"
#define RAISE                                                                  \
	"UPDATE main.sqlite_sequence AS q SET seq = max(seq, " NUMBER_WAS ")"
#define BEGIN                                                                  \
	"INSERT INTO main.sqlite_sequence (name, seq)"                         \
	" SELECT name, " NUMBER_WAS " FROM (SELECT DISTINCT name"              \
	" FROM present.sqlite_sequence) q"                                     \
	" WHERE name IN (SELECT name FROM main.sqlite_master)"                 \
	" AND name NOT IN (SELECT name FROM main.sqlite_sequence)"
static const char numbers[] =
    RAISE " WHERE name NOT IN " LOG " AND NOT " CHAINS ";" BEGIN
	  " AND name NOT IN " LOG ";" RAISE " WHERE name = 'audit_log'"
	  " AND EXISTS (SELECT 1 FROM main.audit_log)";

static const char log_stays[] =
    "DELETE FROM main.audit_log WHERE true;"
    "DELETE FROM main.audit_link WHERE true;"
    "DELETE FROM main.audit_checkpoint WHERE true;"
    "DELETE FROM main.sqlite_sequence WHERE name IN " LOG " OR " CHAINS ";"
    "INSERT INTO main.audit_log SELECT * FROM present.audit_log;"
    "INSERT INTO main.audit_link SELECT * FROM present.audit_link;"
    "INSERT INTO main.audit_checkpoint"
    " SELECT * FROM present.audit_checkpoint;"
    /* SQLite counted the other chains' numbers as the first one's. */
    "UPDATE main.sqlite_sequence SET seq = coalesce((SELECT max(id)"
    " FROM main.audit_log WHERE id < " CHAIN_RANGE_SQL "), 0)"
    " WHERE name = 'audit_log';"
    "UPDATE main.sqlite_sequence SET seq = coalesce((SELECT max(seq)"
    " FROM main.audit_link WHERE seq < " CHAIN_RANGE_SQL "), 0)"
    " WHERE name = 'audit_link';"
    "INSERT INTO main.sqlite_sequence (name, seq) SELECT name, max(seq)"
    " FROM present.sqlite_sequence WHERE name IN (" CHAIN_NAMES ")"
    " AND typeof(seq) = 'integer' AND seq BETWEEN 1 AND " RESTORE_NUMBERS
    " - 1 GROUP BY name;" RAISE " WHERE name IN " LOG ";" BEGIN
    " AND name IN " LOG;

/*
 * With the same data key: a provider may have replaced the token that the copy
 * has, and a replaced key of the agents stays replaced.
 */
static const char sealed[] =
    "UPDATE main.accounts SET"
    " enc_oauth_refresh_token = p.enc_oauth_refresh_token,"
    " oauth_refresh_s = p.oauth_refresh_s FROM present.accounts p"
    " WHERE p.id = accounts.id AND p.id IN " KIN
    " AND p.oauth_consent_s = accounts.oauth_consent_s"
    " AND p.enc_oauth_client_id IS accounts.enc_oauth_client_id;"
    "DELETE FROM main.settings WHERE key = 'dek_wrap_agent';"
    "INSERT INTO main.settings SELECT * FROM present.settings"
    " WHERE key = 'dek_wrap_agent'";

/* Processes that have another data key in memory must not seal with it. */
#define DEK_COUNT(db)                                                          \
	"coalesce((SELECT min(CAST(value AS INTEGER), " RESTORE_NUMBERS        \
	") FROM " db ".settings WHERE key = 'dek_count'), 0)"
static const char dek_count[] =
    "INSERT INTO main.settings (key, value) SELECT 'dek_count',"
    " ?1 + max(" DEK_COUNT("main") ", " DEK_COUNT(
	"present") ")"
		   " WHERE true ON CONFLICT (key) DO UPDATE SET value = "
		   "excluded.value";

/*
 * What waited in the copy may have been released since; nobody sends it again
 * by mistake.
 */
static int
restore_rows_unknown(struct store *copy, struct store_restored *done,
    struct err *e)
{
	static const char messages[] =
	    "UPDATE main.outbox SET state = 'unknown_outcome', changed_s = ?1"
	    " WHERE state = 'held' AND account_id NOT IN " KIN
	    " AND id NOT IN (SELECT id FROM temp.kept)"
	    " AND id NOT IN (SELECT outbox_id FROM main.outbox_change)";
	/* Their time was over then; while something is frozen none passes. */
	static const char over[] =
	    "UPDATE main.outbox SET state = 'expired', changed_s = ?1,"
	    " message = NULL WHERE state = 'held' AND account_id NOT IN " KIN
	    " AND id NOT IN (SELECT id FROM temp.kept)"
	    " AND expires_s > 0 AND expires_s + frozen_s <="
	    " CAST(strftime('%s', ?2) AS INTEGER)"
	    " AND NOT EXISTS (SELECT 1 FROM main.freeze)";
	static const char changes[] =
	    "UPDATE main.outbox SET state = 'expired', changed_s = ?1,"
	    " message = NULL"
	    " WHERE state = 'held' AND account_id NOT IN " KIN
	    " AND id NOT IN (SELECT id FROM temp.kept)";

	if (stmt_do(copy, e, over, V(clock_now()), V(done->taken)) < 0 ||
	    stmt_do(copy, e, messages, V(clock_now())) < 0)
		return -1;
	done->unknown = stmt_changes(copy);
	return stmt_do(copy, e, changes, V(clock_now()));
}

/*
 * Where nobody knows which numbers of messages were given since, it goes on far
 * above them.  Another numbering would lose what agents have seen.
 */
static int
restore_rows_number_on(struct store *copy, struct err *e)
{
	static const char sql[] =
	    "UPDATE main.uid_folder SET uidnext = uidnext + ?1"
	    " WHERE uidnext < 4294967295 - 2 * ?1 AND account_id NOT IN " KIN;

	return stmt_do(copy, e, sql, V(GAP_UIDS));
}

/* The same of what emcli counts itself. */
static int
restore_rows_count_on(struct store *copy, struct err *e)
{
	static const char begun[] =
	    "UPDATE main.sqlite_sequence SET seq = seq + ?1"
	    " WHERE name IN ('accounts', 'outbox', 'journal') OR"
	    " (name = 'audit_log' AND EXISTS (SELECT 1 FROM main.audit_log))";
	static const char not_begun[] =
	    "INSERT INTO main.sqlite_sequence (name, seq) SELECT name, ?1"
	    " FROM (SELECT 'outbox' AS name UNION SELECT 'journal')"
	    " WHERE name NOT IN (SELECT name FROM main.sqlite_sequence)";

	return stmt_do(copy, e, begun, V(GAP_ROWS)) < 0
	    ? -1
	    : stmt_do(copy, e, not_begun, V(GAP_ROWS));
}

/* What the restore that is undone has not brought along. */
static const char undone[] =
    "INSERT INTO temp.kept SELECT id FROM main.outbox WHERE state = 'held'"
    " AND account_id NOT IN " KIN
    " AND id NOT IN (SELECT id FROM present.outbox)";

static int
restore_rows_carry(struct store *copy, struct store_restored *done,
    struct err *e)
{
	for (size_t i = 0; i < HOWS; i++) {
		if (hows[i].sql == NULL)
			continue;
		if (stmt_exec(copy, hows[i].sql, e) < 0)
			return -1;
		if (strcmp(hows[i].table, "freeze") == 0)
			done->freezes = stmt_changes(copy);
	}
	return 0;
}

int
restore_rows(struct store *copy, const struct restore_kind *k,
    struct store_restored *done, struct err *e)
{
	if (stmt_exec(copy, kin_none, e) < 0 ||
	    (k->related && stmt_exec(copy, kin_fill, e) < 0) ||
	    restore_rows_carry(copy, done, e) < 0 ||
	    restore_moved(copy, k, done, e) < 0 ||
	    (k->undoes && stmt_exec(copy, undone, e) < 0) ||
	    restore_rows_unknown(copy, done, e) < 0 ||
	    (!k->undoes && restore_rows_number_on(copy, e) < 0) ||
	    stmt_exec(copy, dropped, e) < 0 ||
	    stmt_exec(copy, numbers, e) < 0 ||
	    (k->log_stays && stmt_exec(copy, log_stays, e) < 0) ||
	    stmt_exec(copy, waiting, e) < 0 ||
	    (k->same_dek && stmt_exec(copy, sealed, e) < 0))
		return -1;
	return stmt_do(copy, e, dek_count, V(k->same_dek ? 0 : 1));
}

int
restore_rows_alone(struct store *copy, struct store_restored *done,
    struct err *e)
{
	return stmt_exec(copy, kin_none, e) < 0 ||
		restore_rows_unknown(copy, done, e) < 0 ||
		restore_rows_number_on(copy, e) < 0 ||
		restore_rows_count_on(copy, e) < 0 ||
		stmt_exec(copy, dropped, e) < 0
	    ? -1
	    : stmt_exec(copy, waiting, e);
}
