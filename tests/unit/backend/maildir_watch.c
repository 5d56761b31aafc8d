/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a wait for a change in a Maildir, and what does not. */
#include "maildir_site.h"

#include "backend/watch.h"

#define TEXT "From: a@b.example\r\n\r\nx\r\n"

struct look {
	struct site *s;
	const char *folder;
	void (*change)(struct site *s);
	bool over;
	unsigned ready;
};

static int
be_ready(void *ctx)
{
	struct look *l = ctx;

	l->ready++;
	if (l->change != NULL)
		l->change(l->s);
	return l->over;
}

/* "changed", "", or the code of an error. */
static const char *
wait_for(struct look *l, int ms)
{
	const struct backend_watch w = {
		.folder = str_of(l->folder),
		.until_ms = clock_mono_ms() + ms,
		.ready = be_ready,
		.ctx = l,
	};
	bool changed = true;

	l->s->e = (struct err){ 0 };
	if (maildir_backend.watch(l->s->c, l->s->a, &w, &changed, &l->s->e) < 0)
		return err_code(l->s->e.kind);
	return changed ? "changed" : "";
}

static void
deliver(struct site *s)
{
	site_mail(s, "tmp/1.a", TEXT);
	site_rename(s, AGENT "/tmp/1.a", AGENT "/new/1.a");
}

static void
file_in_cur(struct site *s)
{
	site_mail(s, "cur/2.a:2,", TEXT);
}

static void
file_another_in_cur(struct site *s)
{
	site_mail(s, "cur/6.a:2,", TEXT);
}

static void
mark(struct site *s)
{
	site_rename(s, AGENT "/cur/2.a:2,", AGENT "/cur/2.a:2,S");
}

static void
file_in_tmp(struct site *s)
{
	site_mail(s, "tmp/3.a", TEXT);
}

static void
deliver_to_another(struct site *s)
{
	site_file(s, BOB "/new/4.a", TEXT, strlen(TEXT));
}

static void
deliver_elsewhere(struct site *s)
{
	static int n;
	char rel[64];

	(void)snprintf(rel, sizeof(rel), AGENT "/.Kept/new/5.%d", n++);
	site_file(s, rel, TEXT, strlen(TEXT));
}

static void
read_new(struct site *s)
{
	site_rename(s, AGENT "/new/1.a", AGENT "/cur/1.a:2,S");
}

static const struct {
	const char *folder;
	void (*change)(struct site *s);
	bool ends;
} changes[] = {
	{ "INBOX", deliver, true },
	{ "inbox", file_in_cur, true },
	{ "INBOX", mark, true },
	{ "INBOX", read_new, true },
	{ "INBOX", file_in_tmp, false },
	{ "INBOX", deliver_to_another, false },
	{ "INBOX", deliver_elsewhere, false },
	{ "Kept", deliver_elsewhere, true },
	{ "Kept", file_another_in_cur, false },
};

/* A change that ends none costs 20 ms here. */
static void
a_change_in_the_folder_ends_a_wait(void **state)
{
	struct site *s = *state;

	site_box(s, AGENT "/.Kept");
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct look l = { .s = s,
			.folder = changes[i].folder,
			.change = changes[i].change };

		assert_string_equal(wait_for(&l, changes[i].ends ? 60000 : 20),
		    changes[i].ends ? "changed" : "");
		assert_int_equal(l.ready, 1);
	}
}

static void
a_wait_ends_in_time(void **state)
{
	struct look l = { .s = *state, .folder = "INBOX" };

	assert_string_equal(wait_for(&l, 1), "");
	assert_int_equal(l.ready, 1);
}

/* Whoever has found something when it may look waits no longer. */
static void
a_caller_may_end_it(void **state)
{
	struct look l = { .s = *state,
		.folder = "INBOX",
		.change = deliver,
		.over = true };

	assert_string_equal(wait_for(&l, 60000), "");
}

static void
a_folder_without_new_is_watched(void **state)
{
	struct site *s = *state;
	struct look l = { .s = s, .folder = "Old", .change = NULL };

	site_mkdir(s, AGENT "/.Old");
	site_mkdir(s, AGENT "/.Old/cur");
	assert_string_equal(wait_for(&l, 1), "");
}

static void
no_folder_no_wait(void **state)
{
	static const char *const names[] = { "Nowhere", "../Kept", "", "." };
	struct look l = { .s = *state, .folder = "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		l.folder = names[i];
		assert_string_equal(wait_for(&l, 60000), "not_found");
	}
	assert_int_equal(l.ready, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(a_change_in_the_folder_ends_a_wait),
		SITE_TEST(a_wait_ends_in_time),
		SITE_TEST(a_caller_may_end_it),
		SITE_TEST(a_folder_without_new_is_watched),
		SITE_TEST(no_folder_no_wait),
	};

	return cmocka_run_group_tests_name("backend/maildir_watch", tests, NULL,
	    NULL);
}
