/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds an index, from nothing or from an old one: every file that is new or
 * has grown is read once, from where it was left.
 *
 * Numbers follow arrival: a message gets the next number when it is first seen
 * and keeps it.  A file's last message may be seen before its end was written,
 * so reading continues from its beginning, and it keeps its number.  When time
 * runs out, the index so far is kept for the next call to continue.
 */
#include <sys/stat.h>

#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/path.h"

/* Unpacks into a file of emcli's, which is then read. */
static int
mbox_build_unpack(struct mbox_build *b, struct mbox_file *f, enum mbox_pack how,
    int *fd, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close) int raw = -1;
	struct str name = { f->name, f->name_n };
	bool whole;

	if (mbox_cache_make(b->m, &raw, e) < 0 ||
	    mbox_unpack(b->m, how, *fd, raw, &whole, e) < 0 ||
	    mbox_cache_name(b->m, raw, str_c(a, mbox_cache_raw(b->m, a, name)),
		e) < 0)
		return -1;
	f->flags |= MBOX_PACKED | (whole ? 0 : MBOX_DAMAGED);
	path_close(fd);
	*fd = raw;
	raw = -1;
	return 0;
}

/* Opens the last file of the table and reads what is not known of it. */
static int
mbox_build_take_file(struct mbox_build *b, const struct mbox_source *src,
    struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct mbox_file *f = &b->file[b->files - 1];
	enum mbox_pack how;
	struct err late = { 0 };
	struct stat st;
	int r = mbox_source_open(b->m, src->name, &fd, e);

	if (r < 0)
		return -1;
	if (r == 0 || fstat(fd, &st) < 0) {
		b->files--; /* it vanished meanwhile */
		return 0;
	}
	f->disk_n = (uint64_t)st.st_size;
	f->mtime_ns = mbox_source_mtime(&st);
	how = mbox_unpack_sniff(fd);
	if (how == MBOX_BZIP2 && b->m->dir >= 0) {
		f->flags |= MBOX_ALIEN;
		f->size = f->disk_n;
		return 0;
	}
	if (how != MBOX_PLAIN &&
	    (mbox_build_unpack(b, f, how, &fd, e) < 0 || fstat(fd, &st) < 0)) {
		/* What was read before must not be lost. */
		b->late =
		    backend_in_time(b->m->conn.acct, MBOX_LATE, &late) < 0;
		b->files -= b->late;
		return b->late ? 0 : -1;
	}
	f->size = b->size = (uint64_t)st.st_size;
	b->fd = fd;
	r = mbox_scan_file(b, e);
	b->done += (uint64_t)st.st_size;
	b->fd = -1;
	return r;
}

/* Everything that was known, then what is new in the files. */
static int
mbox_build_extend(struct mbox_build *b, const struct mbox_sources *src,
    const struct mbox_index *old, bool *had, struct err *e)
{
	size_t at = 0;

	b->n = b->room = old->head->rows;
	b->row = arena_array(b->a, b->n, sizeof(*b->row));
	if (b->n > 0)
		memcpy(b->row, old->row, b->n * sizeof(*b->row));
	b->chain = old->head->chain;
	if (mbox_build_put(b, old->text, old->head->text_n, 0, e) < 0)
		return -1;
	b->text_at = old->head->text_n;
	for (uint64_t i = 0; i < old->head->files; i++) {
		const struct mbox_file *f = &old->file[i];
		const struct mbox_source *s = mbox_state_source(src, f, &at);
		enum mbox_state state = mbox_state_of(b->m, f, s);

		if (state == MBOX_CHANGED)
			b->stale = true;
		if (b->stale)
			return 0;
		had[s - src->v] = true;
		b->file[b->files++] = *f;
		if (state == MBOX_SAME || b->late)
			continue;
		b->file[b->files - 1].flags &= ~(unsigned)MBOX_ALIEN;
		if (mbox_build_take_file(b, s, e) < 0)
			return -1;
		/* A gap in the table would assign messages to another file. */
		b->stale = b->stale || b->files != i + 1;
	}
	return 0;
}

static void
mbox_build_number(struct mbox_build *b, const struct mbox_index *old,
    struct mbox_number *out)
{
	int64_t now = clock_now();
	uint32_t was = b->known ? b->was.uidvalidity
	    : old != NULL       ? old->head->uidvalidity
				: 0;

	*out = (struct mbox_number){ was, b->n, b->chain };
	if (b->late && was != 0)
		return; /* it is not known yet whether they are the same */
	if (was != 0 && !b->differs && (!b->known || b->n >= b->was.n))
		return;
	/* RFC 9051 section 2.3.1.1: non-zero, and rising over time. */
	if (now > 0 && now < UINT32_MAX && now > was)
		out->uidvalidity = (uint32_t)now;
	else
		out->uidvalidity = was < UINT32_MAX ? was + 1 : 1;
}

static int
mbox_build_finish(struct mbox_build *b, const struct mbox_index *old,
    struct err *e)
{
	static const char zero[8];
	struct mbox_head h = {
		.magic = { 'e', 'm', 'c', 'l', 'm', 'b', 'o', 'x' },
		.version = 2,
		.row_n = sizeof(struct mbox_row),
		.rows = b->n,
		.files = b->files,
		.chain = b->chain,
	};
	size_t files_n = b->files * sizeof(*b->file);
	uint64_t at = b->text_at, pad = (8 - at % 8) % 8;
	struct mbox_number num;

	mbox_build_number(b, old, &num);
	if (mbox_build_put(b, zero, pad, at, e) < 0)
		return -1;
	h.text_n = at + pad;
	h.uidvalidity = num.uidvalidity;
	at = h.text_n + b->n * sizeof(*b->row);
	h.bytes = sizeof(h) + at + files_n;
	h.sum = backend_sum(backend_sum(0, &h, sizeof(h)), b->file, files_n);
	if (mbox_build_put(b, b->row, b->n * sizeof(*b->row), h.text_n, e) <
		0 ||
	    mbox_build_put(b, b->file, files_n, at, e) < 0)
		return -1;
	if (pwrite(b->out, &h, sizeof(h), 0) != (ssize_t)sizeof(h))
		return mbox_build_put_failed(e);
	return b->late ? 0 : mbox_cache_number_keep(b->m, &num, e);
}

static void
build_done(struct mbox_build *b)
{
	arena_close(&b->scratch);
	arena_close(&b->a);
	path_close(&b->out);
}

/* All files, continuing from the known ones. */
static int
mbox_build_take_all(struct mbox_build *b, const struct mbox_sources *src,
    const struct mbox_index *old, struct err *e)
{
	bool *had = arena_array(b->a, src->n, sizeof(*had));

	for (size_t i = 0; i < src->n; i++)
		b->all += src->v[i].disk_n;
	if (old != NULL && mbox_build_extend(b, src, old, had, e) < 0)
		return -1;
	for (size_t i = 0; i < src->n && !b->late && !b->stale; i++) {
		struct mbox_file *f;

		if (had[i])
			continue;
		f = &b->file[b->files++];
		*f = (struct mbox_file){ .name_n = (uint32_t)src->v[i].name.n };
		if (f->name_n > 0)
			memcpy(f->name, src->v[i].name.p, f->name_n);
		if (mbox_build_take_file(b, &src->v[i], e) < 0)
			return -1;
	}
	return 0;
}

int
mbox_build_index(struct mbox *m, const struct mbox_sources *src,
    const struct mbox_index *old, struct err *e)
{
	CLEANUP(build_done)
	struct mbox_build b = { .m = m, .out = -1, .fd = -1 };
	size_t files = src->n + (old != NULL ? old->head->files : 0);
	struct arena *a = b.a = arena_open(LIMIT_ARENA);
	struct mbox_index x = { 0 };

	b.known = mbox_cache_number(m, &b.was);
	b.file = arena_array(a, files, sizeof(*b.file));
	b.chunk = arena_alloc(a, MBOX_CHUNK);
	buf_init(&b.text, a, MBOX_TEXTS_FULL + (64 << 10));
	if (mbox_cache_make(m, &b.out, e) < 0 ||
	    mbox_build_take_all(&b, src, old, e) < 0)
		return -1;
	if (m->conn.acct->progress != NULL && b.all > MBOX_CHUNK)
		m->conn.acct->progress(1, 1);
	if (b.stale)
		return MBOX_STALE;
	if (mbox_build_finish(&b, old, e) < 0 ||
	    mbox_cache_name(m, b.out, str_c(a, mbox_cache_index(m, a)), e) < 0)
		return -1;
	if (b.late)
		return err_set(e, ERR_LIMIT,
		    "the archive is still being read for the first time: call "
		    "again");
	if (!mbox_index_map(b.out, &x)) {
		(void)err_set(e, ERR_CONFIG, "the archive's index is unusable");
		return err_because(e, "just written");
	}
	mbox_index_done(&m->index);
	m->index = x;
	return 0;
}
