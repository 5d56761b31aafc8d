/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_AGENTS_MAILBOX_ARGS_H
#define DESK_AGENTS_MAILBOX_ARGS_H

/* What the commands on the mailbox of a session have in common. */
#include "desk/session_args.h"

#define AGENTS_MAILBOX_ARGS_ONE                                                \
	{ .name = "session",                                                   \
		.type = ARG_TEXT,                                              \
		.help = "the session's id, as session list has it" },          \
	    { .name = "agent_name",                                            \
		    .type = ARG_TEXT,                                          \
		    .help = "or the name of its agent" },                      \
	    { .name = "agent_id",                                              \
		    .type = ARG_TEXT,                                          \
		    .help = "or its id, as session list has it" },             \
	    HOME_ARGS_ROOT

#define AGENTS_MAILBOX_ARGS_FIELDS                                             \
	{ "session_id", FIELD_TEXT, .help = "the session" },                   \
	    { "agent_name", FIELD_TEXT, .nullable = true,                      \
		    .help = "its agent" },                                     \
	    { "account", FIELD_TEXT, .nullable = true,                         \
		    .help = "the account that is the mailbox" },               \
	{                                                                      \
		"mailbox", FIELD_OBJECT, .nullable = true,                     \
					 .help = "its mailbox, if it has one", \
					 .sub = session_args_mailbox           \
	}

/* agents_mailbox_args.c.  ERR_USAGE: it names none, or by more than one. */
int agents_mailbox_args_find(struct call *c, struct sessions *s,
    struct session *out, struct err *e);
void agents_mailbox_args_put(struct json *out, const struct session *x);
void agents_mailbox_args_say(struct call *c, const struct session *x);

#endif
