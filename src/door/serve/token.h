/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_TOKEN_H
#define DOOR_SERVE_TOKEN_H

/*
 * Tokens between the keeper and its wires.  The keeper has the store, and no
 * network; a wire has the network, and no store.  So a wire that needs a token
 * gets the one that the keeper has, or else the unsealed consent: it then makes
 * the request, tells what came, and gets the token when it is stored.
 */
#include "door/serve/keeper.h"
#include "source/consent.h"

/* -- token.c: what goes from one to the other. ----------------------------- */

enum serve_token_what {
	SERVE_TOKEN_ACCESS,  /* from the keeper: access, and lives_s */
	SERVE_TOKEN_CONSENT, /* from the keeper: a consent, as far as there is
				one */
	SERVE_TOKEN_CAME, /* from a wire: access, refresh if it is another, and
			     lives_s */
	SERVE_TOKEN_WHATS
};

struct serve_token {
	enum serve_token_what what;
	bool basic;
	int64_t lives_s; /* from when it was made; 0: unknown */
	struct str provider, issuer, token_url;
	/* CLEANUP(serve_token_done) closes these. */
	struct secret *access, *refresh, *id, *secret;
};

/*
 * A socket from which serve_token_take() takes it, in another process; the
 * caller closes it.  -1: it does not fit.
 */
int serve_token_put(const struct serve_token *t);
/*
 * One of these kinds, or-ed: 1 << SERVE_TOKEN_ACCESS.  Waits for nothing: what
 * is not there is missing.  False: it is not as it must be.  The texts are in
 * the arena.
 */
bool serve_token_take(int fd, struct arena *a, unsigned kinds,
    struct serve_token *out);
void serve_token_done(struct serve_token *t);

/* -- wire_token.c: a wire's side. ------------------------------------------ */

/*
 * Makes the request and tells the keeper what came of it.  0: the token comes
 * when it is stored; -1 with *e: the request was refused, and the keeper knows.
 */
int serve_wire_token(int keeper, const struct serve_token *consent,
    const struct backend_account *acct, struct err *e);

/* -- tokens.c: the keeper's side. ------------------------------------------ */

struct serve_tokens;
struct serve_tokens *serve_tokens_new(struct serve_vault *v,
    struct serve_pool *p);
/* A wire wants one: SERVE_ASK_SECRET, _RENEW, _FRESH. */
void serve_tokens_want(struct serve_tokens *t, struct serve_pool_wire *w,
    enum serve_ask_type why, int64_t now_ms);
/* Gives what can be given to the wires that want one. */
void serve_tokens_give(struct serve_tokens *t, int64_t now_ms);
/* Is there a wire that wants one? */
bool serve_tokens_is_wanted(const struct serve_tokens *t);
/* Does it make one?  Then it is not to be ended: a token may be lost. */
bool serve_tokens_is_made_by(const struct serve_tokens *t, uint32_t wire);
/*
 * A wire tells what came; fd: from serve_token_put(), or -1.  False: it was not
 * asked, or lies.
 */
bool serve_tokens_came(struct serve_tokens *t, struct serve_pool_wire *w,
    int fd, int64_t now_ms);

#endif
