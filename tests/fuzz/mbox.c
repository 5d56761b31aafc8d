/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: an archive, split by every rule and read in pieces of another
 * size each time; and the same bytes as an index, which is ours and may still
 * hold anything.
 */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"

struct run {
	struct str file;
	struct buf text;
	uint64_t end, sum, n;
};

static int
found(void *ctx, const struct mbox_part *p, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct run *r = ctx;
	struct mbox_row row;

	(void)e;
	check(p->at >= r->end, "messages follow each other");
	r->end = p->at + p->from_n + p->size;
	check(r->end <= r->file.n, "a message lies within its file");
	check(p->head.n <= LIMIT_MIME_HEAD + 1, "a header's size");
	buf_reset(&r->text);
	mbox_extract_row(a, p, &row, &r->text);
	check(!r->text.over, "texts are cut");
	r->sum = backend_sum(r->sum, &row, sizeof(row));
	r->n++;
	return 0;
}

static int
lands(void *ctx, uint64_t at)
{
	const struct run *r = ctx;

	if (at >= r->file.n)
		return at == r->file.n ? 1 : -1;
	return str_starts(str_from(r->file, at), S("\nFrom ")) ||
	    str_starts(str_from(r->file, at), S("From "));
}

static uint64_t
split(struct str file, enum mbox_rule rule, bool by_length, size_t step)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct run r = { .file = file };
	struct buf head;
	struct mbox_split s = { .rule = rule,
		.by_length = by_length,
		.found = found,
		.lands = lands,
		.ctx = &r,
		.head = &head };
	struct err e = { 0 };
	size_t at = 0, held = 0, used;
	bool left;

	buf_init(&head, a, LIMIT_MIME_HEAD + 1);
	buf_init(&r.text, a, 64 << 10);
	while (at + held < file.n && s.end == MBOX_SPLIT_GOOD) {
		held += step < file.n - at - held ? step : file.n - at - held;
		(void)mbox_split_feed(&s, str_first(str_from(file, at), held),
		    false, &used, &e);
		check(used <= held, "no more is taken than there is");
		at += used;
		held -= used;
	}
	if (held > 0 && s.end == MBOX_SPLIT_GOOD)
		(void)mbox_split_feed(&s, str_from(file, at), true, &used, &e);
	(void)mbox_split_finish(&s, true, &left, &e);
	return s.end == MBOX_SPLIT_GOOD ? r.sum + r.n : 0;
}

static void
index_of(struct str bytes)
{
	int fd = memfd_create("fuzz", 0);
	struct mbox_index x;

	check(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n,
	    "a file");
	if (mbox_index_map(fd, &x)) {
		for (uint64_t i = 0; i < x.head->rows; i++)
			(void)mbox_index_row(&x, i);
		mbox_index_done(&x);
	}
	(void)close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str file = { (const char *)data, size };
	size_t step = size > 0 ? data[size - 1] % 64 + 1U : 1;

	if (size > 65536)
		return 0;
	for (int rule = MBOX_SCORED; rule <= MBOX_LOOSE; rule++)
		for (int len = 0; len < 2; len++)
			check(split(file, (enum mbox_rule)rule, len != 0,
				  step) ==
				split(file, (enum mbox_rule)rule, len != 0,
				    size + 1),
			    "the pieces make no difference");
	index_of(file);
	return 0;
}
