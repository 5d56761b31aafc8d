/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_CHOOSE_H
#define SOURCE_CHOOSE_H

/*
 * The resolution rule: which source serves an operation.  Pure: the caller is
 * asked whether a source is available, at most once per source and only as far
 * as the rule needs it.  Before a run's first operation every mandatory source
 * is checked (nothing may begin without them); then the order is 1.  a source
 * that is preferred for the operation, 2.  the primary, 3.  the fallbacks in
 * the declared order.  If nothing is declared, the only account that can serve
 * the operation does; among several, none is guessed.
 */
#include "base/json.h"
#include "source/role.h"

/* Why a source is not available; the closed set of reasons.  Zero: it is. */
enum choose_reason {
	CHOOSE_AVAILABLE,
	CHOOSE_AUTH_MISSING,
	CHOOSE_AUTH_EXPIRED,
	CHOOSE_LIST_NOT_VISIBLE,
	CHOOSE_UNREACHABLE,
	CHOOSE_PATH_MISSING,
	CHOOSE_MISCONFIGURED,
	CHOOSE_SERVER_DOWN,
};

struct choose_ask {
	enum role_op op;
	const struct role_source *v; /* in the declared order */
	size_t n;
	/*
	 * Not the first operation of a run: the mandatory sources were checked.
	 */
	bool under_way;
	/*
	 * The kind of the thread id in the call, which only sources of that
	 * kind can read; empty: any can.
	 */
	struct str kind;
	/*
	 * A named source and the reason for it; NULL: by the rule.  Points into
	 * v.
	 */
	const struct role_source *override;
	struct str override_reason;
	enum choose_reason (*available)(void *ctx, const struct role_source *s);
	void *ctx;
};

enum choose_outcome {
	CHOOSE_SKIPPED,   /* zero: no source serves it */
	CHOOSE_ABORTED,   /* a mandatory source is missing */
	CHOOSE_AMBIGUOUS, /* nothing is declared, and several can serve it */
	CHOOSE_CHOSEN,
};

enum choose_rule {
	CHOOSE_NONE,
	CHOOSE_PREFERRED,
	CHOOSE_PRIMARY,
	CHOOSE_FALLBACK,
	CHOOSE_OVERRIDE,
	CHOOSE_SOLE, /* nothing is declared, and only this one can */
};

enum choose_cause {
	CHOOSE_UNSUPPORTED,
	CHOOSE_UNAVAILABLE,
	CHOOSE_DECLINED,     /* it said so itself, in this run */
	CHOOSE_NOT_IN_CHAIN, /* it has no place for this operation */
	CHOOSE_OTHER_KIND, /* its thread ids or addresses are of another kind */
	CHOOSE_ONE_OF_MANY, /* it can, as can others: name one */
};

/* A source that was skipped. */
struct choose_skip {
	const struct role_source *source;
	int step; /* 1 to 3; 0: no step */
	enum choose_cause cause;
	enum choose_reason reason; /* of CHOOSE_UNAVAILABLE */
};

struct choose {
	enum role_op op;
	enum choose_outcome outcome;
	enum choose_rule rule;
	int step;                         /* 1 to 4; 0: no step */
	const struct role_source *source; /* CHOOSE_CHOSEN; points into v */
	struct str override_reason;
	/*
	 * The sources before the choice, in order; then those without a place.
	 * Sources after the choice are not included.
	 */
	struct choose_skip *skip;
	size_t n;
	/*
	 * "mandatory backend NAME unavailable: REASON; run aborted", "no
	 * backend available for OP" or "2 accounts can serve OP: A, B"; empty
	 * if one was chosen.
	 */
	struct str note;
	bool declared;   /* an account has a role */
	bool no_primary; /* sources are declared, but none is primary */
};

void choose_source(struct arena *a, const struct choose_ask *ask,
    struct choose *out);
/*
 * The error if nothing was chosen: the note, as ERR_UNSUPPORTED if none can,
 * ERR_AUTH, ERR_CONFIG or ERR_NETWORK if one could, and ERR_USAGE if several
 * can.  Not for CHOOSE_CHOSEN.
 */
int choose_refuse(const struct choose *c, struct err *e);
/* "auth_missing"; "" for CHOOSE_AVAILABLE. */
const char *choose_reason_name(enum choose_reason r);

/* choose_record.c: the record of a choice, data.resolution. */
void choose_record_put(struct json *j, const char *key, const struct choose *c);
/* The same, as members of the open object. */
void choose_record_members(struct json *j, const struct choose *c);
/* "create_draft: gmail (step 2, primary; imap unsupported)". */
struct str choose_record_text(struct arena *a, const struct choose *c);

#endif
