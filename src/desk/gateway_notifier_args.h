/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_GATEWAY_NOTIFIER_ARGS_H
#define DESK_GATEWAY_NOTIFIER_ARGS_H

/* What the commands on a gateway's notifier have in common. */
#include "desk/gateway_args.h"
#include "gate/notifier_fields.h"

#define GATEWAY_NOTIFIER_ARGS_FIELDS                                           \
	{ "session_id", FIELD_TEXT, .help = "of which session" },              \
	    { "running", FIELD_BOOL, .help = "does its gateway run?" },        \
	    NOTIFIER_FIELDS(false, "")

/*
 * Finds the session that the call names and calls `change`, unless it is NULL,
 * with its open folder; then puts and says how its notifier is.
 */
int gateway_notifier_args_do(struct call *c, struct json *out,
    int (*change)(struct call *c, const struct session *x, int folder,
	struct err *e),
    struct err *e);

#endif
