/*
 * The keeper: it alone has the key, reads only whole messages, and waits for
 * nobody.  A worker asks for MACs and the like (answers.c), and gets a socket
 * to a wire that has one account's connection; the wire gets the account's
 * secret when it is about to log in.
 */
#include "door/serve/token.h"

#include <errno.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keys.h"

enum {
	NOBODY = 0, /* no worker's id: its process has ended */
	WORKERS = LIMIT_KEEPER_JOINED,
	TRIES = LIMIT_WIRES + 2, /* each ends one wire, or starts one */
	READY_MS = 1000          /* for a message that is there */
};

/* A worker, or a process that it forked. */
struct keeper_worker {
	int fd;   /* for wires */
	int keys; /* for answers; -1: it gets no more of them */
	struct store_asker *asker;
	uint32_t id, of; /* of: the worker's number */
	uint64_t turn;   /* when it asked; 0: it waits for nothing */
	struct serve_ask ask;
};

struct keeper {
	int monitor;
	struct serve_board *board;
	struct serve_vault *vault;
	struct serve_answers answers;
	int64_t now_ms;
	struct keeper_worker worker[WORKERS];
	size_t workers;
	uint32_t last_id;
	uint64_t last_turn;
	struct serve_pool pool;
	struct serve_tokens *tokens;
	struct pollfd at[1 + LIMIT_WIRES + 2 * WORKERS];
};

/* -- wires ----------------------------------------------------------------- */

/* It sees the end of its socket, and ends; at once: whatever it does. */
static void
serve_keeper_drop(struct keeper *k, size_t at, bool at_once)
{
	struct serve_pool_wire *w = &k->pool.v[at];
	const struct serve_ask q = { .type = SERVE_ASK_KILL, .number = w->id };

	if (at_once)
		(void)serve_ask_send(k->monitor, &q, -1);
	path_close(&w->fd);
	serve_pool_take(&k->pool, at);
}

/* Asks the monitor for one, which gets its account first. */
static bool
serve_keeper_start(struct keeper *k, const struct serve_pool_ask *q,
    const struct serve_vault_account *acct)
{
	struct serve_ask fork = { .type = SERVE_ASK_FORK };
	struct serve_pool_wire *w;
	bool good;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return false;
	w = serve_pool_add(&k->pool, q, k->now_ms);
	w->fd = fd[0];
	w->by_token = acct->token;
	(void)snprintf(w->name, sizeof(w->name), "%.*s", STR_ARG(acct->name));
	fork.number = w->id;
	good = ipc_pass_send(fd[0], acct->bytes, NULL, 0) ==
		(ssize_t)acct->bytes.n &&
	    serve_ask_send(k->monitor, &fork, fd[1]);
	(void)close(fd[1]);
	if (!good)
		serve_keeper_drop(k, k->pool.n - 1, false);
	return good;
}

static void
serve_keeper_answer(struct keeper_worker *w, enum serve_outcome o, int fd)
{
	const struct serve_ask q = { .type = SERVE_ASK_LENT,
		.number = w->ask.number,
		.outcome = (uint8_t)o };

	w->turn = 0;
	/* Whoever does not read its answers gets none. */
	(void)serve_ask_send(w->fd, &q, fd);
}

/* One end of a new socket to the wire, the other to the worker. */
static bool
serve_keeper_lend(struct keeper *k, size_t at, struct keeper_worker *w)
{
	const struct serve_ask q = { .type = SERVE_ASK_LEASE,
		.purpose = w->ask.purpose,
		.deadline_ms = w->ask.deadline_ms };
	bool good;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
		return false;
	good = serve_ask_send(k->pool.v[at].fd, &q, fd[1]);
	if (good) {
		serve_pool_lend(&k->pool.v[at], w->id, k->now_ms);
		serve_keeper_answer(w, SERVE_GOOD, fd[0]);
	}
	(void)close(fd[0]);
	(void)close(fd[1]);
	return good;
}

/* -- workers --------------------------------------------------------------- */

/* It waits, if its call has the time. */
static void
serve_keeper_wait(const struct keeper *k, struct keeper_worker *w,
    int64_t until_ms)
{
	int64_t end = w->ask.deadline_ms;

	if (until_ms >= end)
		serve_keeper_answer(w, SERVE_WAITS, -1);
	else if (k->now_ms >= end)
		serve_keeper_answer(w, SERVE_LATE, -1);
}

/* Has it a wire whose process has ended, and which has not said so yet? */
static bool
serve_keeper_is_left(const struct keeper *k, int64_t account)
{
	for (size_t i = 0; i < k->pool.n; i++) {
		const struct serve_pool_wire *w = &k->pool.v[i];

		if (w->lent && w->worker == NOBODY && w->account == account)
			return true;
	}
	return false;
}

static void
serve_keeper_serve(struct keeper *k, struct keeper_worker *w)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct serve_vault_account acct = { 0 };
	enum serve_outcome o = serve_vault_account(k->vault, a, w->ask.account,
	    (enum serve_purpose)w->ask.purpose, &acct);
	const struct serve_pool_ask q = { w->ask.account, acct.print.p, w->id,
		w->ask.purpose == SERVE_AWAITS_MAIL };

	if (o == SERVE_GOOD && acct.print.n != SERVE_POOL_PRINT)
		o = SERVE_UNKEPT;
	if (o == SERVE_GOOD)
		serve_pool_renew(&k->pool, &q);
	for (int i = 0; i < TRIES && o == SERVE_GOOD; i++) {
		struct serve_pool_choice c =
		    serve_pool_choose(&k->pool, &q, k->now_ms);

		switch (c.what) {
		case SERVE_POOL_WAIT:
			serve_keeper_wait(k, w, c.until_ms);
			return;
		case SERVE_POOL_DROP:
			serve_keeper_drop(k, c.at, false);
			continue;
		case SERVE_POOL_START:
			/* One is about to be free. */
			if (serve_keeper_is_left(k, w->ask.account))
				return;
			if (!serve_keeper_start(k, &q, &acct))
				o = SERVE_FAILED;
			continue;
		case SERVE_POOL_LEND:
			if (serve_keeper_lend(k, c.at, w))
				return;
			/* It has ended. */
			serve_keeper_drop(k, c.at, true);
			continue;
		}
	}
	serve_keeper_answer(w, o == SERVE_GOOD ? SERVE_FAILED : o, -1);
}

/* Those that wait, in the order in which they asked. */
static void
serve_keeper_serve_all(struct keeper *k)
{
	uint64_t done = 0;

	for (;;) {
		struct keeper_worker *next = NULL;

		for (size_t i = 0; i < k->workers; i++) {
			struct keeper_worker *w = &k->worker[i];

			if (w->turn > done &&
			    (next == NULL || w->turn < next->turn))
				next = w;
		}
		if (next == NULL)
			return;
		done = next->turn;
		serve_keeper_serve(k, next);
	}
}

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
		w->worker = NOBODY;
		w->since_ms = k->now_ms;
	}
	serve_keeper_end_answers(&k->worker[i]);
	(void)close(k->worker[i].fd);
	k->worker[i] = k->worker[--k->workers];
}

/*
 * A wire that is busy with what nobody waits for ends.  One that makes a token
 * ends when it has told it: the token may be the account's only one.
 */
static void
serve_keeper_end_left(struct keeper *k)
{
	for (size_t at = k->pool.n; at-- > 0;) {
		struct serve_pool_wire *w = &k->pool.v[at];

		if (!w->lent || w->worker != NOBODY ||
		    k->now_ms - w->since_ms < LIMIT_KEEPER_LEFT_MS)
			continue;
		if (serve_tokens_is_made_by(k->tokens, w->id))
			w->stale = true;
		else
			serve_keeper_drop(k, at, true);
	}
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
	return true;
}

static void
serve_keeper_hear_keys(struct keeper *k, size_t i)
{
	struct keeper_worker *w = &k->worker[i];

	serve_answers_renew(&k->answers);
	if (serve_answers_one(w->asker, w->keys) < 0)
		serve_keeper_end_answers(w);
}

/* -- what wires say -------------------------------------------------------- */

static void
serve_keeper_give(struct keeper *k, struct serve_pool_wire *w,
    enum serve_ask_type why)
{
	CLEANUP(ipc_pass_close) struct ipc_passed out = { 0 };
	struct serve_ask q = { .type = SERVE_ASK_GIVEN };

	if (w->by_token) {
		w->wants = true;
		w->refused = why == SERVE_ASK_RENEW ? w->token : 0;
		return;
	}
	q.outcome = (uint8_t)serve_vault_secret(k->vault, w->account, &out);
	(void)serve_ask_send_all(w->fd, &q, out.fd, out.n);
}

static void
serve_keeper_hear_wire(struct keeper *k, size_t at)
{
	const char types[] = { SERVE_ASK_SECRET, SERVE_ASK_RENEW,
		SERVE_ASK_TOKEN, SERVE_ASK_DONE, '\0' };
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
		serve_keeper_drop(k, at, true);
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
		serve_keeper_drop(k, at, false);
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
	if (k->workers == WORKERS ||
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
		if (k->pool.v[i].lent && k->pool.v[i].worker == NOBODY)
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
			serve_keeper_patience(&k)) < 0)
			continue;
		k.now_ms = clock_mono_ms();
		serve_keeper_hear(&k);
		serve_keeper_end_left(&k);
		serve_keeper_serve_all(&k);
		serve_tokens_give(k.tokens, k.now_ms);
		while ((old = serve_pool_old(&k.pool, k.now_ms)) >= 0)
			serve_keeper_drop(&k, (size_t)old, false);
	}
}
