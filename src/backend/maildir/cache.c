/*
 * Our own files beside the store.  What cannot be kept is no error: it is made
 * again.
 */
#include <fcntl.h>

#include "backend/maildir/internal.h"
#include "base/path.h"
#include "net/sha256.h"

static int
open_folder(const struct maildir *m)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str dir = m->conn.acct->cache_dir;
	struct err e = { 0 };

	if (dir.n == 0 || path_mkdir(str_c(a, dir), &e) < 0)
		return -1;
	return open(str_c(a, dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Named by the Maildir and the folder, so that two accounts share it. */
static void
name_file(const struct maildir *m, const char *end, char out[64])
{
	static const char hex[] = "0123456789abcdef";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct stat st = { 0 };
	unsigned char sum[32];
	size_t n;

	(void)fstat(m->box, &st);
	sha256_of(str_fmt(a, "%llu %llu %.*s %.*s",
		      (unsigned long long)st.st_dev,
		      (unsigned long long)st.st_ino, STR_ARG(m->self),
		      STR_ARG(m->folder)),
	    sum);
	(void)snprintf(out, 64, "maildir-%032d.%s", 0, end);
	for (n = 8; n < 40; n++)
		out[n] = hex[sum[(n - 8) / 2] >> (n % 2 == 0 ? 4 : 0) & 15];
}

bool
maildir_cache_map(const struct maildir *m, const char *end, struct str *out)
{
	CLEANUP(maildir_fd_close) int dir = open_folder(m);
	CLEANUP(maildir_fd_close) int fd = -1;
	char name[64];
	struct stat st;
	void *p;

	*out = (struct str){ 0 };
	name_file(m, end, name);
	if (dir >= 0)
		fd = openat(dir, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size == 0)
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	*out = (struct str){ p, (size_t)st.st_size };
	return true;
}

void
maildir_cache_unmap(struct str *map)
{
	void *p = NULL;

	/* munmap(2) wants no const. */
	memcpy(&p, &map->p, sizeof(p));
	if (p != NULL)
		(void)munmap(p, map->n);
	*map = (struct str){ 0 };
}

void
maildir_cache_put(const struct maildir *m, const char *end, struct str bytes)
{
	CLEANUP(maildir_fd_close) int dir = open_folder(m);
	char name[64], temp[96];
	struct err e = { 0 };

	if (dir < 0)
		return;
	name_file(m, end, name);
	(void)snprintf(temp, sizeof(temp), "%s.%d", name, (int)getpid());
	(void)unlinkat(dir, temp, 0);
	/* One file or the other, nothing between. */
	if (path_folder_new(dir, temp, bytes, &e) == 0 &&
	    renameat(dir, temp, dir, name) < 0)
		(void)unlinkat(dir, temp, 0);
}
