/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that a call saves: the client writes them, with its own rights, into
 * the folder that it has open.  Each goes to it as a file in memory that nobody
 * can change, and it says under which name it is.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/internal.h"

static int
serve_saves_lost(struct err *e)
{
	return err_set(e, ERR_NETWORK,
	    "the client did not say whether it saved a file");
}

/* A client that writes to a slow disk has some time. */
static int
serve_saves_wait(int conn, struct err *e)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_SERVE_SAVE_MS;

	return ipc_wait(conn, POLLIN, until_ms) > 0 ? 0 : serve_saves_lost(e);
}

/* Its answer: which name it took, or 0; -1. */
static int
serve_saves_hear(int conn, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 * LIMIT_FRAME);
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;
	struct ipc_frame f = { 0 };
	struct err why = { 0 };
	int64_t n = -1;

	if (serve_saves_wait(conn, e) < 0)
		return -1;
	if (ipc_frame_recv(conn, false, a, &f, &with, &why) != 1 ||
	    f.type != FAR_SAVED || with.n > 0 ||
	    json_parse_open(f.payload, LIMIT_FRAME, &doc, &why) < 0)
		return serve_saves_lost(e);
	v = json_parse_root(doc);
	if (!json_parse_int(json_parse_member(v, "n"), &n) || n < -1 ||
	    n > INT16_MAX)
		return serve_saves_lost(e);
	/* As path_folder_new() says. */
	if (n < 0)
		return err_set(e, ERR_CONFIG, "the file cannot be written");
	return (int)n;
}

static int
serve_saves_send(int conn, const struct json *j, const int *fds, size_t n,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 * LIMIT_FRAME);
	const struct ipc_frame f = { FAR_SAVE, json_text(j, a) };
	struct err why = { 0 };

	return ipc_frame_send(conn, &f, fds, n, &why) < 0 ? serve_saves_lost(e)
							  : 0;
}

int
serve_saves_file(void *conn, struct str stem, struct str ext, struct str bytes,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 * LIMIT_FRAME);
	CLEANUP(path_close)
	int fd = memfd_create("emcli-file", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct json *j = json_new(a);
	const int *to = conn;

	if (fd < 0 || path_write(fd, bytes) < 0 ||
	    fcntl(fd, F_ADD_SEALS,
		F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		(void)err_set(e, ERR_INTERNAL, "there is no memory for a file");
		return err_errno(e, "memfd");
	}
	json_open_object(j, NULL);
	json_put_str(j, "stem", stem);
	json_put_str(j, "ext", ext);
	json_put_int(j, "bytes", (int64_t)bytes.n);
	json_close_object(j);
	return serve_saves_send(*to, j, &fd, 1, e) < 0
	    ? -1
	    : serve_saves_hear(*to, e);
}

int
serve_saves_keep(void *conn, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct json *j = json_new(a);
	const int *to = conn;

	json_open_object(j, NULL);
	json_put_bool(j, "keep", true);
	json_close_object(j);
	if (serve_saves_send(*to, j, NULL, 0, e) < 0)
		return -1;
	return serve_saves_hear(*to, e) < 0 ? -1 : 0;
}
