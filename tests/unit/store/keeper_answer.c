/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker that was taken over may ask of the keeper. */
#include "keeper.h"

/* -- what a worker may not ask --------------------------------------------- */

#define B32 "................................"

static const struct hostile {
	const char *why;
	struct str request;
	enum err_kind kind;
} hostiles[] = {
	{ "nothing", SI(""), ERR_USAGE },
	{ "an unknown type", SI("U\1"), ERR_USAGE },
	{ "to unseal", SI("Uaccounts/enc_password/1"), ERR_USAGE },
	{ "the key", SI("K"), ERR_USAGE },
	{ "a byte that is none of text", SI("\xff"), ERR_USAGE },
	{ "a greeting with more", SI("H1"), ERR_USAGE },
	{ "a MAC without a label", SI("M"), ERR_USAGE },
	{ "a MAC under no label", SI("M\0x"), ERR_USAGE },
	{ "a label that there is not", SI("M\x7fx"), ERR_USAGE },
	{ "the highest one", SI("M\xffx"), ERR_USAGE },
	{ "a label by its name", SI("Memcli audit"), ERR_USAGE },
	{ "a part without a label", SI("A"), ERR_USAGE },
	{ "a part under no label", SI("A\0x"), ERR_USAGE },
	{ "a comparison without a label", SI("C"), ERR_USAGE },
	{ "a comparison without a MAC", SI("C\1"), ERR_USAGE },
	{ "a MAC that is cut off", SI("C\1short"), ERR_USAGE },
	{ "a comparison under no label", SI("C\0" B32 "x"), ERR_USAGE },
	{ "a search in no account", SI("O"), ERR_USAGE },
	{ "an account that is cut off", SI("O1234567"), ERR_USAGE },
	{ "whether nothing unseals", SI("S12345678"), ERR_USAGE },
	{ "whether what there is not unseals", SI("S12345678\4"), ERR_USAGE },
	{ "whether it unseals, and more", SI("S12345678\0x"), ERR_USAGE },
	{ "what the operator is to be told", SI("Nread this"), ERR_USAGE },
	{ "by which way", SI("W/bin/true"), ERR_USAGE },
};

static void
what_no_worker_asks_ends_it(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct str lon = repeat(x->a, "M\1", LIMIT_KEEPER_ASK + 1);

	for (size_t i = 0; i <= sizeof(hostiles) / sizeof(hostiles[0]); i++) {
		const struct hostile *h = &hostiles[i];
		bool last = i == sizeof(hostiles) / sizeof(hostiles[0]);
		struct store_answer out;

		memset(&out, 0xee, sizeof(out));
		if (store_keeper_answer(k->asker, last ? lon : h->request,
			&out))
			fail_msg("%s goes on", last ? "long" : h->why);
		assert_in_range(out.n, 3, LIMIT_KEEPER_ANSWER);
		assert_int_equal(out.p[0], KEEPER_NO);
		assert_int_equal(out.p[1], last ? ERR_USAGE : h->kind);
	}
	keeper_done(k);
}

/* That something waits, and nothing of it; it is heard once. */
static void
a_worker_says_that_something_waits(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);

	assert_false(store_keeper_answer_noticed(k->asker));
	store_keeper_ask_notice(k->served);
	assert_true(store_keeper_answer_noticed(k->asker));
	assert_false(store_keeper_answer_noticed(k->asker));
	keeper_done(k);
}

/* -- the setting notify ---------------------------------------------------- */

static void
assert_way(struct keeper *k, const char *want)
{
	struct fx *x = k->x;
	struct str way = { 0 };

	assert_int_equal(store_keeper_ask_way(&k->way, x->a, &way, &x->e),
	    want != NULL);
	if (want != NULL)
		assert_str(way, want);
}

static void
the_way_is_as_the_operator_set_it(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct str longest = str_fmt(x->a, "/bin/%.*s",
		       STR_ARG(repeat(x->a, "x", LIMIT_SECRET_LINE - 5))),
		   way;
	size_t n;

	assert_way(k, NULL);
	assert_ok(x, store_setting_set(x->s, S("notify"), longest, &x->e));
	assert_way(k, str_c(x->a, longest));
	assert_ok(x,
	    store_setting_set(x->s, S("notify"), S("/bin/a b"), &x->e));
	assert_way(k, "/bin/a b");
	/* Nobody has greeted it since. */
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	assert_way(k, "/bin/a b");
	fx_sql(x,
	    "UPDATE settings SET value = '/bin/evil' WHERE key ="
	    " 'notify'");
	assert_err(x, store_keeper_ask_way(&k->way, x->a, &way, &x->e),
	    ERR_CONFIG);
	assert_ok(x, store_setting_set(x->s, S("notify"), S("off"), &x->e));
	assert_way(k, NULL);
	k->gone = true;
	assert_err(x, store_keeper_ask_way(&k->way, x->a, &way, &x->e),
	    ERR_CONFIG);
	keeper_done(k);
}

/* A text in parts is one text, under one label, and not endless. */
static void
parts_are_of_one_text(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct str part = repeat(x->a, "A\1", LIMIT_KEEPER_ASK);
	struct store_answer out = { .n = 0 };
	size_t most = 0;

	assert_true(store_keeper_answer(k->asker, S("A\1x"), &out));
	assert_false(store_keeper_answer(k->asker, S("A\2x"), &out));
	assert_false(store_keeper_answer(k->asker, S("M\2x"), &out));
	assert_false(store_keeper_answer(k->asker, S("H"), &out));
	assert_false(store_keeper_answer(k->asker, S("O12345678x"), &out));
	while (store_keeper_answer(k->asker, part, &out))
		assert_true(++most < 1000);
	assert_int_equal(out.p[1], ERR_LIMIT);
	keeper_done(k);
}

/* In mailbox roots; the whole text, or its first part. */
static const char *const operators[] = {
	"emcli agentbox 3 operator\nmsg-1\ndigest\n",
	"emcli agentbox 3 operator\n",
	"emcli agentbox 1\nmsg-1\ndigest\n",
	"emcli agentbox 2 agent\nmsg-1\ndigest\n",
	"emcli agentbox 3 agents\n",
	"emcli agentbox 3 agent",
	"emcli agentbox 3 ",
	" emcli agentbox 3 agent\n",
	"EMCLI AGENTBOX 3 AGENT\n",
	"",
};

static void
the_keeper_does_not_sign_for_the_operator(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct store_answer out = { .n = 0 };

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		for (int more = 0; more < 2; more++) {
			struct str text = str_fmt(x->a, "%c%c%s",
			    more ? KEEPER_MORE : KEEPER_MAC, STORE_LABEL_ROOT,
			    operators[i]);

			if (store_keeper_answer(k->asker, text, &out))
				fail_msg("%s is signed", operators[i]);
			assert_int_equal(out.p[1], ERR_POLICY);
		}
	/* As the caller sees it. */
	assert_err(x,
	    store_mark(k->served, x->a, STORE_LABEL_ROOT, S("x"),
		&(struct str){ 0 }, &x->e),
	    ERR_POLICY);
	keeper_done(k);
}

/*
 * The signatures of the audit log and of the operator's rows are under a key
 * that is not of the data key: no label makes one.
 */
static void
no_label_signs_the_operators_rows(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct chain_point *v;
	size_t n;

	assert_null(k->store->audit_key);
	assert_ok(x, chain_sign_points(x->s, x->a, &v, &n, &x->e));
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		unsigned char raw[SEAL_HASH];
		struct str text;
		struct buf b;

		buf_init(&b, x->a, 1024);
		chain_put_int(&b, v[i].n);
		chain_put_int(&b, v[i].seq);
		chain_put(&b, v[i].hash);
		chain_put_int(&b, v[i].audit_id);
		chain_put(&b, v[i].ts);
		chain_put_int(&b, v[i].days);
		chain_put_int(&b, v[i].taken);
		text = buf_view(&b);
		/* It is what the operator signed. */
		assert_ok(x, seal_mac(x->s->audit_key, text, raw, &x->e));
		assert_true(
		    str_eq(str_hex_dup(x->a, raw, SEAL_HASH), v[i].mac));
		for (int l = 1; l < STORE_LABELS; l++) {
			assert_ok(x,
			    keeper_mac(k->store, (enum store_label)l, text, raw,
				&x->e));
			assert_false(str_eq(str_hex_dup(x->a, raw, SEAL_HASH),
			    v[i].mac));
		}
	}
	keeper_done(k);
}

/* -- other keys ------------------------------------------------------------ */

static void
a_new_data_key_is_used(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct str before, stale, want, got;
	size_t n;

	assert_ok(x,
	    store_mark(k->served, x->a, STORE_LABEL_ASK, S("x"), &before,
		&x->e));
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	/* As in a process that has it: an open store goes on. */
	assert_ok(x,
	    store_mark(k->served, x->a, STORE_LABEL_ASK, S("x"), &stale,
		&x->e));
	assert_true(str_eq(before, stale));
	store_close(&k->served);
	assert_ok(x, store_open_served(x->path, &k->way, &k->served, &x->e));
	assert_ok(x,
	    store_mark(x->s, x->a, STORE_LABEL_ASK, S("x"), &want, &x->e));
	assert_ok(x,
	    store_mark(k->served, x->a, STORE_LABEL_ASK, S("x"), &got, &x->e));
	assert_false(str_eq(before, got));
	assert_true(str_eq(want, got));
	keeper_done(k);
}

static void
a_key_that_was_replaced_opens_nothing(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);

	assert_ok(x,
	    store_key_rotate(x->s, STORE_SLOT_AGENT, &x->keys, x->other, NULL,
		&x->e));
	store_close(&k->served);
	assert_err(x, store_open_served(x->path, &k->way, &k->served, &x->e),
	    ERR_CONFIG);
	assert_string_equal(x->e.say, "EMCLI_KEY does not open this store");
	assert_null(k->served);
	keeper_done(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("what no worker asks ends it",
		    what_no_worker_asks_ends_it),
		TEST("a worker says that something waits",
		    a_worker_says_that_something_waits),
		TEST("the way is as the operator set it",
		    the_way_is_as_the_operator_set_it),
		TEST("parts are of one text", parts_are_of_one_text),
		TEST("the keeper does not sign for the operator",
		    the_keeper_does_not_sign_for_the_operator),
		TEST("no label signs the operator's rows",
		    no_label_signs_the_operators_rows),
		TEST("a new data key is used", a_new_data_key_is_used),
		TEST("a key that was replaced opens nothing",
		    a_key_that_was_replaced_opens_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
