#ifndef GATE_RESOLVE_H
#define GATE_RESOLVE_H

/*
 * Which account serves an operation of the contract: the one that is named, or
 * the one the rule of roles finds (source/choose.h).
 */
#include "gate/gate.h"
#include "source/roster.h"

struct resolve {
	struct roster ctx;
	struct role_source *v;
	size_t n;
	struct choose choice;
	bool made; /* there is a choice, good or not, to tell of */
	bool under_way;
};

/*
 * The account's name; with an error, of the one whose policy refuses it, or
 * untouched.  ERR_USAGE, ERR_NOT_FOUND for an unknown one, and what
 * resolve_say() says.  Once more after resolve_declined(): the next one.
 */
int resolve_account(struct resolve *r, struct gate *g, const struct op *op,
    const struct args *args, struct arena *a, struct str *account,
    struct err *e);
/*
 * The one that was chosen said it cannot: is there another to be asked?  Not
 * for one that was named, nor for the only one there is.
 */
bool resolve_declined(struct resolve *r);
/*
 * resolve_say.c.  Nobody serves it: the note of the choice, and the command
 * that mends it.  ERR_USAGE when several accounts can; ERR_POLICY, naming the
 * account, when one could and may not; else as choose_refuse().
 */
int resolve_say(const struct resolve *r, const struct args *args,
    struct str *account, struct err *e);
/* A line for the audit log, or empty. */
struct str resolve_text(const struct resolve *r, struct arena *a);
/* data.resolution and data.thread_id_kind. */
void resolve_put(struct json *j, const struct resolve *r);

#endif
