/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_GET_CALENDAR_H
#define OP_GET_CALENDAR_H

/* The invitations of one message. */
#include "gate/gate.h"
#include "gate/mailbox.h"

extern const struct field get_calendar_fields[];

/*
 * Puts data.calendar if the message has events, and warns.  `text` is the text
 * that a person reads beside them.
 */
void get_calendar_put(struct call *c, struct json *out, const struct mail *mail,
    const struct mime_message *m, struct str text);

#endif
