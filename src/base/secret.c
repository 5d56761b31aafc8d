/* SPDX-License-Identifier: Apache-2.0 */
#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/internal.h"
#include "base/limits.h"

/* It has pages of its own, so locking and hiding them affects nothing else. */
struct secret {
	size_t map; /* bytes mapped */
	size_t n;
	struct secret_later *later; /* how to get it, or NULL */
	char p[];
};

static bool unlocked; /* the system refused to lock at least once */

/*
 * Every secret in use, so that no check of foreign words can omit one.  It is
 * not in the secrets' own pages: a child finds zeros there.
 */
static struct {
	struct one {
		const struct secret *s;
	} * v;
	size_t n, room;
} all;

static void
secret_all_add(const struct secret *s)
{
	if (all.n == all.room) {
		size_t room = all.room > 0 ? 2 * all.room : 32;
		void *v = realloc(all.v, room * sizeof(*all.v));

		if (v == NULL) {
			(void)fputs("emcli: out of memory\n", stderr);
			abort();
		}
		all.v = v;
		all.room = room;
	}
	all.v[all.n++].s = s;
}

static void
secret_all_drop(const struct secret *s)
{
	for (size_t i = all.n; i-- > 0;)
		if (all.v[i].s == s) {
			all.v[i] = all.v[--all.n];
			return;
		}
}

static struct secret *
secret_map_new(size_t room)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t map = (sizeof(struct secret) + room + page - 1) / page * page;
	struct secret *s = mmap(NULL, map, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED) {
		(void)fputs("emcli: out of memory\n", stderr);
		abort();
	}
	/* RLIMIT_MEMLOCK may forbid it: then swap is a risk. */
	if (mlock(s, map) < 0)
		unlocked = true;
	(void)madvise(s, map, MADV_DONTDUMP);
	/* Zeros are an empty secret, which is what a child finds. */
	(void)madvise(s, map, MADV_WIPEONFORK);
	s->map = map;
	secret_all_add(s);
	return s;
}

struct secret *
secret_new(const void *p, size_t n)
{
	struct secret *s;

	if (n > LIMIT_SECRET)
		err_bug("a secret of %zu bytes", n);
	s = secret_map_new(n);
	if (n > 0)
		memcpy(s->p, p, n);
	s->n = n;
	return s;
}

struct secret *
secret_later_new(struct secret_later *later)
{
	struct secret *s = secret_map_new(LIMIT_SECRET);

	s->later = later;
	return s;
}

struct secret_later *
secret_later_of(const struct secret *s)
{
	return s->later;
}

void
secret_later_put(const struct secret *s, const struct secret *got)
{
	struct secret *to = (void *)(uintptr_t)s;

	memcpy(to->p, got->p, got->n);
	to->n = got->n;
}

void
secret_empty(struct secret *s)
{
	secret_wipe(s->p, s->n);
	s->n = 0;
	free(s->later);
	s->later = NULL;
}

void
secret_close(struct secret **sp)
{
	struct secret *s = *sp;
	size_t map;

	if (s == NULL)
		return;
	*sp = NULL;
	secret_all_drop(s);
	free(s->later);
	map = s->map;
	explicit_bzero(s, map);
	(void)munmap(s, map);
}

size_t
secret_size(const struct secret *s)
{
	return s->n;
}

bool
secret_eq(const struct secret *x, const struct secret *y)
{
	volatile unsigned char diff = 0;

	if (x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++)
		diff = (unsigned char)(diff | (x->p[i] ^ y->p[i]));
	return diff == 0;
}

int
secret_lend(const struct secret *s, int (*fn)(struct str plain, void *ctx),
    void *ctx)
{
	return fn((struct str){ s->p, s->n }, ctx);
}

void
secret_inherit(const struct secret *s, bool may)
{
	(void)madvise((void *)(uintptr_t)s, s->map,
	    may ? MADV_KEEPONFORK : MADV_WIPEONFORK);
}

void
secret_relock(const struct secret *s)
{
	if (mlock(s, s->map) < 0)
		unlocked = true;
}

bool
secret_locked(void)
{
	return !unlocked;
}

bool
secret_within(const struct secret *s, struct str bytes)
{
	return s->n > 0 && bytes.n >= s->n &&
	    memmem(bytes.p, bytes.n, s->p, s->n) != NULL;
}

static bool
secret_is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

static char
lower_of(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static size_t
secret_size_squeezed(const struct secret *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += !secret_is_blank(s->p[i]);
	return n;
}

/*
 * Do the bytes begin with the secret, or with a prefix of it up to their end?
 */
static bool
secret_repeats_here(const struct secret *s, struct str bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n && n < bytes.n; i++) {
		if (secret_is_blank(s->p[i]))
			continue;
		if (lower_of(s->p[i]) != lower_of(bytes.p[n]))
			return false;
		n++;
	}
	return n >= SECRET_SHORT;
}

bool
secret_repeated(struct str bytes)
{
	for (size_t k = 0; k < all.n; k++) {
		if (secret_size_squeezed(all.v[k].s) < SECRET_SHORT)
			continue;
		for (size_t i = 0; i + SECRET_SHORT <= bytes.n; i++)
			if (secret_repeats_here(all.v[k].s, str_from(bytes, i)))
				return true;
	}
	return false;
}

bool
secret_short_in_use(void)
{
	for (size_t k = 0; k < all.n; k++)
		if (all.v[k].s->n > 0 &&
		    secret_size_squeezed(all.v[k].s) < SECRET_SHORT)
			return true;
	return false;
}

struct secret *
secret_squeezed(const struct secret *s)
{
	struct secret *out = secret_map_new(s->n);

	for (size_t i = 0; i < s->n; i++)
		if (!secret_is_blank(s->p[i]))
			out->p[out->n++] = s->p[i];
	return out;
}

struct secret *
secret_base64(const struct secret *s)
{
	struct secret *out = secret_map_new(3 * s->n / 4 + 3);
	ptrdiff_t n = base64_decode(out->p, (struct str){ s->p, s->n });

	if (n <= 0) {
		secret_close(&out);
		return NULL;
	}
	out->n = (size_t)n;
	return out;
}

void
secret_wipe(void *p, size_t n)
{
	if (n > 0)
		explicit_bzero(p, n);
}

int
secret_pipe(const struct secret *s)
{
	int fd[2];
	bool fits;

	if (pipe2(fd, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	/* Whoever reads it drops one line end. */
	fits = write(fd[1], s->p, s->n) == (ssize_t)s->n &&
	    write(fd[1], "\n", 1) == 1;
	(void)close(fd[1]);
	if (fits)
		return fd[0];
	(void)close(fd[0]);
	return -1;
}

static void
secret_drop_line_end(struct secret *s)
{
	if (s->n > 0 && s->p[s->n - 1] == '\n') {
		s->n--;
		if (s->n > 0 && s->p[s->n - 1] == '\r')
			s->n--;
	}
}

struct secret *
secret_first_line(const struct secret *s)
{
	const char *end = memchr(s->p, '\n', s->n);
	size_t n = end != NULL ? (size_t)(end - (const char *)s->p) : s->n;

	if (n > 0 && s->p[n - 1] == '\r')
		n--;
	return n > 0 && n <= LIMIT_SECRET ? secret_new(s->p, n) : NULL;
}

int
secret_fill(int fd, bool over, struct secret **out)
{
	const size_t room =
	    LIMIT_SECRET + 3; /* a line end, and one byte too many */
	CLEANUP(secret_close) struct secret *s = secret_map_new(room);
	ssize_t r;

	while (s->n < room) {
		r = read(fd, s->p + s->n, room - s->n);
		if (r == 0 || (r < 0 && over && errno == EAGAIN))
			break;
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -1;
		s->n += (size_t)r;
	}
	secret_drop_line_end(s);
	*out = s;
	s = NULL;
	return 0;
}

void
secret_free(void *p)
{
	if (p == NULL)
		return;
	secret_wipe(p, malloc_usable_size(p));
	free(p);
}

void *
secret_realloc(void *p, size_t n)
{
	size_t old = p == NULL ? 0 : malloc_usable_size(p);
	void *q = malloc(n);

	if (q == NULL)
		return NULL;
	if (old > 0)
		memcpy(q, p, old < n ? old : n);
	secret_free(p);
	return q;
}
