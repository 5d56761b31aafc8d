/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_HOME_MAILBOX_H
#define DESK_HOME_MAILBOX_H

/* The options that declare an agent's mailbox. */
#include "gate/operate.h"
#include "runtime/brain.h"

#define HOME_MAILBOX_ARGS                                                      \
	{ .name = "mailbox_transport",                                         \
		.type = ARG_CHOICE,                                            \
		.help = "declares a mailbox for the agent, or that it has "    \
			"none",                                                \
		.choices = "filesystem|stalwart|none" },                       \
	    { .name = "mailbox_root",                                          \
		    .type = ARG_PATH,                                          \
		    .help =                                                    \
			"filesystem: the mailbox root; a relative path is "    \
			"below the runtime root" },                            \
	    { .name = "mailbox_principal_id",                                  \
		    .type = ARG_TEXT,                                          \
		    .help =                                                    \
			"who the agent is among agents; default: HOUMAO- and " \
			"its name" },                                          \
	    { .name = "mailbox_address",                                       \
		    .type = ARG_TEXT,                                          \
		    .help = "its address; default: its name at "               \
			    "houmao.localhost" },                              \
	    { .name = "mailbox_stalwart_base_url",                             \
		    .type = ARG_TEXT,                                          \
		    .help = "stalwart: the server; the two below follow" },    \
	    { .name = "mailbox_stalwart_jmap_url",                             \
		    .type = ARG_TEXT,                                          \
		    .help = "stalwart: where it speaks JMAP" },                \
	{                                                                      \
		.name = "mailbox_stalwart_management_url", .type = ARG_TEXT,   \
		.help = "stalwart: where accounts are made"                    \
	}

/* home_mailbox.c: what the call declares.  ERR_USAGE names the option. */
int home_mailbox_read(struct call *c, struct declaration *out, struct err *e);

#endif
