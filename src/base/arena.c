/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#define REDZONE 16
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#define REDZONE 0
#endif

#define ALIGN 16
#define CHUNK_MIN ((size_t)64 << 10)
#define CHUNK_MAX ((size_t)1 << 20)
#define BIG ((size_t)64 << 10) /* blocks above it have a mapping each */

/* Small blocks are cut from chunks, one after the other. */
struct chunk {
	struct chunk *next;
	size_t size, used; /* of the bytes after this header */
};

/*
 * A big block is a separate mapping: mremap(2) moves it, and it is zero without
 * being touched.
 */
struct big {
	struct big *prev, *next;
	size_t size; /* of the mapping, this header included */
};

struct arena {
	struct chunk *chunk; /* the newest; the only one with room */
	struct big *big;
	size_t max, used;
	char *last; /* the newest small block: it may grow in place */
};

#define HEAD(type) ((sizeof(struct type) + ALIGN - 1) & ~(size_t)(ALIGN - 1))

static _Noreturn void
arena_die(const char *why)
{
	(void)fprintf(stderr, "emcli: %s\n", why);
	abort();
}

static size_t
round_up(size_t n, size_t to)
{
	return (n + to - 1) & ~(to - 1);
}

/*
 * Counts n more bytes against the cap; adding to n afterwards cannot overflow.
 */
static void
arena_charge(struct arena *a, size_t n)
{
	if (n > a->max - a->used)
		arena_die("the memory limit of one call is reached");
	a->used += n;
}

struct arena *
arena_open(size_t max)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (a == NULL)
		arena_die("out of memory");
	a->max = max < SIZE_MAX / 4 ? max : SIZE_MAX / 4;
	return a;
}

void
arena_close(struct arena **ap)
{
	struct arena *a = *ap;

	if (a == NULL)
		return;
	*ap = NULL;
	while (a->chunk != NULL) {
		struct chunk *c = a->chunk;

		a->chunk = c->next;
		UNPOISON(c, HEAD(chunk) + c->size);
		free(c);
	}
	while (a->big != NULL) {
		struct big *b = a->big;

		a->big = b->next;
		UNPOISON(b, b->size);
		(void)munmap(b, b->size);
	}
	free(a);
}

static void
arena_add_chunk(struct arena *a, size_t need)
{
	size_t size = CHUNK_MIN;
	struct chunk *c;

	if (a->chunk != NULL && a->chunk->size < CHUNK_MAX)
		size = a->chunk->size * 2;
	else if (a->chunk != NULL)
		size = a->chunk->size;
	if (size < need)
		size = need;
	/*
	 * Cleared when it is allocated from: often only a small part of a chunk
	 * is used.
	 */
	c = malloc(HEAD(chunk) + size);
	if (c == NULL)
		arena_die("out of memory");
	c->size = size;
	c->used = 0;
	c->next = a->chunk;
	a->chunk = c;
	POISON((char *)c + HEAD(chunk), size);
}

static void *
arena_alloc_big(struct arena *a, size_t n)
{
	size_t size = round_up(HEAD(big) + n + REDZONE, 4096);
	struct big *b = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (b == MAP_FAILED)
		arena_die("out of memory");
	b->size = size;
	b->prev = NULL;
	b->next = a->big;
	if (b->next != NULL)
		b->next->prev = b;
	a->big = b;
	POISON((char *)b + HEAD(big) + n, size - HEAD(big) - n);
	return (char *)b + HEAD(big);
}

void *
arena_alloc(struct arena *a, size_t n)
{
	size_t step;
	char *p;

	if (n > BIG) {
		arena_charge(a, n);
		return arena_alloc_big(a, n);
	}
	/* Counts what it takes, not the requested size: a byte takes 16. */
	step = round_up(n > 0 ? n : 1, ALIGN);
	arena_charge(a, step);
	step += REDZONE;
	if (a->chunk == NULL || a->chunk->size - a->chunk->used < step)
		arena_add_chunk(a, step);
	p = (char *)a->chunk + HEAD(chunk) + a->chunk->used;
	a->chunk->used += step;
	a->last = p;
	UNPOISON(p, n);
	return memset(p, 0, n);
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		arena_die("the memory limit of one call is reached");
	return arena_alloc(a, bytes);
}

/* Moves a mapping; its new pages are zero and untouched. */
static void *
arena_grow_big(struct arena *a, char *p, size_t old, size_t n)
{
	struct big *b = (struct big *)(void *)(p - HEAD(big));
	size_t was = b->size, size = round_up(HEAD(big) + n + REDZONE, 4096);

	arena_charge(a, n - old);
	UNPOISON(b, was);
	/* The tail of the old mapping may have been written before a shrink. */
	memset(p + old, 0, was - HEAD(big) - old);
	if (size > was) {
		b = mremap(b, was, size, MREMAP_MAYMOVE);
		if (b == MAP_FAILED)
			arena_die("out of memory");
		b->size = size;
		if (b->prev != NULL)
			b->prev->next = b;
		else
			a->big = b;
		if (b->next != NULL)
			b->next->prev = b;
	}
	POISON((char *)b + HEAD(big) + n, b->size - HEAD(big) - n);
	return (char *)b + HEAD(big);
}

/* Extends the newest block of the chunk in place, if possible. */
static bool
arena_grow_last(struct arena *a, char *p, size_t old, size_t n)
{
	struct chunk *c = a->chunk;
	size_t begin, end;

	/* Under ASan every growth moves, so that stale pointers are found. */
	if (REDZONE > 0 || p != a->last || n > BIG)
		return false;
	begin = (size_t)(p - (char *)c) - HEAD(chunk);
	end = begin + round_up(n, ALIGN);
	if (end > c->size)
		return false;
	arena_charge(a, round_up(n, ALIGN) - round_up(old, ALIGN));
	if (end > c->used)
		c->used = end;
	memset(p + old, 0, n - old);
	return true;
}

void *
arena_grow(struct arena *a, void *p, size_t old, size_t n)
{
	void *to;

	if (p != NULL && n <= old)
		return p;
	if (p != NULL && old > BIG)
		return arena_grow_big(a, p, old, n);
	if (p != NULL && arena_grow_last(a, p, old, n))
		return p;
	to = arena_alloc(a, n);
	if (p != NULL && old > 0) {
		memcpy(to, p, old);
		POISON(p, old);
	}
	return to;
}

void *
arena_more(struct arena *a, void *items, size_t n, size_t size)
{
	if (n == 0)
		return arena_array(a, 4, size);
	if (n < 4 || (n & (n - 1)) != 0)
		return items;
	return arena_grow(a, items, n * size, 2 * n * size);
}

void
arena_clear(void *p, size_t n)
{
	memset(p, 0, n);
}

size_t
arena_used(const struct arena *a)
{
	return a->used;
}
