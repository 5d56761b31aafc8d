/*
 * A process killed before each of its system calls that change a mailbox root:
 * whoever opens the root next finds each message delivered whole or not at all,
 * and once.
 */
#include "agentbox_faults.h"

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/view.h"

#define AB "a.b+c@agents.example.test"

/* Of the loop: names the message. */
static long turn;

static int
send_one(struct site *s, struct agentbox_sent *out)
{
	struct agentbox_file f = { SI("plan.txt"), SI("text/plain"), { 0 } };
	struct agentbox_send m = { .principal = S("HOUMAO-ci"),
		.address = S(CI),
		.body = S("body\n"),
		.file = &f,
		.files = 1 };

	f.bytes = str_fmt(s->a, "plan %ld\n", turn);
	m.subject = m.key = str_fmt(s->a, "turn %ld", turn);
	str_push(s->a, &m.to, S(WRITER));
	str_push(s->a, &m.cc, S(AB));
	return agentbox_deliver(s->r, &m, s->a, out, &s->e);
}

static void
open_and_send(struct site *s)
{
	struct agentbox_sent out;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(send_one(s, &out));
}

static long
count(struct site *s, const char *db, const char *sql)
{
	return strtol(site_sql(s, db,
			  str_fmt(s->a, "%s'turn %ld'", sql, turn).p)
			  .p,
	    NULL, 10);
}

/* How many copies of this turn's message exist: the same number everywhere. */
static long
delivered(struct site *s)
{
	static const char state[] =
	    "SELECT count(*) FROM message_state WHERE subject = ";
	static const char *const boxes[] = { "mailboxes/" WRITER
					     "/mailbox.sqlite",
		"mailboxes/" AB "/mailbox.sqlite",
		"mailboxes/" CI "/mailbox.sqlite" };
	long n = count(s, "index.sqlite",
	    "SELECT count(*) FROM messages WHERE subject = ");

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(count(s, boxes[i], state), n);
	assert_int_equal(count(s, "index.sqlite",
			     "SELECT count(*) FROM mailbox_projections JOIN"
			     " messages USING (message_id) WHERE subject = "),
	    3 * n);
	assert_int_equal(count(s, "index.sqlite",
			     "SELECT count(*) FROM message_attachments JOIN"
			     " messages USING (message_id) WHERE subject = "),
	    n);
	return n;
}

static void
of_a_message_is_whole_or_not_at_all(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	struct agentbox_loaded got;
	bool seen[2] = { false, false }, lived = false;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	for (turn = 1; !lived; turn++) {
		long n;

		lived = survives(s, turn, open_and_send);
		site_open(s);
		n = delivered(s);
		assert_true(n == 0 || n == 1);
		assert_true(!lived || n == 1);
		seen[n] = true;
		is_tidy(s);
		/* Nothing is lost: the same key delivers it, or knows it. */
		site_ok(s, send_one(s, &out));
		assert_int_equal(out.again, n == 1);
		assert_int_equal(delivered(s), 1);
		assert_int_equal(agentbox_load(s->r, out.id, s->a, &got, &s->e),
		    1);
		assert_true(got.authentic);
		is_tidy(s);
	}
	assert_true(seen[0] && seen[1]);
	assert_true(turn > 60);
}

/* Runs it in a child whose disk is full from its n-th call on; its status. */
static int
fills(struct site *s, long n)
{
	struct agentbox_sent out;
	int status;
	pid_t pid;

	site_close(s);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
		room = n;
		status = send_one(s, &out) < 0 ? room < 0 ? 1 : 8 : 0;
		agentbox_root_close(&s->r);
		_exit(room > 0 ? 2 : status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
on_a_full_disk_is_whole_or_not_at_all(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	bool seen[2] = { false, false };
	int how = 0;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	/* Each third call: a full disk comes back at the next one too. */
	for (turn = 1; how != 2; turn++) {
		long n;

		how = fills(s, turn * 3);
		assert_true(how <= 2);
		assert_false(site_has(s, "locks/index.lock"));
		site_open(s);
		n = delivered(s);
		/* Exactly the messages reported as delivered are there. */
		assert_int_equal(n, how != 1);
		seen[n] = true;
		is_tidy(s);
		site_ok(s, send_one(s, &out));
		assert_int_equal(out.again, n == 1);
		assert_int_equal(delivered(s), 1);
	}
	assert_true(seen[0] && seen[1]);
}

/* Some children send and some mark; each third is killed meanwhile. */
static void
one_of_many(struct site *s, long n)
{
	struct agentbox_want w = { .read = AGENTBOX_NO, .limit = 2 };
	struct agentbox_change c = { .read = AGENTBOX_YES };
	struct agentbox_entries got;
	struct agentbox_sent out;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	turn = n;
	left = n % 3 == 2 ? 1 + n * 7 % 90 : 0;
	must(send_one(s, &out));
	must(agentbox_view_list(s->r, S(WRITER), &w, s->a, &got, NULL, &s->e));
	for (size_t i = 0; i < got.n; i++) {
		struct strs ids = { 0 };

		str_push(s->a, &ids, got.v[i].id);
		must(agentbox_state_change(s->r, S(WRITER), &ids, &c, &s->e));
	}
	_exit(0);
}

#define MANY 24

static void
of_many_at_once_happens_once_each(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	pid_t pid[MANY];
	int status;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	site_close(s);
	for (long i = 0; i < MANY; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0)
			one_of_many(s, i);
	}
	for (long i = 0; i < MANY; i++) {
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	}
	site_open(s);
	for (turn = 0; turn < MANY; turn++) {
		assert_true(delivered(s) == 1 || turn % 3 == 2);
		site_ok(s, send_one(s, &out));
		assert_int_equal(delivered(s), 1);
	}
	is_tidy(s);
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages",
	    str_fmt(s->a, "%d", MANY).p);
}

static struct str changed; /* the message whose state changes */

static int
change_it(struct site *s)
{
	struct agentbox_change c = { .read = AGENTBOX_YES,
		.answered = AGENTBOX_YES,
		.box = S("archive") };
	struct strs ids = { 0 };

	if (turn % 2 == 0)
		c = (struct agentbox_change){ .read = AGENTBOX_NO,
			.answered = AGENTBOX_NO,
			.box = S("inbox") };
	str_push(s->a, &ids, changed);
	return agentbox_state_change(s->r, S(WRITER), &ids, &c, &s->e);
}

static void
open_and_change(struct site *s)
{
	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(change_it(s));
}

/* The whole state is from one change; true: it is archived. */
static bool
is_archived(struct site *s)
{
	struct agentbox_want w = { 0 };
	struct agentbox_entries got;
	const struct agentbox_entry *x;
	struct str link;

	site_ok(s,
	    agentbox_view_list(s->r, S(WRITER), &w, s->a, &got, NULL, &s->e));
	assert_int_equal(got.n, 1);
	x = got.v;
	assert_int_equal(x->read, x->archived);
	assert_int_equal(x->answered, x->archived);
	assert_string_equal(x->box.p, x->archived ? "archive" : "inbox");
	link = str_fmt(s->a, "mailboxes/" WRITER "/archive/%s.md", changed.p);
	assert_int_equal(site_has(s, link.p), x->archived);
	link = str_fmt(s->a, "mailboxes/" WRITER "/inbox/%s.md", changed.p);
	assert_int_equal(site_has(s, link.p), !x->archived);
	return x->archived;
}

static void
of_a_change_is_whole_or_not_at_all(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	bool seen[2] = { false, false }, lived = false;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	turn = 0;
	site_ok(s, send_one(s, &out));
	changed = out.id;
	for (turn = 1; !lived; turn++) {
		bool is_new = turn % 2 == 1;

		lived = survives(s, turn, open_and_change);
		site_open(s);
		is_tidy(s);
		seen[is_archived(s) == is_new] = true;
		site_ok(s, change_it(s));
		assert_int_equal(is_archived(s), is_new);
	}
	assert_true(seen[0] && seen[1]);
	assert_true(turn > 30);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_a_message_is_whole_or_not_at_all),
		SITE_TEST(of_a_change_is_whole_or_not_at_all),
		SITE_TEST(on_a_full_disk_is_whole_or_not_at_all),
		SITE_TEST(of_many_at_once_happens_once_each),
	};

	return cmocka_run_group_tests_name("backend/agentbox_crash", tests,
	    NULL, NULL);
}
