/* SPDX-License-Identifier: Apache-2.0 */
/* Files with a password: hostile ones, modes, names, requests. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/credential.h"

#define REF "stalwart-a-at-b-test-0011223344556677"

static struct arena *a;
static struct place place;
static char root[] = "/tmp/emcli-credential-XXXXXX";

static int
set_up(void **state)
{
	struct err e = { 0 };

	(void)state;
	a = arena_open(16 << 20);
	return mkdtemp(root) == NULL ||
	    place_open(&place, str_of(root), true, a, &e) < 0;
}

static int
tear_down(void **state)
{
	(void)state;
	place_close(&place);
	arena_close(&a);
	return 0;
}

static int
folder_of(void)
{
	struct err e = { 0 };
	int folder = -1;

	assert_int_equal(credential_open(&place, true, &folder, &e), 0);
	return folder;
}

static void
write_raw(int folder, const char *text, mode_t mode)
{
	int fd;

	(void)unlinkat(folder, REF ".json", 0);
	fd = openat(folder, REF ".json", O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	(void)close(fd);
}

static const struct {
	const char *why, *text;
	mode_t mode;
	const char *login; /* NULL: it is refused */
	bool pending;
} files[] = {
	{ "Houmao's",
	    "{\"credential_ref\":\"" REF "\",\"login_identity\":\"a@b.test\","
	    "\"password\":\"pw\"}",
	    0600, "a@b.test", false },
	{ "the password alone counts", "{\"password\":\"pw\",\"x\":[1]}", 0600,
	    "", false },
	{ "ours", "{\"password\":\"pw\",\"state\":\"pending\"}", 0600, "",
	    true },
	{ "another state", "{\"password\":\"pw\",\"state\":7}", 0600, "",
	    false },
	{ "for others to read", "{\"password\":\"pw\"}", 0640, NULL, false },
	{ "for others to write", "{\"password\":\"pw\"}", 0602, NULL, false },
	{ "blank", "{\"password\":\" \"}", 0600, NULL, false },
	{ "empty", "{\"password\":\"\"}", 0600, NULL, false },
	{ "null", "{\"password\":null}", 0600, NULL, false },
	{ "two lines", "{\"password\":\"p\\nw\"}", 0600, NULL, false },
	{ "a NUL", "{\"password\":\"p\\u0000w\"}", 0600, NULL, false },
	{ "twice", "{\"password\":\"pw\",\"password\":\"px\"}", 0600, NULL,
	    false },
	{ "cut off", "{\"password\":\"pw", 0600, NULL, false },
	{ "no object", "[\"pw\"]", 0600, NULL, false },
	{ "nothing", "", 0600, NULL, false },
};

static void
a_file_is_read_or_refused(void **state)
{
	int folder = folder_of();

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct secret *want = secret_new("pw", 2);
		struct credential c;
		struct err e = { 0 };
		int r;

		write_raw(folder, files[i].text, files[i].mode);
		r = credential_read(folder, S(REF), a, &c, &e);
		if ((r == 0) != (files[i].login != NULL))
			fail_msg("%s: %d %s", files[i].why, r, e.say);
		if (r == 0) {
			assert_true(secret_eq(c.password, want));
			assert_true(str_eq(c.login, str_of(files[i].login)));
			assert_int_equal(c.pending, files[i].pending);
		} else {
			assert_int_equal(e.kind, ERR_CONFIG);
			assert_null(strstr(e.say, "pw"));
			assert_null(c.password);
		}
		credential_done(&c);
		secret_close(&want);
	}
	(void)close(folder);
}

static void
no_name_leads_elsewhere(void **state)
{
	static const char *const names[] = { "", "x", "../x", "stalwart-../x",
		"stalwart-a/b", "stalwart-a.json", "stalwart-a.next.next",
		"stalwart-\n" };
	int folder = folder_of();

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct credential c;
		struct err e = { 0 };

		assert_int_equal(credential_read(folder, str_of(names[i]), a,
				     &c, &e),
		    -1);
		assert_int_equal(credential_remove(folder, str_of(names[i]), a,
				     &e),
		    -1);
	}
	(void)close(folder);
}

/* Whatever the umask, and over what a killed command left. */
static void
what_is_written_is_closed_and_read_again(void **state)
{
	struct secret *password = secret_new("p\"w\\\xc3\xbc", 6);
	struct credential c = { .ref = S(REF),
		.login = S("a@b.test"),
		.address = S("a@b.test"),
		.jmap_url = S("https://m.test/jmap"),
		.management_url = S("https://m.test/api"),
		.pending = true };
	struct credential got;
	mode_t old = umask(0);
	struct err e = { 0 };
	struct strs names;
	struct stat st;
	int folder = folder_of(), left;

	(void)state;
	left = openat(folder, ".new", O_WRONLY | O_CREAT, 0666);
	(void)close(left);
	assert_int_equal(credential_write(folder, S(REF), &c, password, a, &e),
	    0);
	(void)umask(old);
	assert_int_equal(fstatat(folder, REF ".json", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fstat(folder, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(fstatat(folder, ".new", &st, 0), -1);
	assert_int_equal(credential_read(folder, S(REF), a, &got, &e), 0);
	assert_true(secret_eq(got.password, password));
	assert_true(got.pending && str_eq(got.jmap_url, c.jmap_url));
	credential_done(&got);
	assert_int_equal(credential_write(folder, credential_next(a, S(REF)),
			     &c, password, a, &e),
	    0);
	assert_int_equal(credential_names(folder, a, &names, &e), 0);
	assert_int_equal(names.n, 2);
	assert_int_equal(credential_remove(folder, S(REF), a, &e), 0);
	assert_int_equal(credential_read(folder, S(REF), a, &got, &e), 1);
	secret_close(&password);
	(void)close(folder);
}

static int
is_drawn(struct str plain, void *ctx)
{
	(void)ctx;
	for (size_t i = 0; i < plain.n; i++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxy"
			   "z"
			   "0123456789-_",
			plain.p[i]) == NULL)
			return -1;
	return plain.n == 32 ? 0 : -1;
}

static int
is_text(struct str plain, void *ctx)
{
	return str_eq(plain, str_of(ctx)) ? 0 : -1;
}

static void
passwords_are_drawn_and_put_in_their_place(void **state)
{
	char want[] = "{\"s\":[\"q\\\"\\\\\"],\"x\":1}";
	char both[] = "k:q\"\\";
	struct secret *one = credential_password_make();
	struct secret *two = credential_password_make();
	struct secret *odd = secret_new("q\"\\", 3), *out = NULL;
	struct secret *key = secret_new("k", 1);
	struct secret *lines = secret_new("a\nb", 3);
	struct err e = { 0 };

	(void)state;
	assert_int_equal(secret_lend(one, is_drawn, NULL), 0);
	assert_false(secret_eq(one, two));
	assert_int_equal(credential_password_fill(
			     S("{\"s\":[\"" CREDENTIAL_PLACE "\"],\"x\":1}"),
			     odd, &out, &e),
	    0);
	assert_int_equal(secret_lend(out, is_text, want), 0);
	secret_close(&out);
	assert_int_equal(credential_password_fill(S("[\"" CREDENTIAL_PLACE
						    "\"]"),
			     lines, &out, &e),
	    -1);
	assert_int_equal(credential_password_join(key, odd, &out, &e), 0);
	assert_int_equal(secret_lend(out, is_text, both), 0);
	secret_close(&one);
	secret_close(&two);
	secret_close(&odd);
	secret_close(&out);
	secret_close(&key);
	secret_close(&lines);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_or_refused),
		cmocka_unit_test(no_name_leads_elsewhere),
		cmocka_unit_test(what_is_written_is_closed_and_read_again),
		cmocka_unit_test(passwords_are_drawn_and_put_in_their_place),
	};

	return cmocka_run_group_tests_name("runtime/credential", tests, set_up,
	    tear_down);
}
