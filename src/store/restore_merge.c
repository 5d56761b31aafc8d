/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brings what happened since into a copy.  Nobody else has the copy: that this
 * is several transactions shows nowhere.
 */
#include "base/limits.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/chain_range.h"
#include "store/freeze.h"
#include "store/freeze_row.h"
#include "store/restoring.h"
#include "store/signed_rows.h"

static int
restore_merge_attach(struct store *copy, const char *file, struct err *e)
{
	return stmt_do(copy, e, "ATTACH ?1 AS present", V(str_of(file)));
}

/* A number or nothing from the first row: 1, 0, -1. */
static int
restore_merge_has(struct store *s, const char *sql, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	return stmt_step(s, st, e);
}

/*
 * Is the copy what the newest restore replaced, and has the operator done
 * nothing since that removes accounts?  Then nothing happened in those that the
 * restore removed.  Its row ends with the newest link of then, and is signed.
 */
static int
restore_merge_undoes(struct store *copy, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM present.audit_log r JOIN"
	    " (SELECT 'link ' || seq || ' ' || hash AS head"
	    " FROM main.audit_link WHERE seq < " CHAIN_RANGE_SQL
	    " ORDER BY seq DESC LIMIT 1)"
	    " WHERE r.id = (SELECT max(id) FROM present.audit_log"
	    " WHERE action = 'store.restore' AND outcome = 'ok'"
	    " AND id < " CHAIN_RANGE_SQL ")"
	    " AND r.id <= (SELECT max(audit_id) FROM present.audit_checkpoint"
	    " WHERE seq < " CHAIN_RANGE_SQL ")"
	    " AND substr(r.detail, -length(head)) = head"
	    " AND NOT EXISTS (SELECT 1 FROM present.audit_log l"
	    " WHERE l.id > r.id"
	    " AND l.principal = 'operator'"
	    " AND l.action NOT IN ('account.edit', 'account.list',"
	    " 'approve.deny', 'approve.list', 'approve.release',"
	    " 'approve.show', 'audit.anchor', 'audit.export', 'audit.list', "
	    "'audit.verify',"
	    " 'doctor', 'freeze', 'notice', 'outbox.list', 'outbox.resolve',"
	    " 'store.backup', 'store.check', 'store.restore', 'thaw'))";

	return restore_merge_has(copy, sql, e);
}

/* Are both copies of one store?  Signatures of its log are never removed. */
static int
restore_merge_kind(struct store *copy, const struct restore_present *p,
    struct restore_kind *k, struct arena *a, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM main.audit_checkpoint c"
	    " JOIN present.audit_checkpoint p"
	    " ON p.n = c.n AND p.seq = c.seq AND p.hash = c.hash"
	    " WHERE c.seq > 0 LIMIT 1";
#define NONE(t, where)                                                         \
	"NOT EXISTS (SELECT 1 FROM present." t " WHERE " where ")"
	/* Rows can be added to its first chain; the others end. */
	static const char usable[] = "SELECT 1 WHERE " NONE("audit_log",
	    "id < " CHAIN_RANGE_SQL
	    " AND id > " RESTORE_MOST("'audit_log'")) " AND " NONE("audit_link",
	    "seq < " CHAIN_RANGE_SQL " AND seq > " RESTORE_MOST(
		"'audit_link'")) " AND " NONE("audit_link",
	    "seq >= " RESTORE_NUMBERS " OR audit_id >= " RESTORE_NUMBERS);
	struct store_chain log;
	int r = restore_merge_has(copy, sql, e);

	if (r < 0 || store_chain_verify(p->s, a, &log, e) < 0)
		return -1;
	k->same_dek = secret_eq(copy->dek, p->s->dek);
	k->related = r == 1 || k->same_dek;
	r = restore_merge_has(copy, usable, e);
	if (r < 0)
		return -1;
	k->log_stays = k->related && log.whole && r == 1;
	r = k->log_stays ? restore_merge_undoes(copy, e) : 0;
	k->undoes = r == 1;
	return r < 0 ? -1 : 0;
}

/* -- what is said about keys ----------------------------------------------- */

static int
restore_merge_slot(struct store *s, struct arena *a, struct str *out,
    struct err *e)
{
	*out = (struct str){ 0 };
	return store_setting_get(s, a, S("dek_wrap_agent"), out, e);
}

static int
restore_merge_say_keys(struct store *copy, const struct restore_present *p,
    const struct restore_kind *k, struct arena *a, struct store_restored *done,
    struct err *e)
{
	struct str is, was;
	int has = restore_merge_slot(copy, a, &is, e);
	int had = restore_merge_slot(p->s, a, &was, e);

	if (has < 0 || had < 0)
		return -1;
	if (k->same_dek) {
		if (has != had || !str_eq(is, was))
			str_push(a, &done->keys,
			    had == 1
				? S("the agents' key stays the one that was in "
				    "use, and not the copy's")
				: S("the database stays without a key for "
				    "agents, which the copy has"));
		return 0;
	}
	str_push(a, &done->keys,
	    S("the data key is the copy's again, and so is what it sealed: "
	      "emcli key rewrap --dek makes a new one"));
	if (has == 1)
		str_push(a, &done->keys,
		    had == 1
			? S("the agents' key is the copy's again: if it was "
			    "replaced since, emcli key rotate --agent")
			: S("an agents' key opens the database again, which "
			    "had none: emcli key rotate --agent"));
	return 0;
}

/* -- the policy ------------------------------------------------------------ */

static int
restore_merge_differs(struct store *copy, const struct restore_present *p,
    struct arena *a, struct store_restored *done, struct err *e)
{
	struct store_signed edits = { 0 };
	struct signed_set was, is;
	struct signed_copy c;
	int r = signed_copy_load(p->s, p->s->audit_key, a, &c, e);

	/* As the operator left them, and not as others did since. */
	if (r < 0 || signed_rows_take(p->s, a, &was, e) < 0 ||
	    signed_rows_take(copy, a, &is, e) < 0 ||
	    (r == 1 && signed_diff(p->s, a, &c.rows, &was, &edits, e) < 0))
		return -1;
	done->was_edited = edits.n > 0;
	done->was_unsigned = r == 0;
	return signed_diff(copy, a, r == 1 ? &c.rows : &was, &is,
	    &done->differs, e);
}

/* What was so then counts again when the operator has looked at it. */
static int
restore_merge_stop(struct store *copy, struct err *e)
{
	const struct store_freeze all = {
		.why = S(RESTORE_FREEZE),
	};

	return freeze_add(copy, &all, false, e);
}

static int
restore_merge_refuse(struct err *e)
{
	(void)snprintf(e->say, sizeof(e->say),
	    "what happened since the copy cannot be taken from the database "
	    "that is there");
	e->kind = ERR_DB;
	return err_hint(e,
	    "move the database aside with its -wal and -shm, and restore "
	    "again: then it is not known what happened since; see emcli(1), "
	    "Copies of a store");
}

/*
 * Whoever may write the database can have put rows there that the copy does not
 * take, and tables that are others than emcli's.
 */
static int
restore_merge_carry(struct store *copy, const struct restore_present *p,
    const struct restore_kind *k, struct arena *a, struct store_restored *done,
    struct err *e)
{
	struct store_signed schema = { 0 };

	if (signed_schema_check(p->s, a, &schema, e) < 0)
		return -1;
	if (schema.n > 0) {
		(void)err_because(e, "%.*s %.*s", STR_ARG(schema.v[0].where),
		    STR_ARG(schema.v[0].what));
		return restore_merge_refuse(e);
	}
	if (restore_rows(copy, k, done, e) == 0)
		return 0;
	switch (sqlite3_errcode(copy->db) & 0xff) {
	case SQLITE_CONSTRAINT:
	case SQLITE_ERROR:
	case SQLITE_MISMATCH:
		return restore_merge_refuse(e);
	default:
		return -1;
	}
}

static int
restore_merge_rows(struct store *copy, const struct restore_present *p,
    struct restore_kind *k, struct arena *a, struct store_restored *done,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	/* It locks the present store's copy, too: what is checked is taken. */
	if (tx_begin(copy, &t, e) < 0)
		return -1;
	if (p != NULL && restore_merge_kind(copy, p, k, a, e) < 0)
		return -1;
	if (p != NULL && restore_merge_say_keys(copy, p, k, a, done, e) < 0)
		return -1;
	if ((p != NULL ? restore_merge_carry(copy, p, k, a, done, e)
		       : restore_rows_alone(copy, done, e)) < 0 ||
	    (p != NULL && restore_merge_differs(copy, p, a, done, e) < 0) ||
	    restore_merge_stop(copy, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

/* -- the log --------------------------------------------------------------- */

/* The newest link of the first chain of the log that is replaced, or goes on.
 */
static int
restore_merge_head(const struct restore_present *p, struct arena *a,
    struct str *out, struct err *e)
{
	char hash[CHAIN_HEX];
	int64_t seq;
	int r;

	*out = S("there was no database");
	if (p == NULL)
		return 0;
	r = chain_head(p->s, 0, &seq, hash, e);
	if (r < 0)
		return -1;
	*out = r == 1
	    ? str_fmt(a, "link %lld %.*s", (long long)seq, CHAIN_HEX, hash)
	    : S("no link");
	return 0;
}

static int
restore_merge_what(const struct store *copy, const struct restore_present *p,
    const struct store_restored *done, struct arena *a, struct str *out,
    struct err *e)
{
	struct store_taken t;
	struct str head;

	if (restore_merge_head(p, a, &head, e) < 0)
		return -1;
	/* The link ends it. */
	*out = str_fmt(a, "the copy: sha256 %.*s, last call %.*s%s%s; %s%.*s",
	    STR_ARG(done->digest), STR_ARG(done->taken),
	    store_signed_taken(copy, &t)
		? ", older than signatures and signed as it was"
		: "",
	    done->was_unsigned
		? "; the signature of accounts and policy that were replaced "
		  "was missing or changed"
		: done->was_edited
		? "; accounts or policy that were replaced had been changed "
		  "without emcli"
		: "",
	    p == NULL             ? ""
		: done->log_stays ? "the audit log goes on after "
				  : "the audit log is the copy's; the replaced "
				    "one ended at ",
	    STR_ARG(head));
	return 0;
}

/* The row of the restore, and a signature under all of it. */
static int
restore_merge_log(struct store *copy, const struct restore_present *p,
    const struct store_restore *r, uint32_t days, struct arena *a,
    struct store_restored *done, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct str what;

	done->audit = r->audit;
	if (restore_merge_what(copy, p, done, a, &what, e) < 0 ||
	    tx_begin(copy, &t, e) < 0)
		return -1;
	if (!done->log_stays && r->record(r->ctx, copy, &done->audit, e) < 0)
		return -1;
	if (store_audit_done(copy, done->audit, S(""), S("ok"), what, e) < 0 ||
	    chain_sign_days(copy, days, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
restore_merge(struct store *copy, const struct restore_present *p,
    const struct store_restore *r, struct arena *a, struct store_restored *done,
    struct err *e)
{
	struct restore_kind k = { 0 };
	uint32_t days = 0;

	if ((p != NULL && restore_merge_attach(copy, p->file, e) < 0) ||
	    restore_merge_rows(copy, p, &k, a, done, e) < 0)
		return -1;
	done->log_stays = k.log_stays;
	/* How long rows were kept, as that log has signed it. */
	if (store_setting_days(k.log_stays ? p->s : copy, &days, e) < 0 ||
	    restore_merge_log(copy, p, r, days, a, done, e) < 0)
		return -1;
	return p != NULL ? stmt_exec(copy, "DETACH present", e) : 0;
}
