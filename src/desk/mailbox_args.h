/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_MAILBOX_ARGS_H
#define DESK_MAILBOX_ARGS_H

/* What the commands on mailbox roots have in common. */
#include "desk/agree.h"
#include "runtime/root.h"

#define MAILBOX_ARGS_ROOT                                                      \
	{                                                                      \
		.name = "root", .type = ARG_PATH, .flags = ARG_REQUIRED,       \
		.help = "the mailbox root"                                     \
	}
#define MAILBOX_ARGS_ADDRESS                                                   \
	{                                                                      \
		.name = "address", .type = ARG_TEXT, .flags = ARG_REQUIRED,    \
		.help = "the mailbox's address"                                \
	}
#define MAILBOX_ARGS_REG_FIELDS                                                \
	{ "address", FIELD_TEXT, .help = "the mailbox's address" },            \
	    { "principal_id", FIELD_TEXT, .help = "whose it is" },             \
	    { "status", FIELD_TEXT, .help = "active, inactive or stashed" },   \
	    { "kind", FIELD_TEXT,                                              \
		    .help =                                                    \
			"in_root, or symlink: a folder outside the root" },    \
	    { "mailbox_path", FIELD_TEXT, .help = "its folder" },              \
	    { "registration_id", FIELD_TEXT, .help = "of this registration" }, \
	    { "role", FIELD_TEXT, .nullable = true,                            \
		    .help = "the owner's role" },                              \
	    { "created_at", FIELD_TEXT, .help = "when it was registered" },    \
	{                                                                      \
		"deactivated_at", FIELD_TEXT, .nullable = true,                \
					      .help = "when it ended"          \
	}

#define MAILBOX_ARGS_PORTED_FIELDS                                             \
	{ "protocol", FIELD_INT, .help = "of the other root, 1 or 3" },        \
	    { "registrations", FIELD_INT, .help = "that are new there" },      \
	    { "messages", FIELD_INT, .help = "that are new there" },           \
	    { "known", FIELD_INT,                                              \
		    .help = "messages that were there, not changed" },         \
	{                                                                      \
		"damaged", FIELD_TEXTS,                                        \
		    .help = "files that could not be read, and were skipped"   \
	}

/* mailbox_args.c.  Opens the root that the call names. */
int mailbox_args_open(struct call *c, bool make, struct root *r, struct err *e);
/* Tells what was noted, and closes it. */
void mailbox_args_close(struct call *c, struct root *r);
void mailbox_args_put_reg(struct json *out, const struct agentbox_reg *reg);
/* Puts, says and notes what was copied. */
void mailbox_args_tell_ported(struct call *c, struct json *out,
    const struct agentbox_ported *p);
/* "1 message", "2 messages". */
struct str mailbox_args_count(struct call *c, size_t n, const char *one);

#endif
