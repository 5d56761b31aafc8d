/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_DELIVERING_H
#define BACKEND_AGENTBOX_DELIVERING_H

/* A delivery in preparation: shared by deliver.c and deliver_*.c. */
#include "backend/agentbox/db.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"

struct deliver_copy {
	struct agentbox_reg reg;
	bool is_sender, is_recipient;
};

struct deliver {
	struct agentbox_root *r;
	const struct agentbox_send *s;
	struct arena *a;
	struct agentbox_message m;
	struct deliver_copy *copy; /* each address once */
	size_t n;
	struct str request; /* its digest, for the idempotency key */
	struct str file, digest;
	unsigned char mac[32];
};

/* ERR_USAGE with that reason. */
int agentbox_deliver_look_refuse(struct err *e, const char *reason,
    const char *say);
/*
 * deliver_look.c: its recipients and the message it answers: fills in m and
 * copy.
 */
int agentbox_deliver_look(struct deliver *d, struct err *e);
/* deliver_key.c: was the key used?  1 with its result, 0, -1. */
int agentbox_deliver_key(struct deliver *d, struct agentbox_sent *out,
    struct err *e);
void agentbox_deliver_key_said(const struct agentbox_message *m, bool again,
    struct agentbox_sent *out);

#endif
