#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

/*
 * An account made ready for use: its settings, the backend that reads it, the
 * one that submits for it, and, only when asked, its credentials.
 */
#include "backend/backend.h"
#include "oauth/oauth.h"
#include "store/store.h"

struct source {
	struct store_account acct;
	const struct backend *be;        /* reads; never NULL */
	const struct backend *submitter; /* sends; NULL when nothing does */
	struct backend_account view;     /* what the backends may know */
	struct secret *secret;           /* lent to view; source_done() */
	/* For tokens, token.c. */
	struct store *store;
	bool renewed;          /* a refused token was replaced once */
	int64_t token_lives_s; /* of the last one; 0: not told */
	int64_t consent_s;     /* when somebody consented, unix seconds */
};

/*
 * Finds an account by name.  Opens nothing and unseals nothing.  ERR_NOT_FOUND,
 * or ERR_CONFIG when the account names a backend we do not have.
 */
int source_resolve(struct store *s, struct arena *a, struct str name,
    int64_t deadline_ms, struct source *out, struct err *e);
/* The same for an account that is in no store yet.  ERR_CONFIG. */
int source_resolve_given(const struct store_account *acct, int64_t deadline_ms,
    struct source *out, struct err *e);
/*
 * Takes away what is kept beside the store of an account that was removed,
 * unless another has a part in it: nothing about it is an error.  forget.c
 */
void source_forget(struct store *s, struct arena *a, const struct source *gone);
/*
 * Unseals the credentials the backends need; once is enough.  A token is only
 * got when a backend is about to log in.  ERR_CONFIG.
 */
int source_unseal(struct store *s, struct source *src, struct err *e);
void source_done(struct source *src);
/*
 * Gets a token now, where one will be needed, and none later: for whoever
 * passes the account on to another process.  ERR_AUTH, ERR_NETWORK.  token.c
 */
int source_token(struct source *src, struct err *e);
/* What struct backend_account calls; ctx is the source. */
int source_token_ask(void *ctx, bool again, struct err *e);

/* How one account fares, for doctor. */
struct source_health {
	struct store_account acct;
	struct probes probes;
};

/* What is to be tried. */
struct source_trial {
	struct strs names; /* accounts; none: all there are */
	/*
	 * What sends for them, too.  False where a source is chosen: no role
	 * leads to a submission server, not even to its greeting.
	 */
	bool submitter;
	int64_t timeout_ms; /* of each server */
};

/*
 * Tries accounts step by step, up to eight at the same time, each in a process
 * of its own that knows its own secret alone.  ERR_NOT_FOUND for an unknown
 * name.
 */
int source_probe(struct store *s, struct arena *a,
    const struct source_trial *what, struct source_health **out, size_t *n,
    struct err *e);

/*
 * Trying an account that is in no store yet, for whoever wants to see each line
 * as it comes: poll(2) `fd`, and read until false.  source/attempt.c
 */
struct source_attempt;
int source_attempt_start(const struct store_account *acct,
    struct secret *secret, struct arena *a, int64_t timeout_ms,
    struct source_attempt **out, struct err *e);
int source_attempt_fd(const struct source_attempt *t);
/* The lines that have come; good until the next read. */
struct probes *source_attempt_lines(struct source_attempt *t);
bool source_attempt_read(struct source_attempt *t);
/*
 * Ends it wherever it is; *out becomes all its lines, one of them about what
 * did not end well.  NULL-safe.
 */
void source_attempt_end(struct source_attempt **t, struct probes *out);

/* The settings' timeout for one command, in milliseconds. */
int source_timeout(struct store *s, struct arena *a, int64_t *out,
    struct err *e);
/* The settings' number of rows for a call that names none.  default.c */
int source_default_page(struct store *s, struct arena *a, uint32_t *out,
    struct err *e);
/* And of bytes of text, where that comes in windows. */
int source_default_window(struct store *s, struct arena *a, uint32_t *out,
    struct err *e);

#endif
