#ifndef SOURCE_ROSTER_H
#define SOURCE_ROSTER_H

/*
 * The accounts of a store as the resolution rule wants them: with their parts,
 * and with what they can do as they are deployed.
 */
#include "base/json.h"
#include "source/choose.h"
#include "source/matrix.h"
#include "source/source.h"

/*
 * Every account, sources in the declared order, then the others.  What cells
 * depend on is as the account's settings say; what only the store of mail can
 * tell is open yet: a backend that can keep drafts is taken at its word, and
 * so is an IMAP server about a folder for what is sent.  What policy says is
 * gate/sources.h's to add, for whom it matters.
 */
int roster_load(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e);
/* The one of that name.  ERR_NOT_FOUND. */
int roster_find(const struct role_source *v, size_t n, struct str name,
    const struct role_source **out, struct err *e);
/* Does any of them play a part? */
bool roster_declared(const struct role_source *v, size_t n);
/* matrix_supports() and matrix_why() of an account as it is known, and what it
 * may. */
unsigned roster_supports(const struct role_source *src);
const char *roster_why(const struct role_source *src, enum role_op op);
/* Can only the store of mail tell, and was it not asked? */
bool roster_is_open(const struct role_source *src, enum role_op op);
/*
 * Members of the open object: what an account is as a source, and the kind of
 * its thread ids with what it can and why not.  roster_put.c
 */
void roster_put(struct json *j, const struct role_source *src);
void roster_put_can(struct json *j, const struct role_source *src);

/* Whoever wants to know by trying: the ctx of roster_available(). */
struct roster {
	struct store *store;
	struct arena *a;
	int64_t timeout_ms;
};

/*
 * Settles what is open by asking the account: is there a place for drafts that
 * can be written to, is there one for what was sent?  What cannot be asked
 * stays open: whether it is available is another question.  roster_settle.c
 */
void roster_settle(const struct roster *r, struct role_source *src);
/* Does anything about that operation depend on the answer? */
bool roster_settle_needed(const struct role_source *src, enum role_op op);
/* For struct choose_ask: tries the account's store of mail, as doctor does. */
enum choose_reason roster_available(void *ctx, const struct role_source *src);
/* What the lines of a trial say; the submitter must not be among them. */
enum choose_reason roster_reason(const struct source_health *h);

#endif
