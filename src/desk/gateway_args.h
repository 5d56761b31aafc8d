/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_GATEWAY_ARGS_H
#define DESK_GATEWAY_ARGS_H

/* What the commands on gateways have in common, and what sessions show. */
#include "desk/session_args.h"
#include "runtime/instance.h"

#define GATEWAY_ARGS_SESSION                                                   \
	{ .name = "session",                                                   \
		.type = ARG_TEXT,                                              \
		.help = "the session's id, as session list has it" },          \
	    { .name = "agent_name",                                            \
		    .type = ARG_TEXT,                                          \
		    .help = "or the name of its agent" },                      \
	    HOME_ARGS_ROOT

#define GATEWAY_ARGS_PLACE                                                     \
	{ .name = "host",                                                      \
		.type = ARG_CHOICE,                                            \
		.help = "its name; with 0.0.0.0, too, it listens on loopback " \
			"alone, and has no mail over TCP",                     \
		.choices = "127.0.0.1|0.0.0.0" },                              \
	{                                                                      \
		.name = "port", .type = ARG_COUNT,                             \
		.help = "its port on 127.0.0.1; 0: a free one; default: that " \
			"of the last time, or a free one",                     \
		.max = 65535                                                   \
	}

#define GATEWAY_ARGS_FIELDS                                                    \
	{ "session_id", FIELD_TEXT, .help = "of which session" },              \
	    { "session_root", FIELD_TEXT, .help = "its folder" },              \
	    { "running", FIELD_BOOL, .help = "does the gateway run?" },        \
	{                                                                      \
		"gateway", FIELD_OBJECT,                                       \
		    .nullable = true,                                          \
		    .help = "where it listens, while it runs",                 \
		    .sub = gateway_args_fields                                 \
	}

extern const struct field gateway_args_fields[];
/* The gateway of a session.  0: it runs; 1: none does; -1. */
int gateway_args_read(struct arena *a, const struct session *x,
    struct instance *out, struct err *e);
/* `gateway`: an object, or null where none runs. */
void gateway_args_put(struct json *out, struct arena *a,
    const struct session *x);
/* All of GATEWAY_ARGS_FIELDS, and the lines for a person. */
int gateway_args_put_all(struct call *c, struct json *out,
    const struct session *x, struct err *e);
/* Passes host and port on to the session's steps. */
void gateway_args_take(struct call *c, struct sessions *s);

#endif
