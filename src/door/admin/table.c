/* All operator commands, in the order they are shown. */
#include "desk/desk.h"
#include "door/admin/internal.h"

static const struct admin_command rows[] = {
	{ .op = &desk_key_generate },
	{ .op = &desk_key_rotate },
	{ .op = &desk_key_rewrap },
	{ "init", "Set up the database and an account, step by step", init_args,
	    init_run, ADMIN_KEYS, NULL },
	{ "account add", "Add a mailbox and its policy", account_args_add,
	    account_add_run, ADMIN_CHANGE, NULL },
	{ "account edit", "Change some settings of an account",
	    account_args_edit, account_edit_run, ADMIN_CHANGE, NULL },
	{ .op = &desk_account_show },
	{ .op = &desk_account_list },
	{ .op = &desk_account_remove },
	{ .op = &desk_account_providers },
	{ .op = &desk_account_consent },
	{ .op = &desk_whitelist_add_in },
	{ .op = &desk_whitelist_remove_in },
	{ .op = &desk_whitelist_list_in },
	{ .op = &desk_whitelist_turn_in_on },
	{ .op = &desk_whitelist_turn_in_off },
	{ .op = &desk_whitelist_add_out },
	{ .op = &desk_whitelist_remove_out },
	{ .op = &desk_whitelist_list_out },
	{ .op = &desk_whitelist_turn_out_on },
	{ .op = &desk_whitelist_turn_out_off },
	{ .op = &desk_approve_list },
	{ .op = &desk_approve_show },
	{ .op = &desk_approve_release },
	{ .op = &desk_approve_deny },
	{ .op = &desk_freeze },
	{ .op = &desk_thaw },
	{ .op = &desk_canary_add },
	{ .op = &desk_canary_remove },
	{ .op = &desk_canary_list },
	{ .op = &desk_source_list },
	{ .op = &desk_source_set },
	{ .op = &desk_source_import },
	{ .op = &desk_source_probe },
	{ .op = &desk_source_explain },
	{ .op = &desk_agent_add },
	{ .op = &desk_agent_list },
	{ .op = &desk_agent_remove },
	{ .op = &desk_skill_list },
	{ .op = &desk_skill_show },
	{ .op = &desk_skill_validate },
	{ .op = &desk_skill_export },
	{ .op = &desk_skill_cost },
	{ .op = &desk_mcp_install },
	{ .op = &desk_home_build },
	{ .op = &desk_home_list },
	{ .op = &desk_home_show },
	{ .op = &desk_home_remove },
	{ .op = &desk_model_add },
	{ .op = &desk_model_list },
	{ .op = &desk_model_remove },
	{ .op = &desk_config_set },
	{ .op = &desk_config_get },
	{ .op = &desk_config_list },
	{ .op = &desk_audit_list },
	{ .op = &desk_audit_verify },
	{ .op = &desk_audit_accept },
	{ .op = &desk_audit_export },
	{ .op = &desk_unack },
	{ .op = &desk_outbox_list },
	{ .op = &desk_outbox_show },
	{ .op = &desk_outbox_resolve },
	{ 0 },
};

struct admin_command
admin_table_row(size_t n)
{
	struct admin_command c = rows[n];

	if (c.op != NULL) {
		c.name = c.op->name;
		c.summary = c.op->summary;
		c.args = c.op->args;
	}
	return c;
}
