/* The reader: a page comes, its text goes. */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/path.h"
#include "base/proc.h"
#include "reader/internal.h"

bool
reader_child_read(int fd, void *out, size_t n)
{
	char *at = out;

	while (n > 0) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static void
reader_child_limit(int what, rlim_t most)
{
	const struct rlimit limit = { most, most };

	if (setrlimit((__rlimit_resource_t)what, &limit) < 0)
		_exit(1);
}

/* Bytes of addresses that it has already. */
static rlim_t
reader_child_size(void)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str text = { 0 }, pages;
	uint64_t n = 0;

	if (!proc_read("/proc/self/statm", a, &text))
		return 0;
	(void)str_cut(text, ' ', &pages, &text);
	(void)str_to_u64(pages, UINT64_MAX, &n);
	return (rlim_t)n * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Of descriptors it opens no more, not even those that looking takes. */
static void
reader_child_confine(int fd)
{
	rlim_t size = reader_child_size();
	struct sandbox_state s = { 0 };
	struct err e = { 0 };
	uint32_t told;

	if (sandbox_enter(SANDBOX_READER, NULL, 0, &s, &e) < 0)
		_exit(1);
	reader_child_limit(RLIMIT_NOFILE, 0);
	reader_child_limit(RLIMIT_CPU, LIMIT_READER_CPU_S);
	reader_child_limit(RLIMIT_AS, size + 2 * LIMIT_ARENA);
	told = sandbox_pack(&s);
	if (path_write(fd, (struct str){ (const char *)&told, sizeof(told) }) <
	    0)
		_exit(1);
}

static bool
reader_child_answer(int fd, const struct reader_ask *ask)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct reader_said said = { 0 };
	struct buf b;
	char *page;
	uint64_t n;

	if (ask->page > LIMIT_MESSAGE)
		return false;
	page = arena_alloc(a, (size_t)ask->page + 1);
	if (!reader_child_read(fd, page, (size_t)ask->page))
		return false;
	said.text = html_here(a, (struct str){ page, (size_t)ask->page },
	    (size_t)ask->max, &said.found);
	buf_init(&b, a, LIMIT_READER_REPLY);
	reader_put(&b, &said);
	n = b.n;
	return !b.over &&
	    path_write(fd, (struct str){ (const char *)&n, sizeof(n) }) == 0 &&
	    path_write(fd, buf_view(&b)) == 0;
}

_Noreturn void
reader_child(int fd)
{
	struct reader_ask ask;

	reader_child_confine(fd);
	while (reader_child_read(fd, &ask, sizeof(ask)) &&
	    reader_child_answer(fd, &ask))
		;
	_exit(0);
}
