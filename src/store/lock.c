/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advisory locks beside the database, one byte of one file for each account.  A
 * lock in the database would block all writers while a provider takes its time.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/clock.h"
#include "store/internal.h"
#include "store/oauth.h"
#include "store/postgres_lock.h"

enum {
	WAIT_US = 20000
};

struct store_lock {
	int fd;
	struct postgres_lock *of; /* of a store that is no file */
};

static int
store_lock_open_file(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const char *db = s->path;
	struct str path = str_fmt(a, "%s-lock", db);
	/* The mode ignores the umask: agents of one user share it. */
	int fd = open(path.p, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		(void)err_set(e, ERR_DB, "the store cannot be locked");
		(void)err_errno(e, path.p);
	}
	return fd;
}

static struct store_lock *
store_lock_new(int fd, struct postgres_lock *of)
{
	struct store_lock *l = calloc(1, sizeof(*l));

	if (l == NULL)
		err_bug("out of memory");
	l->fd = fd;
	l->of = of;
	return l;
}

static int
store_lock_take_of(struct store *s, int64_t account, int64_t deadline_ms,
    struct store_lock **out, struct err *e)
{
	struct postgres_lock *of = NULL;

	if (postgres_lock_take(s, POSTGRES_LOCK_ACCOUNT,
		account == STORE_LOCK_ALL ? 0 : account, deadline_ms, &of,
		e) < 0) {
		if (driver_failed(s) == DRIVER_BUSY)
			(void)err_set(e, ERR_DB,
			    "another process is refreshing a token of this "
			    "store");
		return -1;
	}
	*out = store_lock_new(-1, of);
	return 0;
}

int
store_lock_take(struct store *s, int64_t account, int64_t deadline_ms,
    struct store_lock **out, struct err *e)
{
	/*
	 * A lock of the open file, not of the process: closing another
	 * descriptor of the file releases nothing.
	 */
	struct flock range = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = account == STORE_LOCK_ALL ? 0 : account,
		.l_len = account == STORE_LOCK_ALL ? 0 : 1 };
	int fd;

	if (!s->driver->is_file)
		return store_lock_take_of(s, account, deadline_ms, out, e);
	fd = store_lock_open_file(s, e);
	if (fd < 0)
		return -1;
	while (fcntl(fd, F_OFD_SETLK, &range) < 0) {
		if ((errno == EAGAIN || errno == EACCES || errno == EINTR) &&
		    clock_left_ms(deadline_ms) > 0) {
			(void)usleep(WAIT_US);
			continue;
		}
		(void)err_set(e, ERR_DB,
		    "another process is refreshing a token of this store");
		(void)err_errno(e, "fcntl");
		(void)close(fd);
		return -1;
	}
	*out = store_lock_new(fd, NULL);
	return 0;
}

int
store_lock_still(struct store *s, struct store_lock *l, struct err *e)
{
	return l->of == NULL ? 0 : postgres_lock_still(s, l->of, e);
}

void
store_lock_close(struct store_lock **l)
{
	/* Explicitly: a child of fork(2) may have the file open too. */
	struct flock all = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	if (*l == NULL)
		return;
	if ((*l)->of != NULL) {
		postgres_lock_drop(&(*l)->of);
	} else {
		(void)fcntl((*l)->fd, F_OFD_SETLK, &all);
		(void)close((*l)->fd);
	}
	free(*l);
	*l = NULL;
}
