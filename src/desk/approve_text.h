/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_APPROVE_TEXT_H
#define DESK_APPROVE_TEXT_H

#include "base/buf.h"
#include "base/json.h"
#include "gate/mailbox.h"
#include "gate/outbox.h"

/* The argument of the commands on one message. */
#define APPROVE_ID                                                             \
	{                                                                      \
		.name = "id", .type = ARG_COUNT,                               \
		.flags = ARG_REQUIRED | ARG_POSITIONAL,                        \
		.help = "its number, as emcli approve list shows it",          \
		.min = 1, .max = UINT32_MAX                                    \
	}

/* A waiting message in full, as a person must see it before it is sent. */
void approve_text(struct buf *b, struct arena *a, const struct outbox_held *h);
/* Only its recipients. */
void approve_text_recipients(struct buf *b, struct arena *a,
    const struct outbox_held *h);
/* approve_line.c.  A line of it: a name, and a value that is cleaned. */
void approve_line(struct buf *b, struct arena *a, const char *name,
    struct str value);
/* A time, or "-". */
struct str approve_text_when(struct arena *a, int64_t unix_s);

/* approve_change.c.  A change that waits: what would be done, */
void approve_change_deed(struct buf *b, struct arena *a,
    const struct outbox_held *h);
/* all of its lines, and its members. */
void approve_change_text(struct buf *b, struct arena *a,
    const struct outbox_held *h);
void approve_change_put(struct json *j, struct arena *a,
    const struct outbox_held *h);

#endif
