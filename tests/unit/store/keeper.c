/* SPDX-License-Identifier: Apache-2.0 */
/* A store without its data key gives the same bytes as with it. */
#include "keeper.h"

#include "store/grant.h"
#include "store/own.h"

#define PASSWORD "tr0ub4dor and 3"

/* -- MACs ------------------------------------------------------------------ */

static void
every_mac_is_the_same(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, KEEPER_TEXT - 1, KEEPER_TEXT,
		KEEPER_TEXT + 1, 5 * KEEPER_TEXT + 7 };
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct store *direct = fx_open(x, STORE_AGENT);
	size_t n = 0;

	for (int l = STORE_LABEL_NONE + 1; l < STORE_LABELS; l++) {
		enum store_label label = (enum store_label)l;

		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct str text = repeat(x->a, SIGNED, sizes[i]);
			struct str want, got;

			if (!keeper_label_is_agents(label, text))
				continue;
			n++;
			assert_ok(x,
			    store_mark(direct, x->a, label, text, &want,
				&x->e));
			assert_ok(x,
			    store_mark(k->served, x->a, label, text, &got,
				&x->e));
			assert_int_equal(got.n, 64);
			assert_true(str_eq(got, want));
		}
	}
	/* Of every text, but two labels', and another's that are too short. */
	assert_int_equal(n,
	    (STORE_LABELS - 3) * sizeof(sizes) / sizeof(sizes[0]) - 2);
	/* One message, if the text is short. */
	k->asked = 0;
	assert_ok(x,
	    store_mark(k->served, x->a, STORE_LABEL_ASK, S("x"),
		&(struct str){ 0 }, &x->e));
	assert_int_equal(k->asked, 1);
	store_close(&direct);
	keeper_done(k);
}

/* Under every label, and the right one alone. */
static void
macs_are_compared(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct store *const side[] = { x->s, k->served };
	unsigned char mac[SEAL_HASH];

	for (int l = STORE_LABEL_NONE + 1; l < STORE_LABELS; l++) {
		enum store_label label = (enum store_label)l;
		enum store_label other =
		    l == STORE_LABEL_TURN ? STORE_LABEL_LOAD : STORE_LABEL_TURN;

		assert_ok(x, keeper_mac(x->s, label, S("text"), mac, &x->e));
		for (int i = 0; i < 2; i++) {
			assert_int_equal(keeper_fits(side[i], label, S("text"),
					     mac, &x->e),
			    1);
			assert_int_equal(keeper_fits(side[i], label, S("texts"),
					     mac, &x->e),
			    0);
			assert_int_equal(keeper_fits(side[i], other, S("text"),
					     mac, &x->e),
			    0);
			mac[31] ^= 1;
			assert_int_equal(keeper_fits(side[i], label, S("text"),
					     mac, &x->e),
			    0);
			mac[31] ^= 1;
		}
	}
	keeper_done(k);
}

/* A grant that was made with the key is the same without it, and back. */
static void
a_grant_has_the_same_handle(void **state)
{
	const struct store_grant want = {
		.principal = S("agent"),
		.conversation = S("c"),
		.turn = S("t"),
		.skill = S("mail"),
		.digest = S("d"),
		.accounts = S("*"),
		.ops = S("list"),
		.issued_ms = 1000,
		.expires_ms = INT64_MAX / 2,
		.idle_ms = INT64_MAX / 4,
		.uses_left = 100,
	};
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct store_grant first = { 0 }, again = { 0 }, third = { 0 };

	assert_ok(x, store_grant_load(k->store, x->a, &want, &first, &x->e));
	assert_ok(x, store_grant_load(k->served, x->a, &want, &again, &x->e));
	assert_false(again.fresh);
	assert_true(str_eq(first.lease, again.lease));
	assert_ok(x, store_grant_end(k->store, first.id, "ended", 1000, &x->e));
	assert_ok(x, store_grant_load(k->served, x->a, &want, &third, &x->e));
	assert_ok(x, store_grant_load(k->store, x->a, &want, &again, &x->e));
	assert_false(again.fresh);
	assert_true(str_eq(third.lease, again.lease));
	keeper_done(k);
}

/* -- credentials ----------------------------------------------------------- */

static void
it_unseals_nothing(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	CLEANUP(secret_close) struct secret *password = fx_secret(PASSWORD);
	struct secret *out = NULL;
	struct store_account acct = { 0 };
	int64_t id = fx_account(x, "work");
	bool set[STORE_SEALED] = { false };

	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, password, &x->e));
	k->asked = 0;
	assert_err(x,
	    store_account_secret(k->served, id, STORE_PASSWORD, &out, &x->e),
	    ERR_CONFIG);
	assert_null(out);
	assert_err(x,
	    store_account_seal(k->served, id, STORE_OAUTH_REFRESH_TOKEN,
		password, &x->e),
	    ERR_CONFIG);
	assert_err(x,
	    store_account_seal(k->served, id, STORE_PASSWORD, password, &x->e),
	    ERR_CONFIG);
	assert_int_equal(k->asked, 0);
	/* Whether it would, the keeper says. */
	assert_ok(x,
	    store_account_secret_opens(k->served, id, STORE_PASSWORD, &x->e));
	assert_err(x,
	    store_account_secret_opens(k->served, id, STORE_OAUTH_REFRESH_TOKEN,
		&x->e),
	    ERR_NOT_FOUND);
	assert_int_equal(k->asked, 2);
	/* What is known of it without opening it stays. */
	assert_ok(x,
	    store_account_get(k->served, x->a, S("work"), &acct, &x->e));
	assert_true(acct.has_password);
	assert_ok(x, store_account_sealed(k->served, id, set, &x->e));
	assert_true(set[STORE_PASSWORD]);
	keeper_done(k);
}

/* A search, as the gate makes one. */
static int
search(struct store *s, const struct store_keys *keys, int64_t id, struct fx *x,
    const struct strs *texts)
{
	CLEANUP(store_own_close) struct store_own w = { .n = 0 };
	int again = 1, at = -1;

	assert_ok(x, store_own_open(s, keys, id, x->a, &w, &x->e));
	while (again > 0) {
		at = -1;
		for (size_t i = 0; at < 0 && i < texts->n; i++)
			if (store_own_within(&w, texts->v[i]))
				at = (int)i;
		again = store_own_settle(&w, &x->e);
	}
	assert_int_equal(again, 0);
	return at;
}

/* Without spaces, as the gate's views are. */
#define SQUEEZED "tr0ub4dorand3"

static void
our_secrets_are_found(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	CLEANUP(secret_close) struct secret *password = fx_secret(PASSWORD);
	int64_t id = fx_account(x, "work"), other = fx_account(x, "other");
	const struct store_keys keys = { NULL, x->agent }, none = { 0 };
	struct str fill = repeat(x->a, "0123456789 ", 3 * KEEPER_TEXT);
	const struct row {
		struct str text;
		bool hit;
	} rows[] = {
		{ S(""), false },
		{ S("hello, Bob"), false },
		{ S(SQUEEZED), true },
		{ S("it is " SQUEEZED "."), true },
		{ S("tr0ub4dorand"), false },
		{ S("\n" SQUEEZED), true },
		{ S(AGENT_KEY), true },
		{ S("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"), true },
		{ S("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"), false },
		{ S(OTHER_KEY), false },
		{ fill, false },
	};
	const size_t n = sizeof(rows) / sizeof(rows[0]);

	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, password, &x->e));
	for (size_t i = 0; i < n; i++) {
		struct str text = rows[i].text;
		struct strs one = { &text, 1 };
		int want = rows[i].hit ? 0 : -1;

		assert_int_equal(search(x->s, &keys, id, x, &one), want);
		assert_int_equal(search(k->served, &none, id, x, &one), want);
	}
	/* At each place where a long text is cut. */
	for (size_t at = KEEPER_TEXT - 40; at < KEEPER_TEXT + 40; at++) {
		char *p = arena_alloc(x->a, fill.n);
		struct str text = { p, fill.n };
		struct strs one = { &text, 1 };

		memcpy(p, fill.p, fill.n);
		memcpy(p + at, SQUEEZED, strlen(SQUEEZED));
		assert_int_equal(search(k->served, &none, id, x, &one), 0);
	}
	/* Another account's password is not this one's. */
	assert_int_equal(search(k->served, &none, other, x,
			     &(struct strs){ (struct str[]){ S(SQUEEZED) },
				 1 }),
	    -1);
	keeper_done(k);
}

/* Which text it was, and few messages when there is none. */
static void
texts_are_collected(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	CLEANUP(secret_close) struct secret *password = fx_secret(PASSWORD);
	int64_t id = fx_account(x, "work");
	const struct store_keys none = { 0 };
	struct str v[400];
	struct strs texts = { v, 400 };

	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, password, &x->e));
	for (size_t i = 0; i < texts.n; i++)
		v[i] = S("a short text");
	/* Two neighbours are not one text. */
	v[20] = S("tr0ub4d");
	v[21] = S("orand3 ...");
	k->asked = 0;
	assert_int_equal(search(k->served, &none, id, x, &texts), -1);
	assert_int_equal(k->asked, 1);
	v[333] = S(SQUEEZED);
	v[334] = S(SQUEEZED);
	assert_int_equal(search(k->served, &none, id, x, &texts), 333);
	keeper_done(k);
}

/* Nobody can say: that is no "no". */
static void
a_search_without_a_keeper_fails(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct store_own w = { .n = 0 };
	const struct store_keys none = { 0 };

	assert_ok(x,
	    store_own_open(k->served, &none, fx_account(x, "work"), x->a, &w,
		&x->e));
	k->gone = true;
	assert_false(store_own_within(&w, S("a short text")));
	assert_err(x, store_own_settle(&w, &x->e), ERR_CONFIG);
	assert_err(x,
	    store_mark(k->served, x->a, STORE_LABEL_ASK, S("x"),
		&(struct str){ 0 }, &x->e),
	    ERR_CONFIG);
	store_close(&k->served);
	assert_err(x, store_open_served(x->path, &k->way, &k->served, &x->e),
	    ERR_CONFIG);
	keeper_done(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every MAC is the same", every_mac_is_the_same),
		TEST("MACs are compared", macs_are_compared),
		TEST("a grant has the same handle",
		    a_grant_has_the_same_handle),
		TEST("it unseals nothing", it_unseals_nothing),
		TEST("our secrets are found", our_secrets_are_found),
		TEST("texts are collected", texts_are_collected),
		TEST("a search without a keeper fails",
		    a_search_without_a_keeper_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
