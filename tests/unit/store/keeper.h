/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_STORE_KEEPER_H
#define TESTS_UNIT_STORE_KEEPER_H

/* A keeper, and a store that it serves, in one process. */
#include "fixture.h"

#include "store/keeper.h"
#include "store/keeping.h"
#include "store/mark.h"

/* A text that every label signs for agents. */
#define SIGNED "emcli agentbox 3 agent\n"

/* The keeper, in this process; messages are counted. */
struct keeper {
	struct fx *x;
	struct store *store, *served;
	struct store_asker *asker;
	struct store_keeper way;
	unsigned asked;
	bool gone;
};

static inline int
keeper_ask_here(void *ctx, struct str request, struct store_answer *out,
    struct err *e)
{
	struct keeper *k = ctx;

	k->asked++;
	assert_true(request.n <= LIMIT_KEEPER_ASK);
	if (k->gone)
		return err_set(e, ERR_CONFIG, "gone");
	(void)store_keeper_answer(k->asker, request, out);
	return 0;
}

static inline struct keeper *
keeper_new(struct fx *x)
{
	static struct store_keys agents;
	struct keeper *k = arena_new(x->a, struct keeper);

	agents = (struct store_keys){ NULL, x->agent };
	k->x = x;
	k->store = fx_open(x, STORE_AGENT);
	k->asker = store_keeper_answer_begin(&k->store, &agents);
	k->way = (struct store_keeper){ .ask = keeper_ask_here, .ctx = k };
	assert_ok(x, store_open_served(x->path, &k->way, &k->served, &x->e));
	return k;
}

static inline void
keeper_done(struct keeper *k)
{
	store_close(&k->served);
	store_keeper_answer_end(&k->asker);
	store_close(&k->store);
}

static inline struct str
repeat(struct arena *a, const char *text, size_t n)
{
	struct buf b;

	buf_init(&b, a, n);
	while (b.n < n)
		buf_add(&b, text,
		    n - b.n < strlen(text) ? n - b.n : strlen(text));
	return buf_view(&b);
}

#endif
