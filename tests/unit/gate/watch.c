/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for new mail over stores of every kind: what an agent is told, what
 * hidden mail changes (nothing), and which cursors are taken.
 */
#include <stdlib.h>

#include "../rows.h"

#include "../../fake/house.h"
#include "base/json.h"
#include "gate/internal.h"
#include "store/freeze.h"

static const char *const kinds[] = { "imap", "mbox", "maildir", "gmail",
	"jmap" };
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* One reply, read: the cursor, "1 2 3", and the code of a refusal. */
struct told {
	char cursor[200], uids[4000], word[40];
	const char *text;
	size_t n;
	uint32_t last;
	bool timed_out;
};

static struct house *home;

static void
read_events(const struct json_value *v, struct told *out)
{
	size_t at = 0;

	out->n = json_parse_count(v);
	for (size_t i = 0; i < out->n; i++) {
		const struct json_value *one = json_parse_item(v, i);
		int64_t uid = 0;
		struct str s = { 0 };

		assert_true(
		    json_parse_int(json_parse_member(one, "uid"), &uid));
		assert_true(json_parse_str(json_parse_member(one, "kind"), &s));
		rows_same(s, S("new"));
		assert_true(uid > out->last);
		out->last = (uint32_t)uid;
		at += (size_t)snprintf(out->uids + at, sizeof(out->uids) - at,
		    "%s%u", i > 0 ? " " : "", out->last);
		assert_true(at < sizeof(out->uids));
	}
}

static struct told
watch_in(const char *folder, const char *cursor, const char *seconds)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct told out = { .cursor = "" };
	const struct json_value *v;
	struct reply r = house_call(home, "watch", "account", "work", "folder",
	    folder, "timeout", seconds, cursor != NULL ? "cursor" : NULL,
	    cursor, NULL);
	struct str text = json_text(r.data, home->a), s = { 0 };
	struct err e = { 0 };

	out.text = str_c(home->a, text);
	(void)snprintf(out.word, sizeof(out.word), "%s", house_word(r));
	if (r.err.kind != ERR_NONE)
		return out;
	assert_int_equal(json_parse_open(text, SIZE_MAX, &d, &e), 0);
	v = json_parse_root(d);
	read_events(json_parse_member(v, "events"), &out);
	assert_true(json_parse_str(json_parse_member(v, "cursor"), &s));
	(void)snprintf(out.cursor, sizeof(out.cursor), "%.*s", STR_ARG(s));
	assert_true(
	    json_parse_bool(json_parse_member(v, "timed_out"), &out.timed_out));
	return out;
}

static struct told
watch(const char *cursor, const char *seconds)
{
	return watch_in("INBOX", cursor, seconds);
}

static void
enter(struct house *h, const char *backend)
{
	fake_reset();
	home = h;
	house_open(h, (struct terms){ .backend = backend, .in_on = true });
	(void)fake_add(BOSS);
	(void)fake_add(SPAM);
}

static void
what_came_is_told_oldest_first(void **state)
{
	struct house h;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct told at, more;

		enter(&h, kinds[i]);
		at = watch(NULL, "0");
		assert_string_equal(at.word, "ok");
		assert_true(at.n == 0 && at.timed_out);
		(void)fake_add(BOSS);
		(void)fake_add(SPAM);
		(void)fake_add(BOSS);
		more = watch(at.cursor, "60");
		assert_string_equal(more.uids, "3 5");
		assert_false(more.timed_out);
		assert_string_equal(watch(at.cursor, "60").text, more.text);
		more = watch(more.cursor, "0");
		assert_true(more.n == 0 && more.timed_out);
		house_close(&h);
	}
}

/* The whole reply, its cursor included, is that of a folder where none came. */
static void
hidden_mail_changes_nothing(void **state)
{
	struct house h;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct told at, old;

		enter(&h, kinds[i]);
		at = watch(NULL, "0");
		old = watch(at.cursor, "0");
		(void)fake_add(SPAM);
		assert_string_equal(watch(NULL, "0").text, at.text);
		assert_string_equal(watch(at.cursor, "0").text, old.text);
		house_close(&h);
	}
}

/* -- what comes during a wait ---------------------------------------------- */

static unsigned waits;

static void
boss_writes(void)
{
	(void)fake_add(BOSS);
	fake.changes = true;
}

static void
first_a_stranger_then_the_boss(void)
{
	(void)fake_add(waits++ == 0 ? SPAM : BOSS);
	fake.changes = true;
}

static void
strangers_write(void)
{
	(void)fake_add(SPAM);
	fake.changes = true;
}

/* The next look fails, and only that one. */
static void
boss_writes_and_the_server_is_away(void)
{
	bool again = fake.fault[FAKE_FIND].kind != ERR_NONE;

	if (!again)
		fake.fault[FAKE_FIND] = (struct fake_fault){ ERR_NETWORK,
			.after = fake.calls[FAKE_FIND], .times = 1 };
	boss_writes();
}

static void
the_agent_is_stopped(void)
{
	struct err e = { 0 };

	boss_writes();
	assert_int_equal(store_freeze_self(home->store, S("agent"), S(""), &e),
	    0);
}

static void
the_account_is_changed(void)
{
	boss_writes();
	house_sql(home, "DELETE FROM whitelist_in");
}

static void
the_folder_is_renumbered(void)
{
	boss_writes();
	fake.uidvalidity++;
}

static const struct during {
	const char *why;
	void (*arrives)(void);
	enum fake_verb broken; /* so many times after so many */
	unsigned after, times;
	const char *seconds, *word, *uids;
	bool imap_only;
} durings[] = {
	{ "mail ends a wait", boss_writes, FAKE_VERBS, 0, 0, "60", "ok", "3",
	    false },
	{ "hidden mail does not, and what follows it does",
	    first_a_stranger_then_the_boss, FAKE_VERBS, 0, 0, "60", "ok", "4",
	    false },
	{ "hidden mail alone: the time is over", strangers_write, FAKE_VERBS, 0,
	    0, "1", "ok", "", false },
	{ "a wait that broke off is begun again", boss_writes, FAKE_WATCH, 0, 1,
	    "60", "ok", "3", false },
	{ "a look that failed is repeated", boss_writes_and_the_server_is_away,
	    FAKE_VERBS, 0, 0, "60", "ok", "3", false },
	{ "one that fails to the end is no quiet folder", boss_writes,
	    FAKE_FIND, 1, 0, "1", "network", "", false },
	{ "the agent was stopped meanwhile", the_agent_is_stopped, FAKE_VERBS,
	    0, 0, "60", "frozen", "", false },
	{ "the lists were changed meanwhile", the_account_is_changed,
	    FAKE_VERBS, 0, 0, "1", "ok", "", false },
	{ "the folder was renumbered meanwhile", the_folder_is_renumbered,
	    FAKE_VERBS, 0, 0, "60", "ok", "", true },
};

static void
during(void **state)
{
	static const char *const two[] = { "imap", "jmap" };
	const struct during *k = *state;
	struct house h;

	for (size_t i = 0; i < (k->imap_only ? 1 : 2); i++) {
		struct told t;

		enter(&h, two[i]);
		waits = 0;
		fake.arrives = k->arrives;
		if (k->broken != FAKE_VERBS)
			fake.fault[k->broken] =
			    (struct fake_fault){ ERR_NETWORK, .after = k->after,
				    .times = k->times };
		t = watch(NULL, k->seconds);
		assert_string_equal(t.word, k->word);
		assert_string_equal(t.uids, k->uids);
		if (k->imap_only)
			assert_non_null(strstr(t.text, "uidvalidity_changed"));
		else if (strcmp(t.word, "ok") == 0)
			assert_int_equal(t.timed_out, t.n == 0);
		house_close(&h);
	}
}

static void
the_account_moves(void)
{
	house_sql(home,
	    "UPDATE accounts SET imap_host = 'new', url = 'new', "
	    "smtp_host = 'new'");
	boss_writes();
}

/* By no connection of the account as it was when the wait began. */
static void
a_changed_account_is_looked_at_as_it_is(void **state)
{
	static const char *const two[] = { "imap", "jmap" };
	struct house h;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		enter(&h, two[i]);
		fake.arrives = the_account_moves;
		assert_string_equal(watch(NULL, "60").uids, "3");
		rows_same(fake.server, S("new"));
		house_close(&h);
	}
}

/* Every look has a price: 20 at once, and one a second. */
static void
a_flood_of_hidden_mail_is_not_looked_at_each_time(void **state)
{
	struct house h;

	(void)state;
	enter(&h, "imap");
	fake.arrives = strangers_write;
	assert_true(watch(NULL, "1").timed_out);
	assert_true(fake.calls[FAKE_FIND] <= LIMIT_WATCH_LOOKS + 4);
	house_close(&h);
}

static void
a_model_waits_no_longer_than_its_program(void **state)
{
	struct house h;

	(void)state;
	for (int windows = 0; windows < 2; windows++) {
		enter(&h, "imap");
		house_caller(&h,
		    (struct gate_caller){ .windows = windows != 0 });
		fake.arrives = boss_writes;
		assert_int_equal(watch(NULL, "1740").n, 1);
		assert_int_equal(fake.wait_ms <= 50000, windows);
		house_close(&h);
	}
}

/* -- more than one reply has ----------------------------------------------- */

static void
nothing_is_left_out(void **state)
{
	static const char *const two[] = { "imap", "maildir" };
	struct house h;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		uint32_t last = 2;
		size_t n = 0;
		struct told t;

		enter(&h, two[i]);
		t = watch(NULL, "0");
		for (int k = 0; k < 700; k++)
			(void)fake_add(k % 3 == 0 ? BOSS : SPAM);
		for (t = watch(t.cursor, "0"); t.n > 0;
		     t = watch(t.cursor, "0")) {
			assert_true(t.n <= LIMIT_WATCH_EVENTS);
			/* None is between two replies. */
			assert_int_equal(strtoul(t.uids, NULL, 10) - last,
			    n == 0 ? 1 : 3);
			assert_int_equal(t.last - strtoul(t.uids, NULL, 10),
			    3 * (t.n - 1));
			last = t.last;
			n += t.n;
		}
		assert_int_equal(n, 234);
		house_close(&h);
	}
}

/* -- cursors --------------------------------------------------------------- */

static void
a_cursor_of_a_folder_that_was_renumbered(void **state)
{
	struct house h;
	struct told t;

	(void)state;
	enter(&h, "imap");
	t = watch(NULL, "0");
	fake.uidvalidity++;
	t = watch(t.cursor, "60");
	assert_string_equal(t.uids, "");
	assert_false(t.timed_out);
	assert_non_null(strstr(t.text, "uidvalidity_changed"));
	(void)fake_add(BOSS);
	t = watch(t.cursor, "60");
	assert_string_equal(t.uids, "3");
	assert_null(strstr(t.text, "uidvalidity_changed"));
	house_close(&h);
}

static void
is_refused(const char *cursor)
{
	struct told t = watch(cursor, "60");

	if (strcmp(t.word, "usage") != 0)
		fail_msg("taken: %s", cursor);
}

static void
a_cursor_is_taken_back_as_it_was_given(void **state)
{
	static const char *const made[] = { "", "0", "1.2", "1.2.", "..", ". .",
		"4294967296.1.x", "-1.2.x", "01.2.x", "1.2.3.4",
		"\xff.\xff.\xff" };
	struct store_account other;
	struct house h;
	struct told t;
	char bad[210];
	size_t n;

	(void)state;
	enter(&h, "imap");
	t = watch(NULL, "0");
	n = strlen(t.cursor);
	for (size_t i = 1; i < sizeof(made) / sizeof(made[0]); i++)
		is_refused(made[i]);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(bad, sizeof(bad), "%s", t.cursor);
		bad[i] = bad[i] == '1' ? '2' : '1';
		is_refused(bad);
		bad[i] = '\0';
		if (i > 0)
			is_refused(bad);
	}
	(void)snprintf(bad, sizeof(bad), "0%s", t.cursor);
	is_refused(bad);
	(void)snprintf(bad, sizeof(bad), "%s0", t.cursor);
	is_refused(bad);
	/* Another folder, another account, another agent. */
	assert_string_equal(watch_in("Sent", t.cursor, "0").word, "usage");
	other = house_account("other", "imap");
	house_add(&h, &other);
	assert_string_equal(house_word(house_call(&h, "watch", "account",
				"other", "cursor", t.cursor, NULL)),
	    "usage");
	house_caller(&h, (struct gate_caller){ .principal = S("eve") });
	is_refused(t.cursor);
	house_close(&h);
}

/* No word of a message is told, and nothing becomes of it. */
static void
a_watch_taints_and_acks_nothing(void **state)
{
	struct err e = { 0 };
	struct house h;
	int64_t at = 7;

	(void)state;
	enter(&h, "imap");
	fake.arrives = boss_writes;
	assert_int_equal(watch(NULL, "60").n, 1);
	assert_int_equal(store_taint_at(h.store, S("agent"), &at, &e), 0);
	assert_int_equal(at, 0);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "3");
	assert_int_equal(fake.calls[FAKE_BODY] + fake.calls[FAKE_MARK], 0);
	house_close(&h);
}

#define TEST(f) rows_add(#f, f, NULL)

int
main(void)
{
	TEST(what_came_is_told_oldest_first);
	TEST(hidden_mail_changes_nothing);
	ROWS(durings, during);
	TEST(a_changed_account_is_looked_at_as_it_is);
	TEST(a_flood_of_hidden_mail_is_not_looked_at_each_time);
	TEST(a_model_waits_no_longer_than_its_program);
	TEST(nothing_is_left_out);
	TEST(a_cursor_of_a_folder_that_was_renumbered);
	TEST(a_cursor_is_taken_back_as_it_was_given);
	TEST(a_watch_taints_and_acks_nothing);
	return cmocka_run_group_tests_name("gate/watch", rows_tests, NULL,
	    NULL);
}
