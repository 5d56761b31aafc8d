/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A wire: a process that speaks with one account's mail server.  It keeps the
 * connection from one call to the next.  It has no store and no key; it gets
 * the account's secret when a login needs it, and wipes it when the lease ends.
 * Of the disk it has a folder for what can be read again: indexes.  If the mail
 * is in files it has these too, and neither secret nor network.
 */
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/wired/wired.h"
#include "base/clock.h"
#include "base/path.h"
#include "door/serve/names.h"
#include "door/serve/token.h"

/* A worker's end of it, until the worker closes that. */
struct wire_lease {
	int fd;
	bool sends, tests;
	/* What sends has a connection of its own, for this lease. */
	struct conn *conn;
	struct arena *arena;
};

struct wire_self {
	int keeper; /* -1: it has ended */
	struct serve_account acct;
	const struct backend *be, *submitter;
	struct secret *secret;
	bool busy;    /* with a request */
	bool asked;   /* for a secret, in this lease: it logged in, or tried */
	bool well;    /* after that, a request was answered */
	bool unfit;   /* the connection is to be closed after this lease */
	bool renewed; /* a token that was refused is another one now */
	/* The connection that is kept, and its memory. */
	struct conn *conn;
	struct arena *arena;
	int64_t idle_ms; /* since when */
	struct wire_lease lease[LIMIT_WIRE_AT_ONCE];
	size_t leases;
	uint32_t done; /* how many leases are over */
};

static void
serve_wire_forget(struct wire_self *w)
{
	w->acct.view.secret = NULL;
	secret_close(&w->secret);
}

/* -- the keeper ------------------------------------------------------------ */

static void
serve_wire_begin_lease(struct wire_self *w, const struct serve_ask *q, int fd)
{
	if (w->leases == LIMIT_WIRE_AT_ONCE) {
		(void)close(fd);
		w->done++;
		return;
	}
	if (w->leases == 0)
		w->asked = w->unfit = w->renewed = false;
	w->acct.view.deadline_ms = q->deadline_ms;
	if (!serve_ask_sends(q->purpose) && w->conn != NULL && !w->busy &&
	    w->be->again != NULL)
		w->be->again(w->conn,
		    w->leases == 0 &&
			clock_mono_ms() - w->idle_ms > LIMIT_WIRE_PROVE_MS);
	w->lease[w->leases++] = (struct wire_lease){ .fd = fd,
		.sends = serve_ask_sends(q->purpose),
		.tests = serve_ask_tests(q->purpose) };
}

/*
 * One message of the keeper's.  False: the keeper has ended; so does this
 * process when its leases are over.
 */
static bool
serve_wire_hear(struct wire_self *w, struct serve_ask *q,
    struct ipc_passed *with)
{
	const char types[] = { SERVE_ASK_LEASE, SERVE_ASK_GIVEN, '\0' };

	if (w->keeper < 0 ||
	    serve_ask_wait(w->keeper, IPC_WAIT_EVER, types, q, with) <= 0) {
		path_close(&w->keeper);
		return false;
	}
	if (q->type == SERVE_ASK_LEASE) {
		serve_wire_begin_lease(w, q, with->fd[0]);
		with->n = 0;
	}
	return true;
}

static int
serve_wire_orphaned(struct err *e)
{
	(void)err_set(e, ERR_CONFIG,
	    "the broker's keeper of keys has ended; the broker starts it "
	    "again");
	return err_hint(e, "call again");
}

/* What the keeper gives. */
static int
serve_wire_given(struct wire_self *w, struct ipc_passed *with, struct err *e)
{
	struct serve_ask got = { 0 };

	ipc_pass_close(with);
	while (got.type != SERVE_ASK_GIVEN)
		if (!serve_wire_hear(w, &got, with))
			return serve_wire_orphaned(e);
	if (got.outcome == SERVE_GOOD)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the account's credential cannot be unsealed");
}

static int
serve_wire_fetch(struct wire_self *w, enum serve_ask_type how,
    struct ipc_passed *with, struct err *e)
{
	const struct serve_ask ask = { .type = (uint8_t)how };

	w->asked = true;
	w->well = false;
	if (w->keeper < 0 || !serve_ask_send(w->keeper, &ask, -1))
		return serve_wire_orphaned(e);
	return serve_wire_given(w, with, e);
}

/* For struct backend_account. */
static int
serve_wire_secret(void *ctx, bool again, struct err *e)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct wire_self *w = ctx;

	/* There is one password; asking again gives the same. */
	if (again)
		return -1;
	serve_wire_forget(w);
	if (serve_wire_fetch(w, SERVE_ASK_SECRET, &with, e) < 0 ||
	    secret_read(with.fd[0], &w->secret, e) < 0)
		return -1;
	w->acct.view.secret = w->secret;
	return 0;
}

/* A token that the keeper has, or one that this process asks for. */
static int
serve_wire_take_token(struct wire_self *w, enum serve_ask_type how,
    struct serve_token *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	CLEANUP(serve_token_done) struct serve_token c = { 0 };

	if (serve_wire_fetch(w, how, &with, e) < 0)
		return -1;
	if (!serve_token_take(with.fd[0], a,
		1 << SERVE_TOKEN_ACCESS | 1 << SERVE_TOKEN_CONSENT, &c))
		_exit(0);
	if (c.what == SERVE_TOKEN_CONSENT) {
		if (serve_wire_token(w->keeper, &c, &w->acct.view, e) < 0 ||
		    serve_wire_given(w, &with, e) < 0)
			return -1;
		serve_token_done(&c);
		if (!serve_token_take(with.fd[0], a, 1 << SERVE_TOKEN_ACCESS,
			&c))
			_exit(0);
	}
	*out = c;
	c = (struct serve_token){ 0 };
	return 0;
}

/* The same for an account with a consent: as source_token_ask(). */
static int
serve_wire_token_of(void *ctx, bool again, struct err *e)
{
	CLEANUP(serve_token_done) struct serve_token t = { 0 };
	struct wire_self *w = ctx;

	if (again && w->renewed)
		return -1;
	w->renewed = w->renewed || again;
	if (serve_wire_take_token(w, again ? SERVE_ASK_RENEW : SERVE_ASK_SECRET,
		&t, e) < 0)
		return -1;
	serve_wire_forget(w);
	w->secret = t.access;
	t.access = NULL;
	w->acct.view.secret = w->secret;
	return 0;
}

/* Only that there is one: for a test of the consent. */
static int
serve_wire_fresh(void *ctx, int64_t *lives_s, struct err *e)
{
	CLEANUP(serve_token_done) struct serve_token t = { 0 };

	if (serve_wire_take_token(ctx, SERVE_ASK_FRESH, &t, e) < 0)
		return -1;
	*lives_s = t.lives_s;
	return 0;
}

/* -- leases ---------------------------------------------------------------- */

static void
serve_wire_close(const struct backend *be, struct conn **c, struct arena **a)
{
	if (*c != NULL)
		be->close(*c);
	*c = NULL;
	arena_close(a);
}

static void
serve_wire_end_lease(struct wire_self *w, size_t i)
{
	struct serve_ask q = { .type = SERVE_ASK_DONE };
	struct wire_lease *l = &w->lease[i];

	if (l->sends)
		serve_wire_close(w->submitter, &l->conn, &l->arena);
	(void)close(l->fd);
	*l = w->lease[--w->leases];
	w->done++;
	if (w->leases > 0)
		return;
	serve_wire_forget(w);
	if (w->conn != NULL &&
	    (w->unfit || w->be->again == NULL ||
		arena_used(w->arena) > LIMIT_WIRE_ARENA))
		serve_wire_close(w->be, &w->conn, &w->arena);
	w->idle_ms = clock_mono_ms();
	q.number = w->done;
	if (w->unfit && w->asked && !w->well) /* a login came to nothing */
		q.outcome = SERVE_FAILED;
	if (w->keeper < 0 || !serve_ask_send(w->keeper, &q, -1))
		_exit(0);
}

/* One request of a lease, or its end. */
static void
serve_wire_serve(struct wire_self *w, size_t i)
{
	struct wire_lease *l = &w->lease[i];
	struct conn **conn = l->sends ? &l->conn : &w->conn;
	struct arena **arena = l->sends ? &l->arena : &w->arena;
	struct wired_lease out = { .fd = l->fd,
		.be = l->sends ? w->submitter : w->be,
		.acct = &w->acct.view,
		.conn = conn,
		.tests = l->tests };
	struct err e = { 0 };
	bool fit = true;
	int r;

	if (*arena == NULL)
		*arena = arena_open(LIMIT_ARENA);
	out.arena = *arena;
	if (w->acct.view.token == serve_wire_token_of)
		out.fresh = serve_wire_fresh;
	w->busy = true;
	r = wired_serve_one(&out, &fit, &e);
	w->busy = false;
	w->well = w->well || (r > 0 && fit);
	w->unfit = w->unfit || !fit;
	/* A lease has one login: one that failed ends it, and so does a test.
	 */
	if (r <= 0 || l->tests || *conn == NULL)
		serve_wire_end_lease(w, i);
}

static void
serve_wire_wait(struct wire_self *w)
{
	struct pollfd p[1 + LIMIT_WIRE_AT_ONCE] = { { w->keeper, POLLIN, 0 } };
	struct ipc_passed with = { 0 };
	struct serve_ask q = { 0 };
	size_t n = w->leases;

	for (size_t i = 0; i < n; i++)
		p[1 + i] = (struct pollfd){ w->lease[i].fd, POLLIN, 0 };
	if (poll(p, 1 + n, -1) < 0)
		return;
	/* From the end: what is over moves only what was served. */
	for (size_t i = n; i-- > 0;)
		if (p[1 + i].revents != 0)
			serve_wire_serve(w, i);
	if (p[0].revents != 0 && !serve_wire_hear(w, &q, &with) &&
	    w->leases == 0)
		_exit(0);
	ipc_pass_close(&with);
}

/* The first message is the account. */
static bool
serve_wire_take_account(struct wire_self *w, struct arena *a)
{
	CLEANUP(ipc_pass_close) struct ipc_passed none = { 0 };
	char *raw = arena_alloc(a, LIMIT_WIRE_ACCOUNT);
	struct serve_account *x = &w->acct;
	ssize_t n;

	(void)ipc_wait(w->keeper, POLLIN, IPC_WAIT_EVER);
	n = ipc_pass_recv(w->keeper, raw, LIMIT_WIRE_ACCOUNT, &none);
	if (n <= 0 || !serve_account_take((struct str){ raw, (size_t)n }, x))
		return false;
	if (str_eq(x->backend, S(SERVE_NAMES)))
		return true;
	w->be = backend_find(x->backend);
	w->submitter = backend_submitter(w->be, &x->view);
	if (x->files)
		return w->be != NULL;
	if (x->has_password)
		x->view.token = serve_wire_secret;
	else if (source_by_token(&x->view, false))
		x->view.token = serve_wire_token_of;
	x->view.token_ctx = w;
	return w->be != NULL;
}

_Noreturn void
serve_wire(const struct env *env, struct serve_board *board, int keeper)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static struct wire_self w;

	w.keeper = keeper;
	if (!serve_wire_take_account(&w, a))
		_exit(1);
	if (board != NULL) {
		serve_confine_wire(&w.acct, env, board);
		(void)munmap(board, sizeof(*board));
	}
	if (w.be == NULL)
		serve_names_wire(keeper);
	for (;;)
		serve_wire_wait(&w);
}
