/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one file of the archive from where it was left, message by message,
 * into the rows of an index that is being built.
 */
#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"
#include "base/path.h"

#define SCRATCH 64 /* messages on one arena */

/*
 * The previous numbering is valid as long as the first messages are the same.
 */
static void
link_chain(struct mbox_build *b, const char *texts, size_t n)
{
	b->chain = backend_sum(b->chain, texts, n);
	if (b->known && b->n == b->was.n && b->chain != b->was.chain)
		b->differs = true;
}

/* The next row, or NULL. */
static struct mbox_row *
mbox_scan_grow(struct mbox_build *b, struct err *e)
{
	size_t size = sizeof(*b->row);

	if (b->n >= LIMIT_MBOX_MESSAGES) {
		(void)err_set(e, ERR_LIMIT,
		    "the archive has too many messages");
		return NULL;
	}
	if (b->n == b->room) {
		uint64_t more = b->room == 0 ? 1024 : 2 * b->room;

		b->row = arena_grow(b->a, b->row, b->room * size, more * size);
		b->room = more;
	}
	return &b->row[b->n++];
}

static int
mbox_scan_found(void *ctx, const struct mbox_part *p, struct err *e)
{
	struct mbox_build *b = ctx;
	struct mbox_file *f = &b->file[b->files - 1];
	bool again = b->place != 0 && p->at == f->resume;
	struct mbox_row row,
	    *to = again ? &b->row[b->place - 1] : mbox_scan_grow(b, e);
	size_t from = b->text.n;
	const char *texts;

	if (to == NULL)
		return -1;
	if (b->used++ % SCRATCH == 0) {
		arena_close(&b->scratch);
		b->scratch = arena_open(LIMIT_ARENA);
	}
	mbox_extract_row(b->scratch, p, &row, &b->text);
	row.text_at = b->text_at + from;
	row.file = (uint32_t)(b->files - 1);
	texts = b->text.p + from;
	row.sum = mbox_index_row_sum(&row, (uint64_t)(to - b->row), texts);
	/* A message keeps the header that it had. */
	if (again && to->head_sum != row.head_sum && to->head_n >= row.head_n)
		b->stale = true;
	*to = row;
	if (again)
		b->place = 0;
	else
		link_chain(b, texts, b->text.n - from);
	f->resume = p->at;
	f->last = (uint64_t)(to - b->row) + 1;
	return b->text.n >= MBOX_TEXTS_FULL ? mbox_build_put_texts(b, e) : 0;
}

/* Is there a From_ line, after an empty line or not, or the end? */
static int
mbox_scan_lands(void *ctx, uint64_t at)
{
	struct mbox_build *b = ctx;
	char p[8];
	ssize_t n;
	struct str s;

	if (at >= b->size)
		return at == b->size ? 1 : -1;
	n = path_read_at(b->fd, p, sizeof(p), at);
	s = (struct str){ p, n > 0 ? (size_t)n : 0 };
	if (at + s.n > b->size)
		s.n = (size_t)(b->size - at);
	if (str_starts(s, S("\r\n")))
		s = str_from(s, 2);
	else if (str_starts(s, S("\n")))
		s = str_from(s, 1);
	return s.n == 0 || str_starts(s, S("From "));
}

static void
mbox_scan_tell(const struct mbox_build *b, uint64_t at)
{
	if (b->m->conn.acct->progress != NULL && b->all > MBOX_CHUNK)
		b->m->conn.acct->progress(b->done + at, b->all + 1);
}

/* Reads the file to its end, or until time runs out. */
static int
mbox_scan_read_file(struct mbox_build *b, struct mbox_split *s, struct err *e)
{
	size_t held = 0, used;
	struct err late = { 0 };

	while (s->end == MBOX_SPLIT_GOOD && s->at + held < b->size) {
		uint64_t left = b->size - s->at - held;
		size_t want = MBOX_CHUNK - held;
		ssize_t n;

		if (backend_in_time(b->m->conn.acct, MBOX_LATE, &late) < 0) {
			b->late = true;
			return 0;
		}
		if (want > left)
			want = (size_t)left;
		n = path_read_at(b->fd, b->chunk + held, want, s->at + held);
		if (n < 0 || (size_t)n < want) {
			(void)err_set(e, ERR_CONFIG,
			    "the archive cannot be read");
			return n < 0 ? err_errno(e, "read")
				     : err_because(e, "it became shorter");
		}
		held += (size_t)n;
		if (mbox_split_feed(s, (struct str){ b->chunk, held },
			held == MBOX_CHUNK, &used, e) < 0)
			return -1;
		held -= used;
		if (held > 0 && used > 0)
			memmove(b->chunk, b->chunk + used, held);
		mbox_scan_tell(b, s->at);
	}
	/* A last line without an end. */
	if (held > 0 && s->end == MBOX_SPLIT_GOOD &&
	    mbox_split_feed(s, (struct str){ b->chunk, held }, true, &used, e) <
		0)
		return -1;
	return 0;
}

static void
mbox_scan_keep_counts(const struct mbox_split *s, struct mbox_file *f)
{
	f->quoted += s->quoted;
	f->requoted += s->requoted;
	f->raw += s->raw;
	f->refused += s->refused;
	f->messages += s->messages;
	f->lengths = s->lengths;
	f->flags &= ~(unsigned)(MBOX_DOUBT_LAST | MBOX_TIGHT_LAST);
	f->flags |= (s->doubt_begin ? MBOX_DOUBT_LAST : 0U) |
	    (s->loose ? MBOX_TIGHT_LAST : 0U);
}

/*
 * Splits the last file of the table from where it was left.  *again: repeat,
 * not by length.
 */
static int
mbox_scan_split_file(struct mbox_build *b, bool *again, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct mbox_file *f = &b->file[b->files - 1];
	struct buf head;
	struct mbox_split s = {
		.by_length = (f->flags & MBOX_BY_LENGTH) != 0,
		.resumed = f->last != 0,
		.found = mbox_scan_found,
		.lands = mbox_scan_lands,
		.ctx = b,
		.head = &head,
		.at = f->resume,
		.doubt_first = (f->flags & MBOX_DOUBT_LAST) != 0,
		.loose_first = (f->flags & MBOX_TIGHT_LAST) != 0,
		.lengths = f->lengths,
	};
	bool left = false;

	*again = false;
	b->place = f->last;
	buf_init(&head, a, LIMIT_MIME_HEAD + 1);
	if (mbox_scan_read_file(b, &s, e) < 0)
		return -1;
	if (b->late) {
		/* The unfinished message is read again, from its beginning. */
		f->size = f->disk_n = f->resume =
		    s.state != 0 ? s.msg_at : f->resume;
		f->last = 0;
		f->mtime_ns = 0;
		mbox_scan_keep_counts(&s, f);
		return 0;
	}
	if (mbox_split_finish(&s, mbox_state_is_still(f->mtime_ns), &left, e) <
	    0)
		return -1;
	*again = s.end == MBOX_SPLIT_UNCHAINED;
	if (s.end == MBOX_SPLIT_ALIEN)
		f->flags |= MBOX_ALIEN;
	f->flags &= ~(unsigned)MBOX_UNFINISHED;
	if (left) {
		f->flags |= MBOX_UNFINISHED;
		if (!s.pending) {
			f->resume = s.msg_at;
			f->last = 0;
		}
	}
	mbox_scan_keep_counts(&s, f);
	return 0;
}

/* The position of everything. */
struct mark {
	uint64_t n, chain, text_at;
	bool differs;
	struct mbox_file file;
};

static struct mark
mbox_scan_mark(const struct mbox_build *b)
{
	return (struct mark){ b->n, b->chain, b->text_at, b->differs,
		b->file[b->files - 1] };
}

static void
mbox_scan_go_back(struct mbox_build *b, const struct mark *to)
{
	b->n = to->n;
	b->chain = to->chain;
	b->text_at = to->text_at;
	b->differs = to->differs;
	b->file[b->files - 1] = to->file;
	buf_reset(&b->text);
}

/* A file that is new, or the same with more at its end. */
int
mbox_scan_file(struct mbox_build *b, struct err *e)
{
	struct mbox_file *f = &b->file[b->files - 1];
	struct mark was = mbox_scan_mark(b);
	bool again;

	if (f->messages == 0)
		f->flags |= MBOX_BY_LENGTH;
	if (mbox_scan_split_file(b, &again, e) < 0)
		return -1;
	if (again && was.file.messages > 0) {
		b->stale = true;
		return 0;
	}
	if (again) {
		mbox_scan_go_back(b, &was);
		f->flags &= ~(unsigned)MBOX_BY_LENGTH;
		if (mbox_scan_split_file(b, &again, e) < 0)
			return -1;
	}
	if (b->late && (f->flags & MBOX_PACKED) != 0) {
		/* Reading cannot continue in the middle of it. */
		mbox_scan_go_back(b, &was);
		b->files--;
		return 0;
	}
	if (f->size > 0 && !mbox_state_tail(b->fd, f->size, &f->tail_sum)) {
		(void)err_set(e, ERR_CONFIG, "the archive cannot be read");
		return err_errno(e, "read");
	}
	return mbox_build_put_texts(b, e);
}
