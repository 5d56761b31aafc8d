/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reply: its head, then the envelope in one frame, or, if it is long, in a
 * file in memory that nobody can change.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "base/path.h"
#include "door/envelope.h"
#include "door/out.h"
#include "door/serve/internal.h"

static struct str
serve_reply_head(struct arena *a, const struct reply *r, size_t bytes,
    bool lines)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "v", FAR_VERSION);
	json_put_int(j, "exit", out_status(&r->err));
	json_put_int(j, "bytes", (int64_t)bytes);
	json_open_array(j, "person");
	for (size_t i = 0; lines && i < r->person.n; i++) {
		json_open_array(j, NULL);
		json_put_text(j, NULL, far_mark(r->person.v[i].mark));
		json_put_str(j, NULL, r->person.v[i].text);
		json_close_array(j);
	}
	json_close_array(j);
	json_close_object(j);
	return json_text(j, a);
}

static int
serve_reply_send(int conn, enum far_type type, struct str payload,
    const int *fds, size_t n)
{
	struct err unread = { 0 };

	return ipc_frame_send(conn, &(struct ipc_frame){ (char)type, payload },
	    fds, n, &unread);
}

static void
serve_reply_short(int conn, struct arena *a, const struct reply *r,
    struct str envelope, bool lines)
{
	if (serve_reply_send(conn, FAR_REPLY,
		serve_reply_head(a, r, envelope.n, lines), NULL, 0) == 0)
		(void)serve_reply_send(conn, FAR_BYTES, envelope, NULL, 0);
}

/* Writes the envelope without a second copy of a large file in it. */
static void
serve_reply_long(int conn, struct arena *a, const struct reply *r, int fd,
    size_t n, bool lines)
{
	struct str head = serve_reply_head(a, r, n, lines);

	if (fcntl(fd, F_ADD_SEALS,
		F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		(void)serve_reply_send(conn, FAR_REPLY, head, &fd, 1);
}

void
serve_reply(int conn, struct arena *a, const struct reply *r, bool lines)
{
	CLEANUP(path_close)
	int fd = memfd_create("emcli-reply", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct json *envelope = envelope_make(a, r);
	char *text;
	off_t n;

	if (fd < 0 || json_write(envelope, fd) < 0 ||
	    (n = lseek(fd, 0, SEEK_CUR)) < 0)
		return;
	/* Lines that no frame can hold are not shown. */
	lines = lines && serve_reply_head(a, r, 0, true).n <= LIMIT_FRAME - 64;
	if ((uint64_t)n > LIMIT_FRAME_PART) {
		serve_reply_long(conn, a, r, fd, (size_t)n, lines);
		return;
	}
	text = arena_alloc(a, (size_t)n + 1);
	if (path_read_at(fd, text, (size_t)n, 0) == n)
		serve_reply_short(conn, a, r, (struct str){ text, (size_t)n },
		    lines);
}

void
serve_reply_end(int conn, int status)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "v", FAR_VERSION);
	json_put_int(j, "exit", status);
	json_put_int(j, "bytes", 0);
	json_open_array(j, "person");
	json_close_array(j);
	json_close_object(j);
	(void)serve_reply_send(conn, FAR_REPLY, json_text(j, a), NULL, 0);
}

static void
serve_reply_error(int conn, struct arena *a, const struct reply *r)
{
	serve_reply_short(conn, a, r, json_text(envelope_make(a, r), a), false);
}

void
serve_reply_refuse(int conn, const struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct reply r = { .err = *e };

	serve_reply_error(conn, a, &r);
}

void
serve_reply_busy(int conn)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct reply r = { .detail = json_new(a) };

	(void)err_set(&r.err, ERR_LIMIT,
	    "the broker has too many calls, or too many of this user's");
	r.err.reason = "busy";
	json_open_object(r.detail, NULL);
	json_put_int(r.detail, "retry_after", LIMIT_SERVE_RETRY_S);
	json_close_object(r.detail);
	serve_reply_error(conn, a, &r);
}
