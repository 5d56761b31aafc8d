/* SPDX-License-Identifier: Apache-2.0 */
/* The outbox: one sender per row, one row per key, and counted limits. */
#include "store/outbox.h"
#include "fixture.h"

#include <fcntl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "store/outbox_row.h"

static const struct store_outbox_limits none;

static struct store_outbox
row_of(struct fx *x, int64_t account, const char *key, const char *request)
{
	struct store_outbox r = {
		.account = account,
		.principal = S("agent"),
		.key = str_of(key),
		.request = str_of(request),
		.message_id = S("<1@lab.example>"),
		.sender = S("a@lab.example"),
		.message = S("Subject: x\r\n\r\nwords\r\n"),
		.bytes = 22,
		.digest = S("d"),
		.policy = S("p"),
		.state = STORE_OUTBOX_SENDING,
		.n = 2,
	};

	r.rcpt = arena_array(x->a, 2, sizeof(*r.rcpt));
	r.rcpt[0].address = r.rcpt[0].canonical = S("b@lab.example");
	r.rcpt[1].address = r.rcpt[1].canonical = S("c@lab.example");
	return r;
}

/* Adds it; -1, or 1 if a row already exists. */
static int
add(struct fx *x, struct store *s, struct store_outbox *row,
    const struct store_outbox_limits *l)
{
	bool found = false;

	x->e = (struct err){ 0 };
	if (store_outbox_add(s, x->a, row, l, &found, &x->e) < 0)
		return -1;
	return found;
}

static enum store_outbox_state
state_of(struct fx *x, struct store *s, int64_t id)
{
	struct store_outbox row = { 0 };

	assert_int_equal(store_outbox_get(s, x->a, id, &row, &x->e), 0);
	return row.state;
}

static void
a_row_comes_back_as_it_was(void **state)
{
	struct fx *x = *state;
	struct store_outbox row = row_of(x, fx_account(x, "work"), "k", "r");
	struct store_outbox got = { 0 };

	row.smtputf8 = true;
	assert_int_equal(add(x, x->s, &row, &none), 0);
	assert_true(row.id > 0);
	assert_int_equal(store_outbox_get(x->s, x->a, row.id, &got, &x->e), 0);
	assert_true(str_eq(got.message, row.message));
	assert_true(str_eq(got.key, S("k")) && str_eq(got.request, S("r")));
	assert_true(str_eq(got.message_id, row.message_id));
	assert_true(str_eq(got.sender, row.sender) && got.smtputf8);
	assert_int_equal(got.state, STORE_OUTBOX_SENDING);
	assert_int_equal(got.n, 2);
	assert_true(str_eq(got.rcpt[1].canonical, S("c@lab.example")));
	assert_int_equal(got.copy, STORE_COPY_NONE);
	assert_int_equal(store_outbox_ours(x->s, row.account, row.message_id,
			     &x->e),
	    1);
	assert_int_equal(store_outbox_ours(x->s, row.account, S("<2@x>"),
			     &x->e),
	    0);
	assert_int_equal(store_outbox_get(x->s, x->a, 99, &got, &x->e), -1);
	assert_int_equal(x->e.kind, ERR_NOT_FOUND);
}

/* The effect of a row in each state on the same call with its key. */
static void
a_key_answers_unless_nothing_left(void **state)
{
	static const struct {
		const char *now;
		int again; /* 1: it answers; 0: another attempt */
	} rows[] = {
		{ "held", 1 },
		{ "denied", 1 },
		{ "expired", 1 },
		{ "sending", 1 },
		{ "sent", 1 },
		{ "rejected", 0 },
		{ "failed", 0 },
		{ "unknown_outcome", 1 },
	};
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");

	assert_int_equal(sizeof(rows) / sizeof(rows[0]), STORE_OUTBOX_STATES);
	for (size_t i = 0; i < STORE_OUTBOX_STATES; i++) {
		char *key = str_c(x->a, str_fmt(x->a, "k%zu", i));
		struct store_outbox row = row_of(x, account, key, "r"), next;
		int64_t first;

		assert_int_equal(add(x, x->s, &row, &none), 0);
		first = row.id;
		if (strcmp(rows[i].now, "sending") != 0)
			outbox_lock_drop(x->s);
		fx_sql(x,
		    str_c(x->a,
			str_fmt(x->a,
			    "UPDATE outbox SET state = '%s',"
			    " expires_s = 9999999999 WHERE id = %lld",
			    rows[i].now, (long long)first)));
		next = row_of(x, account, key, "other");
		assert_int_equal(add(x, x->s, &next, &none), -1);
		assert_int_equal(x->e.kind, ERR_USAGE);
		next = row_of(x, account, key, "r");
		assert_int_equal(add(x, x->s, &next, &none), rows[i].again);
		assert_int_equal(next.id == first, rows[i].again);
		outbox_lock_drop(x->s);
	}
}

static void
another_agent_or_account_has_keys_of_its_own(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_outbox row = row_of(x, account, "k", "r");

	row.state = STORE_OUTBOX_HELD;
	row.expires_s = clock_now() + 100;
	assert_int_equal(add(x, x->s, &row, &none), 0);
	row.principal = S("eve");
	assert_int_equal(add(x, x->s, &row, &none), 0);
	row.account = fx_account(x, "other");
	assert_int_equal(add(x, x->s, &row, &none), 0);
	row.key = S("");
	assert_int_equal(add(x, x->s, &row, &none), 0);
	assert_int_equal(add(x, x->s, &row, &none), 0);
}

static void
who_lives_is_sending_and_who_died_is_unknown(void **state)
{
	struct fx *x = *state;
	struct store_outbox row = row_of(x, fx_account(x, "work"), "k", "r");
	struct store *other = fx_open(x, STORE_AGENT);
	int64_t id;
	pid_t pid;
	int status;

	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct store *mine = fx_open(x, STORE_AGENT);

		_exit(add(x, mine, &row, &none) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	id = fx_number(x, "SELECT max(id) FROM outbox");
	assert_int_equal(state_of(x, other, id), STORE_OUTBOX_UNKNOWN);

	row = row_of(x, row.account, "l", "r");
	assert_int_equal(add(x, x->s, &row, &none), 0);
	/* Read by others and by the same handle. */
	assert_int_equal(state_of(x, other, row.id), STORE_OUTBOX_SENDING);
	assert_int_equal(state_of(x, x->s, row.id), STORE_OUTBOX_SENDING);
	outbox_lock_drop(x->s);
	assert_int_equal(state_of(x, other, row.id), STORE_OUTBOX_UNKNOWN);
	store_close(&other);
}

static void
what_settles_is_told_and_its_bytes_go(void **state)
{
	static const struct {
		enum store_outbox_state to;
		bool bytes;
	} rows[] = {
		{ STORE_OUTBOX_SENT, true }, /* until the copy is made */
		{ STORE_OUTBOX_REJECTED, false },
		{ STORE_OUTBOX_FAILED, false },
		{ STORE_OUTBOX_UNKNOWN, true },
	};
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_outbox row = row_of(x, account, "", "r"), got;

		assert_int_equal(add(x, x->s, &row, &none), 0);
		row.rcpt[0].code = 250 + (int)i;
		row.rcpt[0].status = S("words");
		assert_int_equal(store_outbox_settle(x->s, &row, rows[i].to,
				     &x->e),
		    0);
		assert_int_equal(outbox_lock_held(x->s, row.id, &x->e), 0);
		assert_int_equal(store_outbox_get(x->s, x->a, row.id, &got,
				     &x->e),
		    0);
		assert_int_equal(got.state, rows[i].to);
		assert_int_equal(got.message.n > 0, rows[i].bytes);
		assert_int_equal(got.rcpt[0].code, 250 + (int)i);
		assert_true(str_eq(got.rcpt[0].status, S("words")));
		/* Only once. */
		if (rows[i].to != STORE_OUTBOX_UNKNOWN)
			assert_int_equal(store_outbox_settle(x->s, &row,
					     STORE_OUTBOX_SENT, &x->e),
			    -1);
	}
	assert_int_equal(fx_number(x, "SELECT count(*) FROM correspondent"), 2);
}

static void
a_copy_forgets_the_bytes_unless_it_failed(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");

	for (int copy = STORE_COPY_NONE; copy <= STORE_COPY_FAILED; copy++) {
		struct store_outbox row = row_of(x, account, "", "r"), got;

		assert_int_equal(add(x, x->s, &row, &none), 0);
		assert_int_equal(store_outbox_settle(x->s, &row,
				     STORE_OUTBOX_SENT, &x->e),
		    0);
		assert_int_equal(store_outbox_copied(x->s, row.id,
				     (enum store_outbox_copy)copy, &x->e),
		    0);
		assert_int_equal(store_outbox_get(x->s, x->a, row.id, &got,
				     &x->e),
		    0);
		assert_int_equal(got.copy, copy);
		assert_int_equal(got.message.n > 0, copy == STORE_COPY_FAILED);
	}
}

static void
what_is_held_is_released_once(void **state)
{
	struct fx *x = *state;
	struct store_outbox row = row_of(x, fx_account(x, "work"), "", "r");
	struct store *other = fx_open(x, STORE_ADMIN);
	int64_t now = clock_now();

	row.state = STORE_OUTBOX_HELD;
	row.expires_s = now + 100;
	assert_int_equal(add(x, x->s, &row, &none), 0);
	assert_int_equal(store_outbox_release(x->s, row.id, S("e"), now, &x->e),
	    -1);
	assert_int_equal(x->e.kind, ERR_NOT_FOUND);
	assert_int_equal(store_outbox_release(x->s, row.id, S("d"), now + 100,
			     &x->e),
	    -1);
	assert_int_equal(store_outbox_release(x->s, row.id, S("d"), now, &x->e),
	    0);
	assert_int_equal(store_outbox_release(other, row.id, S("d"), now,
			     &x->e),
	    -1);
	assert_int_equal(state_of(x, other, row.id), STORE_OUTBOX_SENDING);
	store_close(&other);
}

/* Not even with both keys, until the operator says so. */
static void
an_agent_releases_only_what_it_was_left(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *agent = fx_open(x, STORE_AGENT);
	struct store_outbox row = row_of(x, fx_account(x, "work"), "", "r");
	static const struct {
		struct str who;
		int r;
	} rows[] = { { SI("operator"), -1 }, { SI(""), -1 },
		{ SI("Client"), -1 }, { SI("client"), 0 } };
	int64_t now = clock_now();

	row.state = STORE_OUTBOX_HELD;
	row.expires_s = now + 100;
	assert_int_equal(add(x, x->s, &row, &none), 0);
	assert_int_equal(store_outbox_release(agent, row.id, S("d"), now,
			     &x->e),
	    -1);
	assert_int_equal(x->e.kind, ERR_CONFIG);
	assert_int_equal(store_setting_set(agent, S("mcp_approve"), S("client"),
			     &x->e),
	    -1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(store_setting_set(x->s, S("mcp_approve"),
				     rows[i].who, &x->e),
		    0);
		assert_int_equal(store_outbox_release(agent, row.id, S("d"),
				     now, &x->e),
		    rows[i].r);
	}
	assert_int_equal(store_outbox_release(x->s, row.id, S("d"), now, &x->e),
	    -1);
	assert_int_equal(x->e.kind, ERR_NOT_FOUND);
}

static void
what_waits_too_long_expires(void **state)
{
	struct fx *x = *state;
	struct store_outbox row = row_of(x, fx_account(x, "work"), "", "r");
	struct store_outbox got = { 0 };

	row.state = STORE_OUTBOX_HELD;
	row.expires_s = clock_now() - 1;
	assert_int_equal(add(x, x->s, &row, &none), 0);
	assert_int_equal(store_outbox_get(x->s, x->a, row.id, &got, &x->e), 0);
	assert_int_equal(got.state, STORE_OUTBOX_EXPIRED);
	assert_int_equal(got.message.n, 0);
	assert_int_equal(store_outbox_move(x->s, row.id, STORE_OUTBOX_HELD,
			     STORE_OUTBOX_DENIED, &x->e),
	    -1);
	assert_int_equal(x->e.kind, ERR_NOT_FOUND);
}

struct limit_row {
	struct store_outbox_limits limit;
	int good; /* messages to the same two people that pass */
};

static void
limits_count_what_may_have_left(void **state)
{
	static const struct limit_row rows[] = {
		{ { .messages = 1 }, 1 },
		{ { .messages = 3 }, 3 },
		{ { .bytes = 22 }, 1 },
		{ { .bytes = 65 }, 2 },
		{ { .recipients = 1 }, 0 },
		{ { .recipients = 2, .messages = 2 }, 2 },
		{ { .new_recipients = 1 }, 0 },
		{ { .new_recipients = 2, .messages = 4 }, 4 },
	};
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int good = 0;

		fx_sql(x, "DELETE FROM outbox; DELETE FROM correspondent");
		for (int k = 0; k < 6; k++) {
			struct store_outbox row = row_of(x, account, "", "r");

			if (add(x, x->s, &row, &rows[i].limit) < 0) {
				assert_int_equal(x->e.kind, ERR_LIMIT);
				continue;
			}
			good++;
			assert_int_equal(store_outbox_settle(x->s, &row,
					     k % 2 ? STORE_OUTBOX_UNKNOWN
						   : STORE_OUTBOX_SENT,
					     &x->e),
			    0);
		}
		assert_int_equal(good, rows[i].good);
		assert_int_equal(fx_number(x, "SELECT count(*) FROM outbox"),
		    good);
		assert_null(x->s->sending);
		/* A day later none of it counts. */
		fx_sql(x, "UPDATE outbox SET created_s = created_s - 86401");
		if (rows[i].good > 0) {
			struct store_outbox row = row_of(x, account, "", "r");

			assert_int_equal(add(x, x->s, &row, &rows[i].limit), 0);
			outbox_lock_drop(x->s);
		}
	}
}

static void
what_never_left_counts_for_nothing(void **state)
{
	static const char *const states[] = { "denied", "expired", "rejected",
		"failed" };
	const struct store_outbox_limits one = { .messages = 1 };
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");

	for (size_t i = 0; i < 4; i++) {
		struct store_outbox row = row_of(x, account, "", "r");

		assert_int_equal(add(x, x->s, &row, &one), 0);
		outbox_lock_drop(x->s);
		fx_sql(x,
		    str_c(x->a,
			str_fmt(x->a, "UPDATE outbox SET state = '%s'",
			    states[i])));
	}
}

static void
people_written_to_are_not_new(void **state)
{
	const struct store_outbox_limits one = { .new_recipients = 1 };
	struct fx *x = *state;
	struct store_outbox row = row_of(x, fx_account(x, "work"), "", "r");

	fx_sql(x,
	    "INSERT INTO correspondent SELECT id, 'b@lab.example', 1"
	    " FROM accounts");
	assert_int_equal(add(x, x->s, &row, &one), 0);
	outbox_lock_drop(x->s);
	row.principal = S("eve");
	assert_int_equal(add(x, x->s, &row, &one), 0);
}

static void
old_rows_go_but_open_ones_stay(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	int64_t now = clock_now();

	for (int i = 0; i < 3; i++) {
		struct store_outbox row = row_of(x, account, "", "r");

		row.state = i == 0 ? STORE_OUTBOX_HELD : STORE_OUTBOX_SENDING;
		row.expires_s = now + 1000;
		assert_int_equal(add(x, x->s, &row, &none), 0);
		if (i == 1)
			assert_int_equal(store_outbox_settle(x->s, &row,
					     STORE_OUTBOX_SENT, &x->e),
			    0);
		outbox_lock_drop(x->s);
	}
	assert_int_equal(store_outbox_purge(x->s, now + 89 * 86400, &x->e), 0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM outbox"), 3);
	assert_int_equal(store_outbox_purge(x->s, now + 91 * 86400, &x->e), 0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM outbox"), 2);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM outbox_recipient"),
	    4);
}

static void
a_digest_tells_values_apart(void **state)
{
	struct fx *x = *state;
	const struct str ab[] = { SI("a"), SI("b") }, joined[] = { SI("ab") };
	const struct str moved[] = { SI("ab"), SI("") };
	struct str one = store_digest(x->a, ab, 2);

	assert_int_equal(one.n, 64);
	assert_true(str_eq(one, store_digest(x->a, ab, 2)));
	assert_false(str_eq(one, store_digest(x->a, joined, 1)));
	assert_false(str_eq(one, store_digest(x->a, moved, 2)));
	assert_false(str_eq(store_digest(x->a, joined, 1),
	    store_digest(x->a, moved, 2)));
}

#define T(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_row_comes_back_as_it_was),
		T(a_key_answers_unless_nothing_left),
		T(another_agent_or_account_has_keys_of_its_own),
		T(who_lives_is_sending_and_who_died_is_unknown),
		T(what_settles_is_told_and_its_bytes_go),
		T(a_copy_forgets_the_bytes_unless_it_failed),
		T(what_is_held_is_released_once),
		T(an_agent_releases_only_what_it_was_left),
		T(what_waits_too_long_expires),
		T(limits_count_what_may_have_left),
		T(what_never_left_counts_for_nothing),
		T(people_written_to_are_not_new),
		T(old_rows_go_but_open_ones_stay),
		T(a_digest_tells_values_apart),
	};

	return cmocka_run_group_tests_name("store/outbox", tests, NULL, NULL);
}
