/* SPDX-License-Identifier: Apache-2.0 */
/* An account's access token: made fresh from its consent, by one process at a
 * time. */
#include "base/clock.h"
#include "base/limits.h"
#include "source/consent.h"

/* What one refresh needs, and what came of it. */
struct source_token_got {
	struct arena *a;
	struct store_lock *lock;
	struct source_consent from;
	struct oauth_token token;
};

static void
source_token_done(struct source_token_got *g)
{
	oauth_token_done(&g->token);
	source_consent_done(&g->from);
	store_lock_close(&g->lock);
	arena_close(&g->a);
}

static int
source_token_refresh(struct source *src, struct source_token_got *g,
    int64_t deadline_ms, struct err *e)
{
	sigset_t before;
	int r;

	if (store_lock_still(src->store, g->lock, e) < 0)
		return -1;
	source_consent_hold(&before);
	r = source_consent_refresh(&g->from, deadline_ms, &g->token, e);
	if (r == 0)
		r = store_oauth_refreshed(src->store, src->acct.id,
		    g->token.refresh, e);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}

static int
source_token_get(struct source *src, struct err *e)
{
	CLEANUP(source_token_done)
	struct source_token_got g = { .a = arena_open(1 << 20) };
	int64_t deadline = clock_mono_ms() + LIMIT_OAUTH_STEP_MS;

	if (src->view.deadline_ms < deadline)
		deadline = src->view.deadline_ms;
	/*
	 * The consent is read after taking the lock: the previous process may
	 * have replaced the token.
	 */
	if (store_lock_take(src->store, src->acct.id, deadline, &g.lock, e) <
		0 ||
	    source_consent_load(src->store, g.a, &src->acct, &g.from, e) < 0 ||
	    source_token_refresh(src, &g, deadline, e) < 0)
		return -1;
	secret_close(&src->secret);
	src->secret = g.token.access;
	src->view.secret = src->secret;
	src->token_lives_s = g.token.lives_s;
	src->consent_s = g.from.from.consent_s;
	g.token.access = NULL;
	return 0;
}

int
source_token_ask(void *ctx, bool again, struct err *e)
{
	struct source *src = ctx;

	if (!again)
		return src->secret != NULL ? 0 : source_token_get(src, e);
	if (src->renewed)
		return -1;
	src->renewed = true;
	return source_token_get(src, e);
}

int
source_token(struct source *src, struct err *e)
{
	int r = backend_token(&src->view, e);

	src->view.token = NULL;
	return r;
}
