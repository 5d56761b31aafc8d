/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * Memory that is freed all at once.  The door makes one arena per call and ends
 * it; anything that lives longer owns an arena of its own.  Memory is zeroed.
 * An arena has a cap, and reaching it aborts with one line: parsers refuse with
 * ERR_LIMIT long before (base/limits.h).  Never put a secret into an arena.
 */
#include <stddef.h>

struct arena;

/* A new arena that may hold at most `max` bytes.  Never NULL. */
struct arena *arena_open(size_t max);
/* Frees all of it and sets *a to NULL.  NULL-safe. */
void arena_close(struct arena **a);

/* n zeroed bytes, aligned for any type; n may be 0.  Never NULL. */
void *arena_alloc(struct arena *a, size_t n);
/* n times size zeroed bytes; aborts when the product overflows. */
void *arena_array(struct arena *a, size_t n, size_t size);
/*
 * Grows a block of `old` bytes to `n` bytes and moves it if necessary.  The
 * system moves blocks over 64 KiB without copying.  New bytes are zeroed.
 */
void *arena_grow(struct arena *a, void *p, size_t old, size_t n);
/*
 * Room for one more than the n items of an array that begins as NULL and grows
 * by this alone.  It doubles at each power of two, so its room needs no field.
 */
void *arena_more(struct arena *a, void *items, size_t n, size_t size);
/*
 * Zeroes a block that is used again.  This is memset(3) itself: compilers
 * replace it by code that is slower for a few hundred bytes.
 */
void arena_clear(void *p, size_t n);
/* How many bytes are in use: for limits and for tests. */
size_t arena_used(const struct arena *a);

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))

/* Usage: CLEANUP(arena_close) struct arena *a = arena_open(...); */
#define CLEANUP(fn) __attribute__((cleanup(fn)))

#endif
