/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of tests/mail/read/: what `get` shows of each, what it does not
 * show, and all its warnings, as their X-Seen, X-Unseen and X-Warn fields say.
 * Run from the project's root; EMCLI_MAIL names another parent folder.
 */
#include "../rows.h"

#include "../../fake/house.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/path.h"
#include "mime/header.h"

#define MESSAGES_MAX 1000

static char names[MESSAGES_MAX][64];
static struct house house;

static const char *
folder(void)
{
	const char *dir = getenv("EMCLI_MAIL");

	return dir != NULL ? dir : "tests/mail";
}

static struct str
load(struct arena *a, const char *file)
{
	CLEANUP(path_close) int fd = -1;
	struct str path, raw = S("");
	struct err e = { 0 };

	path = str_fmt(a, "%s/read/%s", folder(), file);
	fd = open(path.p, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || path_read(fd, 1 << 20, a, &raw, &e) < 0)
		fail_msg("cannot read %s", path.p);
	return raw;
}

/* Is every field of that name in the reply, or none of them? */
static void
check_texts(const struct mime_header *h, const char *name, struct str reply,
    bool in)
{
	for (size_t i = 0; i < mime_header_count(h, name); i++) {
		struct str s = str_trim(mime_header_get(h, name, i)->value);

		if (s.n > 0 && (str_find(reply, s) >= 0) != in)
			fail_msg("%s: %.*s\n%.*s", name, STR_ARG(s),
			    STR_ARG(reply));
	}
}

/* "from_html, divergent" against "warnings":["from_html","divergent"]. */
static void
check_warnings(struct arena *a, struct str want, struct str reply)
{
	/* A file has its own warnings; those of data come last. */
	ptrdiff_t at = str_find(reply, S("],\"warning_counts\":"));
	struct str got = S(""), one;
	struct buf b;
	bool more = !str_eq(str_trim(want), S("none"));

	if (at >= 0)
		for (size_t i = (size_t)at; i > 0 && got.n == 0; i--)
			if (reply.p[i - 1] == '[')
				got =
				    (struct str){ reply.p + i, (size_t)at - i };
	buf_init(&b, a, 1000);
	while (more) {
		more = str_cut(want, ',', &one, &want);
		buf_fmt(&b, "%s\"%.*s\"", b.n > 0 ? "," : "",
		    STR_ARG(str_trim(one)));
	}
	assert_string_equal(str_c(a, got), str_c(a, buf_view(&b)));
}

static void
message(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const char *file = *state;
	struct mime_header h;
	struct str raw = load(a, file), reply;
	struct reply r;

	fake_reset();
	fake.uidnext = 2;
	fake.mail[fake.n++] = (struct fake_mail){ .uid = 1 };
	fake.raw = raw;
	r = house_call(&house, "get", WORK, "uid", "1", NULL);
	assert_int_equal(r.err.kind, ERR_NONE);
	reply = json_text(r.data, a);

	mime_header_parse(a, raw, &h);
	assert_int_equal(mime_header_count(&h, "X-Why"), 1);
	assert_int_equal(mime_header_count(&h, "X-Warn"), 1);
	assert_true(mime_header_count(&h, "X-Seen") > 0);
	check_texts(&h, "X-Seen", reply, true);
	check_texts(&h, "X-Unseen", reply, false);
	check_warnings(a, mime_header_get(&h, "X-Warn", 0)->value, reply);
}

static size_t
list_messages(void)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	DIR *d = opendir(str_fmt(a, "%s/read", folder()).p);
	const struct dirent *f;
	size_t n = 0;

	if (d == NULL)
		return 0;
	while ((f = readdir(d)) != NULL && n < MESSAGES_MAX)
		if (str_ends(str_of(f->d_name), S(".eml")))
			(void)snprintf(names[n++], sizeof(names[0]), "%.63s",
			    f->d_name);
	(void)closedir(d);
	qsort(names, n, sizeof(names[0]),
	    (int (*)(const void *, const void *))strcmp);
	return n;
}

static int
open_house(void **state)
{
	(void)state;
	house_open(&house, (struct terms){ .backlog = true });
	return 0;
}

static int
close_house(void **state)
{
	(void)state;
	house_close(&house);
	return 0;
}

static void
enough_messages(void **state)
{
	(void)state;
	assert_true(list_messages() >= 90);
}

int
main(void)
{
	static struct CMUnitTest tests[MESSAGES_MAX + 1];
	size_t n = list_messages();

	for (size_t i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){ names[i], message, NULL, NULL,
			names[i] };
	tests[n] = (struct CMUnitTest)cmocka_unit_test(enough_messages);
	return cmocka_run_group_tests_name("op/read", tests, open_house,
	    close_house);
}
