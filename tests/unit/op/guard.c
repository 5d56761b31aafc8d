/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate over a fake backend: what an agent can and cannot learn.  The
 * differential rows compare a store with a hidden message and one without:
 * every reply must have the same bytes.
 */
#include "../rows.h"

#include "../../fake/house.h"

static void
fill(size_t n, const char *const *heads)
{
	fake_reset();
	for (size_t i = 0; i < n; i++)
		(void)fake_add(heads[i]);
}

/* -- the rows ----------------------------------------------------------- */

static void
hides_strangers(void **state_)
{
	static const char *const m[] = { BOSS, SPAM, BOSS };
	struct house h;

	(void)state_;
	fill(3, m);
	house_open(&h, (struct terms){ .in_on = true });
	assert_string_equal(house_uids(&h, house_call(&h, "list", WORK, NULL)),
	    "3 1");
	assert_string_equal(house_uids(&h,
				house_call(&h, "search", WORK, NULL)),
	    "3 1");
	house_close(&h);
}

static void
refills_a_page(void **state_)
{
	struct house h;
	struct reply r;

	(void)state_;
	fill(0, NULL);
	for (int i = 0; i < 3; i++)
		(void)fake_add(BOSS);
	for (int i = 0; i < 1200; i++)
		(void)fake_add(SPAM);
	house_open(&h, (struct terms){ .in_on = true });
	r = house_call(&h, "list", WORK, "limit", "2", NULL);
	assert_string_equal(house_uids(&h, r), "3 2");
	assert_non_null(strstr(house_text(&h, r), "\"next_before\":2"));
	r = house_call(&h, "list", WORK, "limit", "2", "before", "2", NULL);
	assert_string_equal(house_uids(&h, r), "1");
	assert_non_null(strstr(house_text(&h, r), "\"next_before\":null"));
	house_close(&h);
}

/* Every operation, with a hidden message and without. */
static void
hidden_is_absent(void **state_)
{
	const char *with[6], *without[6];
	struct house h[2];

	(void)state_;
	for (int k = 0; k < 2; k++) {
		const char **out = k == 0 ? with : without;

		fill(0, NULL);
		(void)fake_add(BOSS);
		if (k == 0)
			(void)fake_add(SPAM);
		else
			fake.uidnext++; /* it was there, and was removed */
		(void)fake_add(BOSS);
		house_open(&h[k], (struct terms){ .in_on = true });
		out[0] =
		    house_text(&h[k], house_call(&h[k], "list", WORK, NULL));
		out[1] = house_text(&h[k],
		    house_call(&h[k], "search", WORK, "subject_contains",
			"plan", NULL));
		out[2] = house_text(&h[k],
		    house_call(&h[k], "get", WORK, "uid", "2", NULL));
		out[3] = house_text(&h[k],
		    house_call(&h[k], "ack", WORK, "uid", "2", NULL));
		out[4] = house_text(&h[k],
		    house_call(&h[k], "ack", WORK, "uid", "1:3", NULL));
		out[5] = house_text(&h[k],
		    house_call(&h[k], "send", "account", "work", "to",
			"boss@us.example", "body", "b", "reply_to", "2", NULL));
		assert_int_equal(fake.calls[FAKE_BODY], 0);
		assert_int_equal(fake.calls[FAKE_SUBMIT], 0);
	}
	for (int i = 0; i < 6; i++)
		assert_string_equal(with[i], without[i]);
	assert_non_null(strstr(with[2], "not_found"));
	house_close(&h[0]);
	house_close(&h[1]);
}

static void
two_froms_are_nobody(void **state_)
{
	static const char *const m[] = {
		"From: boss@us.example\r\nFrom: x@them.example\r\n",
		"From: boss@us.example, x@them.example\r\n",
		"From: \"boss@us.example\" <x@them.example>\r\n",
		"Sender: boss@us.example\r\n",
		"From: =?utf-8?q?boss=40us.example?= <x@them.example>\r\n",
		"From: g: boss@us.example;\r\n",
	};
	struct house h;

	(void)state_;
	fill(6, m);
	house_open(&h, (struct terms){ .in_on = true });
	assert_string_equal(house_uids(&h, house_call(&h, "list", WORK, NULL)),
	    "");
	house_close(&h);
}

/* A name or comment decides nothing, and get warns about it. */
static void
names_hide_nobody(void **state_)
{
	static const char *const m[] = {
		"From: \"evil@attacker.example\" <boss@us.example>\r\n",
		"From: \"jane@x via Tracker\" <boss@us.example>\r\n",
		"From: boss@us.example (jane@x via Tracker)\r\n",
		"From: Boss <boss@us.example> (jane@x.example)\r\n",
		"From: =?utf-8?q?jane=40x.example?= <boss@us.example>\r\n",
		"From: CNET News.com Dispatch <boss@us.example>\r\n",
	};
	struct house h;

	(void)state_;
	fill(6, m);
	house_open(&h, (struct terms){ .in_on = true });
	assert_string_equal(house_uids(&h, house_call(&h, "list", WORK, NULL)),
	    "6 5 4 3 2 1");
	for (int i = 1; i <= 6; i++) {
		char uid[2] = { (char)('0' + i), '\0' };
		const char *got = house_text(&h,
		    house_call(&h, "get", WORK, "uid", uid, NULL));

		assert_int_equal(strstr(got, "\"sender_display\":1") != NULL,
		    i < 6);
	}
	house_close(&h);
}

static void
judges_the_bytes_it_gives(void **state_)
{
	static const char *const m[] = { BOSS };
	struct house h;

	(void)state_;
	fill(1, m);
	fake.mail[0].other_head = SPAM;
	house_open(&h, (struct terms){ .in_on = true });
	assert_int_equal(house_call(&h, "get", WORK, "uid", "1", NULL).err.kind,
	    ERR_NOT_FOUND);
	house_close(&h);
}

static void
new_is_a_seen_set(void **state_)
{
	static const char *const m[] = { BOSS, BOSS };
	struct house h;

	(void)state_;
	fill(2, m);
	house_open(&h, (struct terms){ 0 });
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "");
	(void)fake_add(BOSS);
	(void)fake_add(BOSS);
	(void)fake_add(BOSS);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "5 4 3");
	assert_int_equal(house_call(&h, "ack", WORK, "uid", "4", NULL).err.kind,
	    ERR_NONE);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "5 3");
	assert_string_equal(house_uids(&h, house_call(&h, "list", WORK, NULL)),
	    "5 4 3 2 1");
	assert_int_equal(house_call(&h, "ack", WORK, "uid", "3,5", NULL)
			     .err.kind,
	    ERR_NONE);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "");
	house_close(&h);
}

static void
ack_is_all_or_nothing(void **state_)
{
	struct house h;

	(void)state_;
	fill(0, NULL);
	house_open(&h, (struct terms){ .backlog = true });
	(void)fake_add(BOSS);
	(void)fake_add(BOSS);
	assert_int_equal(house_call(&h, "ack", WORK, "uid", "1,2,9", NULL)
			     .err.kind,
	    ERR_NOT_FOUND);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "2 1");
	house_close(&h);
}

static void
another_uidvalidity_starts_anew(void **state_)
{
	static const char *const m[] = { BOSS, BOSS };
	struct house h;
	struct reply r;

	(void)state_;
	fill(2, m);
	house_open(&h, (struct terms){ .backlog = true });
	assert_int_equal(house_call(&h, "ack", WORK, "uid", "1:2", NULL)
			     .err.kind,
	    ERR_NONE);
	fake.uidvalidity = 2;
	r = house_call(&h, "list", WORK, "new", "", NULL);
	assert_string_equal(house_uids(&h, r), "2 1");
	assert_non_null(strstr(house_text(&h, r), "uidvalidity_changed"));
	r = house_call(&h, "list", WORK, "new", "", NULL);
	assert_null(strstr(house_text(&h, r), "uidvalidity_changed"));
	house_close(&h);
}

static void
a_lying_server_ends(void **state_)
{
	struct house h;
	struct reply r;

	(void)state_;
	fill(0, NULL);
	for (int i = 0; i < 100; i++)
		(void)fake_add(SPAM);
	fake.lie_same_row = true;
	house_open(&h, (struct terms){ .in_on = true });
	r = house_call(&h, "list", WORK, "limit", "10", NULL);
	assert_string_equal(house_uids(&h, r), "");
	house_close(&h);
}

static const char *
refused(struct house *h, const char *to)
{
	struct reply r = house_call(h, "send", "account", "work", "to", to,
	    "cc", "boss@us.example", "subject", "s", "body", "b", NULL);

	assert_int_equal(fake.calls[FAKE_SUBMIT], 0);
	return r.err.reason != NULL ? r.err.reason : err_code(r.err.kind);
}

static void
sends_to_all_or_none(void **state_)
{
	struct house h;

	(void)state_;
	fill(0, NULL);
	house_open(&h, (struct terms){ .out_on = true });
	assert_string_equal(refused(&h, "x@them.example"), "whitelist_out");
	assert_string_equal(refused(&h, "boss@us.example.evil"),
	    "whitelist_out");
	assert_string_equal(refused(&h, "a@b.example\r\nBcc: c@d.example"),
	    "usage");
	assert_string_equal(refused(&h, "boss@us.example, x@them.example"),
	    "usage");
	assert_int_equal(house_call(&h, "send", "account", "work", "to",
			     "BOSS@US.example", "cc", "boss@us.example",
			     "subject", "s", "body", "b", NULL)
			     .err.kind,
	    ERR_NONE);
	assert_int_equal(fake.calls[FAKE_SUBMIT], 1);
	assert_int_equal(fake.recipients, 1);
	house_close(&h);
}

static void
read_only_sends_nothing(void **state_)
{
	struct house h;

	(void)state_;
	fill(0, NULL);
	house_open(&h, (struct terms){ .ro = true });
	assert_string_equal(refused(&h, "boss@us.example"), "ro_mode");
	house_close(&h);
}

static void
everything_is_written_down(void **state_)
{
	static const char *const m[] = { SPAM };
	struct house h;
	struct store *s = NULL;
	struct store_keys keys;
	struct store_audit *row_;
	struct err e = { 0 };
	size_t n;

	(void)state_;
	fill(1, m);
	house_open(&h, (struct terms){ .in_on = true, .ro = true });
	(void)house_call(&h, "list", WORK, NULL);
	(void)house_call(&h, "get", WORK, "uid", "1", NULL);
	(void)refused(&h, "boss@us.example");
	(void)house_call(&h, "get", WORK, "uid", "zero", NULL);
	keys = (struct store_keys){ h.env.admin_key, h.env.agent_key };
	assert_int_equal(store_open(h.db, STORE_ADMIN, &keys, &s, &e), 0);
	assert_int_equal(store_audit_list(s, h.a,
			     &(struct store_audit_query){ .limit = 10 }, &row_,
			     &n, &e),
	    0);
	assert_int_equal(n, 4);
	assert_true(str_eq(row_[0].reason, S("usage")));
	assert_true(str_eq(row_[1].reason, S("ro_mode")));
	assert_true(str_eq(row_[2].reason, S("filtered")));
	assert_true(str_eq(row_[2].result, S("blocked")));
	assert_true(str_eq(row_[2].target, S("INBOX 1")));
	assert_true(str_eq(row_[3].result, S("allowed")));
	assert_true(str_eq(row_[3].outcome, S("ok")));
	store_close(&s);
	house_close(&h);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		{ "who is not on the list is not listed or found",
		    hides_strangers, NULL, NULL, NULL },
		{ "a page is refilled: hidden mail cannot be counted",
		    refills_a_page, NULL, NULL, NULL },
		{ "hidden answers byte for byte as absent, in every operation",
		    hidden_is_absent, NULL, NULL, NULL },
		{ "a From that is not exactly one strict address is nobody's",
		    two_froms_are_nobody, NULL, NULL, NULL },
		{ "a name or comment hides nobody", names_hide_nobody, NULL,
		    NULL, NULL },
		{ "the bytes handed out are the ones that were judged",
		    judges_the_bytes_it_gives, NULL, NULL, NULL },
		{ "new is a seen-set, acked in any order", new_is_a_seen_set,
		    NULL, NULL, NULL },
		{ "ack takes all uids or none", ack_is_all_or_nothing, NULL,
		    NULL, NULL },
		{ "another UIDVALIDITY starts anew and says so",
		    another_uidvalidity_starts_anew, NULL, NULL, NULL },
		{ "a server that repeats itself does not keep us",
		    a_lying_server_ends, NULL, NULL, NULL },
		{ "a send goes to all recipients or to none",
		    sends_to_all_or_none, NULL, NULL, NULL },
		{ "a read-only account sends nothing", read_only_sends_nothing,
		    NULL, NULL, NULL },
		{ "every call leaves a row, allowed or blocked",
		    everything_is_written_down, NULL, NULL, NULL },
	};

	return cmocka_run_group_tests_name("op/guard", tests, NULL, NULL);
}
