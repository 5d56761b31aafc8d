/* SPDX-License-Identifier: Apache-2.0 */
/* Leases, the operator's undo, and prints of messages. */
#include "fixture.h"

#include "base/limits.h"
#include "store/claim.h"
#include "store/rematch.h"

#define NOW 1000000LL
#define N(v) (sizeof(v) / sizeof((v)[0]))

static struct store_folder
folder(struct fx *x, uint32_t baseline)
{
	struct store_folder f = { fx_account(x, "work"), S("agent"), S("INBOX"),
		7 };
	uint32_t floor;
	bool reset;

	assert_ok(x,
	    store_seen_meet(x->s, &f, baseline, &floor, &reset, &x->e));
	return f;
}

/* Claims 1 to 5; returns the ones it got, as bits. */
static unsigned
take(struct fx *x, const struct store_folder *f, int64_t now, int64_t ms)
{
	static const uint32_t uids[] = { 1, 2, 3, 4, 5 };
	bool won[N(uids)];
	unsigned bits = 0;

	assert_ok(x,
	    store_claim_take(x->s, f, uids, N(uids), now, now + ms, won,
		&x->e));
	for (size_t i = 0; i < N(uids); i++)
		bits |= (unsigned)won[i] << uids[i];
	return bits;
}

static size_t
held(struct fx *x, const struct store_folder *f, int64_t now)
{
	uint32_t *v;
	size_t n;

	assert_ok(x, store_claim_held(x->s, x->a, f, now, &v, &n, &x->e));
	return n;
}

static void
once(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x, 1), other = f;
	uint32_t uid = 3;

	/* Not those below the floor, nor acked ones. */
	assert_ok(x, store_seen_ack(x->s, &f, &uid, 1, &x->e));
	assert_int_equal(take(x, &f, NOW, 1000), 1U << 2 | 1U << 4 | 1U << 5);
	assert_int_equal(take(x, &f, NOW, 1000), 0);
	assert_int_equal(held(x, &f, NOW + 999), 3);
	assert_int_equal(held(x, &f, NOW + 1000), 0);
	assert_int_equal(take(x, &f, NOW + 999, 1000), 0);
	assert_int_equal(take(x, &f, NOW + 1000, 1000),
	    1U << 2 | 1U << 4 | 1U << 5);
	/* An ack ends it; another numbering is independent. */
	uid = 4;
	assert_ok(x, store_seen_ack(x->s, &f, &uid, 1, &x->e));
	assert_int_equal(held(x, &f, NOW + 1001), 2);
	other.uidvalidity = 8;
	assert_int_equal(held(x, &other, NOW + 1001), 0);
	{
		static const uint32_t five[] = { 5 };
		bool won;

		assert_err(x,
		    store_claim_take(x->s, &other, five, 1, NOW, NOW + 9, &won,
			&x->e),
		    ERR_NOT_FOUND);
	}
}

static void
clock_put_back(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x, 0);
	int64_t late = NOW + 2 * LIMIT_CLAIM_S * 1000LL;

	assert_int_equal(take(x, &f, late, 1000), 62);
	assert_int_equal(held(x, &f, NOW), 0);
	assert_int_equal(take(x, &f, NOW, 1000), 62);
}

static uint32_t
floor_of(struct fx *x, const struct store_folder *f, size_t *acks)
{
	uint32_t floor, *v;

	assert_ok(x, store_seen_acked(x->s, x->a, f, &floor, &v, acks, &x->e));
	return floor;
}

static void
back(void **state)
{
	static const uint32_t some[] = { 3, 5 }, above[] = { 20 },
			      zero[] = { 0 };
	struct fx *x = *state;
	struct store_folder f = folder(x, 10);
	size_t acks;

	assert_ok(x, store_seen_ack(x->s, &f, above, 1, &x->e));
	assert_ok(x, store_seen_unack(x->s, &f, above, 1, &x->e));
	assert_int_equal(floor_of(x, &f, &acks), 10);
	assert_int_equal(acks, 0);
	assert_ok(x, store_seen_unack(x->s, &f, some, 2, &x->e));
	/* 4 and 6 to 10 are still acked. */
	assert_int_equal(floor_of(x, &f, &acks), 2);
	assert_int_equal(acks, 6);
	assert_err(x, store_seen_unack(x->s, &f, zero, 1, &x->e), ERR_USAGE);
}

static void
too_far_back(void **state)
{
	static const uint32_t one[] = { 1 }, near[] = { UINT32_MAX - 9999 };
	struct fx *x = *state;
	struct store_folder f = folder(x, UINT32_MAX);
	struct store *s = fx_open(x, STORE_AGENT);
	size_t acks;

	assert_err(x, store_seen_unack(s, &f, near, 1, &x->e), ERR_CONFIG);
	store_close(&s);
	assert_err(x, store_seen_unack(x->s, &f, one, 1, &x->e), ERR_LIMIT);
	assert_int_equal(floor_of(x, &f, &acks), UINT32_MAX);
	assert_ok(x, store_seen_unack(x->s, &f, near, 1, &x->e));
	assert_int_equal(floor_of(x, &f, &acks), UINT32_MAX - 10000);
	assert_int_equal(acks, 9999);
}

static void
prints(void **state)
{
	unsigned char v[4][STORE_PRINT];

	(void)state;
	assert_true(store_rematch_print(S("<a@b>"), S("x@y"), 1, v[0]));
	assert_true(store_rematch_print(S("<a@b>"), S("x@z"), 1, v[1]));
	assert_true(store_rematch_print(S("<a@b>"), S("x@y"), 2, v[2]));
	assert_true(store_rematch_print(S("<a@b>"), S(""), 1, v[3]));
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++)
			assert_memory_not_equal(v[i], v[k], STORE_PRINT);
	assert_false(store_rematch_print(S(""), S("x@y"), 1, v[0]));
}

static struct store_mark
mark(uint32_t uid)
{
	struct store_mark m = { .uid = uid, .acked = true };

	memcpy(m.print, &uid, sizeof(uid));
	return m;
}

static void
only_so_many(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x, 0);
	struct store_mark *known, *all = arena_array(x->a, 12000, sizeof(*all));
	struct store_rematch to = { .was = 7, .found = all, .n = 100 };
	size_t n, nameless;
	uint32_t uid = 12000;
	bool done;

	for (uint32_t i = 0; i < 12000; i++)
		all[i] = mark(i + 1);
	assert_ok(x, store_rematch_ack(x->s, &f, &uid, 1, all, 12000, &x->e));
	assert_ok(x,
	    store_rematch_known(x->s, x->a, &f, &known, &n, &nameless, &x->e));
	assert_int_equal(n, 10000);
	assert_int_equal(nameless, 0);
	assert_int_equal(fx_number(x, "SELECT min(uid) FROM seen_message"),
	    2001);
	/* Renumbering again and again adds no more. */
	for (uint32_t v = 8; v < 11; v++) {
		f.uidvalidity = v;
		for (uint32_t i = 0; i < 100; i++)
			all[i] = mark(v * 100000 + i);
		assert_ok(x, store_rematch_apply(x->s, &f, &to, &done, &x->e));
		assert_true(done);
		/* A late caller changes nothing. */
		assert_ok(x, store_rematch_apply(x->s, &f, &to, &done, &x->e));
		assert_false(done);
		to.was = v;
		assert_ok(x,
		    store_rematch_known(x->s, x->a, &f, &known, &n, &nameless,
			&x->e));
		assert_int_equal(n, 10000);
	}
}

/* Two messages may have one print: the last one's uid stays. */
static void
one_print(void **state)
{
	static const size_t counts[] = { 3, 300 };
	struct fx *x = *state;
	struct store_folder f = folder(x, 0);
	struct store_mark *known, all[300];
	size_t n, nameless;

	for (size_t k = 0; k < 2; k++) {
		const size_t last = counts[k] - 1;
		const uint32_t uid = 400;

		for (uint32_t i = 0; i < 300; i++)
			all[i] = mark(i + 1);
		memcpy(all[0].print, all[last].print, STORE_PRINT);
		all[0].uid = UINT32_MAX;
		all[last].acked = false;
		all[1].acked = false;
		assert_ok(x,
		    store_rematch_ack(x->s, &f, &uid, 1, all, counts[k],
			&x->e));
		assert_ok(x,
		    store_rematch_known(x->s, x->a, &f, &known, &n, &nameless,
			&x->e));
		for (size_t i = 0; i < n; i++) {
			if (memcmp(known[i].print, all[0].print, STORE_PRINT) ==
			    0) {
				assert_int_equal(known[i].uid, last + 1);
				assert_true(known[i].acked);
			}
			assert_int_equal(known[i].acked, known[i].uid != 2);
		}
		assert_int_equal(n, counts[k] - 1);
		fx_sql(x, "DELETE FROM seen_message");
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a message is taken once", once),
		TEST("a clock that is put back keeps nothing", clock_put_back),
		TEST("what was dealt with is new again", back),
		TEST("but not from any time ago", too_far_back),
		TEST("a print is of Message-ID, sender and date", prints),
		TEST("of one print the last counts", one_print),
		TEST("only the newest are known again", only_so_many),
	};

	return cmocka_run_group_tests_name("store/claim", tests, NULL, NULL);
}
