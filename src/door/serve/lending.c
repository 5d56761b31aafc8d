/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper lends wires: starts them, gives them, and ends those of nobody. */
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "door/serve/lending.h"

enum {
	TRIES = LIMIT_WIRES + 2 /* each ends one wire, or starts one */
};

void
serve_lending_drop(struct keeper *k, size_t at, bool at_once)
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
serve_lending_start(struct keeper *k, const struct serve_pool_ask *q,
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
		serve_lending_drop(k, k->pool.n - 1, false);
	return good;
}

void
serve_lending_answer(struct keeper_worker *w, enum serve_outcome o, int fd)
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
serve_lending_give(struct keeper *k, size_t at, struct keeper_worker *w)
{
	const struct serve_ask q = { .type = SERVE_ASK_LEASE,
		.purpose = w->ask.purpose,
		.deadline_ms = w->ask.deadline_ms };
	int type = q.purpose == SERVE_ASKS_NAMES ? SOCK_SEQPACKET : SOCK_STREAM;
	bool good;
	int fd[2];

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, fd) < 0)
		return false;
	good = serve_ask_send(k->pool.v[at].fd, &q, fd[1]);
	if (good) {
		serve_pool_lend(&k->pool.v[at], w->id, w->of, k->now_ms);
		serve_lending_answer(w, SERVE_GOOD, fd[0]);
	}
	(void)close(fd[0]);
	(void)close(fd[1]);
	return good;
}

/* -- workers --------------------------------------------------------------- */

/* Has it a wire whose process has ended, and which has not said so yet? */
static bool
serve_lending_is_left(const struct keeper *k, int64_t account)
{
	for (size_t i = 0; i < k->pool.n; i++) {
		const struct serve_pool_wire *w = &k->pool.v[i];

		if (w->lent && w->worker == LENDING_NOBODY &&
		    w->account == account)
			return true;
	}
	return false;
}

/*
 * It waits, if its call has the time.  A watch has no use for a connection
 * that another watch gives back some time: it looks from time to time.
 */
static void
serve_lending_wait(const struct keeper *k, struct keeper_worker *w,
    int64_t until_ms)
{
	bool watches = w->ask.purpose == SERVE_AWAITS_MAIL &&
	    !serve_lending_is_left(k, w->ask.account);
	int64_t end = w->ask.deadline_ms;

	if (until_ms >= end)
		serve_lending_answer(w, SERVE_WAITS, -1);
	else if (k->now_ms >= end || (until_ms == 0 && watches))
		serve_lending_answer(w, SERVE_LATE, -1);
}

/* What a new wire is told; of one that asks names it is no account. */
static enum serve_outcome
serve_lending_account(struct keeper *k, struct arena *a,
    const struct serve_ask *q, struct serve_vault_account *out)
{
	const struct serve_account names = { .backend = S(SERVE_NAMES) };

	if (q->purpose != SERVE_ASKS_NAMES)
		return serve_vault_account(k->vault, a, q->account,
		    (enum serve_purpose)q->purpose, out);
	/* Another list of name servers is another wire's. */
	out->print = str_fmt(a, "%0*jx", SERVE_POOL_PRINT,
	    (uintmax_t)sandbox_paths_print(SANDBOX_WIRE, NULL, 0));
	out->bytes = serve_account_put(a, &names);
	return SERVE_GOOD;
}

static void
serve_lending_one(struct keeper *k, struct keeper_worker *w)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct serve_vault_account acct = { 0 };
	enum serve_outcome o = serve_lending_account(k, a, &w->ask, &acct);
	const struct serve_pool_ask q = { w->ask.account, acct.print.p, w->id,
		w->of, w->ask.purpose == SERVE_AWAITS_MAIL, acct.files,
		acct.paths, serve_ask_tests(w->ask.purpose) };

	if (o == SERVE_GOOD && acct.print.n != SERVE_POOL_PRINT)
		o = SERVE_UNKEPT;
	if (o == SERVE_GOOD)
		serve_pool_renew(&k->pool, &q);
	for (int i = 0; i < TRIES && o == SERVE_GOOD; i++) {
		struct serve_pool_choice c =
		    serve_pool_choose(&k->pool, &q, k->now_ms);

		switch (c.what) {
		case SERVE_POOL_WAIT:
			serve_lending_wait(k, w, c.until_ms);
			return;
		case SERVE_POOL_DROP:
			serve_lending_drop(k, c.at, false);
			continue;
		case SERVE_POOL_START:
			/* One is about to be free.  A test has its own. */
			if (!q.tests &&
			    serve_lending_is_left(k, w->ask.account))
				return;
			if (!serve_lending_start(k, &q, &acct))
				o = SERVE_FAILED;
			continue;
		case SERVE_POOL_LEND:
			if (serve_lending_give(k, c.at, w))
				return;
			/* It has ended. */
			serve_lending_drop(k, c.at, true);
			continue;
		}
	}
	serve_lending_answer(w, o == SERVE_GOOD ? SERVE_FAILED : o, -1);
}

void
serve_lending_all(struct keeper *k)
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
		serve_lending_one(k, next);
	}
}

/*
 * A wire that is busy with what nobody waits for ends.  One that makes a token
 * ends when it has told it: the token may be the account's only one.
 */
void
serve_lending_end_left(struct keeper *k)
{
	for (size_t at = k->pool.n; at-- > 0;) {
		struct serve_pool_wire *w = &k->pool.v[at];

		if (!w->lent || w->worker != LENDING_NOBODY ||
		    k->now_ms - w->since_ms < LIMIT_KEEPER_LEFT_MS)
			continue;
		if (serve_tokens_is_made_by(k->tokens, w->id))
			w->stale = true;
		else
			serve_lending_drop(k, at, true);
	}
}
