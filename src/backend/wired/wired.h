/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_WIRED_WIRED_H
#define BACKEND_WIRED_WIRED_H

/*
 * A backend whose methods travel to another process.  The client has the twin
 * of a real backend and no secret; the other process has the real backend, the
 * account with its secret, and the connection to the mail server.
 *
 * Between them is a stream socket of this machine.  Each request and each
 * answer is a frame (ipc/ipc.h), or a sealed file in memory if it is longer
 * than LIMIT_FRAME_PART.  Neither end trusts the other: what it sends is
 * checked against the caps of base/limits.h, and what does not fit ends the
 * connection.  So whoever has taken over the other process can lie about this
 * account's mail, and do nothing else.
 *
 * Callbacks travel too: `add` of links, `ready` of a wait, `tell` of a test,
 * `progress`, `look`, and `copied` of a move.  The client cancels by closing
 * its descriptor: a method that changes nothing then ends with its process, and
 * any other is finished.
 */
#include "backend/backend.h"

/* What a connection is for. */
enum wired_use {
	WIRED_USE_CALL,
	/* In place of the one for `open`: `watch`, during which the caller
	 * looks by another connection, so by another process; and after it
	 * what reads, so that a look can be by the one that waited. */
	WIRED_USE_WATCH,
	/* `probe` and wired_token() alone: it waits for nothing that others ask
	 * of the account's server, and seldom until that is tried again. */
	WIRED_USE_TEST,
	WIRED_USES
};

/* Where the client's connections come from. */
struct backend_wire {
	/*
	 * A socket whose other end is in wired_serve() with the real backend of
	 * that name and this account, or will be.  The connection closes it,
	 * which ends the lease.  -1 with *e.  Called by `open` and `probe`,
	 * with the account that was passed to them; it ends by
	 * acct->deadline_ms.
	 */
	int (*lend)(void *ctx, const char *backend,
	    const struct backend_account *acct, enum wired_use use,
	    struct err *e);
	void *ctx;
};

/*
 * The client's side: the twin of a backend in the table, with the same name,
 * caps, flags, keeps and slots.  Its accounts need a `wire`.  A twin is its own
 * twin; NULL for NULL.
 *
 * Beyond what the real one returns: ERR_NETWORK, of scope ERR_SCOPE_CONN, when
 * the other process ended or was late; ERR_INTERNAL of that scope when its
 * answer does not fit.  Both are ERR_UNKNOWN_OUTCOME in `submit` once `look`
 * has let the message go, and in any other method that changes mail once it was
 * sent.
 */
const struct backend *wired_of(const struct backend *be);
/*
 * For the account of a twin that logs in by a token: has the other process make
 * a new one, which is that process's alone, and says how many seconds it is
 * good; 0: unknown.
 */
int wired_token(const struct backend *twin, const struct backend_account *acct,
    int64_t *lives_s, struct err *e);

/* The other end of one lease. */
struct wired_lease {
	int fd; /* a stream socket of this machine; it stays the caller's */
	const struct backend *be; /* the real one */
	/*
	 * What the connection was opened with, or will be.  Each request sets
	 * its deadline_ms, trace and progress.
	 */
	struct backend_account *acct;
	/* The connection; NULL: the first request that needs one opens it. */
	struct conn **conn;
	/* The connection's memory, which lives as long as the connection. */
	struct arena *arena;
	/* It is for WIRED_USE_TEST: no other request fits.  And none of those
	 * fits any other lease. */
	bool tests;
	/* What wired_token() has made, with acct->token_ctx; NULL: nothing. */
	int (*fresh)(void *ctx, int64_t *lives_s, struct err *e);
};

/*
 * Serves one request after another until the client closes its end.  1: the
 * connection is fit for another lease; 0: it is to be closed, or there is none;
 * -1 with *e: the same, and the client broke the protocol (ERR_USAGE), or went
 * away in the middle (ERR_NETWORK).
 *
 * One lease at a time in a process, which has no other use of SIGIO, and which
 * ends with _exit(0) when the client goes away during a method that changes
 * nothing.   Beyond what the real backend calls,
 * it calls poll, sendmsg, recvmsg, memfd_create, fcntl, fstat, pread, write,
 * rt_sigaction and getpid.
 */
int wired_serve(const struct wired_lease *l, struct err *e);
/*
 * The same for one request, for whoever has several leases of one client:
 * 1; 0: there will be no more; -1.  *fit becomes false if the connection is to
 * be closed after the lease, or a test found that its login failed.
 */
int wired_serve_one(const struct wired_lease *l, bool *fit, struct err *e);

#endif
