/* SPDX-License-Identifier: Apache-2.0 */
/* A question to the reader, and its answer. */
#include <errno.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "reader/internal.h"

/* Of the last ask; after a fork a reader is another one, too. */
static uint64_t number;

static void
reader_ask_send(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			reader_get_lost();
		at += sent;
		n -= (size_t)sent;
	}
}

/* What is short goes in one piece: each wakes the reader. */
static void
reader_ask_put(int fd, struct arena *a, struct reader_ask *q)
{
	bool whole = q->bytes.n <= LIMIT_READER_WHOLE;
	struct reader_head head = { 0, q->bytes.n, ++number };
	struct buf b;
	struct carry c = { .to = &b, .a = a };

	buf_init(&b, a, LIMIT_READER_ASK);
	buf_add(&b, &head, sizeof(head));
	reader_verb_ask(&c, q);
	head.ask = b.n - sizeof(head);
	if (whole)
		buf_str(&b, q->bytes);
	/* What we ask is capped by our own rules. */
	if (b.over)
		reader_get_lost();
	memcpy(b.p, &head, sizeof(head));
	reader_ask_send(fd, b.p, b.n);
	if (!whole)
		reader_ask_send(fd, q->bytes.p, q->bytes.n);
}

/* The rules of a zone, as the caller's own `load` finds them. */
static void
reader_ask_zone(int fd, const struct reader_ask *q, struct str name)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str rules = S("");
	bool there =
	    q->load != NULL && q->load->load(q->load->ctx, a, name, &rules);
	const struct reader_say back = { there, there ? rules.n : 0, number };

	reader_ask_send(fd, &back, sizeof(back));
	reader_ask_send(fd, rules.p, (size_t)back.n);
}

static struct str
reader_ask_read(int fd, struct arena *a, uint64_t n)
{
	char *p = arena_alloc(a, (size_t)n + 1);

	if (!reader_child_read(fd, p, (size_t)n))
		reader_get_lost();
	return (struct str){ p, (size_t)n };
}

/* The answer's bytes; it may ask for zones before. */
static struct str
reader_ask_hear(int fd, const struct reader_ask *q, struct arena *a)
{
	struct reader_say say = { 0 };
	int zones = 0;

	for (;;) {
		if (!reader_child_read(fd, &say, sizeof(say)) ||
		    say.number != number)
			reader_get_lost();
		if (say.kind == READER_ANSWER && say.n <= LIMIT_READER_REPLY)
			return reader_ask_read(fd, a, say.n);
		if (say.kind != READER_ZONE || say.n > LIMIT_PATH ||
		    ++zones > LIMIT_READER_ZONES)
			reader_get_lost();
		reader_ask_zone(fd, q, reader_ask_read(fd, a, say.n));
	}
}

void
reader_ask_for(struct arena *a, struct reader_ask *q, struct reader_answer *r)
{
	struct carry c = { .a = a, .source = q->bytes };
	int64_t since_ms = clock_mono_ms();
	int fd = reader_get();

	if (q->bytes.p == NULL)
		q->bytes.p = "";
	if (q->bytes.n > LIMIT_MESSAGE)
		q->bytes.n = LIMIT_MESSAGE;
	if (q->verb == READER_READING)
		c.source = q->message->raw;
	reader_ask_put(fd, a, q);
	c.rest = reader_ask_hear(fd, q, a);
	reader_get_spent(q->bytes.n, clock_mono_ms() - since_ms);
	reader_verb_answer(&c, q, r);
	if (c.bad || c.rest.n > 0)
		reader_get_lost();
}
