/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_RESOLVE_H
#define GATE_RESOLVE_H

/*
 * Chooses the account for an operation of the contract: the named one, or the
 * one that the roles determine (source/choose.h).
 */
#include "gate/gate.h"
#include "source/roster.h"

struct resolve {
	struct roster ctx;
	struct role_source *v;
	size_t n;
	struct choose choice;
	bool made; /* a choice was made, good or not, and can be reported */
	bool under_way;
};

/*
 * The account's name.  With an error: the account whose policy refuses it, or
 * unchanged.  ERR_USAGE, ERR_NOT_FOUND for an unknown one, and errors of
 * resolve_say().  After resolve_declined(), call it again for the next one.
 */
int resolve_account(struct resolve *r, struct gate *g, const struct op *op,
    const struct args *args, struct arena *a, struct str *account,
    struct err *e);
/*
 * The chosen account said that it cannot: is there another to try?  Not if it
 * was named, or is the only one.
 */
bool resolve_declined(struct resolve *r);
/*
 * resolve_say.c. No account serves it: the note of the choice, and the command
 * that fixes it.  ERR_USAGE if several accounts can; ERR_POLICY, naming the
 * account, if one could but may not; otherwise as choose_refuse().
 */
int resolve_say(const struct resolve *r, const struct args *args,
    struct str *account, struct err *e);
/* A line for the audit log, or empty. */
struct str resolve_text(const struct resolve *r, struct arena *a);
/* data.resolution and data.thread_id_kind. */
void resolve_put(struct json *j, const struct resolve *r);

#endif
