/* SPDX-License-Identifier: Apache-2.0 */
/* Sealing: data is returned only to the right key in the right place. */
#include "store/seal.h"
#include "base/limits.h"
#include "fixture.h"

static struct secret *key, *other;

static int
setup(void **state)
{
	static const char x[33] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
	static const char y[33] = "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

	(void)state;
	key = secret_new(x, SEAL_KEY);
	other = secret_new(y, SEAL_KEY);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	secret_close(&key);
	secret_close(&other);
	return 0;
}

static struct str
make(struct arena *a, const char *where, const char *p, size_t n)
{
	struct secret *plain = secret_new(p, n);
	struct str sealed = { 0 };
	struct err e = { 0 };

	assert_int_equal(seal_make(key, str_of(where), plain, a, &sealed, &e),
	    0);
	secret_close(&plain);
	return sealed;
}

static int
try(const struct secret *k, const char *where, struct str sealed,
    struct secret **out)
{
	struct err e = { 0 };
	int r = seal_open(k, str_of(where), sealed, out, &e);

	if (r < 0)
		assert_int_equal(e.kind, ERR_CONFIG);
	return r;
}

static void
round_trip(void **state)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 100, LIMIT_SECRET };
	static char text[LIMIT_SECRET];
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	memset(text, 's', sizeof(text));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct str sealed = make(a, "t/c/1", text, sizes[i]);
		struct secret *plain = secret_new(text, sizes[i]);
		struct secret *got = NULL;

		assert_int_equal(sealed.n, SEAL_NONCE + sizes[i] + SEAL_TAG);
		assert_int_equal(try(key, "t/c/1", sealed, &got), 0);
		assert_true(secret_eq(got, plain));
		secret_close(&got);
		secret_close(&plain);
	}
}

static void
wrong_key(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str sealed = make(a, "t/c/1", "hunter2", 7);
	struct secret *got = NULL;

	(void)state;
	assert_int_equal(try(other, "t/c/1", sealed, &got), -1);
	assert_null(got);
}

static void
wrong_size_key(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str sealed = make(a, "t/c/1", "hunter2", 7);
	struct secret *shorter = secret_new("AAAAAAAAAAAAAAAA", 16);
	struct secret *got = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(try(shorter, "t/c/1", sealed, &got), -1);
	assert_int_equal(seal_make(shorter, S("x"), key, a, &sealed, &e), -1);
	assert_int_equal(e.kind, ERR_INTERNAL);
	secret_close(&shorter);
}

static void
wrong_place(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str sealed = make(a, "t/c/1", "hunter2", 7);
	struct secret *got = NULL;

	(void)state;
	assert_int_equal(try(key, "t/c/2", sealed, &got), -1);
	assert_int_equal(try(key, "t/d/1", sealed, &got), -1);
	assert_int_equal(try(key, "", sealed, &got), -1);
	assert_null(got);
}

static void
tampered(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str sealed = make(a, "t/c/1", "hunter2", 7);
	struct secret *got = NULL;

	(void)state;
	for (size_t i = 0; i < 8 * sealed.n; i++) {
		struct str bad = str_dup(a, sealed);

		((char *)(uintptr_t)bad.p)[i / 8] ^= (char)(1 << (i % 8));
		assert_int_equal(try(key, "t/c/1", bad, &got), -1);
	}
	for (size_t n = 0; n < sealed.n; n++)
		assert_int_equal(try(key, "t/c/1", str_first(sealed, n), &got),
		    -1);
	assert_null(got);
}

static void
too_big(void **state)
{
	static char text[LIMIT_SECRET + SEAL_NONCE + SEAL_TAG + 1];
	struct secret *got = NULL;

	(void)state;
	assert_int_equal(try(key, "x", (struct str){ text, sizeof(text) },
			     &got),
	    -1);
}

static void
fresh_nonce(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str x = make(a, "t/c/1", "hunter2", 7);
	struct str y = make(a, "t/c/1", "hunter2", 7);

	(void)state;
	assert_false(
	    str_eq(str_first(x, SEAL_NONCE), str_first(y, SEAL_NONCE)));
	assert_false(str_eq(str_from(x, SEAL_NONCE), str_from(y, SEAL_NONCE)));
	assert_int_equal(str_find(x, S("hunter2")), -1);
}

/*
 * The format is fixed: nonce, ciphertext, tag, as written by another program.
 */
static void
known_answer(void **state)
{
	static const unsigned char sealed[] = { 0x00, 0x01, 0x02, 0x03, 0x04,
		0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x26, 0xd8, 0x98,
		0x45, 0xb3, 0x84, 0xb8, 0xfd, 0xbe, 0xa2, 0xcb, 0xca, 0xcc,
		0x03, 0xc8, 0xec, 0xaf, 0xd6, 0x39, 0x47, 0x35, 0x3c, 0x59 };
	struct secret *got = NULL;

	(void)state;
	assert_int_equal(try(key, "accounts/enc_password/1",
			     (struct str){ (const char *)sealed,
				 sizeof(sealed) },
			     &got),
	    0);
	assert_secret(got, "hunter2");
	secret_close(&got);
}

static void
random_key(void **state)
{
	struct secret *x = NULL, *y = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(seal_key(&x, &e), 0);
	assert_int_equal(seal_key(&y, &e), 0);
	assert_int_equal(secret_size(x), SEAL_KEY);
	assert_false(secret_eq(x, y));
	secret_close(&x);
	secret_close(&y);
}

#define ROW(what, fn)                                                          \
	{                                                                      \
		(what), (fn), NULL, NULL, NULL                                 \
	}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		ROW("what is sealed opens again", round_trip),
		ROW("a wrong key opens nothing", wrong_key),
		ROW("a key of another size is refused", wrong_size_key),
		ROW("a moved value does not open", wrong_place),
		ROW("a changed or cut value does not open", tampered),
		ROW("a value over the cap is refused", too_big),
		ROW("every sealing has its own nonce", fresh_nonce),
		ROW("what another program sealed opens", known_answer),
		ROW("keys are random", random_key),
	};

	return cmocka_run_group_tests_name("store/seal", tests, setup,
	    teardown);
}
