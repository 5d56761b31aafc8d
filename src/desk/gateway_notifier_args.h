#ifndef DESK_GATEWAY_NOTIFIER_ARGS_H
#define DESK_GATEWAY_NOTIFIER_ARGS_H

/* What the commands on a gateway's notifier have in common. */
#include "desk/gateway_args.h"

#define GATEWAY_NOTIFIER_ARGS_FIELDS                                           \
	{ "session_id", FIELD_TEXT, .help = "of which session" },              \
	    { "running", FIELD_BOOL, .help = "does its gateway run?" },        \
	    { "enabled", FIELD_BOOL, .help = "is it on?" },                    \
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
	    { "renotify_seconds", FIELD_INT,                                   \
		    .help = "again for the same messages; 0: never" },         \
	{                                                                      \
		"snooze_until", FIELD_TEXT, .nullable = true,                  \
					    .help = "nothing before; RFC 3339" \
	}

/*
 * Finds the session that the call names and calls `change`, unless it is NULL,
 * with its open folder; then puts and says how its notifier is.
 */
int gateway_notifier_args_do(struct call *c, struct json *out,
    int (*change)(struct call *c, const struct session *x, int folder,
	struct err *e),
    struct err *e);

#endif
