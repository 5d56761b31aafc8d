/* SPDX-License-Identifier: Apache-2.0 */
/* Changes an agent, and gives it another token. */
#include "store/agent_row.h"
#include "store/internal.h"
#include "store/outbox.h"

int
store_agent_change(struct store *s, const struct store_agent *x, struct err *e)
{
	static const char sql[] =
	    "UPDATE agent SET accounts = ?2, skills = ?3, ops = ?4,"
	    " issuer = ?5, subject = ?6 WHERE id = ?1";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    agent_row_check_subject(s, x, e) < 0 ||
	    stmt_do(s, e, sql, V(x->id), stmt_v_or_null(x->accounts),
		stmt_v_or_null(x->skills), stmt_v_or_null(x->ops),
		stmt_v_or_null(x->issuer), stmt_v_or_null(x->subject)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such agent");
	if (stmt_do(s, e, "DELETE FROM agent_uid WHERE agent_id = ?1",
		V(x->id)) < 0 ||
	    agent_row_put_uids(s, x, x->id, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_agent_change_token(struct store *s, struct arena *a, struct str name,
    struct str token, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e,
		"DELETE FROM mcp_session WHERE agent_id ="
		" (SELECT id FROM agent WHERE name = ?1)",
		V(name)) < 0 ||
	    stmt_do(s, e, "UPDATE agent SET hash = ?2 WHERE name = ?1", V(name),
		V(store_digest_file(a, token))) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such agent");
	return tx_commit(&t, e);
}
