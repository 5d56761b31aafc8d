/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

/*
 * An account ready for use: its settings, the backend that reads it, the one
 * that submits for it, and, on request, its credentials.
 */
#include "backend/wired/wired.h"
#include "oauth/oauth.h"
#include "store/store.h"

struct source {
	struct store_account acct;
	const struct backend *be;        /* reads; never NULL */
	const struct backend *submitter; /* sends; NULL: it cannot send */
	struct backend_account view;     /* what the backends may see */
	struct secret *secret;           /* lent to view; source_done() */
	/* For tokens, token.c. */
	struct store *store;
	bool renewed;          /* a refused token was replaced once */
	int64_t token_lives_s; /* of the last token; 0: unknown */
	int64_t consent_s;     /* time of the consent, unix seconds */
	/* For a test where another process connects: its twin that logs in by a
	 * token, or NULL. */
	const struct backend *token_by;
};

/*
 * Finds an account by name.  Opens and unseals nothing.  ERR_NOT_FOUND, or
 * ERR_CONFIG for an unknown backend.
 */
int source_resolve(struct store *s, struct arena *a, struct str name,
    int64_t deadline_ms, struct source *out, struct err *e);
/* The same for an account that is in no store.  ERR_CONFIG. */
int source_resolve_given(const struct store_account *acct, int64_t deadline_ms,
    struct source *out, struct err *e);
/*
 * From now on this process gets connections from another one: as in struct
 * backend_wire; ctx points to the account's number in the store.  wire.c
 */
typedef int source_wire_lend(void *ctx, const char *backend,
    const struct backend_account *acct, enum wired_use use, struct err *e);
/* files: for mail in files of this machine, too. */
void source_wire_by(source_wire_lend *lend, bool files);
/* Is a source's mail, or what it sends by, in files of this machine? */
bool source_wire_in_files(const struct source *src, bool sends);
/* From now on this is told which account, by its number, is used. */
void source_wire_tell(void (*uses)(int64_t account));
/* Makes it apply: without source_wire_by() nothing changes. */
void source_wire(struct source *src, struct arena *a);
/* Are the connections that it is read by another process's? */
bool source_wire_is_lent(const struct source *src);
/*
 * Deletes the files beside the store of a removed account, unless another
 * account shares them.  Ignores errors.  forget.c
 */
void source_forget(struct store *s, struct arena *a, const struct source *gone);
/*
 * Unseals the credentials for the backends; repeated calls do nothing.  A token
 * is fetched only when a backend is about to log in.  In a store that is served
 * (store/keeper.h) there are none: a backend that logs in by itself refuses.
 * ERR_CONFIG.
 */
int source_unseal(struct store *s, struct source *src, struct err *e);
void source_done(struct source *src);
/* Does it log in by a token of its consent, or of none yet? */
bool source_by_token(const struct backend_account *acct, bool has_password);
/*
 * Fetches a token now, if one will be needed, and none later: for passing the
 * account to another process.  ERR_AUTH, ERR_NETWORK.  token.c
 */
int source_token(struct source *src, struct err *e);
/* The callback in struct backend_account; ctx is the source. */
int source_token_ask(void *ctx, bool again, struct err *e);

/* The health of one account, for doctor. */
struct source_health {
	struct store_account acct;
	struct probes probes;
};

/* What to test. */
struct source_trial {
	struct strs names; /* accounts; none: all */
	/*
	 * Test submission too, and the consent by itself.  False when a source
	 * is chosen: no role needs a submission server, so not even its
	 * greeting is read; and where a token is kept, no other is made.
	 */
	bool whole;
	int64_t timeout_ms; /* per server */
};

/*
 * Tests accounts step by step, up to eight in parallel, each in its own process
 * that has only its own secret.  ERR_NOT_FOUND for an unknown name.
 */
int source_probe(struct store *s, struct arena *a,
    const struct source_trial *what, struct source_health **out, size_t *n,
    struct err *e);

/*
 * Tests an account that is in no store and reports each line as it comes:
 * poll(2) `fd`, and read until false.  source/attempt.c
 */
struct source_attempt;
int source_attempt_start(const struct store_account *acct,
    struct secret *secret, struct arena *a, int64_t timeout_ms,
    struct source_attempt **out, struct err *e);
int source_attempt_fd(const struct source_attempt *t);
/* The lines so far; valid until the next read. */
struct probes *source_attempt_lines(struct source_attempt *t);
bool source_attempt_read(struct source_attempt *t);
/*
 * Ends the test at any point; *out becomes all its lines, including one about a
 * premature end.  NULL-safe.
 */
void source_attempt_end(struct source_attempt **t, struct probes *out);

/* The default number of rows from the settings.  default.c */
int source_default_page(struct store *s, struct arena *a, uint32_t *out,
    struct err *e);
/* The default number of bytes of text, for windows. */
int source_default_window(struct store *s, struct arena *a, uint32_t *out,
    struct err *e);

#endif
