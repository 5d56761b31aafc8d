/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of agents, for clients of older revisions. */
#include "base/limits.h"
#include "store/agent.h"
#include "store/internal.h"
#include "store/outbox.h"

enum {
	NOTED_MS = 60000 /* precision of the time of last use */
};

/* Removes unused sessions, and the agent's oldest if there are too many. */
static int
store_agent_session_make_room(struct store *s, int64_t agent, int64_t now_ms,
    struct err *e)
{
	static const char old[] = "DELETE FROM mcp_session WHERE used_ms < ?1";
	static const char most[] =
	    "DELETE FROM mcp_session WHERE agent_id = ?1 AND id NOT IN"
	    " (SELECT id FROM mcp_session WHERE agent_id = ?1"
	    "  ORDER BY used_ms DESC, id DESC LIMIT ?2)";
	CLEANUP(stmt_done) struct stmt *st = NULL, *all = NULL;

	if (stmt_prepare(s, old, &st, e) < 0 ||
	    stmt_prepare(s, most, &all, e) < 0)
		return -1;
	stmt_int(st, 1, now_ms - LIMIT_MCP_SESSION_MS);
	stmt_int(all, 1, agent);
	stmt_int(all, 2, LIMIT_MCP_SESSIONS - 1);
	return stmt_run(s, st, e) < 0 ? -1 : stmt_run(s, all, e);
}

int
store_agent_session_add(struct store *s, struct arena *a, int64_t agent,
    struct str id, const struct store_agent_session *x, int64_t now_ms,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO mcp_session"
	    " (hash, agent_id, revision, used_ms, client, asks)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 ||
	    store_agent_session_make_room(s, agent, now_ms, e) < 0 ||
	    stmt_ask(s, e, sql, &st, V(store_digest_file(a, id)), V(agent),
		V(x->revision), V(now_ms), V(x->client), V(x->asks)) < 0)
		return -1;
	return stmt_run(s, st, e) < 0 ? -1 : tx_commit(&t, e);
}

static int
store_agent_session_touch(struct store *s, int64_t id, int64_t now_ms,
    struct err *e)
{
	return stmt_do(s, e,
	    "UPDATE mcp_session SET used_ms = ?2 WHERE id = ?1", V(id),
	    V(now_ms));
}

int
store_agent_session_find(struct store *s, struct arena *a, int64_t agent,
    struct str id, int64_t now_ms, struct store_agent_session *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t used;
	int r;

	if (stmt_ask(s, e,
		"SELECT id, used_ms, revision, client, asks"
		" FROM mcp_session"
		" WHERE hash = ?1 AND agent_id = ?2 AND used_ms >= ?3",
		&st, V(store_digest_file(a, id)), V(agent),
		V(now_ms - LIMIT_MCP_SESSION_MS)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r != 1)
		return r;
	*out = (struct store_agent_session){
		.id = stmt_column_int(st, 0),
		.revision = stmt_column(st, 2, a),
		.client = stmt_column(st, 3, a),
		.asks = stmt_column_int(st, 4) != 0,
	};
	used = stmt_column_int(st, 1);
	stmt_done(&st);
	if (used + NOTED_MS <= now_ms &&
	    store_agent_session_touch(s, out->id, now_ms, e) < 0)
		return -1;
	return 1;
}

int
store_agent_session_end(struct store *s, struct arena *a, int64_t agent,
    struct str id, struct err *e)
{
	if (stmt_do(s, e,
		"DELETE FROM mcp_session WHERE hash = ?1 AND agent_id = ?2",
		V(store_digest_file(a, id)), V(agent)) < 0)
		return -1;
	return stmt_changes(s) == 1;
}
