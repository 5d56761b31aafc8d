/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_GET_WARN_H
#define OP_GET_WARN_H

/* The warnings of `get`. */
#include "gate/gate.h"
#include "gate/mailbox.h"

/* About the source of the text, and what was left out of it. */
void get_warn_reading(struct call *c, const struct mime_reading *r);
/* About the sender, and invisible content of the header. */
int get_warn_sender(struct call *c, const struct mail *m,
    const struct mime_header *h, struct err *e);

#endif
