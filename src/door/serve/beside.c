/*
 * A service beside the broker's own, which has its sockets already.  The
 * monitor starts its process, and again when it has ended.
 */
#include <signal.h>
#include <string.h>

#include "door/child.h"
#include "door/serve/internal.h"
#include "reader/reader.h"

bool
serve_beside_is_due(const struct serve_beside *b)
{
	return b->service != NULL && b->hand.pid <= 0;
}

void
serve_beside_keep(struct serve_beside *b, const struct env *env, int64_t now_ms)
{
	if (!serve_beside_is_due(b) || now_ms < b->not_before_ms)
		return;
	if (hands_start(&b->hand, env, false) == 0) {
		struct sandbox_state reader = { 0 };
		struct err e = { 0 };

		if (reader_run_start(&reader, &e) < 0)
			_exit(1);
		child_keeps(reader_run_socket());
		_exit(b->is->serve(b->service, env, serve_confine_call));
	}
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
	if (out[0] != '\0')
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
