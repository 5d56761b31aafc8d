/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches an archive by its index, and by headers where the index is too
 * short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/internal.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"

#include "../../named.h"

#define FROM_(day) "From a@x.example Mon Jun " #day " 10:00:00 2026\n"

struct archive {
	struct arena *a;
	struct backend_account acct;
	struct conn *c;
	struct err e;
	char path[64];
};

static int
setup(void **state)
{
	struct archive *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	(void)snprintf(t->path, sizeof(t->path), "/tmp/emcli-mbox-XXXXXX");
	(void)close(mkstemp(t->path));
	t->a = arena_open(LIMIT_ARENA);
	t->acct.path = str_of(t->path);
	t->acct.deadline_ms = clock_mono_ms() + 60000;
	*state = t;
	return 0;
}

static int
teardown(void **state)
{
	struct archive *t = *state;

	mbox_backend.close(t->c);
	(void)unlink(t->path);
	arena_close(&t->a);
	free(t);
	return 0;
}

/* The archive, unchanged for a long time. */
static void
fill(struct archive *t, struct str text)
{
	struct timespec old[2] = { { .tv_sec = 1e9 }, { .tv_sec = 1e9 } };
	int fd = open(t->path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, text.p, text.n), text.n);
	assert_int_equal(futimens(fd, old), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(mbox_backend.open(&t->acct, t->a, &t->c, &t->e), 0);
}

/* The uids found as one text: "3 1". */
static void
expect(struct archive *t, struct query q, const char *want)
{
	struct folder_state st;
	struct rows rows = { 0 };
	struct buf b;

	q.folder = S("INBOX");
	assert_int_equal(mbox_backend.find(t->c, t->a, &q, 10, &st, &rows,
			     &t->e),
	    0);
	buf_init(&b, t->a, 1000);
	for (size_t i = 0; i < rows.n; i++) {
		buf_fmt(&b, "%s%u", i > 0 ? " " : "", rows.v[i].ref.uid);
		assert_false(rows.v[i].draft);
	}
	assert_string_equal(str_c(t->a, buf_view(&b)), want);
}

/* The uids of messages that name an id, in the same form. */
static void
expect_named(struct archive *t, const char *id, const char *want)
{
	struct refs refs;
	struct buf b;

	assert_int_equal(named_find(t->c, t->a, S("INBOX"), str_of(id), &refs,
			     &t->e),
	    0);
	buf_init(&b, t->a, 1000);
	for (size_t i = 0; i < refs.n; i++)
		buf_fmt(&b, "%s%u", i > 0 ? " " : "", refs.v[i].uid);
	assert_string_equal(str_c(t->a, buf_view(&b)), want);
}

static void
what_came_later_is_told_by_date_or_else_by_the_separator(void **state)
{
	struct archive *t = *state;

	fill(t,
	    S(FROM_(22) "Subject: a\nDate: Sat, 20 Jun 2026 12:00:00 +0200\n\n"
			"x\n\n" FROM_(
			    23) "Subject: b\nDate: nonsense\n\nx\n\n"
				"From - \nSubject: c\n\nno date at all\n"));
	expect(t, (struct query){ .received_s = 1781949599 }, "3 2 1");
	expect(t, (struct query){ .received_s = 1781949600 }, "3 2");
	expect(t, (struct query){ .received_s = 1782208799 }, "3 2");
	expect(t, (struct query){ .received_s = 1782208800 }, "3");
}

static void
ids_are_found_in_the_field_asked_about(void **state)
{
	struct archive *t = *state;

	fill(t,
	    S(FROM_(20) "Message-ID: <a@x>\n\n<c@x>\n\n" FROM_(
		21) "Message-ID: <b@x>\nReferences: <0@x>\n "
		    "<a@x>\n\nx\n\n" FROM_(22) "Message-ID: "
					       "<c@x>\nIn-Reply-To: "
					       "<a@x>\n\nx\n"));
	expect(t, (struct query){ .message_id = S("<a@x>") }, "1");
	expect(t, (struct query){ .message_id = S("<c@x>") }, "3");
	expect(t, (struct query){ .message_id = S("<0@x>") }, "");
	expect_named(t, "<a@x>", "3 2 1");
	expect_named(t, "<0@x>", "2");
	expect_named(t, "<d@x>", "");
	expect_named(t, "<c@x>", "3");
}

/* More ids than the index has: the oldest are still in the header. */
static void
a_long_line_of_ancestors_is_looked_at_whole(void **state)
{
	struct archive *t = *state;
	struct buf b;

	buf_init(&b, t->a, 1 << 20);
	buf_text(&b, FROM_(20) "Message-ID: <m@x>\nReferences: <first@x>\n");
	for (int i = 0; i < 180; i++)
		buf_fmt(&b, " <%060d@x.example>\n", i);
	buf_text(&b, " <last@x>\n\nx\n\n" FROM_(21) "Message-ID: <n@x>\n\nx\n");
	fill(t, buf_view(&b));
	expect_named(t, "<last@x>", "1");
	expect_named(t, "<first@x>", "1");
	expect_named(t, "<none@x>", "");
	expect(t, (struct query){ .message_id = S("<first@x>") }, "");
	expect(t, (struct query){ .message_id = S("<m@x>") }, "1");
}

static void
a_list_is_known_by_its_id_or_else_its_address(void **state)
{
	struct archive *t = *state;

	fill(t,
	    S(FROM_(20) "List-Id: Dev <dev.X.example>\n\nx\n\n" FROM_(
		21) "Cc: dev@x.example\n\nx\n\n" FROM_(22) "To: "
							   "me@x."
							   "example\n\ndev@"
							   "x."
							   "example\n"
							   "\n" FROM_(
							       23) "To: "
								   "dev@x."
								   "example\nLi"
								   "st-Id: "
								   "<b.example>"
								   "\n\nx\n"));
	expect(t, (struct query){ .list = S("dev@x.example") }, "2 1");
	expect(t, (struct query){ .list = S("b@example") }, "4");
	expect(t, (struct query){ .list = S("dev.x@example") }, "1");
	expect(t, (struct query){ .list = S("dev@x") }, "2");
}

#define MBOX_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		MBOX_TEST(
		    what_came_later_is_told_by_date_or_else_by_the_separator),
		MBOX_TEST(ids_are_found_in_the_field_asked_about),
		MBOX_TEST(a_long_line_of_ancestors_is_looked_at_whole),
		MBOX_TEST(a_list_is_known_by_its_id_or_else_its_address),
	};

	return cmocka_run_group_tests_name("backend/mbox/find", tests, NULL,
	    NULL);
}
