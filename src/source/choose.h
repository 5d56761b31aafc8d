#ifndef SOURCE_CHOOSE_H
#define SOURCE_CHOOSE_H

/*
 * The resolution rule: which source serves an operation.  Pure: whether a
 * source is available is asked of the caller, once for each source at most and
 * only as far as the rule needs it.  Before a run's first operation that is
 * every mandatory source (nothing may begin without them); then 1. who is
 * preferred for the operation, 2. the primary, 3. the fallbacks in the
 * declared order.  Where nothing is declared the one account that can serve the
 * operation does; of several none is guessed.
 */
#include "base/json.h"
#include "source/role.h"

/* Why a source cannot be had now; the closed set of reasons, and zero: it can.
 */
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
	/* Not the first operation of a run: the mandatory ones were there. */
	bool under_way;
	/* The kind of the id that the call names a thread by, which no source
	 * of another kind can read; empty: any reads it. */
	struct str kind;
	/* By name, and why; NULL: by the rule.  Points into v. */
	const struct role_source *override;
	struct str override_reason;
	enum choose_reason (*available)(void *ctx, const struct role_source *s);
	void *ctx;
};

enum choose_outcome {
	CHOOSE_SKIPPED,   /* zero: nobody serves it */
	CHOOSE_ABORTED,   /* a mandatory source is not there */
	CHOOSE_AMBIGUOUS, /* nothing is declared, and several can */
	CHOOSE_CHOSEN,
};

enum choose_rule {
	CHOOSE_NONE,
	CHOOSE_PREFERRED,
	CHOOSE_PRIMARY,
	CHOOSE_FALLBACK,
	CHOOSE_OVERRIDE,
	CHOOSE_SOLE, /* nothing is declared, and this one alone can */
};

enum choose_cause {
	CHOOSE_UNSUPPORTED,
	CHOOSE_UNAVAILABLE,
	CHOOSE_DECLINED,     /* said so itself, in this run */
	CHOOSE_NOT_IN_CHAIN, /* has no place for this operation */
	CHOOSE_OTHER_KIND,   /* its threads have ids, or addresses, of another
			      * kind */
	CHOOSE_ONE_OF_MANY,  /* it can, and so can others: name one */
};

/* A source that was skipped. */
struct choose_skip {
	const struct role_source *source;
	int step; /* 1 to 3; 0: of no step */
	enum choose_cause cause;
	enum choose_reason reason; /* of CHOOSE_UNAVAILABLE */
};

struct choose {
	enum role_op op;
	enum choose_outcome outcome;
	enum choose_rule rule;
	int step;                         /* 1 to 4; 0: of no step */
	const struct role_source *source; /* CHOOSE_CHOSEN; points into v */
	struct str override_reason;
	/* Those considered before the choice, in order; then those that have
	 * no place.  Whoever comes behind the choice is not in it. */
	struct choose_skip *skip;
	size_t n;
	/* "mandatory backend NAME unavailable: REASON; run aborted", "no
	 * backend available for OP" or "2 accounts can serve OP: A, B"; empty
	 * when one was chosen. */
	struct str note;
	bool declared;   /* an account plays a part */
	bool no_primary; /* sources are declared, and none is the primary */
};

void choose_source(struct arena *a, const struct choose_ask *ask,
    struct choose *out);
/*
 * What a caller says who has to give up: the note, as ERR_UNSUPPORTED when
 * nobody can, ERR_AUTH, ERR_CONFIG or ERR_NETWORK when somebody could, and
 * ERR_USAGE when several can.  Not for CHOOSE_CHOSEN.
 */
int choose_refuse(const struct choose *c, struct err *e);
/* "auth_missing"; "" for CHOOSE_AVAILABLE. */
const char *choose_reason_name(enum choose_reason r);

/* choose_record.c: the record of a choice, data.resolution. */
void choose_record_put(struct json *j, const char *key, const struct choose *c);
/* The same, into the open object. */
void choose_record_members(struct json *j, const struct choose *c);
/* "create_draft: gmail (step 2, primary; imap unsupported)". */
struct str choose_record_text(struct arena *a, const struct choose *c);

#endif
