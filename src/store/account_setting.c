/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of account_setting_list.h as a table. */
#include "store/account_setting.h"

#define COLUMN(name, field)                                                    \
	.column = (name), .member = offsetof(struct store_account, field),     \
	.size = sizeof(((struct store_account *)NULL)->field)
#define SETTING(id, word, kind, words, given, help, ask, ...)                  \
	[SETTING_OF_##id] = {                                                  \
		.name = (word),                                                \
		.type = SETTING_##kind,                                        \
		.choices = (words),                                            \
		.def = (given),                                                \
		.means = (help),                                               \
		__VA_ARGS__,                                                   \
	},

const struct setting account_setting[SETTINGS] = {
#include "store/account_setting_list.h"
};
