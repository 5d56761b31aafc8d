/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of an account in a result: its name, its settings as from
 * account_fields_put(), and whether it has a password.  To be included in a
 * table of fields.
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
