/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A service beside the broker's own, which has its sockets already.  The
 * monitor starts its process, and again when it has ended.  It has no key, and
 * asks the keeper, as a worker does.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "door/child.h"
#include "door/serve/keeper.h"
#include "door/serve/keys.h"
#include "reader/reader.h"

bool
serve_beside_is_due(const struct serve_beside *b)
{
	return b->service != NULL && b->hand.pid <= 0;
}

_Noreturn void
serve_beside_become(const struct serve_beside *b, int fd, const struct env *env)
{
	static struct env own;
	struct sandbox_state reader = { 0 };
	struct err e = { 0 };

	(void)prctl(PR_SET_NAME, "emcli http", 0, 0, 0);
	serve_confine_http_tells(b->board);
	(void)madvise(b->board, sizeof(*b->board), MADV_DONTFORK);
	if (reader_run_start(&reader, &e) < 0 ||
	    sandbox_keep(SANDBOX_WORKER, &e) < 0)
		_exit(1);
	(void)madvise(b->board, sizeof(*b->board), MADV_DOFORK);
	child_keeps(reader_get_socket());
	serve_keys_join(fd, env, &own);
	_exit(b->is->serve(b->service, &own, serve_confine_call,
	    serve_confine_http));
}

void
serve_beside_keep(struct serve_beside *b, const struct env *env,
    struct serve_brood *brood, int64_t now_ms)
{
	int fd[2];

	if (!serve_beside_is_due(b) || now_ms < b->not_before_ms ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return;
	/* It gets no key. */
	if (serve_spawn(&b->hand, SERVE_SPAWN_BESIDE, &(const struct env){ 0 },
		fd[1]) == 0)
		serve_beside_become(b, fd[1], env);
	(void)close(fd[1]);
	path_close(&b->fd);
	b->fd = fd[0];
	b->number = serve_brood_number(brood);
}

void
serve_beside_hear(struct serve_beside *b, struct serve_brood *brood)
{
	struct ipc_passed with = { 0 };
	char note = 0;
	ssize_t r = ipc_pass_recv(b->fd, &note, 1, &with);

	if (r == 1 && note == SERVE_JOIN)
		serve_brood_join(brood, b->number, &with);
	ipc_pass_close(&with);
	/* All of its processes have ended. */
	if (r == 0 || (r < 0 && errno != EAGAIN && errno != EINTR))
		path_close(&b->fd);
}

bool
serve_beside_reap(struct serve_beside *b, pid_t pid, int64_t now_ms)
{
	if (b->hand.pid != pid)
		return false;
	b->hand.pid = 0;
	b->not_before_ms = now_ms + hands_pause_ms(&b->hand);
	return true;
}

static void
serve_beside_copy(char *out, size_t room, struct str s)
{
	if (out[0] != '\0' || s.n == 0)
		return;
	s = str_first(s, room - 1);
	memcpy(out, s.p, s.n);
}

void
serve_beside_tell(const struct serve_beside *b, struct serve_board *board)
{
	struct serve_board_beside *at = &board->http;
	struct str address = S(""), path = S("");

	atomic_store(&at->pid, b->hand.pid > 0 ? (int32_t)b->hand.pid : 0);
	if (b->service == NULL)
		return;
	b->is->where(b->service, &address, &path);
	serve_beside_copy(at->address, sizeof(at->address), address);
	serve_beside_copy(at->path, sizeof(at->path), path);
}

void
serve_beside_end(struct serve_beside *b)
{
	if (b->hand.pid > 0)
		(void)kill(b->hand.pid, SIGTERM);
}
