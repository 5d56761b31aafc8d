/* All operator commands, in the order they are shown. */
#include "door/admin/internal.h"

#define LIST(list, verb, text, args, fn, which)                                \
	{                                                                      \
		"whitelist " list " " verb, text, args, fn, ADMIN_STORE, which \
	}

const struct admin_command admin_table[] = {
	{ "key generate", "Print a new random key", key_args, key_generate,
	    ADMIN_NOTHING, 0 },
	{ "key rotate", "Put another key in the place of one",
	    key_change_rotate_args, key_change_rotate, ADMIN_STORE, 0 },
	{ "key rewrap", "Seal everything anew under a new data key",
	    key_change_rewrap_args, key_change_rewrap, ADMIN_STORE, 0 },
	{ "init", "Make the database, sealed under both keys", init_args,
	    init_run, ADMIN_KEYS, 0 },
	{ "account add", "Add a mailbox and its policy", account_add_args,
	    account_add_run, ADMIN_STORE, 0 },
	{ "account list", "List the accounts, never their secrets",
	    account_list_args, account_list, ADMIN_STORE, 0 },
	{ "account remove", "Remove an account and all that hangs on it",
	    account_remove_args, account_remove, ADMIN_STORE, 0 },
	LIST("in", "add", "Allow senders to be seen", whitelist_change_args,
	    whitelist_add, STORE_LIST_IN),
	LIST("in", "remove", "Take senders off the list", whitelist_change_args,
	    whitelist_remove, STORE_LIST_IN),
	LIST("in", "list", "Show who may be seen", whitelist_account_args,
	    whitelist_list, STORE_LIST_IN),
	LIST("in", "on", "Show agents listed senders only",
	    whitelist_account_args, whitelist_on, STORE_LIST_IN),
	LIST("in", "off", "Show agents mail from anybody",
	    whitelist_account_args, whitelist_off, STORE_LIST_IN),
	LIST("out", "add", "Allow recipients to be written to",
	    whitelist_change_args, whitelist_add, STORE_LIST_OUT),
	LIST("out", "remove", "Take recipients off the list",
	    whitelist_change_args, whitelist_remove, STORE_LIST_OUT),
	LIST("out", "list", "Show who may be written to",
	    whitelist_account_args, whitelist_list, STORE_LIST_OUT),
	LIST("out", "on", "Let agents write to listed recipients only",
	    whitelist_account_args, whitelist_on, STORE_LIST_OUT),
	LIST("out", "off", "Let agents write to anybody",
	    whitelist_account_args, whitelist_off, STORE_LIST_OUT),
	{ "config set", "Change a setting", config_set_args, config_set,
	    ADMIN_STORE, 0 },
	{ "config get", "Print a setting", config_get_args, config_get,
	    ADMIN_STORE, 0 },
	{ "config list", "List the settings", config_list_args, config_list,
	    ADMIN_STORE, 0 },
	{ "audit list", "Show what agents did, newest first", audit_list_args,
	    audit_list, ADMIN_STORE, 0 },
	{ 0 },
};
