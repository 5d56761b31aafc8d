/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the gate's role may do with each table.  What the operator signs it
 * only reads; the audit log it writes and never takes from.
 *
 * A new table is named here: what agents' processes write of it, and no more.
 */
#include "store/roles.h"

/* What the marks of a row change (audit.c). */
#define LOG_WRITES                                                             \
	"ts, principal, account, action, target, result, reason, state"
#define LOG_CHANGES "account, result, reason, state, outcome, detail"

static const struct roles_right rights[] = {
	{ "account_op", "", "", true, false, false },
	/* A token that the provider replaced (oauth.c). */
	{ "accounts", "", "enc_oauth_refresh_token, oauth_refresh_s", true,
	    false, false },
	{ "acked", "*", "", true, true, false },
	{ "agent", "", "", true, false, false },
	{ "agent_uid", "", "", true, false, false },
	{ "audit_checkpoint", "", "", true, false, true },
	/* A link says its own number (chain.c). */
	{ "audit_link", "*", "", true, false, true },
	{ "audit_log", LOG_WRITES, LOG_CHANGES, true, false, true },
	{ "canary", "", "", true, false, false },
	{ "claim", "*", "folder, uidvalidity, uid", true, true, false },
	{ "correspondent", "*", "", true, false, false },
	{ "folder_state", "*", "uidvalidity, floor_uid", true, false, false },
	/* It can stop agents; only the operator lets them go on. */
	{ "freeze", "*", "", true, false, false },
	/* Its rows are written by the triggers, which are the owner's. */
	{ "given", "", "", true, false, false },
	{ "issuer", "", "", true, false, false },
	{ "issuer_kept", "*", "issuer, says, got_ms, tried_ms, mark", true,
	    false, false },
	/* A change of which nothing was done goes again. */
	{ "journal", "-id", "state, changed_s, target_uidvalidity", true, true,
	    false },
	{ "journal_message", "*", "done, new_uid, new_ref, undone", true, false,
	    false },
	{ "mcp_session", "-id", "used_ms", true, true, false },
	{ "migration", "", "", true, false, false },
	{ "model", "", "", true, false, false },
	{ "notice", "-id", "since_s, ready_s, told", true, true, false },
	{ "notice_told", "*", "at_s, failed", true, false, false },
	{ "outbox", "-id", "state, changed_s, message, copy, idempotency_key",
	    true, false, false },
	{ "outbox_change", "*", "journal_id", true, false, false },
	{ "outbox_recipient", "*", "code, status", true, false, false },
	{ "seen_message", "*", "folder, uid, acked", true, true, false },
	{ "settings", "", "", true, false, false },
	/* The operator's copy, which only the operator compares. */
	{ "signed", "", "", false, false, false },
	{ "skill_grant", "-id", "used_ms, uses_left, ended, ended_ms", true,
	    true, false },
	{ "taint", "*", "read_s", true, false, false },
	{ "uid_folder", "-id", "uidnext, listing", true, false, false },
	{ "uid_map", "*", "gone", true, true, false },
	{ "whitelist_in", "", "", true, false, false },
	{ "whitelist_out", "", "", true, false, false },
};

#define RIGHTS (sizeof(rights) / sizeof(rights[0]))

const struct roles_right *
roles_right_at(size_t i)
{
	return i < RIGHTS ? &rights[i] : NULL;
}
