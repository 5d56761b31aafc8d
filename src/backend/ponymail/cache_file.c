/*
 * Our files beside the store: written whole and put in their place, so that a
 * reader sees the old one or the new one.  They can be made anew from the
 * archive, so that nothing about them is an error.  In front of what they hold
 * is a line with its SHA-256.
 */
#include <errno.h>
#include <fcntl.h>

#include "backend/ponymail/internal.h"
#include "base/path.h"
#include "net/sha256.h"

#define MAGIC "emcli-ponymail 1 "
#define FIRST (sizeof(MAGIC) - 1 + 64 + 1)

static struct str
hex(struct arena *a, struct str bytes)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[32];
	char *p = arena_alloc(a, 64);

	sha256_of(bytes, sum);
	for (size_t i = 0; i < 64; i++)
		p[i] = digits[sum[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
	return (struct str){ p, 64 };
}

/* One of its own for each account: who sees what depends on the session. */
static struct str
file_name(const struct pony *p, struct arena *a, const struct pony_list *l,
    const char *end)
{
	const struct backend_account *acct = p->conn.acct;
	struct str key = str_fmt(a, "%.*s\n%.*s\n%d\n%.*s", STR_ARG(acct->name),
	    STR_ARG(p->base), acct->secret != NULL, STR_ARG(l->folder));

	return str_fmt(a, "ponymail-%.*s%s",
	    STR_ARG(str_first(hex(a, key), 32)), end);
}

static int
open_folder(const struct pony *p, struct arena *a)
{
	return open(str_c(a, p->conn.acct->cache_dir),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool
ponymail_cache_file_get(const struct pony *p, const struct pony_list *l,
    const char *end, size_t max, struct arena *a, struct str *out)
{
	CLEANUP(path_close) int dir = -1;
	CLEANUP(path_close) int fd = -1;
	struct str text, line;
	struct err e = { 0 };

	if (p->conn.acct->cache_dir.n == 0)
		return false;
	dir = open_folder(p, a);
	if (dir < 0)
		return false;
	fd = openat(dir, str_c(a, file_name(p, a, l, end)),
	    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || path_read(fd, max + FIRST, a, &text, &e) < 0 ||
	    !str_cut(text, '\n', &line, out) || !str_starts(line, S(MAGIC)))
		return false;
	return str_eq(str_from(line, sizeof(MAGIC) - 1), hex(a, *out));
}

static bool
write_all(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s = str_from(s, (size_t)n);
	}
	return true;
}

void
ponymail_cache_file_put(const struct pony *p, const struct pony_list *l,
    const char *end, struct str text)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(path_close) int dir = -1;
	CLEANUP(path_close) int fd = -1;
	struct str name, temp, first;
	struct err e = { 0 };

	if (p->conn.acct->cache_dir.n == 0 ||
	    path_mkdir(str_c(a, p->conn.acct->cache_dir), &e) < 0)
		return;
	dir = open_folder(p, a);
	name = file_name(p, a, l, end);
	temp = str_fmt(a, "%.*s.%d", STR_ARG(name), (int)getpid());
	first = str_fmt(a, MAGIC "%.*s\n", STR_ARG(hex(a, text)));
	if (dir < 0)
		return;
	(void)unlinkat(dir, temp.p, 0);
	fd = openat(dir, temp.p,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!write_all(fd, first) || !write_all(fd, text) ||
	    renameat(dir, temp.p, dir, name.p) < 0)
		(void)unlinkat(dir, temp.p, 0);
}
