/* SPDX-License-Identifier: Apache-2.0 */
/* Agents as rows, found by the hash of their token. */
#include "store/agent.h"

#include "base/clock.h"
#include "base/limits.h"
#include "store/agent_row.h"
#include "store/internal.h"
#include "store/outbox.h"

#define COLUMNS "id, name, accounts, skills, ops, made_ms, issuer, subject"

static void
store_agent_read_row(struct stmt *st, struct arena *a, struct store_agent *out)
{
	*out = (struct store_agent){
		.id = stmt_column_int(st, 0),
		.name = stmt_column(st, 1, a),
		.made_ms = stmt_column_int(st, 5),
		.issuer = stmt_column(st, 6, a),
		.subject = stmt_column(st, 7, a),
	};
	/* No limit and an empty set are opposites. */
	if (!stmt_column_is_null(st, 2))
		out->accounts = str_of(str_c(a, stmt_column(st, 2, a)));
	if (!stmt_column_is_null(st, 3))
		out->skills = str_of(str_c(a, stmt_column(st, 3, a)));
	if (!stmt_column_is_null(st, 4))
		out->ops = str_of(str_c(a, stmt_column(st, 4, a)));
}

static int
store_agent_known(struct store *s, struct str name, size_t *all, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e,
		"SELECT count(*), count(CASE WHEN name = ?1 COLLATE NOCASE "
		"THEN 1 END)"
		" FROM agent",
		&st, V(name)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	*all = (size_t)stmt_column_int(st, 0);
	if (stmt_column_int(st, 1) > 0)
		return err_set(e, ERR_USAGE,
		    "an agent with that name exists: remove it first");
	return 0;
}

/* A token must be of one agent at most. */
int
agent_row_check_subject(struct store *s, const struct store_agent *x,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct store_agent other;
	int r = x->subject.n == 0
	    ? 0
	    : store_agent_by_subject(s, a, x->issuer, x->subject, &other, e);

	if (r == 1 && other.id != x->id)
		return err_set(e, ERR_USAGE,
		    "that subject is agent %.*s: remove it first",
		    STR_ARG(other.name));
	return r < 0 ? -1 : 0;
}

int
agent_row_put_uids(struct store *s, const struct store_agent *x, int64_t id,
    struct err *e)
{
	for (size_t i = 0; i < x->uids; i++)
		if (stmt_do(s, e,
			"INSERT INTO agent_uid (agent_id, uid) VALUES (?1, ?2)"
			" ON CONFLICT DO NOTHING",
			V(id), V((int64_t)x->uid[i])) < 0)
			return -1;
	return 0;
}

int
store_agent_add(struct store *s, struct arena *a, const struct store_agent *x,
    struct str token, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO agent (name, hash, accounts, skills, ops, made_ms,"
	    " issuer, subject) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
	    " RETURNING id";
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t id;
	size_t all;

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_agent_known(s, x->name, &all, e) < 0)
		return -1;
	if (agent_row_check_subject(s, x, e) < 0)
		return -1;
	if (all >= LIMIT_AGENTS)
		return err_set(e, ERR_LIMIT,
		    "there are already %d agents: remove one first",
		    LIMIT_AGENTS);
	if (stmt_add(s, e, sql, &id, V(x->name), V(store_digest_file(a, token)),
		stmt_v_or_null(x->accounts), stmt_v_or_null(x->skills),
		stmt_v_or_null(x->ops), V(clock_now_ms()),
		stmt_v_or_null(x->issuer), stmt_v_or_null(x->subject)) < 0 ||
	    agent_row_put_uids(s, x, id, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_agent_remove(struct store *s, struct str name, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, "DELETE FROM agent WHERE name = ?1", V(name)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such agent");
	return tx_commit(&t, e);
}

int
store_agent_list(struct store *s, struct arena *a, struct store_agent **out,
    size_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = 0;

	*n = 0;
	*out = arena_array(a, LIMIT_AGENTS, sizeof(**out));
	if (stmt_prepare(s, "SELECT " COLUMNS " FROM agent ORDER BY name", &st,
		e) < 0)
		return -1;
	while (*n < LIMIT_AGENTS && (r = stmt_step(s, st, e)) == 1)
		store_agent_read_row(st, a, &(*out)[(*n)++]);
	return r < 0 ? -1 : 0;
}

static int
store_agent_find(struct store *s, struct arena *a, const char *sql,
    struct str value, struct store_agent *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(value)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		store_agent_read_row(st, a, out);
	return r;
}

int
store_agent_by_name(struct store *s, struct arena *a, struct str name,
    struct store_agent *out, struct err *e)
{
	return store_agent_find(s, a,
	    "SELECT " COLUMNS " FROM agent WHERE name = ?1 COLLATE NOCASE",
	    name, out, e);
}

int
store_agent_by_uid(struct store *s, struct arena *a, uint32_t uid,
    struct str name, struct store_agent *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e,
		"SELECT " COLUMNS " FROM agent JOIN agent_uid ON agent_id = id"
		" WHERE uid = ?1 AND (?2 = '' OR name = ?2 COLLATE NOCASE)"
		" ORDER BY id LIMIT 1",
		&st, V((int64_t)uid), V(name)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		store_agent_read_row(st, a, out);
	return r;
}

int
store_agent_by_subject(struct store *s, struct arena *a, struct str issuer,
    struct str subject, struct store_agent *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e,
		"SELECT " COLUMNS " FROM agent"
		" WHERE issuer = ?1 AND subject = ?2",
		&st, V(issuer), V(subject)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		store_agent_read_row(st, a, out);
	return r;
}

int
store_agent_uids(struct store *s, struct arena *a, struct store_agent *x,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	uint32_t *uid = arena_array(a, LIMIT_AGENT_UIDS, sizeof(*uid));
	int r = 0;

	x->uid = uid;
	x->uids = 0;
	if (stmt_ask(s, e,
		"SELECT uid FROM agent_uid WHERE agent_id = ?1 ORDER BY uid",
		&st, V(x->id)) < 0)
		return -1;
	while (x->uids < LIMIT_AGENT_UIDS && (r = stmt_step(s, st, e)) == 1)
		uid[x->uids++] = (uint32_t)stmt_column_int(st, 0);
	return r < 0 ? -1 : 0;
}

int
store_agent_by_token(struct store *s, struct arena *a, struct str token,
    struct store_agent *out, struct err *e)
{
	return store_agent_find(s, a,
	    "SELECT " COLUMNS " FROM agent WHERE hash = ?1",
	    store_digest_file(a, token), out, e);
}
