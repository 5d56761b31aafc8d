/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_CREDENTIAL_ARGS_H
#define DESK_CREDENTIAL_ARGS_H

/* What the commands on mailboxes' passwords have in common. */
#include "desk/agree.h"
#include "desk/session_args.h"
#include "runtime/session_credential.h"
#include "runtime/stalwart.h"

/* credential_args.c.  A session is about to start with that mailbox. */
int credential_args_provision(struct call *c, const struct binding *b,
    struct err *e);
/*
 * Does `change` to the credential that the call names, after a yes to
 * `question` and its address, and then what follows of it here.
 */
struct credential_args_verb {
	const char *question; /* "replace the password of" */
	int (*change)(const struct place *p, const struct stalwart_want *w,
	    struct arena *a, struct err *e);
	bool gone; /* there is no password here afterwards */
	const char *done;
};
int credential_args_change(struct call *c, const struct credential_args_verb *v,
    struct json *out, struct err *e);
/* What such an operation is, besides its name, summary and run. */
extern const struct arg_spec credential_args_one[];
extern const struct field credential_args_changed[];
#define CREDENTIAL_ARGS_OP                                                     \
	.shows = "emcli credential list", .effect = EFFECT_OPERATE,            \
	.args = credential_args_one, .result = credential_args_changed

#endif
