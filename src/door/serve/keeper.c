/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper: it alone has the key, reads only whole messages, and waits for
 * nobody.  A worker asks for MACs and the like (answers.c), and gets a socket
 * to a wire that has one account's connection; the wire gets the account's
 * secret when it is about to log in.
 */
#include "door/serve/lending.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"

enum {
	READY_MS = 1000 /* for a message that is there */
};

/* -- workers --------------------------------------------------------------- */

static void
serve_keeper_end_answers(struct keeper_worker *w)
{
	path_close(&w->keys);
	store_keeper_answer_end(&w->asker);
}

/* It has ended.  A wire that was its own is free as soon as it says so. */
static void
serve_keeper_lose(struct keeper *k, size_t i)
{
	uint32_t id = k->worker[i].id;

	for (size_t at = 0; at < k->pool.n; at++) {
		struct serve_pool_wire *w = &k->pool.v[at];

		if (!w->lent || w->worker != id)
			continue;
		w->worker = LENDING_NOBODY;
		w->since_ms = k->now_ms;
	}
	serve_keeper_end_answers(&k->worker[i]);
	(void)close(k->worker[i].fd);
	k->worker[i] = k->worker[--k->workers];
}

/* False: it is lost. */
static bool
serve_keeper_hear_worker(struct keeper *k, size_t i)
{
	const char types[] = { SERVE_ASK_LEND, '\0' };
	struct keeper_worker *w = &k->worker[i];
	struct ipc_passed with = { 0 };
	struct serve_ask q = { 0 };
	int r = serve_ask_wait(w->fd, k->now_ms + READY_MS, types, &q, &with);

	/* One question at a time. */
	if (r < 0 || (r > 0 && w->turn != 0)) {
		serve_keeper_lose(k, i);
		return false;
	}
	if (r > 0) {
		w->ask = q;
		w->turn = ++k->last_turn;
	}
	if (r > 0 && q.purpose == SERVE_ASKS_NAMES &&
	    !serve_names_may(&k->asked, w->of, k->now_ms))
		serve_lending_answer(w, SERVE_LATE, -1);
	return true;
}

static void
serve_keeper_hear_keys(struct keeper *k, size_t i)
{
	struct keeper_worker *w = &k->worker[i];

	serve_answers_renew(&k->answers);
	if (serve_answers_one(w->asker, w->keys) < 0)
		serve_keeper_end_answers(w);
	else if (store_keeper_answer_noticed(w->asker))
		serve_due_soon(k);
}

/* -- what wires say -------------------------------------------------------- */

static void
serve_keeper_give(struct keeper *k, struct serve_pool_wire *w,
    enum serve_ask_type why)
{
	CLEANUP(ipc_pass_close) struct ipc_passed out = { 0 };
	struct serve_ask q = { .type = SERVE_ASK_GIVEN };

	if (w->by_token) {
		serve_tokens_want(k->tokens, w, why, k->now_ms);
		return;
	}
	/* A wire of files logs in nowhere. */
	q.outcome = w->files
	    ? SERVE_ABSENT
	    : (uint8_t)serve_vault_secret(k->vault, w->account, &out);
	(void)serve_ask_send_all(w->fd, &q, out.fd, out.n);
}

static void
serve_keeper_hear_wire(struct keeper *k, size_t at)
{
	const char types[] = { SERVE_ASK_SECRET, SERVE_ASK_RENEW,
		SERVE_ASK_FRESH, SERVE_ASK_TOKEN, SERVE_ASK_DONE, '\0' };
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct serve_pool_wire *w = &k->pool.v[at];
	struct serve_ask q = { 0 };
	uint32_t chance = 0;
	int r = serve_ask_wait(w->fd, k->now_ms + READY_MS, types, &q, &with);

	if (r > 0 && q.type == SERVE_ASK_TOKEN &&
	    !serve_tokens_came(k->tokens, w, with.n > 0 ? with.fd[0] : -1,
		k->now_ms))
		r = -1;
	if (r < 0)
		serve_lending_drop(k, at, true);
	if (r <= 0 || q.type == SERVE_ASK_TOKEN)
		return;
	if (q.type != SERVE_ASK_DONE) {
		serve_keeper_give(k, w, (enum serve_ask_type)q.type);
		return;
	}
	/* Another lease may be on its way to it. */
	if (!w->lent || q.number != w->leases)
		return;
	/* It only spreads connections in time: without it they come at once. */
	if (getrandom(&chance, sizeof(chance), GRND_NONBLOCK) < 0)
		chance = 0;
	if (!serve_pool_done(&k->pool, at, q.outcome != SERVE_GOOD, chance,
		k->now_ms))
		serve_lending_drop(k, at, false);
}

/* -- the monitor, and waiting ---------------------------------------------- */

static size_t
serve_keeper_joined(const struct keeper *k, uint32_t of)
{
	size_t n = 0;

	for (size_t i = 0; i < k->workers; i++)
		n += k->worker[i].of == of;
	return n;
}

/* One more process, which has the other ends of these two sockets. */
static void
serve_keeper_hear_monitor(struct keeper *k)
{
	const char types[] = { SERVE_ASK_JOIN, '\0' };
	struct ipc_passed with = { 0 };
	struct serve_ask q = { 0 };
	int r =
	    serve_ask_wait(k->monitor, k->now_ms + READY_MS, types, &q, &with);

	if (r < 0)
		_exit(0);
	if (r == 0)
		return;
	/* One that was taken over leaves room for the others. */
	if (k->workers == LENDING_WORKERS ||
	    serve_keeper_joined(k, q.number) >= LIMIT_KEEPER_JOINED_OF) {
		ipc_pass_close(&with);
		return;
	}
	k->worker[k->workers++] = (struct keeper_worker){ .keys = with.fd[0],
		.fd = with.fd[1],
		.asker = store_keeper_answer_begin(&k->answers.store,
		    &k->answers.keys),
		.id = ++k->last_id,
		.of = q.number };
}

/* For `serve status`. */
static void
serve_keeper_tell(const struct keeper *k)
{
	if (k->board == NULL)
		return;
	for (size_t i = 0; i < k->pool.n; i++) {
		const struct serve_pool_wire *w = &k->pool.v[i];
		struct serve_board_wire *to = &k->board->wire[i];

		memcpy(to->account, w->name, sizeof(to->account));
		to->since_ms = w->since_ms;
		to->idle = !w->lent;
	}
	atomic_store(&k->board->wires, (uint32_t)k->pool.n);
}

static size_t
serve_keeper_fill(struct keeper *k)
{
	size_t n = 0;

	k->at[n++] = (struct pollfd){ k->monitor, POLLIN, 0 };
	for (size_t i = 0; i < k->pool.n; i++)
		k->at[n++] = (struct pollfd){ k->pool.v[i].fd, POLLIN, 0 };
	for (size_t i = 0; i < k->workers; i++) {
		k->at[n++] = (struct pollfd){ k->worker[i].fd, POLLIN, 0 };
		k->at[n++] = (struct pollfd){ k->worker[i].keys, POLLIN, 0 };
	}
	return n;
}

static int
serve_keeper_patience(const struct keeper *k)
{
	for (size_t i = 0; i < k->workers; i++)
		if (k->worker[i].turn != 0)
			return LIMIT_WIRE_TICK_MS;
	if (serve_tokens_is_wanted(k->tokens))
		return LIMIT_WIRE_TICK_MS;
	for (size_t i = 0; i < k->pool.n; i++)
		if (k->pool.v[i].lent && k->pool.v[i].worker == LENDING_NOBODY)
			return LIMIT_WIRE_TICK_MS;
	return k->pool.n > 0 ? LIMIT_WIRE_PROVE_MS : -1;
}

/* Walked from the end: what is taken out moves only what was heard. */
static void
serve_keeper_hear(struct keeper *k)
{
	const struct pollfd *wire = &k->at[1];
	size_t wires = k->pool.n, workers = k->workers;

	for (size_t i = wires; i-- > 0;)
		if (wire[i].revents != 0)
			serve_keeper_hear_wire(k, i);
	for (size_t i = workers; i-- > 0;) {
		const struct pollfd *p = &wire[wires + 2 * i];

		if (p[0].revents != 0 && !serve_keeper_hear_worker(k, i))
			continue;
		if (p[1].revents != 0)
			serve_keeper_hear_keys(k, i);
	}
	if (k->at[0].revents != 0)
		serve_keeper_hear_monitor(k);
}

_Noreturn void
serve_keeper(const struct env *env, struct serve_board *board, int monitor)
{
	static struct keeper k;
	ptrdiff_t old;

	k.monitor = monitor;
	k.now_ms = clock_mono_ms();
	k.board = board;
	if (board != NULL)
		serve_confine_keeper(env, board);
	k.vault = serve_vault_open(env);
	if (k.vault == NULL || !serve_answers_open(&k.answers, env))
		_exit(1);
	k.tokens = serve_tokens_new(k.vault, &k.pool);
	for (;;) {
		serve_keeper_tell(&k);
		if (poll(k.at, serve_keeper_fill(&k),
			serve_due_patience(&k, serve_keeper_patience(&k))) < 0)
			continue;
		k.now_ms = clock_mono_ms();
		serve_keeper_hear(&k);
		serve_lending_end_left(&k);
		serve_lending_all(&k);
		serve_tokens_give(k.tokens, k.now_ms);
		serve_due_look(&k);
		while ((old = serve_pool_old(&k.pool, k.now_ms)) >= 0)
			serve_lending_drop(&k, (size_t)old, false);
	}
}
