/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SESSION_ARGS_H
#define DESK_SESSION_ARGS_H

/* What the commands on sessions have in common. */
#include "desk/home_args.h"
#include "runtime/session.h"

#define SESSION_ARGS_ONE                                                       \
	{ .name = "session",                                                   \
		.type = ARG_TEXT,                                              \
		.flags = ARG_POSITIONAL,                                       \
		.help = "the session's id, as session list has it" },          \
	    { .name = "agent_name",                                            \
		    .type = ARG_TEXT,                                          \
		    .help = "or the name of its agent" },                      \
	    HOME_ARGS_ROOT

#define SESSION_ARGS_FOREGROUND                                                \
	{                                                                      \
		.name = "foreground", .type = ARG_FLAG,                        \
		.help = "become it, for containers and services; the command " \
			"prints nothing"                                       \
	}

#define SESSION_ARGS_FIELDS                                                    \
	{ "session_id", FIELD_TEXT, .help = "its id" },                        \
	    { "session_root", FIELD_TEXT, .help = "its folder" },              \
	    { "manifest_path", FIELD_TEXT, .help = "its manifest" },           \
	    { "state", FIELD_TEXT,                                             \
		    .help =                                                    \
			"running, ended (by itself), stopped or damaged" },    \
	    { "why", FIELD_TEXT, .nullable = true,                             \
		    .help = "why it is damaged" },                             \
	    { "agent_name", FIELD_TEXT, .nullable = true,                      \
		    .help = "the agent's name" },                              \
	    { "agent_id", FIELD_TEXT, .nullable = true,                        \
		    .help = "an id made of the agent's name" },                \
	    { "tool", FIELD_TEXT, .nullable = true,                            \
		    .help = "the program it is for" },                         \
	    { "mailbox", FIELD_OBJECT, .nullable = true,                       \
		    .help = "its mailbox, if it has one",                      \
		    .sub = session_args_mailbox },                             \
	    { "gateway", FIELD_OBJECT, .nullable = true,                       \
		    .help = "its gateway, while one runs",                     \
		    .sub = gateway_args_fields },                              \
	    { "account", FIELD_TEXT, .nullable = true,                         \
		    .help = "the account that is its mailbox" },               \
	    { "created_at", FIELD_TEXT, .nullable = true,                      \
		    .help = "when it was started first" },                     \
	    { "pid", FIELD_INT, .nullable = true,                              \
		    .help = "of its process, while it runs" },                 \
	    { "tmux_session_name", FIELD_TEXT, .nullable = true,               \
		    .help = "its session in tmux, if it has one" },            \
	{                                                                      \
		"generation", FIELD_INT, .nullable = true,                     \
					 .help = "how often it was launched"   \
	}

/* What came of the mailbox that it had. */
#define SESSION_ARGS_REBOUND_FIELDS                                            \
	{ "former_root", FIELD_TEXT, .nullable = true,                         \
		.help = "the root of the mailbox that it had; its mail stays " \
			"there" },                                             \
	    { "former_address", FIELD_TEXT, .nullable = true,                  \
		    .help = "that mailbox's address" },                        \
	{                                                                      \
		"deactivated", FIELD_BOOL,                                     \
		    .help = "that mailbox's registration ended"                \
	}

/* session_args.c */
void session_args_put_rebound(struct json *out,
    const struct session_rebound *was);
void session_args_say_rebound(struct call *c,
    const struct session_rebound *was);
extern const struct field session_args_mailbox[];
extern const struct field gateway_args_fields[]; /* gateway_args.c */
void session_args_put(struct json *out, struct arena *a,
    const struct session *x);
void session_args_say(struct call *c, const struct session *x);
/* Opens the sessions; notes are told.  1: there are none. */
int session_args_open(struct call *c, bool make, struct sessions *s,
    struct err *e);
/* The mailbox, or null. */
void session_args_put_mailbox(struct json *out, const struct binding *b);
/* One in the foreground: its program becomes this process, when all is written
 * down. */
void session_args_become(struct call *c, const struct session *x);
/* The one that the call names.  ERR_USAGE: it names none, or by both. */
int session_args_find(struct call *c, struct sessions *s, struct session *out,
    struct err *e);
/* Tells what was noted, and closes them. */
void session_args_close(struct call *c, struct sessions *s);

#endif
