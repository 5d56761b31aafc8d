/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads messages by the index.  The archive may have changed since: a header
 * must have the sum in the index, or none of it is used.
 */
#include <fcntl.h>

#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "base/path.h"
#include "mime/message.h"

/*
 * How much of a multipart message is read to find out whether it has
 * attachments.  A page of messages of 100 MB each must not read gigabytes.
 */
#define STRUCTURE (4UL << 20)

static int
mbox_read_unreadable(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the archive cannot be read");
	return err_errno(e, "read");
}

/* An unpacked file, which is made again if it is gone. */
static int
mbox_read_open_raw(struct mbox *m, struct str name, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close) int packed = -1;
	char *raw = str_c(a, mbox_cache_raw(m, a, name));
	bool whole;
	int r;

	if (m->cache >= 0)
		m->fd = openat(m->cache, raw,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (m->fd >= 0)
		return 1;
	r = mbox_source_open(m, name, &packed, e);
	if (r <= 0)
		return r;
	if (mbox_cache_make(m, &m->fd, e) < 0 ||
	    mbox_unpack(m, mbox_unpack_sniff(packed), packed, m->fd, &whole,
		e) < 0 ||
	    mbox_cache_name(m, m->fd, raw, e) < 0) {
		path_close(&m->fd);
		return -1;
	}
	return 1;
}

/* Opens the file of a row for reading: m->fd.  MBOX_STALE. */
static int
mbox_read_open(struct mbox *m, const struct mbox_row *r, struct err *e)
{
	const struct mbox_file *f = &m->index.file[r->file];
	struct str name = { f->name, f->name_n };
	int got;

	if (m->fd >= 0 && m->file == r->file)
		return 0;
	path_close(&m->fd);
	if ((f->flags & MBOX_PACKED) != 0)
		got = mbox_read_open_raw(m, name, e);
	else
		got = mbox_source_open(m, name, &m->fd, e);
	m->file = r->file;
	return got > 0 ? 0 : got == 0 ? MBOX_STALE : -1;
}

int
mbox_read_head(struct mbox *m, const struct mbox_row *r, struct arena *a,
    struct str *out, struct err *e)
{
	int opened = mbox_read_open(m, r, e);
	char *p;
	ssize_t n;

	if (opened != 0)
		return opened;
	p = arena_alloc(a, r->head_n);
	n = path_read_at(m->fd, p, r->head_n, r->at + r->from_n);
	if (n < 0)
		return mbox_read_unreadable(e);
	if ((size_t)n < r->head_n ||
	    backend_sum(0, p, r->head_n) != r->head_sum)
		return MBOX_STALE;
	*out = (struct str){ p, r->head_n };
	return 0;
}

/* How the bodies of a file are quoted, as far as is known. */
static bool
mbox_read_is_quote(const struct mbox_file *f, const char *p, size_t n)
{
	size_t i = 0;

	/*
	 * By length and with From_ lines in bodies: mboxcl2, without quoting.
	 */
	if ((f->flags & MBOX_BY_LENGTH) != 0 && f->raw > 0)
		return false;
	while (i < n && p[i] == '>')
		i++;
	if (i == 0 || n - i < 5 || memcmp(p + i, "From ", 5) != 0)
		return false;
	/* ">>From " occurs only if quotes are quoted again: mboxrd. */
	return i == 1 || f->requoted > 0;
}

/* Removes the mark from quoted lines; the header has none. */
static size_t
mbox_read_unquote(const struct mbox_file *f, char *p, size_t from, size_t n)
{
	size_t to = from, i = from;

	if (f->quoted + f->requoted == 0)
		return n;
	while (i < n) {
		const char *lf = memchr(p + i, '\n', n - i);
		size_t end = lf != NULL ? (size_t)(lf - p) + 1 : n;

		i += mbox_read_is_quote(f, p + i, end - i);
		memmove(p + to, p + i, end - i);
		to += end - i;
		i = end;
	}
	return to;
}

int
mbox_read_first(struct mbox *m, const struct mbox_row *r, size_t max,
    struct arena *a, struct str *out, struct err *e)
{
	size_t want = r->size < max ? (size_t)r->size : max;
	int opened = mbox_read_open(m, r, e);
	struct stat st;
	ssize_t n;
	char *p;

	if (opened != 0)
		return opened;
	/* Before memory is allocated for data that does not exist. */
	if (fstat(m->fd, &st) < 0)
		return mbox_read_unreadable(e);
	if (r->at > (uint64_t)st.st_size ||
	    r->from_n + r->size > (uint64_t)st.st_size - r->at)
		return MBOX_STALE;
	p = arena_alloc(a, want);
	n = path_read_at(m->fd, p, want, r->at + r->from_n);
	if (n < 0)
		return mbox_read_unreadable(e);
	if ((size_t)n < want ||
	    (want >= r->head_n && backend_sum(0, p, r->head_n) != r->head_sum))
		return MBOX_STALE;
	if (want > r->head_n)
		want = mbox_read_unquote(&m->index.file[r->file], p, r->head_n,
		    want);
	*out = (struct str){ p, want };
	return 0;
}

/*
 * Does the message have attachments?  The header alone decides, unless it has
 * parts: then these are read.
 */
static int
mbox_read_has_attachments(struct mbox *m, const struct mbox_row *r,
    struct str head, bool *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_message msg = { 0 };
	struct str raw = { 0 };
	int got;

	mime_message_parse(a, head, &msg);
	/* Without its body a multipart is parsed as text; its type stays. */
	if (msg.n > 0 && str_starts(msg.part[0].ctype.value, S("multipart/"))) {
		got = mbox_read_first(m, r, STRUCTURE, a, &raw, e);
		if (got != 0)
			return got;
		mime_message_parse(a, raw, &msg);
	}
	*out = mime_reading_has_attachments(&msg);
	return 0;
}

int
mbox_read_row(struct mbox *m, const struct mbox_row *r, uint32_t uid,
    struct str head, struct arena *a, struct rows *out, struct err *e)
{
	struct row *row;
	bool files = false;
	int got = mbox_read_has_attachments(m, r, head, &files, e);

	if (got != 0)
		return got;
	out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
	row = &out->v[out->n++];
	*row = (struct row){
		.ref = { .uid = uid },
		.head = str_dup(a, head),
		.size = r->size,
		/* The From_ line has the time at which the file was written. */
		.received_s = r->date_s,
		.has_attachments = files,
		.ambiguous =
		    (r->flags & (MBOX_DOUBT_BEGIN | MBOX_DOUBT_END)) != 0,
		.forgeable = (r->flags & MBOX_TIGHT) != 0,
	};
	return 0;
}

void
mbox_read_state(const struct mbox *m, struct folder_state *st)
{
	uint32_t n = (uint32_t)m->index.head->rows;

	*st = (struct folder_state){
		.uidvalidity = m->index.head->uidvalidity,
		.uidnext = n + 1,
		.exists = n,
	};
}

/* The row of a uid: 1, 0 if there is none, MBOX_STALE. */
static int
mbox_read_row_of(const struct mbox *m, uint32_t uid,
    const struct mbox_row **out)
{
	if (uid == 0 || uid > m->index.head->rows)
		return 0;
	*out = mbox_index_row(&m->index, uid - 1);
	return *out != NULL ? 1 : MBOX_STALE;
}

static int
mbox_read_all_headers(struct mbox *m, struct arena *a, const struct refs *refs,
    struct rows *out, struct err *e)
{
	*out = (struct rows){ 0 };
	for (size_t i = 0; i < refs->n; i++) {
		CLEANUP(arena_close) struct arena *scratch = NULL;
		const struct mbox_row *row;
		struct str head = { 0 };
		uint32_t uid = refs->v[i].uid;
		int r = mbox_read_row_of(m, uid, &row);

		if (r == 0)
			continue;
		if (r < 0)
			return r;
		if (backend_in_time(m->conn.acct, MBOX_LATE, e) < 0)
			return -1;
		scratch = arena_open(LIMIT_ARENA);
		r = mbox_read_head(m, row, scratch, &head, e);
		if (r == 0)
			r = mbox_read_row(m, row, uid, head, a, out, e);
		if (r != 0)
			return r;
	}
	return 0;
}

int
mbox_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct mbox *m = (struct mbox *)c;
	struct rows rows;
	int r;

	if (mbox_folder(m, folder, e) < 0)
		return -1;
	while ((r = mbox_read_all_headers(m, a, refs, &rows, e)) == MBOX_STALE)
		if (mbox_refresh_again(m, e) < 0)
			return -1;
	if (r < 0)
		return -1;
	mbox_read_state(m, st);
	*out = rows;
	return 0;
}

int
mbox_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct mbox *m = (struct mbox *)c;
	const struct mbox_row *row;
	uint32_t was;
	int r;

	if (mbox_folder(m, folder, e) < 0)
		return -1;
	was = m->index.head->uidvalidity;
	for (;;) {
		r = mbox_read_row_of(m, ref->uid, &row);
		/* After a renumbering the uid belongs to another message. */
		if (r == 0 || m->index.head->uidvalidity != was)
			return err_set(e, ERR_NOT_FOUND,
			    "no such folder or message");
		if (r > 0 && row->size > max)
			return err_set(e, ERR_LIMIT,
			    "the message is too large");
		if (r > 0)
			r = mbox_read_first(m, row, max, a, out, e);
		if (r != MBOX_STALE)
			return r;
		if (mbox_refresh_again(m, e) < 0)
			return -1;
	}
}
