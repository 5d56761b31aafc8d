/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_ORGANISE_H
#define OP_ORGANISE_H

/* What the operations that change mail share: mark, move, archive, trash. */
#include "op/fields.h"

/* Which messages: by uid, or by what they say. */
#define ORGANISE_ARGS                                                          \
	{ "account", ARG_ACCOUNT,                                              \
		.help =                                                        \
		    "account they are in; optional if there is only one" },    \
	    { "folder", ARG_FOLDER, .help = "folder the messages are in",      \
		    .def = "INBOX" },                                          \
	    { "uid", ARG_UIDS, ARG_MANY,                                       \
		    .help = "the messages: 7, or 1,2,5:9" },                   \
	    { "from", ARG_TEXT,                                                \
		    .help = "instead: all with this in the sender's name or "  \
			    "address" },                                       \
	    { "subject_contains", ARG_TEXT,                                    \
		    .help = "all with this in the subject" },                  \
	    { "before", ARG_DATE, .help = "all dated before this day" },       \
	{                                                                      \
		"list", ARG_TEXT,                                              \
		    .help = "all of this mailing list: part of its List-Id"    \
	}

#define ORGANISE_ARGS_END                                                      \
	{ "dry_run", ARG_FLAG,                                                 \
		.help = "change nothing; show what would be changed" },        \
	    FIELDS_ARG_LEASE,                                                  \
	{                                                                      \
		0                                                              \
	}

/* struct op's put_change. */
void organise_put(struct call *c, struct json *out,
    const struct mailbox_change *ch);
extern const struct field organise_fields[];
#define ORGANISE_COLUMNS "uid date@ from.address=FROM subject"

/* The messages that the call means, all of them visible.  ERR_USAGE,
 * ERR_NOT_FOUND, ERR_LIMIT. */
int organise_messages(struct call *c, struct mailbox_set *out, struct err *e);
/* Marks them, or with dry_run shows them. */
int organise_mark(struct call *c, const struct flag_change *change,
    struct json *out, struct err *e);
/* Moves them into that folder, which exists; the same. */
int organise_move(struct call *c, struct str to, struct json *out,
    struct err *e);
/*
 * The same, into the folder with that role, or else with the other.
 * ERR_UNSUPPORTED says what to do without one.
 */
int organise_move_role(struct call *c, enum folder_role role,
    enum folder_role other, struct json *out, struct err *e);

#endif
