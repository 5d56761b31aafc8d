/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_CHANGES_SHOWN_H
#define DESK_CHANGES_SHOWN_H

/* A change of mail, for the commands that show it. */
#include "gate/operate.h"
#include "store/journal.h"

#define CHANGES_SHOWN_FIELDS                                                   \
	{ "change", FIELD_INT, .help = "its number" },                         \
	    { "at", FIELD_TEXT, .help = "when it was made" },                  \
	    { "agent", FIELD_TEXT,                                             \
		    .help = "who made it: an agent, or "                       \
			    "operator, who undid one" },                       \
	    { "account", FIELD_TEXT, .help = "in which account" },             \
	    { "kind", FIELD_TEXT, .help = "mark or move" },                    \
	    { "folder", FIELD_TEXT,                                            \
		    .help = "where the messages were, or "                     \
			    "empty: in several" },                             \
	    { "to", FIELD_TEXT, .help = "where they went, or empty" },         \
	    { "set", FIELD_TEXTS, .help = "flags and labels given" },          \
	    { "cleared", FIELD_TEXTS, .help = "and taken away" },              \
	    { "messages", FIELD_INT, .help = "how many it was asked for" },    \
	    { "done", FIELD_INT, .help = "how many were changed" },            \
	    { "undone", FIELD_INT,                                             \
		    .help = "how many of those were put back" },               \
	    { "undoes", FIELD_INT,                                             \
		    .help = "the change that it took back, or "                \
			    "0" },                                             \
	{                                                                      \
		"state", FIELD_TEXT,                                           \
		    .help = "done, partly, failed, undone; begun: the next "   \
			    "call on the account finds out what was done"      \
	}

/* Members of an open object. */
void changes_shown_put(struct json *j, struct arena *a,
    const struct store_journal *row, struct str account);
/* --since of these commands: unix seconds; 0: not given.  ERR_USAGE. */
int changes_shown_since(const struct call *c, int64_t *out, struct err *e);

#endif
