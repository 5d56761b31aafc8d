/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/secret.h"

static int
is_text(struct str plain, void *ctx)
{
	return str_eq(plain, str_of(ctx)) ? 1 : 0;
}

static struct row {
	const char *why;
	struct str in;
	int ret;
	enum err_kind kind;
	const char *want;
} rows[] = {
	{ "a line", SI("s3cret\n"), 0, ERR_NONE, "s3cret" },
	{ "no line end", SI("s3cret"), 0, ERR_NONE, "s3cret" },
	{ "CR LF", SI("s3cret\r\n"), 0, ERR_NONE, "s3cret" },
	{ "one line end only is dropped", SI("s3cret\n\n"), 0, ERR_NONE,
	    "s3cret\n" },
	{ "a CR alone is part of it", SI("s3cret\r"), 0, ERR_NONE, "s3cret\r" },
	{ "spaces are part of it", SI(" s \n"), 0, ERR_NONE, " s " },
	{ "nothing is no secret", SI(""), -1, ERR_CONFIG, NULL },
	{ "an empty line is no secret", SI("\n"), -1, ERR_CONFIG, NULL },
};

static int
read_text(struct str in, struct secret **s, struct err *e)
{
	int fd[2], r;

	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], in.p, in.n), (ssize_t)in.n);
	(void)close(fd[1]);
	r = secret_read(fd[0], s, e);
	(void)close(fd[0]);
	return r;
}

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(secret_close) struct secret *s = NULL;
	struct err e = { 0 };

	assert_int_equal(read_text(r->in, &s, &e), r->ret);
	assert_int_equal(e.kind, r->kind);
	if (r->ret == 0)
		assert_int_equal(secret_lend(s, is_text,
				     (void *)(uintptr_t)r->want),
		    1);
	else
		assert_null(s);
}

static void
longest(void **state)
{
	char *p = calloc(1, LIMIT_SECRET + 10);
	struct err e = { 0 };

	(void)state;
	assert_non_null(p);
	memset(p, 'x', LIMIT_SECRET + 1);
	p[LIMIT_SECRET] = '\n';
	for (size_t n = LIMIT_SECRET; n <= LIMIT_SECRET + 1; n++) {
		CLEANUP(secret_close) struct secret *s = NULL;

		assert_int_equal(read_text((struct str){ p, n }, &s, &e), 0);
		assert_int_equal(secret_size(s), LIMIT_SECRET);
	}
	p[LIMIT_SECRET] = 'x';
	for (size_t n = LIMIT_SECRET + 1; n < LIMIT_SECRET + 9; n++) {
		CLEANUP(secret_close) struct secret *s = NULL;

		assert_int_equal(read_text((struct str){ p, n }, &s, &e), -1);
		assert_int_equal(e.kind, ERR_LIMIT);
		assert_null(s);
	}
	free(p);
}

static void
unreadable(void **state)
{
	struct secret *s = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(secret_read(-1, &s, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_null(s);
}

static void
compares(void **state)
{
	struct secret *a = secret_new("abc", 3), *b = secret_new("abc", 3);
	struct secret *c = secret_new("abd", 3), *d = secret_new("ab", 2);
	struct secret *none = secret_new(NULL, 0);

	(void)state;
	assert_true(secret_eq(a, b));
	assert_false(secret_eq(a, c));
	assert_false(secret_eq(a, d));
	assert_true(secret_eq(none, none));
	assert_int_equal(secret_size(none), 0);
	secret_close(&a);
	assert_null(a);
	secret_close(&a);
	secret_close(&b);
	secret_close(&c);
	secret_close(&d);
	secret_close(&none);
}

static int
page_flags(struct str plain, void *ctx)
{
	char line[512], *flags = ctx;
	unsigned long from, to;
	bool here = false;
	FILE *f = fopen("/proc/self/smaps", "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			here = (uintptr_t)plain.p >= from &&
			    (uintptr_t)plain.p < to;
		else if (here && strncmp(line, "VmFlags:", 8) == 0)
			memcpy(flags, line, sizeof(line));
	}
	(void)fclose(f);
	return 0;
}

static void
hidden(void **state)
{
	char flags[512] = "";
	struct secret *s = secret_new("x", 1);

	(void)state;
	(void)secret_lend(s, page_flags, flags);
	secret_close(&s);
	assert_non_null(strstr(flags, " dd"));
}

static void
wipes(void **state)
{
	char p[] = "s3cret";

	(void)state;
	secret_wipe(p, sizeof(p));
	for (size_t i = 0; i < sizeof(p); i++)
		assert_int_equal(p[i], 0);
	secret_wipe(NULL, 0);
}

static void
too_long(void)
{
	static const char p[LIMIT_SECRET + 1];

	(void)secret_new(p, sizeof(p));
}

static void
refuses(void **state)
{
	(void)state;
	assert_true(rows_aborts(too_long));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("the longest is read, one byte more is refused", longest,
	    NULL);
	rows_add("what cannot be read is the operator's to mend", unreadable,
	    NULL);
	rows_add("equal means every byte and the length", compares, NULL);
	rows_add("its pages are left out of core dumps", hidden, NULL);
	rows_add("wiping leaves zeros", wipes, NULL);
	rows_add("making one that is too long is a bug", refuses, NULL);
	return cmocka_run_group_tests_name("base/secret", rows_tests, NULL,
	    NULL);
}
