/* SPDX-License-Identifier: Apache-2.0 */
/* The reply: its head, then the envelope in a frame, or as a file in memory. */
#include "base/buf.h"
#include "door/remote/internal.h"

/* What the head says. */
struct head {
	int64_t status, bytes;
	struct gate_lines lines;
};

static bool
remote_take_line(const struct json_value *v, struct arena *a,
    struct gate_line *out)
{
	struct str mark;

	if (json_parse_count(v) != 2 ||
	    !json_parse_str(json_parse_item(v, 0), &mark) ||
	    !json_parse_str(json_parse_item(v, 1), &out->text))
		return false;
	out->mark = far_mark_of(mark);
	out->text = str_dup(a, out->text);
	return true;
}

static int
remote_take_head(struct str payload, struct arena *a, struct head *out,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v, *lines;
	struct err why = { 0 };
	int64_t version;

	if (json_parse_open(payload, LIMIT_FRAME, &doc, &why) < 0)
		return remote_odd(e);
	v = json_parse_root(doc);
	if (!json_parse_int(json_parse_member(v, "v"), &version) ||
	    version != FAR_VERSION ||
	    !json_parse_int(json_parse_member(v, "exit"), &out->status) ||
	    !json_parse_int(json_parse_member(v, "bytes"), &out->bytes) ||
	    out->status < 0 || out->status > 255 || out->bytes < 0)
		return remote_odd(e);
	lines = json_parse_member(v, "person");
	out->lines.n = json_parse_count(lines);
	out->lines.v = arena_array(a, out->lines.n, sizeof(*out->lines.v));
	for (size_t i = 0; i < out->lines.n; i++)
		if (!remote_take_line(json_parse_item(lines, i), a,
			&out->lines.v[i]))
			return remote_odd(e);
	return 0;
}

static void
remote_take_progress(const struct far_call *c, struct str payload)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;
	struct err none = { 0 };
	int64_t done, all;

	if (c->progress == NULL ||
	    json_parse_open(payload, LIMIT_FRAME, &doc, &none) < 0)
		return;
	v = json_parse_root(doc);
	if (json_parse_int(json_parse_member(v, "done"), &done) &&
	    json_parse_int(json_parse_member(v, "all"), &all) && done >= 0 &&
	    all >= done)
		c->progress((uint64_t)done, (uint64_t)all);
}

/* The frames behind the head. */
static int
remote_take_bytes(int fd, struct head *h, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct ipc_frame f;
	struct buf b;
	int r;

	if ((uint64_t)h->bytes > LIMIT_FRAME)
		return remote_odd(e);
	buf_init(&b, a, (size_t)h->bytes);
	while (b.n < (size_t)h->bytes) {
		r = ipc_frame_recv(fd, true, a, &f, &with, e);
		if (r <= 0)
			return r;
		if (f.type != FAR_BYTES || f.payload.n == 0)
			return remote_odd(e);
		buf_str(&b, f.payload);
		if (b.over)
			return remote_odd(e);
	}
	*out = buf_view(&b);
	return 1;
}

int
remote_take_reply(int fd, const struct ipc_frame *f, struct ipc_passed *with,
    struct arena *a, struct far_reply *out, struct err *e)
{
	struct head h = { 0 };

	if (f->type != FAR_REPLY)
		return remote_odd(e);
	if (remote_take_head(f->payload, a, &h, e) < 0)
		return -1;
	out->status = (int)h.status;
	out->lines = h.lines;
	if (with->n == 0)
		return remote_take_bytes(fd, &h, a, &out->envelope, e);
	return remote_sealed(with->fd[0], h.bytes, &out->envelope, e) < 0 ? -1
									  : 1;
}

/* What comes before the reply: 1 if it was that. */
static int
remote_take_before(int fd, const struct far_call *c, struct remote_saves *s,
    const struct ipc_frame *f, struct ipc_passed *with, struct err *e)
{
	int r = 1;

	if (f->type == FAR_PROGRESS)
		remote_take_progress(c, f->payload);
	else if (f->type == FAR_SAVE && s != NULL && s->folder >= 0)
		r = remote_saves_take(fd, s, f, with, e) < 0 ? -1 : 1;
	else
		return 0;
	ipc_pass_close(with);
	return r;
}

int
remote_take(int fd, const struct far_call *c, struct remote_saves *s,
    struct arena *a, struct far_reply *out, struct err *e)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct ipc_frame f = { 0 };
	int r, before = 1;

	while ((r = ipc_frame_recv(fd, true, a, &f, &with, e)) == 1 &&
	    (before = remote_take_before(fd, c, s, &f, &with, e)) == 1)
		;
	if (r == 1)
		r = before < 0 ? -1
			       : remote_take_reply(fd, &f, &with, a, out, e);
	/* A call's reply is an envelope, if only an empty one. */
	return r == 1 && out->envelope.n < 2 ? remote_odd(e) : r;
}
