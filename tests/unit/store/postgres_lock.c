/* SPDX-License-Identifier: Apache-2.0 */
/* The locks of a sender in a store that is no file. */
#include "fixture.h"

#include "base/clock.h"
#include "store/journal_row.h"
#include "store/oauth.h"
#include "store/outbox_row.h"
#include "store/postgres.h"
#include "store/postgres_lock.h"

#define FX_SERVER()                                                            \
	do {                                                                   \
		if (fx_is_file())                                              \
			return;                                                \
	} while (0)

/* Nothing new connects to the server. */
static void
unreachable(struct postgres *pg)
{
	const char **value = pg->uri.values;

	for (size_t i = 0; pg->uri.words[i] != NULL; i++)
		if (strcmp(pg->uri.words[i], "host") == 0)
			value[i] = "/nowhere/at/all";
}

static void
a_message_and_a_change_of_one_number(void **state)
{
	struct fx *x = *state;
	struct store *other;

	FX_SERVER();
	other = fx_open(x, STORE_ADMIN);
	assert_ok(x, outbox_lock_take(x->s, 1, &x->e));
	assert_int_equal(outbox_lock_held(other, JOURNAL_LOCK + 1, &x->e), 0);
	assert_ok(x, outbox_lock_take(other, JOURNAL_LOCK + 1, &x->e));
	outbox_lock_drop(x->s);
	assert_int_equal(outbox_lock_held(x->s, 1, &x->e), 0);
	assert_int_equal(outbox_lock_held(x->s, JOURNAL_LOCK + 1, &x->e), 1);
	assert_int_equal(outbox_lock_any(x->s, &x->e), 1);
	outbox_lock_drop(other);
	assert_int_equal(outbox_lock_any(x->s, &x->e), 0);
	store_close(&other);
}

/* To connect may take long; whoever wants to write does not wait for it. */
static void
it_connects_before_the_transaction(void **state)
{
	struct fx *x = *state;
	CLEANUP(outbox_lock_unready) struct store *locks = x->s;
	struct postgres *pg = x->s->db;
	struct postgres_lock *made;

	FX_SERVER();
	assert_ok(x, outbox_lock_ready(locks, &x->e));
	made = x->s->ready;
	assert_non_null(made);
	assert_int_equal(outbox_lock_any(x->s, &x->e), 0);
	/* It is that which is taken: another is not made. */
	unreachable(pg);
	assert_ok(x, outbox_lock_take(x->s, 1, &x->e));
	assert_null(x->s->ready);
	assert_int_equal(outbox_lock_held(x->s, 1, &x->e), 1);
	outbox_lock_drop(x->s);
	assert_err(x, outbox_lock_take(x->s, 1, &x->e), ERR_DB);
}

enum {
	OURS = 987654 /* a number that no other test has in this server */
};

/* Ends the sessions that hold a lock of that number. */
static void
end_locks(struct fx *x)
{
	(void)fx_number(x,
	    "SELECT count(pg_terminate_backend(pid)) FROM pg_locks"
	    " WHERE locktype = 'advisory' AND granted AND objid = 987654");
	for (int i = 0; i < 100 && outbox_lock_held(x->s, OURS, &x->e) == 1;
	     i++)
		(void)usleep(20000);
}

static void
a_lock_that_was_lost(void **state)
{
	struct fx *x = *state;
	const struct postgres *pg = x->s->db;
	struct store_lock *l = NULL;
	PGconn *main_one;

	FX_SERVER();
	assert_ok(x, outbox_lock_take(x->s, OURS, &x->e));
	assert_ok(x,
	    store_lock_take(x->s, OURS, clock_mono_ms() + 1000, &l, &x->e));
	assert_ok(x, store_outbox_lock_still(x->s, &x->e));
	assert_ok(x, store_outbox_lock_still(x->s, &x->e));
	assert_ok(x, store_lock_still(x->s, l, &x->e));
	end_locks(x);
	main_one = pg->c;
	assert_non_null(main_one);
	assert_err(x, store_outbox_lock_still(x->s, &x->e), ERR_DB);
	assert_err(x, store_outbox_lock_still(x->s, &x->e), ERR_DB);
	assert_err(x, store_lock_still(x->s, l, &x->e), ERR_DB);
	/* The store's own connection has nothing to do with it. */
	assert_ptr_equal(pg->c, main_one);
	outbox_lock_drop(x->s);
	store_lock_close(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a message and a change of one number have two locks",
		    a_message_and_a_change_of_one_number),
		TEST("it connects before the transaction",
		    it_connects_before_the_transaction),
		TEST("a lock that was lost is noticed", a_lock_that_was_lost),
	};

	return cmocka_run_group_tests_name("store/postgres_lock", tests, NULL,
	    NULL);
}
