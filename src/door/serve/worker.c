/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: it runs one call after the other, and keeps nothing of them but the
 * store, and the reader for the next call of the same agent to the same
 * account.  It has no key: it asks the keeper (keys.c), which also lends it
 * connections to mail servers (lend.c).
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/child.h"
#include "door/serve/keeper.h"
#include "reader/reader.h"
#include "source/source.h"

/* How many descriptors are open. */
static size_t
serve_worker_open(void)
{
	CLEANUP(path_dir_close) DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	return n;
}

/* Until there is something to hear; a reader does not wait that long. */
static bool
serve_worker_wait(const struct serve_worker *w, bool reader)
{
	int64_t idle_ms = clock_mono_ms() + LIMIT_READER_IDLE_MS;
	int r = ipc_wait(w->monitor, POLLIN, reader ? idle_ms : IPC_WAIT_EVER);

	if (r != 0)
		return r > 0;
	reader_get_drop();
	return ipc_wait(w->monitor, POLLIN, IPC_WAIT_EVER) > 0;
}

/* The next connection; -1: there will be none. */
static int
serve_worker_next(const struct serve_worker *w, bool reader, char *order)
{
	struct ipc_passed in = { 0 };

	for (;;) {
		ssize_t r;

		if (!serve_worker_wait(w, reader))
			return -1;
		r = ipc_pass_recv(w->monitor, order, 1, &in);
		if (r < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (r > 0 && in.n == 1)
			return in.fd[0];
		ipc_pass_close(&in);
		return -1;
	}
}

static void
serve_worker_say(const struct serve_worker *w, char note)
{
	(void)ipc_pass_send(w->monitor, (struct str){ &note, 1 }, NULL, 0);
}

/* Readers come from before: they are to have nothing of the store. */
static void
serve_worker_begin(struct serve_worker *w)
{
	struct sandbox_state reader = { 0 };
	struct err e = { 0 };

	(void)madvise(w->board, sizeof(*w->board), MADV_DONTFORK);
	if (reader_run_start(&reader, &e) < 0)
		_exit(1);
	child_keeps(reader_get_socket());
	source_wire_tell(reader_get_account);
	atomic_store(&w->board->confined[SANDBOX_READER],
	    sandbox_pack(&reader));
	serve_confine_worker(w);
}

_Noreturn void
serve_worker(struct serve_worker *w)
{
	char order = SERVE_CALL;
	bool reader = false;
	size_t open = 0;
	int conn;

	serve_worker_begin(w);
	while ((conn = serve_worker_next(w, reader, &order)) >= 0) {
		char note = SERVE_DONE;
		size_t n;

		if (!serve_call(w, conn, order == SERVE_AGAIN)) {
			serve_worker_say(w, SERVE_STALE);
			break;
		}
		(void)close(conn);
		reader = reader_get_end();
		n = serve_worker_open() - reader;
		/* Libraries open some once, on the first call. */
		if (open > 0 && n > open)
			note = SERVE_LEAKED;
		open = n;
		serve_worker_say(w, note);
	}
	_exit(0);
}
