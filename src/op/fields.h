/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_FIELDS_H
#define OP_FIELDS_H

/* Parts of arguments and results that several operations share. */
#include "base/limits.h"
#include "gate/gate.h"
#include "gate/mailbox.h"
#include "gate/outbox.h"

/* The account argument of `list`, `search`, `get` and `ack`. */
#define FIELDS_ARG_ACCOUNT                                                     \
	{                                                                      \
		"account", ARG_ACCOUNT,                                        \
		    .help = "account the folder is in; optional if there is "  \
			    "only one"                                         \
	}

/* The size of a page. */
#define FIELDS_ARG_LIMIT                                                       \
	{                                                                      \
		"limit", ARG_COUNT,                                            \
		    .help =                                                    \
			"how many; 50 unless the operator set another number", \
		    .min = 1, .max = LIMIT_PAGE                                \
	}

/* The argument of every operation of a skill: gate/grant.h. */
#define FIELDS_ARG_LEASE                                                       \
	{                                                                      \
		"lease", ARG_TEXT, ARG_QUIET,                                  \
		    .help = "the lease of load_skill; needed where skills "    \
			    "must be loaded"                                   \
	}

/* The skill. */
#define FIELDS_ARG_SKILL                                                       \
	{                                                                      \
		"skill", ARG_TEXT, ARG_REQUIRED,                               \
		    .help = "its id, as list_skills gives it"                  \
	}

/* The duration of a grant. */
#define FIELDS_SCOPE                                                           \
	{                                                                      \
		"scope", FIELD_TEXT,                                           \
		    .help =                                                    \
			"current_turn: it ends with the user's turn; lease: "  \
			"the turn is unknown, so it ends by time or use"       \
	}

/* The members of a message's row, in `list`, `search`, and first in `get`. */
#define FIELDS_ROW                                                             \
	{ "uid", FIELD_INT, .help = "number of the message in its folder" },   \
	    { "from", FIELD_OBJECTS, .help = "who wrote it",                   \
		    .sub = fields_address },                                   \
	    { "to", FIELD_OBJECTS, .help = "to whom", .sub = fields_address }, \
	    { "subject", FIELD_TEXT, .help = "decoded subject" },              \
	    { "date", FIELD_TEXT, .nullable = true,                            \
		    .help = "RFC 3339; null when there is none" },             \
	    { "message_id", FIELD_TEXT, .nullable = true,                      \
		    .help = "with angle brackets; null when there is none" },  \
	    { "has_attachments", FIELD_BOOL, .help = "has it attachments?" },  \
	    { "sender_auth", FIELD_TEXT,                                       \
		    .help = "is the domain in from authenticated: pass, "      \
			    "fail, none, or unchecked" },                      \
	{                                                                      \
		"sender_auth_by", FIELD_TEXT,                                  \
		    .nullable = true,                                          \
		    .help =                                                    \
			"by what: authserv, the operator's mail server, or "   \
			"dkim, a signature emcli verified; null: not checked"  \
	}

/* data.messages, of `list` and `search`. */
#define FIELDS_MESSAGES                                                        \
	{                                                                      \
		"messages", FIELD_OBJECTS, .help = "newest first",             \
					   .sub = fields_row                   \
	}

/* data.warnings and its counts, the last members of every result. */
#define FIELDS_WARNINGS                                                        \
	{ "warnings", FIELD_TEXTS, .optional = true,                           \
		.help = "stable codes: hints, never permissions" },            \
	{                                                                      \
		"warning_counts", FIELD_COUNTS,                                \
		    .optional = true,                                          \
		    .help = "how often each of them occurred"                  \
	}

extern const struct field fields_address[];
extern const struct field fields_row[];
extern const struct field fields_recipient[];

/* "pass". */
const char *fields_auth(enum sender_auth auth);
void fields_put_row(struct json *j, struct arena *a, const struct mail *m);
void fields_put_addresses(struct json *j, struct arena *a, const char *key,
    const struct addresses *l);
/* Message-IDs. */
void fields_put_list(struct json *j, struct arena *a, const char *key,
    const struct strs *l);
/* data.recipients. */
void fields_put_recipients(struct json *j, const struct sent *s);
/* data.scope. */
void fields_put_scope(struct json *j, const struct call *c);
/* The skill named by the argument, if it can be loaded.  ERR_NOT_FOUND. */
struct skill;
int fields_skill(struct call *c, const struct skill **out, struct err *e);
/* Is it a valid idempotency key, or empty?  ERR_USAGE. */
int fields_key(struct str key, struct err *e);
/* "<x@y>", also if given without the brackets. */
struct str fields_message_id(struct arena *a, struct str text);
/* data.messages and data.next_before. */
void fields_put_page(struct json *j, struct arena *a, const struct mails *m);

#endif
