#ifndef OP_GET_WARN_H
#define OP_GET_WARN_H

/* What `get` warns of. */
#include "gate/gate.h"
#include "gate/mailbox.h"

/* How the text came about, and what was left out of it. */
void get_warn_reading(struct call *c, const struct mime_reading *r);
/* Who sent it, and what the header holds that nobody sees. */
int get_warn_sender(struct call *c, const struct mail *m,
    const struct mime_header *h, struct err *e);

#endif
