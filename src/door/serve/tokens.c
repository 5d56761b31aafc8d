/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens that the keeper has, one of an account, and who makes a new one:
 * one wire at a time, while the keeper holds the account's lock in the store.
 * A wire whose token was refused gets the newer one, if there is one.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "door/serve/token.h"

struct tokens_kept {
	int64_t account;
	char print[SERVE_POOL_PRINT]; /* of the account's settings */
	uint32_t number;              /* of the token; 0: there was none yet */
	struct secret *access;        /* or NULL */
	int64_t until_ms;             /* it is given until then */
	int64_t lives_s;              /* as the provider said */
	int64_t tests_ms;             /* as in struct serve_pool_fault */
	uint32_t wire;                /* makes a new one; 0: none does */
	int64_t late_ms;              /* it is given up then */
	struct store_lock *lock;      /* while one does */
};

struct serve_tokens {
	struct serve_vault *vault;
	struct serve_pool *pool;
	struct tokens_kept v[LIMIT_WIRES];
	size_t n;
};

struct serve_tokens *
serve_tokens_new(struct serve_vault *v, struct serve_pool *p)
{
	struct serve_tokens *t = calloc(1, sizeof(*t));

	if (t == NULL)
		err_bug("out of memory");
	t->vault = v;
	t->pool = p;
	return t;
}

static void
serve_tokens_stop(struct tokens_kept *k)
{
	k->wire = 0;
	store_lock_close(&k->lock);
}

/* Forgets the one whose token ends first, if nobody makes it new. */
static struct tokens_kept *
serve_tokens_room(struct serve_tokens *t)
{
	struct tokens_kept *least = NULL;

	if (t->n < LIMIT_WIRES)
		return &t->v[t->n++];
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].wire == 0 &&
		    (least == NULL || t->v[i].until_ms < least->until_ms))
			least = &t->v[i];
	if (least != NULL)
		secret_close(&least->access);
	return least;
}

/* NULL: each place has a wire at work. */
static struct tokens_kept *
serve_tokens_of(struct serve_tokens *t, const struct serve_pool_wire *w)
{
	struct tokens_kept *k = NULL;

	for (size_t i = 0; i < t->n && k == NULL; i++)
		if (t->v[i].account == w->account)
			k = &t->v[i];
	if (k != NULL && memcmp(k->print, w->print, SERVE_POOL_PRINT) == 0)
		return k;
	/* The account was changed: its token is another one. */
	if (k != NULL) {
		serve_tokens_stop(k);
		secret_close(&k->access);
	} else if ((k = serve_tokens_room(t)) == NULL) {
		return NULL;
	}
	*k = (struct tokens_kept){ .account = w->account,
		.number = k->number,
		.tests_ms = k->account == w->account ? k->tests_ms : 0 };
	memcpy(k->print, w->print, SERVE_POOL_PRINT);
	return k;
}

/*
 * A test is of the consent, so it has a token made; but so many, and then one
 * in LIMIT_WIRE_TEST_AGAIN_MS: other tests get the token that there is.
 */
static bool
serve_tokens_may_test(struct tokens_kept *k, int64_t now_ms)
{
	if (k->tests_ms < now_ms)
		k->tests_ms = now_ms;
	if (k->tests_ms - now_ms >
	    (LIMIT_WIRE_TESTS - 1) * (int64_t)LIMIT_WIRE_TEST_AGAIN_MS)
		return false;
	k->tests_ms += LIMIT_WIRE_TEST_AGAIN_MS;
	return true;
}

void
serve_tokens_want(struct serve_tokens *t, struct serve_pool_wire *w,
    enum serve_ask_type why, int64_t now_ms)
{
	struct tokens_kept *k =
	    why == SERVE_ASK_FRESH ? serve_tokens_of(t, w) : NULL;

	w->wants = true;
	w->refused = why == SERVE_ASK_RENEW ? w->token : 0;
	if (k != NULL && serve_tokens_may_test(k, now_ms))
		w->refused = k->number;
}

static void
serve_tokens_refuse(struct serve_pool_wire *w, enum serve_outcome why)
{
	const struct serve_ask q = { .type = SERVE_ASK_GIVEN,
		.outcome = (uint8_t)why };

	w->wants = false;
	(void)serve_ask_send(w->fd, &q, -1);
}

static bool
serve_tokens_send(struct serve_pool_wire *w, const struct serve_token *x)
{
	const struct serve_ask q = { .type = SERVE_ASK_GIVEN };
	int fd = serve_token_put(x);
	bool sent = fd >= 0 && serve_ask_send(w->fd, &q, fd);

	if (fd >= 0)
		(void)close(fd);
	w->wants = false;
	return sent;
}

static void
serve_tokens_give_access(struct serve_pool_wire *w, const struct tokens_kept *k)
{
	const struct serve_token x = { .what = SERVE_TOKEN_ACCESS,
		.access = k->access,
		.lives_s = k->lives_s };

	w->token = k->number;
	(void)serve_tokens_send(w, &x);
}

/* Is the one that was to make it gone, or does it take too long? */
static bool
serve_tokens_is_free(struct serve_tokens *t, struct tokens_kept *k,
    int64_t now_ms)
{
	for (size_t i = 0; i < t->pool->n && k->wire != 0; i++)
		if (t->pool->v[i].id == k->wire && now_ms < k->late_ms)
			return false;
	serve_tokens_stop(k);
	return true;
}

static void
serve_tokens_give_consent(struct serve_tokens *t, struct serve_pool_wire *w,
    struct tokens_kept *k, int64_t now_ms)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(source_consent_done) struct source_consent c = { 0 };
	enum serve_outcome o =
	    serve_vault_consent(t->vault, a, w->account, &k->lock, &c);
	const struct serve_token x = { .what = SERVE_TOKEN_CONSENT,
		.basic = c.from.basic,
		.provider = c.from.provider,
		.issuer = c.from.issuer,
		.token_url = c.from.token_url,
		.refresh = c.refresh,
		.id = c.id,
		.secret = c.secret };

	/* Another process refreshes it: in a moment. */
	if (o == SERVE_LATE)
		return;
	if (o != SERVE_GOOD) {
		serve_tokens_refuse(w, o);
		return;
	}
	if (!serve_tokens_send(w, &x)) {
		serve_tokens_stop(k);
		return;
	}
	k->wire = w->id;
	k->late_ms = now_ms + LIMIT_OAUTH_STEP_MS + LIMIT_OAUTH_REFRESH_MS;
}

static void
serve_tokens_give_one(struct serve_tokens *t, struct serve_pool_wire *w,
    int64_t now_ms)
{
	struct tokens_kept *k = serve_tokens_of(t, w);

	if (k == NULL)
		serve_tokens_refuse(w, SERVE_FAILED);
	else if (k->access != NULL && k->number != w->refused &&
	    now_ms < k->until_ms)
		serve_tokens_give_access(w, k);
	else if (serve_tokens_is_free(t, k, now_ms))
		serve_tokens_give_consent(t, w, k, now_ms);
}

void
serve_tokens_give(struct serve_tokens *t, int64_t now_ms)
{
	for (size_t i = 0; i < t->pool->n; i++)
		if (t->pool->v[i].wants)
			serve_tokens_give_one(t, &t->pool->v[i], now_ms);
	/* What a wire that has ended was to make keeps no lock. */
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].wire != 0)
			(void)serve_tokens_is_free(t, &t->v[i], now_ms);
}

bool
serve_tokens_is_wanted(const struct serve_tokens *t)
{
	for (size_t i = 0; i < t->pool->n; i++)
		if (t->pool->v[i].wants)
			return true;
	return false;
}

bool
serve_tokens_is_made_by(const struct serve_tokens *t, uint32_t wire)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].wire == wire)
			return true;
	return false;
}

/* A part of its life is left for the call that gets it. */
static int64_t
serve_tokens_until(int64_t lives_s, int64_t now_ms)
{
	int64_t ms = LIMIT_TOKEN_UNKNOWN_MS;

	if (lives_s > 0)
		ms = lives_s < LIMIT_TOKEN_S ? lives_s * 900
					     : LIMIT_TOKEN_S * 900LL;
	return now_ms + ms;
}

static bool
serve_tokens_take(struct serve_tokens *t, struct tokens_kept *k, int fd,
    enum serve_outcome *o, int64_t now_ms)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(serve_token_done) struct serve_token x = { 0 };

	if (!serve_token_take(fd, a, 1 << SERVE_TOKEN_CAME, &x))
		return false;
	*o = serve_vault_refreshed(t->vault, k->account, x.refresh);
	if (*o != SERVE_GOOD)
		return true;
	secret_close(&k->access);
	k->access = x.access;
	x.access = NULL;
	k->until_ms = serve_tokens_until(x.lives_s, now_ms);
	k->lives_s = x.lives_s;
	if (++k->number == 0)
		k->number = 1;
	return true;
}

bool
serve_tokens_came(struct serve_tokens *t, struct serve_pool_wire *w, int fd,
    int64_t now_ms)
{
	enum serve_outcome o = SERVE_FAILED;
	struct tokens_kept *k = NULL;
	bool good = true;

	for (size_t i = 0; i < t->n && k == NULL; i++)
		if (t->v[i].wire == w->id)
			k = &t->v[i];
	if (k == NULL)
		return false;
	if (fd >= 0)
		good = serve_tokens_take(t, k, fd, &o, now_ms);
	serve_tokens_stop(k);
	if (!good)
		return false;
	/* Whoever was refused waits for no answer. */
	if (fd >= 0 && o == SERVE_GOOD)
		serve_tokens_give_access(w, k);
	else if (fd >= 0)
		serve_tokens_refuse(w, o);
	return true;
}
