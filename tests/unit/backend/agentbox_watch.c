/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a wait for a change in an agent's mailbox, and what does not. */
#include "agentbox_site.h"

#include "backend/agentbox/contract.h"
#include "backend/watch.h"

#define BOX(who) "mailboxes/" who "/mailbox.sqlite"
#define STATE                                                                  \
	"INSERT INTO message_state SELECT hex(randomblob(16)), 't',"           \
	" '2026-04-08T10:11:12Z', 's', 0, 0, 0, 0"

static const struct {
	const char *why, *db, *sql;
	bool ends;
} changes[] = {
	{ "a row of the mailbox", BOX(WRITER), STATE, true },
	{ "a row of the root's index", "index.sqlite", "CREATE TABLE new (x)",
	    true },
	{ "an empty transaction", BOX(WRITER), "BEGIN; COMMIT", false },
	{ "a question", BOX(WRITER), "SELECT * FROM message_state", false },
	{ "a row of another mailbox", BOX(CI), STATE, false },
	{ "our own numbers", "emcli.sqlite", "CREATE TABLE new (x)", false },
	{ "a file of a message", NULL, "messages/new.md", false },
	{ "the mailbox has a log from now on", BOX(WRITER),
	    "PRAGMA journal_mode = WAL; " STATE, true },
	{ "a row in it", BOX(WRITER), STATE, true },
};

struct look {
	struct site *s;
	size_t i;
	unsigned ready;
	bool over;
};

static int
be_ready(void *ctx)
{
	struct look *l = ctx;

	l->ready++;
	if (changes[l->i].db != NULL)
		(void)site_sql(l->s, changes[l->i].db, changes[l->i].sql);
	else
		site_write(l->s, changes[l->i].sql, "x");
	return l->over;
}

/* "changed", "", or the code of an error. */
static const char *
wait_for(struct conn *c, struct look *l, const char *folder, int ms)
{
	const struct backend_watch w = {
		.folder = str_of(folder),
		.until_ms = clock_mono_ms() + ms,
		.ready = be_ready,
		.ctx = l,
	};
	struct err e = { 0 };
	bool changed = true;

	if (agentbox_backend.watch(c, l->s->a, &w, &changed, &e) < 0)
		return err_code(e.kind);
	return changed ? "changed" : "";
}

/* A change that ends none costs 20 ms here. */
static void
the_end_of_a_transaction_ends_a_wait(void **state)
{
	struct site *s = *state;
	struct backend_account acct = {
		.name = S("box"),
		.from = S(WRITER),
		.mac = site_mac,
		.deadline_ms = clock_mono_ms() + 60000,
	};
	struct look l = { .s = s };
	struct conn *c = NULL;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_close(s);
	acct.path = str_of(s->root);
	site_ok(s, agentbox_backend.open(&acct, s->a, &c, &s->e));
	for (; l.i < sizeof(changes) / sizeof(changes[0]); l.i++) {
		bool ends = changes[l.i].ends;

		if (strcmp(wait_for(c, &l, "INBOX", ends ? 60000 : 20),
			ends ? "changed" : "") != 0)
			fail_msg("%s", changes[l.i].why);
		assert_int_equal(l.ready, l.i + 1);
	}
	l.i = l.ready = 0;
	assert_string_equal(wait_for(c, &l, "nowhere", 60000), "not_found");
	assert_int_equal(l.ready, 0);
	l.over = true;
	assert_string_equal(wait_for(c, &l, "INBOX", 60000), "");
	assert_int_equal(l.ready, 1);
	agentbox_backend.close(c);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(the_end_of_a_transaction_ends_a_wait),
	};

	return cmocka_run_group_tests_name("backend/agentbox_watch", tests,
	    NULL, NULL);
}
