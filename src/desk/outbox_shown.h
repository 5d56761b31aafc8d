/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_OUTBOX_SHOWN_H
#define DESK_OUTBOX_SHOWN_H

#include "gate/gate.h"
#include "store/outbox.h"

/* The argument of the commands on one message. */
#define OUTBOX_SHOWN_ID                                                        \
	{                                                                      \
		.name = "id", .type = ARG_COUNT,                               \
		.flags = ARG_REQUIRED | ARG_POSITIONAL,                        \
		.help = "number of the message", .min = 1, .max = UINT32_MAX   \
	}

/* The members of an outbox row as JSON, without the message. */
void outbox_shown_put(struct json *j, struct arena *a,
    const struct store_outbox *row, struct str account);
/* "none", "saved" or "failed". */
const char *outbox_shown_copy(const struct store_outbox *row);
/* The time until which it may be released, or empty. */
struct str outbox_shown_expires(struct arena *a,
    const struct store_outbox *row);

/* Of the recipients. */
extern const struct field outbox_shown_recipients[];

#define OUTBOX_SHOWN_FIELDS                                                    \
	{ "id", FIELD_INT, .help = "its number" },                             \
	    { "account", FIELD_TEXT, .help = "the account, or empty" },        \
	    { "principal", FIELD_TEXT, .help = "the agent that sent it" },     \
	    { "state", FIELD_TEXT, .help = "its state" },                      \
	    { "reason", FIELD_TEXT, .help = "why it was held" },               \
	    { "idempotency_key", FIELD_TEXT,                                   \
		    .help = "given by the caller, or empty" },                 \
	    { "created", FIELD_TEXT, .help = "when it was sent" },             \
	    { "changed", FIELD_TEXT, .help = "when its state changed" },       \
	    { "expires", FIELD_TEXT, .help = "when it expires" },              \
	    { "message_id", FIELD_TEXT, .help = "the Message-ID" },            \
	    { "copy", FIELD_TEXT,                                              \
		    .help = "the copy in Sent: none, saved or failed" },       \
	    { "bytes", FIELD_INT, .help = "its size" },                        \
	    { "digest", FIELD_TEXT,                                            \
		    .help = "the digest that a release names" },               \
	    { "sender", FIELD_TEXT, .help = "the envelope's sender" },         \
	{                                                                      \
		"recipients", FIELD_OBJECTS, .help = "its recipients",         \
					     .sub = outbox_shown_recipients    \
	}

#endif
