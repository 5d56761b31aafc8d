/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_SEND_OUT_H
#define OP_SEND_OUT_H

/* Operations that send what the caller wrote and another message brings. */
#include "op/fields.h"

/* Completes *m from that message, which it reads. */
typedef int send_out_fill(struct call *c, struct outgoing *m, struct err *e);

#define SEND_OUT_ARGS_LAST                                                     \
	{ "idempotency_key", ARG_TEXT,                                         \
		.help = "a name for this send: repeating the call with it "    \
			"sends nothing twice" },                               \
	    { "as_is", ARG_FLAG,                                               \
		    .help = "send it although it looks unfinished; this is "   \
			    "recorded" },                                      \
	    { "dry_run", ARG_FLAG,                                             \
		    .help = "send nothing; say what would become of it" },     \
	    FIELDS_ARG_LEASE

extern const struct field send_out_result[];

/*
 * Sends it once, or with `dry_run` says what would become of it.  `fill` is not
 * called if an earlier call with the same key is the answer.
 */
int send_out(struct call *c, struct outgoing *m, send_out_fill *fill,
    struct json *out, struct err *e);
/* struct op's put_sent. */
void send_out_put(struct call *c, struct json *j, const struct sent *s);

#endif
