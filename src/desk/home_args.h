/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_HOME_ARGS_H
#define DESK_HOME_ARGS_H

/* What the commands on homes have in common. */
#include "gate/operate.h"
#include "runtime/home.h"

#define HOME_ARGS_ROOT                                                         \
	{                                                                      \
		.name = "runtime_root", .type = ARG_PATH,                      \
		.help = "folder of homes, manifests and sessions; default: "   \
			"HOUMAO_GLOBAL_RUNTIME_DIR, or houmao/runtime in the " \
			"user's folder of settings"                            \
	}
#define HOME_ARGS_HOME                                                         \
	{                                                                      \
		.name = "home", .type = ARG_TEXT,                              \
		.flags = ARG_REQUIRED | ARG_POSITIONAL,                        \
		.help = "the home's name, as home list has it"                 \
	}

/* Whose home it is, and its declared mailbox: of one that is listed. */
#define HOME_ARGS_FIELDS                                                       \
	{ "home_id", FIELD_TEXT, .help = "its name" },                         \
	    { "state", FIELD_TEXT,                                             \
		    .help =                                                    \
			"ready, missing (its folder is gone) or damaged" },    \
	    { "why", FIELD_TEXT, .nullable = true,                             \
		    .help = "why it is not ready" },                           \
	    { "tool", FIELD_TEXT, .nullable = true,                            \
		    .help = "the program it is for" },                         \
	    { "agent", FIELD_TEXT, .nullable = true,                           \
		    .help = "the agent's name" },                              \
	    { "role", FIELD_TEXT, .nullable = true,                            \
		    .help = "its role's name" },                               \
	    { "built_at", FIELD_TEXT, .nullable = true,                        \
		    .help = "when it was built" },                             \
	    { "transport", FIELD_TEXT, .nullable = true,                       \
		    .help = "of the mailbox that is declared for it" },        \
	    { "address", FIELD_TEXT, .nullable = true, .help = "likewise" },   \
	    { "home_path", FIELD_TEXT, .help = "its folder" },                 \
	{                                                                      \
		"manifest_path", FIELD_TEXT, .help = "its manifest"            \
	}

/* home_args.c: puts them. */
void home_args_put(struct json *out, const struct home_entry *h);
/* The name of the declared transport; empty: nothing is declared. */
struct str home_args_transport(const struct brain *b);
/* Notes what its manifest says without effect. */
void home_args_warn(struct call *c, const struct home_entry *h);

#endif
