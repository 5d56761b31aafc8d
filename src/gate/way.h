/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_WAY_H
#define GATE_WAY_H

/*
 * A call on its way through the pipeline: call.c, call_judge.c, call_done.c,
 * and span.c for one that is of all accounts.  Nobody else includes it.
 */
#include "gate/internal.h"
#include "gate/resolve.h"

/* One call in progress. */
struct way {
	struct gate *g;
	const struct op *op;
	struct call call;
	struct mailbox mailbox;
	struct outbox outbox;
	struct draft draft;
	struct resolve resolve; /* with NEED_SOURCE */
	struct str only;        /* of a call of several: this account */
	struct str account;     /* the account that was found, or empty */
	struct source src;
	struct policy_rules rules;
	int64_t audit; /* the row's id; 0: none */
	/* Of an agent's call: the time it may take, and when that is over. */
	int64_t timeout_ms, until_ms;
	bool judged;
};

/* -- call_judge.c ---------------------------------------------------------- */

/* The row's first mark. */
int gate_call_judge_begin(struct way *w, struct err *e);
/* Did the operator allow this operation to this caller? */
int gate_call_judge_permits(const struct way *w, struct err *e);
/* The account, policy, the grant, the row's second mark. */
int gate_call_judge(struct way *w, struct args *args, struct err *e);
/* The second mark alone, with the account that was found. */
int gate_call_judge_mark(struct way *w, bool allowed, struct err *e);
/* What the operation sees mail by. */
void gate_call_judge_equip(struct way *w);
/* -- call_done.c ----------------------------------------------------------- */

/* The row's last mark.  A failure here fails a successful call. */
void gate_call_done(struct way *w, struct err *e);
/* -- span.c ---------------------------------------------------------------- */

/*
 * Each account of the caller, judged as in a call that names it; with those
 * that are admitted in w->call.span, the call itself is allowed.  ERR_USAGE: it
 * names one, too.
 */
int gate_span_begin(struct way *w, struct args *args, struct err *e);
/* The last mark of each of their rows.  *e is how the call went; -1 with what
 * it is now, if it is an error. */
int gate_span_end(struct way *w, struct err *e);

#endif
