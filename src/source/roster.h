/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_ROSTER_H
#define SOURCE_ROSTER_H

/*
 * The accounts of a store in the form for the resolution rule: with their
 * roles, and with what they can do as deployed.
 */
#include "base/json.h"
#include "source/choose.h"
#include "source/matrix.h"
#include "source/source.h"

/*
 * Every account, sources in the declared order, then the others.  Facts come
 * from the account's settings; facts that only the mail store knows are open: a
 * backend that can keep drafts is assumed to, and an IMAP server is assumed to
 * have a folder for sent mail.  gate/sources.h adds policy where it matters.
 */
int roster_load(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e);
/* By name.  ERR_NOT_FOUND. */
int roster_find(const struct role_source *v, size_t n, struct str name,
    const struct role_source **out, struct err *e);
/* Does any of them have a role? */
bool roster_declared(const struct role_source *v, size_t n);
/*
 * matrix_supports() and matrix_why() for an account as it is known, and with
 * policy.
 */
unsigned roster_supports(const struct role_source *src);
const char *roster_why(const struct role_source *src, enum role_op op);
/* Is it a fact that only the mail store knows, and was not asked for? */
bool roster_is_open(const struct role_source *src, enum role_op op);
/*
 * Members of the open object: an account as a source, its kind of thread ids,
 * what it can do and why not.  roster_put.c
 */
void roster_put(struct json *j, const struct role_source *src);
void roster_put_can(struct json *j, const struct role_source *src);

/* The ctx of roster_available(), which tests accounts. */
struct roster {
	struct store *store;
	struct arena *a;
	int64_t timeout_ms;
};

/*
 * Asks the account for open facts: is there a writable folder for drafts, and a
 * folder for sent mail?  Facts that it cannot get stay open: availability is a
 * separate question.  roster_settle.c
 */
void roster_settle(const struct roster *r, struct role_source *src);
/* Does that operation depend on an open fact? */
bool roster_settle_needed(const struct role_source *src, enum role_op op);
/* For struct choose_ask: tests the account's mail store, like doctor. */
enum choose_reason roster_available(void *ctx, const struct role_source *src);
/* The reason from a test's lines; these must not include the submitter. */
enum choose_reason roster_reason(const struct source_health *h);

#endif
