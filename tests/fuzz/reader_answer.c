/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a reader that was taken over answers: the first byte is
 * what it was asked, the rest its answer.
 */
#include "check.h"

#include "reader/internal.h"

enum {
	MAX = 1 << 20
};

static const char source[] = "From: a@b.example\r\nSubject: s\r\n"
			     "Content-Type: multipart/mixed; boundary=b\r\n"
			     "\r\n--b\r\n\r\ntext\r\n--b\r\n"
			     "Content-Type: application/pdf\r\n\r\n%PDF\r\n"
			     "--b--\r\n";

/* What was taken is put, and taken again: the same bytes. */
static void
check_same(struct arena *a, const struct reader_ask *q, struct reader_answer *r)
{
	struct reader_answer again = { 0 };
	struct buf one, two;
	struct carry put = { .to = &one, .a = a, .source = q->message->raw };
	struct carry back = { .a = a, .source = q->message->raw };

	buf_init(&one, a, MAX);
	buf_init(&two, a, MAX);
	reader_verb_answer(&put, q, r);
	if (one.over)
		return;
	back.rest = buf_view(&one);
	reader_verb_answer(&back, q, &again);
	check(!back.bad && back.rest.n == 0, "what was taken can be taken");
	put.to = &two;
	reader_verb_answer(&put, q, &again);
	check(str_eq(buf_view(&one), buf_view(&two)), "and is the same");
}

/* What one of ours says of any header is taken; and any bytes are no harm. */
static void
check_head(struct arena *a, struct str bytes)
{
	struct mime_head h = { 0 }, back;
	struct buf b;
	struct carry put = { .to = &b, .a = a, .source = bytes };

	mime_here.head(a, bytes, S(""), S("mx.example"), &h);
	buf_init(&b, a, MAX);
	shape_head(&put, &h);
	check(b.over || reader_verb_head(a, bytes, buf_view(&b), &back),
	    "what a header says can be taken");
	(void)reader_verb_head(a, (struct str){ source, sizeof(source) - 1 },
	    bytes, &back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct mime_message m = { 0 };
	struct reader_ask q = { .utf8 = true, .max = 4096, .message = &m };
	struct reader_answer r = { 0 };
	struct carry c = { .a = a };
	size_t one = sizeof(source) - 1;

	if (size == 0)
		return 0;
	q.head = &one;
	q.heads = 1;
	check_head(a, (struct str){ (const char *)data, size });
	q.verb = (enum reader_verb)(data[0] % READER_VERBS);
	q.bytes = (struct str){ source, sizeof(source) - 1 };
	mime_here.message(a, q.bytes, &m);
	c.source = m.raw;
	c.rest = (struct str){ (const char *)data + 1, size - 1 };
	reader_verb_answer(&c, &q, &r);
	if (!c.bad && c.rest.n == 0)
		check_same(a, &q, &r);
	return 0;
}
