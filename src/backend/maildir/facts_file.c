/*
 * Facts as a file beside the store: head, facts, texts, as they lie in memory.
 * It is ours, and yet read as if a stranger had written it.  What cannot be
 * written is no error: it is made again.
 */
#include <fcntl.h>

#include "backend/maildir/internal.h"
#include "base/path.h"
#include "net/sha256.h"

struct head {
	char magic[8];
	uint32_t version, fact_n;
	uint64_t bytes, n, text_n, sum; /* of all that is behind it */
};

#define MAGIC "emclmdir"
#define VERSION 1

static int
open_cache(const struct maildir *m)
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
name_file(const struct maildir *m, char out[64])
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
	(void)snprintf(out, 64, "maildir-%032d.facts", 0);
	for (n = 8; n < 40; n++)
		out[n] = hex[sum[(n - 8) / 2] >> (n % 2 == 0 ? 4 : 0) & 15];
}

static bool
is_good(const char *p, size_t n)
{
	struct head h;

	memcpy(&h, p, sizeof(h));
	return memcmp(h.magic, MAGIC, 8) == 0 && h.version == VERSION &&
	    h.fact_n == sizeof(struct maildir_fact) && h.bytes == n &&
	    h.n <= LIMIT_MAILDIR_FILES && h.text_n <= n &&
	    sizeof(h) + h.n * sizeof(struct maildir_fact) + h.text_n == n &&
	    h.sum == backend_sum(h.n, p + sizeof(h), n - sizeof(h));
}

void
maildir_facts_file_load(struct maildir *m)
{
	CLEANUP(maildir_fd_close) int dir = open_cache(m);
	CLEANUP(maildir_fd_close) int fd = -1;
	const struct head *h;
	char name[64], *p;
	struct stat st;
	size_t n;

	name_file(m, name);
	if (dir >= 0)
		fd = openat(dir, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size < (off_t)sizeof(*h))
		return;
	n = (size_t)st.st_size;
	p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return;
	m->facts.map = p;
	m->facts.map_n = n;
	if (!is_good(p, n)) {
		maildir_facts_drop(m);
		return;
	}
	h = m->facts.map;
	p += sizeof(*h);
	m->facts.v = (const void *)p;
	m->facts.n = h->n;
	m->facts.text =
	    (struct str){ p + h->n * sizeof(*m->facts.v), h->text_n };
}

void
maildir_facts_file_save(const struct maildir *m)
{
	CLEANUP(maildir_fd_close) int dir = open_cache(m);
	CLEANUP(arena_close) struct arena *a = NULL;
	const struct maildir_facts *x = &m->facts;
	size_t facts = x->n * sizeof(*x->v);
	struct head h = { .version = VERSION, .fact_n = sizeof(*x->v) };
	char name[64], temp[96], *p;
	struct err e = { 0 };

	if (dir < 0)
		return;
	h.n = x->n;
	h.text_n = x->text.n;
	h.bytes = sizeof(h) + facts + x->text.n;
	memcpy(h.magic, MAGIC, 8);
	a = arena_open(LIMIT_ARENA);
	p = arena_alloc(a, h.bytes);
	memcpy(p + sizeof(h), x->v, facts);
	if (x->text.n > 0)
		memcpy(p + sizeof(h) + facts, x->text.p, x->text.n);
	h.sum = backend_sum(h.n, p + sizeof(h), h.bytes - sizeof(h));
	memcpy(p, &h, sizeof(h));
	name_file(m, name);
	(void)snprintf(temp, sizeof(temp), "%s.%d", name, (int)getpid());
	(void)unlinkat(dir, temp, 0);
	/* One file or the other, nothing between. */
	if (path_folder_new(dir, temp, (struct str){ p, h.bytes }, &e) == 0 &&
	    renameat(dir, temp, dir, name) < 0)
		(void)unlinkat(dir, temp, 0);
}
