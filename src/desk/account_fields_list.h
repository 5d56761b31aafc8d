/*
 * What a result says of an account, a field each: its name, its settings as
 * account_fields_put() has them, and whether it has a password.  For a table of
 * fields to include.
 */
#define ACCOUNT_FIELD(kind)                                                    \
	(kind) >= SETTING_PORT         ? FIELD_INT                             \
	    : (kind) >= SETTING_SWITCH ? FIELD_BOOL                            \
				       : FIELD_TEXT
{ "name", FIELD_TEXT, .help = "what agents call the account" },
#define SETTING(id, word, kind, words, given, help_, ...)                      \
	{ (word), ACCOUNT_FIELD(SETTING_##kind), .help = (help_) },
#include "store/account_setting_list.h"
    { "has_password", FIELD_BOOL, .help = "is one sealed?" },
#undef ACCOUNT_FIELD
