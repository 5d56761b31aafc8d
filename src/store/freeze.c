/* SPDX-License-Identifier: Apache-2.0 */
/* Freezes as rows: checks, creates and lists them. */
#include "store/freeze.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "store/freeze_row.h"
#include "store/internal.h"

int
store_freeze_has(struct store *s, struct str agent, int64_t account,
    struct err *e)
{
	static const char sql[] = "SELECT 1 FROM freeze"
				  " WHERE agent IN ('', ?1)"
				  " AND account_id IN (0, ?2) LIMIT 1";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(agent), V(account)) < 0)
		return -1;
	return stmt_step(s, st, e);
}

int
store_freeze_refuse(struct store *s, struct str agent, int64_t account,
    struct err *e)
{
	int r = store_freeze_has(s, agent, account, e);

	if (r <= 0)
		return r;
	(void)err_set(e, ERR_POLICY, "refused by policy: frozen");
	e->reason = "frozen";
	return -1;
}

static int
store_freeze_check_why(struct str why, struct err *e)
{
	bool good = why.n <= LIMIT_FREEZE_WHY && utf8_valid(why);

	for (size_t i = 0; i < why.n; i++)
		good =
		    good && (unsigned char)why.p[i] >= ' ' && why.p[i] != 0x7f;
	if (good)
		return 0;
	return err_set(e, ERR_USAGE,
	    "why takes one line of at most %d bytes of UTF-8",
	    LIMIT_FREEZE_WHY);
}

/*
 * A caller without a key cannot fill the table: the operator, an agent that
 * stops itself and a freeze of everything always have room.
 */
static int
store_freeze_check_room(struct store *s, const struct store_freeze *f,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (f->agent.n == 0 && f->account.n == 0)
		return 0;
	if (stmt_prepare(s, "SELECT count(*) FROM freeze", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	if (stmt_column_int(st, 0) < LIMIT_FREEZES)
		return 0;
	return err_set(e, ERR_LIMIT,
	    "there are already %d freezes: freeze everything with emcli "
	    "freeze, or lift them with emcli thaw --all",
	    LIMIT_FREEZES);
}

int
freeze_account(struct store *s, struct str name, int64_t *id, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*id = 0;
	if (name.n == 0)
		return 0;
	if (stmt_prepare(s, "SELECT id FROM accounts WHERE name = ?1", &st, e) <
	    0)
		return -1;
	stmt_text(st, 1, name);
	r = stmt_step(s, st, e);
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	if (r == 1)
		*id = stmt_column_int(st, 0);
	return r < 0 ? -1 : 0;
}

int
freeze_add(struct store *s, const struct store_freeze *f, bool capped,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO freeze (agent, account_id, why, at_s)"
	    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t account;

	if (store_freeze_check_why(f->why, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    freeze_account(s, f->account, &account, e) < 0 ||
	    (capped && store_freeze_check_room(s, f, e) < 0))
		return -1;
	if (stmt_do(s, e, sql, V(f->agent), V(account), V(f->why),
		V(clock_now())) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_freeze_self(struct store *s, struct str agent, struct str why,
    struct err *e)
{
	const struct store_freeze f = { .agent = agent, .why = why };

	if (agent.n == 0)
		err_bug("store: an agent without a name");
	return store_durable(s, e) < 0 ? -1 : freeze_add(s, &f, false, e);
}

int
store_freeze_list(struct store *s, struct arena *a, struct str agent,
    struct store_freezes *out, struct err *e)
{
	static const char sql[] =
	    "SELECT f.agent, coalesce(x.name, ''), f.why, f.at_s,"
	    " count(*) OVER () FROM freeze f"
	    " LEFT JOIN accounts x ON x.id = f.account_id"
	    " WHERE (f.account_id = 0 OR x.id IS NOT NULL)"
	    " AND (?1 = '' OR f.agent IN ('', ?1))"
	    " ORDER BY f.agent, f.account_id LIMIT ?2";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_freeze *v = NULL;
	size_t have = 0;
	int64_t all = 0;
	int r;

	if (stmt_ask(s, e, sql, &st, V(agent), V(LIMIT_FREEZES)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		all = stmt_column_int(st, 4);
		v[have++] = (struct store_freeze){
			.agent = stmt_column(st, 0, a),
			.account = stmt_column(st, 1, a),
			.why = stmt_column(st, 2, a),
			.at_s = stmt_column_int(st, 3),
		};
	}
	*out = (struct store_freezes){ v, have, (size_t)all };
	return r < 0 ? -1 : 0;
}
