/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an account is made of, as options: the table of settings, and what only
 * one of `add` and `edit` takes.  What is left out `add` assumes (.def) and
 * `edit` keeps.
 */
#include "desk/account.h"
#include "gate/setting_args.h"

#define PASSWORD_FILE                                                          \
	.name = "password_file", .type = ARG_PATH,                             \
	.help = "file to read the password or token from, once"
#define PASSWORD_STDIN                                                         \
	{ .name = "password_stdin",                                            \
		.type = ARG_FLAG,                                              \
		.help = "read it from standard input" },                       \
	{                                                                      \
		.name = "password_command", .type = ARG_TEXT,                  \
		.help = "program that prints it, run once, without a shell"    \
	}
#define NO_TUI                                                                 \
	{                                                                      \
		.name = "no_tui", .type = ARG_FLAG,                            \
		.help = "ask line by line, without forms"                      \
	}

const struct arg_spec account_args_add[] = {
	{ .name = "name",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account name: letters, digits, . _ -; given alone, forms "
		    "ask for the rest" },
	NO_TUI,
	{ .name = "provider",
	    .type = ARG_TEXT,
	    .help =
		"use the servers of this provider (emcli account providers)" },
	{ .name = "ispdb",
	    .type = ARG_FLAG,
	    .help = "also ask Thunderbird's database about the domain" },
	{ .name = "yes",
	    .type = ARG_FLAG,
	    .help = "use the servers that are known or found, without asking" },
#define MEANS(add, other) add
#define SETTING(id, word, kind, words, given, help_, ...)                      \
	{ SETTING_ARGS_OPTION(word, SETTING_##kind, help_), .def = (given),    \
		.flags = SETTING_ARGS_MANY(SETTING_##kind),                    \
		.type = SETTING_##kind == SETTING_FLAG                         \
		    ? ARG_FLAG                                                 \
		    : SETTING_ARGS_TYPE(SETTING_##kind),                       \
		.choices = SETTING_ARGS_IS_WORD(SETTING_##kind) &&             \
			SETTING_##kind != SETTING_FLAG                         \
		    ? (words)                                                  \
		    : NULL },
#define SETTING_SECRETS { PASSWORD_FILE }, PASSWORD_STDIN,
#include "store/account_setting_list.h"
	{ 0 },
};

const struct arg_spec account_args_edit[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to change; given alone, forms show its settings" },
	NO_TUI,
	{ .name = "rename",
	    .type = ARG_TEXT,
	    .help = "new name: letters, digits, . _ -" },
#define SETTING(id, word, kind, words, given, help_, ...)                      \
	SETTING_ARGS_EDIT(word, SETTING_##kind, words, help_),
#define SETTING_SECRETS                                                        \
	{ PASSWORD_FILE, .flags = ARG_EMPTY }, PASSWORD_STDIN,                 \
	    { .name = "password_ask",                                          \
		    .type = ARG_FLAG,                                          \
		    .help = "ask for it on the terminal" },
#include "store/account_setting_list.h"
	{ 0 },
};
