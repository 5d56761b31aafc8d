/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sender holds a lock on one byte of a file beside the database, at the row's
 * id.  The kernel releases it with the process, however that ends, and no later
 * process with the same number can be mistaken for it.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/clock.h"
#include "store/internal.h"
#include "store/journal_row.h"
#include "store/outbox_row.h"
#include "store/postgres_lock.h"

struct outbox_lock {
	int fd;
	struct postgres_lock *of; /* of a store that is no file */
	int64_t id;
};

enum {
	WAIT_MS = 1000 /* nobody else takes it, but its holder may be ending */
};

static int
outbox_lock_open_file(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const char *db = s->path;
	struct str path = str_fmt(a, "%s-outbox", db);
	int fd = open(path.p, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		(void)err_set(e, ERR_DB, "the store cannot be locked");
		(void)err_errno(e, path.p);
	}
	return fd;
}

static struct flock
outbox_lock_byte_of(int64_t id)
{
	return (struct flock){ .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = id,
		.l_len = 1 };
}

static void
outbox_lock_note(struct store *s, int fd, struct postgres_lock *of, int64_t id)
{
	s->sending = calloc(1, sizeof(*s->sending));
	if (s->sending == NULL)
		err_bug("out of memory");
	*s->sending = (struct outbox_lock){ .fd = fd, .of = of, .id = id };
}

/* A message and a change may have the same number. */
static enum postgres_lock_kind
outbox_lock_kind(int64_t id)
{
	return id >= JOURNAL_LOCK ? POSTGRES_LOCK_JOURNAL
				  : POSTGRES_LOCK_OUTBOX;
}

static int
outbox_lock_take_of(struct store *s, int64_t id, struct err *e)
{
	struct postgres_lock *of = s->ready;

	s->ready = NULL;
	if (of == NULL)
		of = postgres_lock_open(s, e);
	if (of == NULL)
		return -1;
	if (postgres_lock_wait(s, of, outbox_lock_kind(id), id,
		clock_mono_ms() + WAIT_MS, e) < 0) {
		postgres_lock_drop(&of);
		return -1;
	}
	outbox_lock_note(s, -1, of, id);
	return 0;
}

int
outbox_lock_ready(struct store *s, struct err *e)
{
	if (s->driver->is_file || s->sending != NULL)
		return 0;
	postgres_lock_drop(&s->ready);
	s->ready = postgres_lock_open(s, e);
	return s->ready != NULL ? 0 : -1;
}

void
outbox_lock_unready(struct store **s)
{
	postgres_lock_drop(&(*s)->ready);
}

int
outbox_lock_take(struct store *s, int64_t id, struct err *e)
{
	struct flock byte = outbox_lock_byte_of(id);
	int fd;

	if (s->sending != NULL)
		err_bug("store: two sends at once");
	if (!s->driver->is_file)
		return outbox_lock_take_of(s, id, e);
	fd = outbox_lock_open_file(s, e);
	if (fd < 0)
		return -1;
	/*
	 * A lock of the open file: closing another descriptor releases nothing.
	 */
	while (fcntl(fd, F_OFD_SETLK, &byte) < 0) {
		if (errno == EINTR)
			continue;
		(void)err_set(e, ERR_DB, "the store cannot be locked");
		(void)err_errno(e, "fcntl");
		(void)close(fd);
		return -1;
	}
	outbox_lock_note(s, fd, NULL, id);
	return 0;
}

/* Queried, not taken: two processes that check must not see each other. */
static int
outbox_lock_query(struct store *s, struct flock *range, struct err *e)
{
	int fd = outbox_lock_open_file(s, e);
	int r;

	if (fd < 0)
		return -1;
	r = fcntl(fd, F_OFD_GETLK, range);
	if (r < 0) {
		(void)err_set(e, ERR_DB, "the store cannot be locked");
		(void)err_errno(e, "fcntl");
	}
	(void)close(fd);
	return r < 0 ? -1 : range->l_type != F_UNLCK;
}

int
outbox_lock_held(struct store *s, int64_t id, struct err *e)
{
	struct flock byte = outbox_lock_byte_of(id);

	if (!s->driver->is_file)
		return postgres_lock_held(s, outbox_lock_kind(id), id, e);
	return outbox_lock_query(s, &byte, e);
}

int
outbox_lock_any(struct store *s, struct err *e)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int r;

	if (!s->driver->is_file) {
		r = postgres_lock_held(s, POSTGRES_LOCK_OUTBOX, 0, e);
		return r != 0
		    ? r
		    : postgres_lock_held(s, POSTGRES_LOCK_JOURNAL, 0, e);
	}
	return outbox_lock_query(s, &all, e);
}

int
store_outbox_lock_still(struct store *s, struct err *e)
{
	if (s->sending == NULL || s->sending->of == NULL)
		return 0;
	return postgres_lock_still(s, s->sending->of, e);
}

void
outbox_lock_drop(struct store *s)
{
	struct flock all = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	if (s->sending == NULL)
		return;
	if (s->sending->of != NULL) {
		postgres_lock_drop(&s->sending->of);
	} else {
		/* Explicitly: a child of fork(2) may have the file open too. */
		(void)fcntl(s->sending->fd, F_OFD_SETLK, &all);
		(void)close(s->sending->fd);
	}
	free(s->sending);
	s->sending = NULL;
}

void
outbox_lock_drop_of(struct store *s, int64_t id)
{
	if (s->sending != NULL && s->sending->id == id)
		outbox_lock_drop(s);
}
