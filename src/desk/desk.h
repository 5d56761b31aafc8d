/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_DESK_H
#define DESK_DESK_H

/*
 * What the operator can ask for: one operation per file, in the same form as
 * the agents' in op/.  All have EFFECT_OPERATE: the gate asks for the admin
 * key, and no agent's door can name one.
 *
 * To add one: 1.  write desk/<name>.c with a `const struct op`; 2.  name it in
 * desk/table.c; 3.  tests/e2e. --json, help, schema, completion, manual
 * and the row of the audit log follow from the struct.
 */
#include "gate/operate.h"

/* All of them, in the order they are shown; NULL after the last. */
extern const struct op *const desk_table[];

extern const struct op desk_account_add;
extern const struct op desk_account_consent;
extern const struct op desk_account_edit;
extern const struct op desk_account_export;
extern const struct op desk_account_import;
extern const struct op desk_account_list;
extern const struct op desk_account_providers;
extern const struct op desk_account_remove;
extern const struct op desk_account_show;
extern const struct op desk_agent_add;
extern const struct op desk_agent_list;
extern const struct op desk_agent_remove;
extern const struct op desk_agent_token;
extern const struct op desk_agents_mailbox_register;
extern const struct op desk_agents_mailbox_status;
extern const struct op desk_agents_mailbox_unregister;
extern const struct op desk_approve_deny;
extern const struct op desk_approve_list;
extern const struct op desk_approve_release;
extern const struct op desk_approve_show;
extern const struct op desk_audit_accept;
extern const struct op desk_audit_export;
extern const struct op desk_audit_list;
extern const struct op desk_audit_verify;
extern const struct op desk_canary_add;
extern const struct op desk_canary_list;
extern const struct op desk_canary_remove;
extern const struct op desk_changes_list;
extern const struct op desk_changes_show;
extern const struct op desk_config_get;
extern const struct op desk_config_list;
extern const struct op desk_config_set;
extern const struct op desk_credential_cleanup;
extern const struct op desk_credential_deprovision;
extern const struct op desk_credential_list;
extern const struct op desk_credential_revoke;
extern const struct op desk_credential_rotate;
extern const struct op desk_freeze;
extern const struct op desk_gateway_notifier_off;
extern const struct op desk_gateway_notifier_on;
extern const struct op desk_gateway_notifier_status;
extern const struct op desk_gateway_run;
extern const struct op desk_gateway_start;
extern const struct op desk_gateway_status;
extern const struct op desk_gateway_stop;
extern const struct op desk_health;
extern const struct op desk_home_build;
extern const struct op desk_home_list;
extern const struct op desk_home_remove;
extern const struct op desk_home_show;
extern const struct op desk_init;
extern const struct op desk_key_generate;
extern const struct op desk_key_rewrap;
extern const struct op desk_key_rotate;
extern const struct op desk_mailbox_accounts;
extern const struct op desk_mailbox_cleanup;
extern const struct op desk_mailbox_clear_messages;
extern const struct op desk_mailbox_export;
extern const struct op desk_mailbox_import;
extern const struct op desk_mailbox_init;
extern const struct op desk_mailbox_messages;
extern const struct op desk_mailbox_register;
extern const struct op desk_mailbox_repair;
extern const struct op desk_mailbox_status;
extern const struct op desk_mailbox_unregister;
extern const struct op desk_mcp_install;
extern const struct op desk_issuer_set;
extern const struct op desk_issuer_show;
extern const struct op desk_issuer_remove;
extern const struct op desk_model_add;
extern const struct op desk_model_list;
extern const struct op desk_model_remove;
extern const struct op desk_outbox_list;
extern const struct op desk_outbox_resolve;
extern const struct op desk_outbox_show;
extern const struct op desk_policy_apply;
extern const struct op desk_policy_export;
extern const struct op desk_serve;
extern const struct op desk_serve_install;
extern const struct op desk_serve_status;
extern const struct op desk_session_list;
extern const struct op desk_session_refresh;
extern const struct op desk_session_resume;
extern const struct op desk_session_hook;
extern const struct op desk_session_pane;
extern const struct op desk_session_show;
extern const struct op desk_session_start;
extern const struct op desk_session_stop;
extern const struct op desk_skill_cost;
extern const struct op desk_skill_export;
extern const struct op desk_skill_list;
extern const struct op desk_skill_show;
extern const struct op desk_skill_validate;
extern const struct op desk_source_explain;
extern const struct op desk_source_import;
extern const struct op desk_source_list;
extern const struct op desk_source_probe;
extern const struct op desk_source_set;
extern const struct op desk_store_backup;
extern const struct op desk_store_check;
extern const struct op desk_store_copy;
extern const struct op desk_store_info;
extern const struct op desk_store_restore;
extern const struct op desk_store_roles;
extern const struct op desk_thaw;
extern const struct op desk_unack;
extern const struct op desk_undo;
extern const struct op desk_whitelist_add_in;
extern const struct op desk_whitelist_add_out;
extern const struct op desk_whitelist_list_in;
extern const struct op desk_whitelist_list_out;
extern const struct op desk_whitelist_remove_in;
extern const struct op desk_whitelist_remove_out;
extern const struct op desk_whitelist_turn_in_off;
extern const struct op desk_whitelist_turn_in_on;
extern const struct op desk_whitelist_turn_out_off;
extern const struct op desk_whitelist_turn_out_on;

#endif
