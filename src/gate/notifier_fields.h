/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_NOTIFIER_FIELDS_H
#define GATE_NOTIFIER_FIELDS_H

/*
 * How a session's notifier is, as fields: for the agents' operations, where the
 * last two come on demand, and for the operator's commands.  `said` is put
 * before their help.  notifier_status_put() puts the members.
 */
#include "gate/gate.h"

#define NOTIFIER_FIELDS(demand, said)                                          \
	{ "enabled", FIELD_BOOL, .help = "is it on?" },                        \
	    { "interval_seconds", FIELD_INT, .nullable = true,                 \
		    .help = "between two polls; null: it never was on" },      \
	    { "supported", FIELD_BOOL, .help = "can the agent be told?" },     \
	    { "support_error", FIELD_TEXT, .nullable = true,                   \
		    .help = "why it cannot" },                                 \
	    { "last_poll_at_utc", FIELD_TEXT, .nullable = true,                \
		    .help = "RFC 3339" },                                      \
	    { "last_notification_at_utc", FIELD_TEXT, .nullable = true,        \
		    .help = "RFC 3339" },                                      \
	    { "last_error", FIELD_TEXT, .nullable = true,                      \
		    .help = "of the last poll" },                              \
	    { "renotify_seconds", FIELD_INT, .optional = (demand),             \
		    .help = said "again for the same messages; 0: never" },    \
	{                                                                      \
		"snooze_until", FIELD_TEXT,                                    \
		    .optional = (demand), .nullable = true,                    \
		    .help = said "nothing before; RFC 3339"                    \
	}

#endif
