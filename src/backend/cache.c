/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli's files beside the store: data about an account's mail that can be
 * rebuilt, so all errors are ignored.  They contain no secret.  Each is written
 * completely and then renamed, so that a reader sees the old or the new one.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/cache.h"
#include "backend/internal.h"
#include "base/path.h"
#include "net/sha256.h"

/*
 * Bytes of a hash in a name: collisions by chance are impossible in practice.
 * mbox's numbering is in such a file, so these values must not change.
 */
#define WHOSE_BYTES 17
#define WHICH_BYTES 8
#define APART ".d" /* how the name of a folder for one account ends */
#define TAKEN 4096 /* bytes at most of a file that is copied into it */

static struct str
backend_cache_digest(struct arena *a, struct str key, size_t bytes)
{
	unsigned char sum[32];

	sha256_of(key, sum);
	return str_hex_dup(a, sum, bytes);
}

struct str
backend_cache_prefix(struct arena *a, const struct backend *be,
    const struct backend_account *acct)
{
	const struct {
		enum backend_keep by;
		struct str value;
	} parts[] = {
		{ KEEP_NAME, acct->name },
		{ KEEP_USERNAME, acct->username },
		{ KEEP_FROM, acct->from },
		{ KEEP_URL, acct->url },
		{ KEEP_PATH, acct->path },
	};
	const char *between = "";
	struct buf key;

	if (be->keeps == 0)
		return S("");
	buf_init(&key, a, 64 << 10);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if ((be->keeps & parts[i].by) == 0)
			continue;
		buf_text(&key, between);
		buf_str(&key, parts[i].value);
		between = "\n";
	}
	return str_fmt(a, "%s-%.*s", be->name,
	    STR_ARG(backend_cache_digest(a, buf_view(&key), WHOSE_BYTES)));
}

const char *
backend_cache_name(struct arena *a, const struct conn *c, struct str which,
    const char *end)
{
	struct buf b;

	buf_init(&b, a, 128);
	buf_str(&b, backend_cache_prefix(a, c->be, c->acct));
	if (which.n > 0) {
		buf_char(&b, '-');
		buf_str(&b, backend_cache_digest(a, which, WHICH_BYTES));
	}
	buf_text(&b, end);
	return b.p;
}

static int
backend_cache_open_folder(const struct backend_account *acct, bool make)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct err ignored = { 0 };
	const char *dir = str_c(a, acct->cache_dir);

	if (*dir == '\0' || (make && path_mkdir(dir, &ignored) < 0))
		return -1;
	return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int
backend_cache_open(const struct backend_account *acct, const char *name)
{
	CLEANUP(path_close) int dir = backend_cache_open_folder(acct, false);
	struct stat st;
	int fd = -1;

	if (dir >= 0)
		fd = openat(dir, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)))
		path_close(&fd);
	return fd;
}

bool
backend_cache_get(const struct backend_account *acct, const char *name,
    size_t max, struct arena *a, struct str *out)
{
	CLEANUP(path_close) int fd = backend_cache_open(acct, name);
	struct err ignored = { 0 };

	return fd >= 0 && path_read(fd, max, a, out, &ignored) == 0;
}

void
backend_cache_put(const struct backend_account *acct, const char *name,
    struct str bytes)
{
	CLEANUP(path_close) int dir = backend_cache_open_folder(acct, true);
	struct err ignored = { 0 };
	char temp[128];

	if (dir < 0)
		return;
	(void)snprintf(temp, sizeof(temp), "%s.%d", name, (int)getpid());
	/* Left by a killed process with the same process id. */
	path_folder_drop(dir, temp);
	if (path_folder_new(dir, temp, bytes, &ignored) == 0 &&
	    renameat(dir, temp, dir, name) < 0)
		path_folder_drop(dir, temp);
}

void
backend_cache_drop(const struct backend_account *acct, const char *name)
{
	CLEANUP(path_close) int dir = backend_cache_open_folder(acct, false);

	if (dir >= 0)
		path_folder_drop(dir, name);
}

/*
 * The small files that the account has here already, and which tell what cannot
 * be read again: the numbering of an archive.
 */
static void
backend_cache_take_along(const struct backend_account *acct, struct str prefix,
    const char *apart)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(path_close)
	int to = open(apart, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int from = backend_cache_open_folder(acct, false);
	CLEANUP(path_dir_close) DIR *dir = from >= 0 ? fdopendir(from) : NULL;
	struct err none = { 0 };
	const struct dirent *d;
	struct str bytes;

	if (dir == NULL)
		path_close(&from);
	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (str_starts(str_of(d->d_name), prefix) &&
		    backend_cache_get(acct, d->d_name, TAKEN, a, &bytes))
			(void)path_folder_new(to, d->d_name, bytes, &none);
}

struct str
backend_cache_apart(struct arena *a, const struct backend *be,
    const struct backend_account *acct)
{
	struct str prefix = backend_cache_prefix(a, be, acct);
	struct err ignored = { 0 };
	struct str path;

	if (prefix.n == 0 || acct->cache_dir.n == 0)
		return S("");
	path = str_fmt(a, "%.*s/%.*s" APART, STR_ARG(acct->cache_dir),
	    STR_ARG(prefix));
	if (mkdir(path.p, 0700) == 0)
		backend_cache_take_along(acct, prefix, path.p);
	return path_mkdir(path.p, &ignored) == 0 ? path : S("");
}

/* A folder of backend_cache_apart(): what is in it are files. */
static void
backend_cache_forget_apart(int dir, const char *name)
{
	int fd = path_dir_open(dir, name);
	CLEANUP(path_dir_close) DIR *in = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *d;

	if (in == NULL) {
		path_close(&fd);
		return;
	}
	while ((d = readdir(in)) != NULL)
		path_folder_drop(fd, d->d_name);
	(void)unlinkat(dir, name, AT_REMOVEDIR);
}

static void
backend_cache_forget_one(int dir, const char *name)
{
	if (str_ends(str_of(name), S(APART)))
		backend_cache_forget_apart(dir, name);
	else
		path_folder_drop(dir, name);
}

void
backend_cache_forget(const struct backend_account *acct, struct str prefix)
{
	int fd = backend_cache_open_folder(acct, false);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *d;

	if (dir == NULL) {
		path_close(&fd);
		return;
	}
	while (prefix.n > 0 && (d = readdir(dir)) != NULL)
		if (str_starts(str_of(d->d_name), prefix))
			backend_cache_forget_one(fd, d->d_name);
	(void)closedir(dir);
}
