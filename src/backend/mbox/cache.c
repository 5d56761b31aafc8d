/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli's own files beside the store: the index, unpacked files, and the
 * numbering.  Each is written without a name and then linked to its place, so
 * that a reader sees the old or the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "base/path.h"

static int
mbox_cache_unwritable(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the archive's index cannot be saved");
	(void)err_hint(e,
	    "check that the disk has room, and that this user may write to the "
	    "database's folder");
	return err_errno(e, "cache");
}

int
mbox_cache_open(struct mbox *m, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str dir = m->conn.acct->cache_dir;

	if (dir.n == 0 || m->cache >= 0)
		return 0;
	if (path_mkdir(str_c(a, dir), e) < 0)
		return -1;
	m->cache = open(str_c(a, dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return m->cache < 0 ? mbox_cache_unwritable(e) : 0;
}

int
mbox_cache_make(struct mbox *m, int *fd, struct err *e)
{
	if (m->cache < 0)
		*fd = memfd_create("emcli", MFD_CLOEXEC);
	else
		*fd =
		    openat(m->cache, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (*fd < 0 || fchmod(*fd, 0600) < 0)
		return mbox_cache_unwritable(e);
	return 0;
}

int
mbox_cache_name(struct mbox *m, int fd, const char *name, struct err *e)
{
	char from[64], temp[80];

	if (m->cache < 0)
		return 0;
	/* linkat(2) does not replace a file, so it uses a temporary name. */
	(void)snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	(void)snprintf(temp, sizeof(temp), "%s.%d", m->key, (int)getpid());
	(void)unlinkat(m->cache, temp, 0);
	if (linkat(AT_FDCWD, from, m->cache, temp, AT_SYMLINK_FOLLOW) < 0)
		return mbox_cache_unwritable(e);
	if (renameat(m->cache, temp, m->cache, name) < 0) {
		(void)mbox_cache_unwritable(e);
		(void)unlinkat(m->cache, temp, 0);
		return -1;
	}
	return 0;
}

struct str
mbox_cache_index(struct mbox *m, struct arena *a)
{
	return str_fmt(a, "%s.index", m->key);
}

struct str
mbox_cache_raw(struct mbox *m, struct arena *a, struct str name)
{
	return str_fmt(a, "%s.%016llx.raw", m->key,
	    (unsigned long long)backend_sum(1, name.p, name.n));
}

int
mbox_cache_lock(struct mbox *m, int *fd, struct err *e)
{
	char name[80];

	*fd = -1;
	if (m->cache < 0)
		return 0;
	(void)snprintf(name, sizeof(name), "%s.lock", m->key);
	*fd = openat(m->cache, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
	    0600);
	if (*fd < 0)
		return mbox_cache_unwritable(e);
	while (flock(*fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return mbox_cache_unwritable(e);
		if (backend_in_time(m->conn.acct, MBOX_LATE, e) < 0)
			return -1;
		(void)usleep(10000);
	}
	return 0;
}

struct number {
	char magic[8];
	uint64_t uidvalidity, n, chain, sum;
};

bool
mbox_cache_number(struct mbox *m, struct mbox_number *out)
{
	CLEANUP(path_close) int fd = -1;
	struct number v;
	char name[80];

	(void)snprintf(name, sizeof(name), "%s.number", m->key);
	if (m->cache >= 0)
		fd = openat(m->cache, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || path_read_at(fd, &v, sizeof(v), 0) != sizeof(v) ||
	    memcmp(v.magic, "emclmbno", 8) != 0 ||
	    v.sum != backend_sum(0, &v, offsetof(struct number, sum)) ||
	    v.uidvalidity == 0 || v.uidvalidity > UINT32_MAX)
		return false;
	*out = (struct mbox_number){ (uint32_t)v.uidvalidity, v.n, v.chain };
	return true;
}

int
mbox_cache_number_keep(struct mbox *m, const struct mbox_number *n,
    struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct number v = {
		.magic = { 'e', 'm', 'c', 'l', 'm', 'b', 'n', 'o' },
		.uidvalidity = n->uidvalidity,
		.n = n->n,
		.chain = n->chain,
	};
	char name[80];

	if (m->cache < 0)
		return 0;
	v.sum = backend_sum(0, &v, offsetof(struct number, sum));
	(void)snprintf(name, sizeof(name), "%s.number", m->key);
	if (mbox_cache_make(m, &fd, e) < 0)
		return -1;
	if (write(fd, &v, sizeof(v)) != sizeof(v))
		return mbox_cache_unwritable(e);
	return mbox_cache_name(m, fd, name, e);
}
