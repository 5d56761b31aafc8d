#ifndef DESK_APPROVE_TEXT_H
#define DESK_APPROVE_TEXT_H

#include "base/buf.h"
#include "gate/outbox.h"

/* The argument of the commands on one. */
#define APPROVE_ID                                                             \
	{                                                                      \
		.name = "id", .type = ARG_COUNT,                               \
		.flags = ARG_REQUIRED | ARG_POSITIONAL,                        \
		.help = "its number, as emcli approve list shows it",          \
		.min = 1, .max = UINT32_MAX                                    \
	}

/* One message that waits, as a person is to see it before it leaves. */
void approve_text(struct buf *b, struct arena *a, const struct outbox_held *h);
/* Whom it goes to, alone. */
void approve_text_recipients(struct buf *b, struct arena *a,
    const struct outbox_held *h);
/* When, or "-". */
struct str approve_text_when(struct arena *a, int64_t unix_s);

#endif
