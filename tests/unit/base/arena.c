/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/arena.h"

static bool
is_zero(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

static void
zeroed(void **state)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 4096, 65535, 65536,
		65537, 200000, 1 << 20 };
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *p = arena_alloc(a, sizes[i]);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		assert_true(is_zero(p, sizes[i]));
		memset(p, 0xAA, sizes[i]);
	}
}

static void
apart(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	char *p[2000];

	(void)state;
	for (size_t i = 0; i < 2000; i++) {
		p[i] = arena_alloc(a, 300);
		memset(p[i], (int)(i % 251), 300);
	}
	for (size_t i = 0; i < 2000; i++)
		for (size_t k = 0; k < 300; k++)
			assert_int_equal((unsigned char)p[i][k], i % 251);
}

static struct grow {
	const char *why;
	size_t from, to;
} grows[] = {
	{ "a small block grows in place or moves", 10, 100 },
	{ "a small block becomes a big one", 1000, 300000 },
	{ "a block at the border becomes a big one", 65536, 65537 },
	{ "a big block grows", 70000, 5000000 },
	{ "a big block grows within its last page", 70000, 70001 },
	{ "a block that shrinks stays", 1000, 10 },
	{ "a big block that shrinks stays", 100000, 70000 },
	{ "a block of nothing grows", 0, 50 },
};

static void
grow(void **state)
{
	const struct grow *g = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	char *p = arena_alloc(a, g->from);

	memset(p, 7, g->from);
	p = arena_grow(a, p, g->from, g->to);
	for (size_t i = 0; i < g->to; i++)
		assert_int_equal(p[i], i < g->from ? 7 : 0);
	memset(p, 9, g->to);
}

static void
grow_after_shrink(void **state)
{
	static const size_t big[] = { 500, 100000 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
		size_t n = big[i];
		char *p = arena_alloc(a, n);

		memset(p, 7, n);
		p = arena_grow(a, p, n, n * 7 / 10);
		p = arena_grow(a, p, n * 7 / 10, n);
		assert_true(is_zero(p + n * 7 / 10, n - n * 7 / 10));
		assert_int_equal(p[0], 7);
	}
}

static void
grow_between(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	char *x = arena_alloc(a, 100000), *y = arena_alloc(a, 100000);
	char *z = arena_alloc(a, 100000);

	(void)state;
	memset(x, 1, 100000);
	memset(y, 2, 100000);
	memset(z, 3, 100000);
	y = arena_grow(a, y, 100000, 4000000);
	x = arena_grow(a, x, 100000, 4000000);
	z = arena_grow(a, z, 100000, 4000000);
	assert_int_equal(x[99999], 1);
	assert_int_equal(y[99999], 2);
	assert_int_equal(z[99999], 3);
}

static void
counts(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	assert_int_equal(arena_used(a), 0);
	(void)arena_alloc(a, 1000);
	assert_true(arena_used(a) >= 1000 && arena_used(a) < 1100);
	(void)arena_alloc(a, 100000);
	assert_true(arena_used(a) >= 101000 && arena_used(a) < 102000);
	/*
	 * Small blocks count with their overhead, or the cap would be useless.
	 */
	for (int i = 0; i < 1000; i++)
		(void)arena_alloc(a, 1);
	assert_true(arena_used(a) >= 101000 + 16000);
}

static void
over_cap(void)
{
	(void)arena_alloc(arena_open(1000), 1001);
}

static void
over_cap_by_growing(void)
{
	struct arena *a = arena_open(100000);

	(void)arena_grow(a, arena_alloc(a, 80000), 80000, 110000);
}

static void
over_cap_bit_by_bit(void)
{
	struct arena *a = arena_open(100000);

	for (int i = 0; i < 101; i++)
		(void)arena_alloc(a, 1000);
}

static void
overflow(void)
{
	(void)arena_array(arena_open(SIZE_MAX), SIZE_MAX / 4, 8);
}

static struct death {
	const char *why;
	void (*fn)(void);
} deaths[] = {
	{ "a block over the cap aborts", over_cap },
	{ "growing over the cap aborts", over_cap_by_growing },
	{ "many small blocks over the cap abort", over_cap_bit_by_bit },
	{ "a product that overflows aborts", overflow },
};

static void
death(void **state)
{
	const struct death *d = *state;

	assert_true(rows_aborts(d->fn));
}

static void
close_twice(void **state)
{
	struct arena *a = arena_open(1);

	(void)state;
	arena_close(&a);
	assert_null(a);
	arena_close(&a);
}

int
main(void)
{
	rows_add("memory is zeroed and aligned", zeroed, NULL);
	rows_add("blocks do not overlap", apart, NULL);
	ROWS(grows, grow);
	rows_add("what a shrink gave up comes back zeroed", grow_after_shrink,
	    NULL);
	rows_add("big blocks among others keep their bytes", grow_between,
	    NULL);
	rows_add("what is used is counted", counts, NULL);
	ROWS(deaths, death);
	rows_add("closing clears the pointer and may be repeated", close_twice,
	    NULL);
	return cmocka_run_group_tests_name("base/arena", rows_tests, NULL,
	    NULL);
}
