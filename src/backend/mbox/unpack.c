/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .gz (RFC 1952) and .xz files.  A message in the middle of one can only be
 * read after unpacking everything before it, so each is unpacked once, into a
 * file of emcli's.
 */
#include <errno.h>

#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "backend/mbox/unpack.h"
#include "base/path.h"

#define IN_MAX (256 << 10)
#define OUT_MAX (1 << 20)
#define XZ_MEMORY (256UL << 20)

struct unpack {
	struct mbox *m;
	int in, out;
	unsigned char *from, *to;
	uint64_t at, made;
};

enum mbox_pack
mbox_unpack_sniff(int fd)
{
	static const struct {
		enum mbox_pack how;
		struct str magic;
	} all[] = {
		{ MBOX_GZIP, SI("\x1f\x8b\x08") },
		{ MBOX_XZ,
		    SI("\xfd"
		       "7zXZ\0") },
		{ MBOX_BZIP2, SI("BZh") },
	};
	char first[6];
	ssize_t n = path_read_at(fd, first, sizeof(first), 0);
	struct str s = { first, n > 0 ? (size_t)n : 0 };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (str_starts(s, all[i].magic))
			return all[i].how;
	return MBOX_PLAIN;
}

/* Fills the input: number of bytes, or -1. */
static ssize_t
mbox_unpack_take(struct unpack *u, struct err *e)
{
	ssize_t n;

	if (backend_in_time(u->m->conn.acct, MBOX_LATE, e) < 0)
		return -1;
	n = path_read_at(u->in, (char *)u->from, IN_MAX, u->at);
	if (n < 0) {
		(void)err_set(e, ERR_CONFIG, "the archive cannot be read");
		return err_errno(e, "read");
	}
	u->at += (uint64_t)n;
	return n;
}

static int
mbox_unpack_give(struct unpack *u, size_t n, struct err *e)
{
	const unsigned char *p = u->to;

	u->made += n;
	if (u->made > LIMIT_MBOX)
		return err_set(e, ERR_LIMIT,
		    "a file of the archive is too large when unpacked");
	while (n > 0) {
		ssize_t r = write(u->out, p, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0) {
			(void)err_set(e, ERR_CONFIG,
			    "there is no room to unpack the archive");
			return err_errno(e, "write");
		}
		p += r;
		n -= (size_t)r;
	}
	return 0;
}

static int
mbox_unpack_gunzip(struct unpack *u, bool *whole, struct err *e)
{
	struct unpack_zlib z;
	z_stream s = { 0 };
	int r = Z_OK, bad = 0;
	ssize_t n;

	if (mbox_unpack_zlib(&z, e) < 0)
		return -1;
	/* 16: only gzip. */
	if (z.init(&s, 15 + 16, ZLIB_VERSION, (int)sizeof(s)) != Z_OK)
		return err_set(e, ERR_CONFIG, "zlib is not usable");
	for (;;) {
		if (s.avail_in == 0) {
			n = mbox_unpack_take(u, e);
			bad = n < 0 ? -1 : 0;
			if (n <= 0)
				break;
			s.next_in = u->from;
			s.avail_in = (uInt)n;
		}
		/* A file may contain several members (section 2.2). */
		if (r == Z_STREAM_END && z.again(&s) != Z_OK)
			break;
		s.next_out = u->to;
		s.avail_out = OUT_MAX;
		r = z.step(&s, Z_NO_FLUSH);
		bad = mbox_unpack_give(u, OUT_MAX - s.avail_out, e);
		if (bad < 0 ||
		    (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR))
			break;
	}
	*whole = r == Z_STREAM_END;
	(void)z.end(&s);
	return bad;
}

static int
mbox_unpack_unxz(struct unpack *u, bool *whole, struct err *e)
{
	struct unpack_lzma z;
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_action how = LZMA_RUN;
	lzma_ret r = LZMA_OK;
	ssize_t n;
	int bad = 0;

	if (mbox_unpack_lzma(&z, e) < 0)
		return -1;
	if (z.init(&s, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return err_set(e, ERR_CONFIG, "liblzma is not usable");
	while (bad == 0 && (r == LZMA_OK)) {
		if (s.avail_in == 0 && how == LZMA_RUN) {
			n = mbox_unpack_take(u, e);
			if (n < 0) {
				bad = -1;
				break;
			}
			s.next_in = u->from;
			s.avail_in = (size_t)n;
			how = n == 0 ? LZMA_FINISH : LZMA_RUN;
		}
		s.next_out = u->to;
		s.avail_out = OUT_MAX;
		r = z.step(&s, how);
		bad = mbox_unpack_give(u, OUT_MAX - s.avail_out, e);
	}
	*whole = r == LZMA_STREAM_END;
	z.end(&s);
	return bad;
}

int
mbox_unpack(struct mbox *m, enum mbox_pack how, int in, int out, bool *whole,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct unpack u = {
		.m = m,
		.in = in,
		.out = out,
		.from = arena_alloc(a, IN_MAX),
		.to = arena_alloc(a, OUT_MAX),
	};

	*whole = false;
	if (how == MBOX_GZIP)
		return mbox_unpack_gunzip(&u, whole, e);
	if (how == MBOX_XZ)
		return mbox_unpack_unxz(&u, whole, e);
	return err_set(e, ERR_UNSUPPORTED,
	    "the archive's compression is not supported: unpack it");
}
