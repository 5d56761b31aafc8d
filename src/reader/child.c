/* SPDX-License-Identifier: Apache-2.0 */
/* The reader: what a stranger wrote comes, what it says goes. */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/path.h"
#include "base/proc.h"
#include "reader/internal.h"

bool
reader_child_read(int fd, void *out, size_t n)
{
	char *at = out;

	while (n > 0) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static void
reader_child_limit(int what, rlim_t most)
{
	const struct rlimit limit = { most, most };

	if (setrlimit((__rlimit_resource_t)what, &limit) < 0)
		_exit(1);
}

/* Bytes of addresses that it has already. */
static rlim_t
reader_child_size(void)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str text = { 0 }, pages;
	uint64_t n = 0;

	if (!proc_read("/proc/self/statm", a, &text))
		return 0;
	(void)str_cut(text, ' ', &pages, &text);
	(void)str_to_u64(pages, UINT64_MAX, &n);
	return (rlim_t)n * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Of descriptors it opens no more, not even those that looking takes. */
static void
reader_child_confine(int fd)
{
	rlim_t size = reader_child_size();
	struct sandbox_state s = { 0 };
	struct err e = { 0 };
	uint32_t told;

	if (sandbox_enter(SANDBOX_READER, NULL, 0, &s, &e) < 0)
		_exit(1);
	reader_child_limit(RLIMIT_NOFILE, 0);
	reader_child_limit(RLIMIT_CPU, LIMIT_READER_CPU_S);
	reader_child_limit(RLIMIT_AS, size + 2 * LIMIT_ARENA);
	told = sandbox_pack(&s);
	if (path_write(fd, (struct str){ (const char *)&told, sizeof(told) }) <
	    0)
		_exit(1);
}

/* -- its caller is asked --------------------------------------------------- */

/* The process that asked, and the number of its ask. */
struct asker {
	int fd;
	uint64_t number;
};

/* For a name of a zone its rules; the files are its caller's. */
static bool
reader_child_zone(void *ctx, struct arena *a, struct str name, struct str *out)
{
	const struct asker *by = ctx;
	const struct reader_say say = { READER_ZONE, name.n, by->number };
	struct reader_say back;
	char *p;

	if (name.n > LIMIT_PATH)
		return false;
	if (path_write(by->fd,
		(struct str){ (const char *)&say, sizeof(say) }) < 0 ||
	    path_write(by->fd, name) < 0 ||
	    !reader_child_read(by->fd, &back, sizeof(back)) ||
	    back.n > LIMIT_ZONE)
		_exit(1);
	p = arena_alloc(a, (size_t)back.n + 1);
	if (!reader_child_read(by->fd, p, (size_t)back.n))
		_exit(1);
	*out = (struct str){ p, (size_t)back.n };
	return back.kind != 0;
}

/* -- what is asked --------------------------------------------------------- */

/* The message that was asked for last, in an arena of its own. */
struct kept {
	struct arena *a;
	struct mime_message message;
};

static struct str
reader_child_take(int fd, struct arena *a, uint64_t n)
{
	char *p = arena_alloc(a, (size_t)n + 1);

	if (!reader_child_read(fd, p, (size_t)n))
		_exit(0);
	return (struct str){ p, (size_t)n };
}

static bool
reader_child_ask(struct asker *by, struct arena *a, struct reader_ask *q)
{
	struct reader_head head;
	struct carry c = { .a = a };

	if (!reader_child_read(by->fd, &head, sizeof(head)) ||
	    head.ask > LIMIT_READER_ASK || head.bytes > LIMIT_MESSAGE)
		return false;
	by->number = head.number;
	c.rest = reader_child_take(by->fd, a, head.ask);
	reader_verb_ask(&c, q);
	if (c.bad || c.rest.n > 0)
		return false;
	q->bytes = reader_child_take(by->fd, a, head.bytes);
	return true;
}

/*
 * A part may be most of a large message.  Base64 is decoded in its own place,
 * and then the ask has no bytes that its answer could name.
 */
static void
reader_child_run(struct arena *a, struct reader_ask *q, struct reader_answer *r)
{
	char *own = (char *)(uintptr_t)q->bytes.p;
	bool bad = false;

	if (q->verb != READER_DECODE || q->want != MIME_BASE64) {
		reader_verb_run(a, q, r);
		return;
	}
	r->text = (struct str){ own, base64_decode_lax(own, q->bytes, &bad) };
	q->bytes = S("");
}

/* What was decoded is all of an answer, and is not copied either. */
static bool
reader_child_say(const struct asker *by, struct arena *a,
    const struct reader_ask *q, struct reader_answer *r)
{
	struct reader_say say = { READER_ANSWER, 0, by->number };
	struct str last = S("");
	struct buf b;
	struct carry c = { .to = &b,
		.a = a,
		.source = q->bytes,
		.last = q->verb == READER_DECODE ? &last : NULL };

	if (q->verb == READER_READING)
		c.source = q->message->raw;
	buf_init(&b, a, sizeof(say) + LIMIT_READER_REPLY);
	buf_add(&b, &say, sizeof(say));
	reader_verb_answer(&c, q, r);
	say.n = b.n - sizeof(say) + last.n;
	if (b.over || c.bad || say.n > LIMIT_READER_REPLY)
		return false;
	memcpy(b.p, &say, sizeof(say));
	return path_write(by->fd, buf_view(&b)) == 0 &&
	    path_write(by->fd, last) == 0;
}

static bool
reader_child_answer(int fd, struct kept *kept)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct asker by = { .fd = fd };
	const struct calendar_zones zones = { reader_child_zone, &by };
	struct reader_ask q = { 0 };
	struct reader_answer r = { 0 };
	struct mime_message m = { 0 };

	if (!reader_child_ask(&by, a, &q))
		return false;
	q.load = q.zones ? &zones : NULL;
	q.message = &kept->message;
	if (q.verb == READER_READING && !q.kept) {
		mime_here.message(a, q.bytes, &m);
		q.message = &m;
	}
	/* A message has a part at least; one that is not there has none. */
	if (q.verb == READER_READING && q.message->n == 0)
		return false;
	reader_child_run(a, &q, &r);
	if (!reader_child_say(&by, a, &q, &r))
		return false;
	if (q.verb != READER_MESSAGE && q.verb != READER_READING)
		return true;
	/* It is read once, as a rule; it may be large. */
	arena_close(&kept->a);
	*kept = (struct kept){ 0 };
	if (q.verb == READER_MESSAGE) {
		*kept = (struct kept){ a, r.message };
		a = NULL;
	}
	return true;
}

_Noreturn void
reader_child(int fd)
{
	struct kept kept = { 0 };

	reader_child_confine(fd);
	while (reader_child_answer(fd, &kept))
		;
	_exit(0);
}
