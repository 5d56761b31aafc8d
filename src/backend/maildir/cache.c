/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli's own files beside the store.  A file that cannot be saved is not an
 * error: its data is rebuilt.
 */
#include "backend/internal.h"
#include "backend/maildir/internal.h"

/* By the Maildir itself, because another may later be at its path. */
static const char *
maildir_cache_name_file(const struct maildir *m, const char *end,
    struct arena *a)
{
	struct stat st = { 0 };

	(void)fstat(m->box, &st);
	return backend_cache_name(a, &m->conn,
	    str_fmt(a, "%llu %llu %.*s", (unsigned long long)st.st_dev,
		(unsigned long long)st.st_ino, STR_ARG(m->folder)),
	    str_fmt(a, ".%s", end).p);
}

bool
maildir_cache_map(const struct maildir *m, const char *end, struct str *out)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close)
	int fd = backend_cache_open(m->conn.acct,
	    maildir_cache_name_file(m, end, a));
	struct stat st;
	void *p;

	*out = (struct str){ 0 };
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size == 0)
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

	/* munmap(2) takes a pointer to non-const. */
	memcpy(&p, &map->p, sizeof(p));
	if (p != NULL)
		(void)munmap(p, map->n);
	*map = (struct str){ 0 };
}

void
maildir_cache_put(const struct maildir *m, const char *end, struct str bytes)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	backend_cache_put(m->conn.acct, maildir_cache_name_file(m, end, a),
	    bytes);
}
