/* SPDX-License-Identifier: Apache-2.0 */
/* A dry run says what a send would meet, and leaves nothing behind. */
#include "../rows.h"

#include "../../fake/house.h"
#include "store/outbox.h"

#define TO "to", "boss@us.example"
#define DRY "subject", "s", "dry_run", "", "body"
#define TOKEN "ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5"

#define SETS(name, what)                                                       \
	static void name##_set(struct store_account *a)                        \
	{                                                                      \
		what;                                                          \
	}                                                                      \
	static void name(struct house *h)                                      \
	{                                                                      \
		house_change(h, "work", name##_set);                           \
	}

SETS(scoped, a->scope_thread = true)
SETS(finished, a->no_unfinished_check = false)
SETS(waits, a->outbound = OUTBOUND_APPROVE)
SETS(tainted, a->taint_minutes = 60)
SETS(few, a->limit_messages = 1)
SETS(two_people, a->limit_recipients = 2)

static void
sent_one(struct house *h)
{
	few(h);
	assert_string_equal(house_word(house_call(h, "send", TO, "subject", "s",
				"body", "hello", NULL)),
	    "ok");
	fake_reset();
}

static void
sent_by_key(struct house *h)
{
	assert_string_equal(house_word(house_call(h, "send", TO, "subject", "s",
				"body", "hello", "idempotency_key", "k", NULL)),
	    "ok");
	fake_reset();
}

/* Everything at once: a program's mail was read, and all of it waits. */
static void
read_and_waits(struct house *h)
{
	(void)fake_add(BOSS "Auto-Submitted: auto-replied\r\n");
	tainted(h);
	waits(h);
	finished(h);
	assert_string_equal(house_uids(h, house_call(h, "list", WORK, NULL)),
	    "1");
}

#define FOUND(reason, effect)                                                  \
	"{\"reason\":\"" reason "\",\"effect\":\"" effect "\""

static const struct house_row rows[] = {
	{ "nothing is wrong", { 0 }, NULL, "send", { TO, DRY, "hello" },
	    .want = "ok", .says = "\"verdict\":\"send\",\"reasons\":[]",
	    .detail = "dry run: send" },
	{ "it was not sent, and says so", { 0 }, NULL, "send",
	    { TO, DRY, "hello" }, .want = "ok",
	    .says = "{\"address\":\"boss@us.example\","
		    "\"status\":\"not sent\"}" },
	{ "it waits", { 0 }, waits, "send", { TO, DRY, "hello" }, .want = "ok",
	    .says =
		"\"verdict\":\"hold\",\"reasons\":[" FOUND("approval", "hold"),
	    .detail = "dry run: hold: approval" },
	{ "the kind of secret is the operator's alone", { 0 }, NULL, "send",
	    { TO, DRY, TOKEN }, .want = "ok",
	    .says = FOUND("secret", "hold") ",\"message\":null",
	    .detail = "dry run: hold: secret; it seems to contain: github" },
	{ "a check refuses", { 0 }, scoped, "send", { TO, DRY, "hello" },
	    .want = "ok",
	    .says = "\"verdict\":\"refuse\",\"reasons\":[" FOUND("scope_thread",
		"refuse") },
	{ "with the sentence of the refusal", { 0 }, finished, "send",
	    { TO, DRY, "Dear {{name}}" }, .want = "ok",
	    .says = "finish it, or give as_is" },
	{ "and what to do about it", { 0 }, scoped, "send",
	    { TO, DRY, "hello" }, .want = "ok",
	    .says = "account edit NAME --scope any" },
	{ "a refusal outweighs what waits", { 0 }, read_and_waits, "send",
	    { TO, DRY, TOKEN, "reply_to", "1" }, .want = "ok",
	    .says = "\"verdict\":\"refuse\"" },
	{ "every reason is told", { 0 }, read_and_waits, "send",
	    { TO, DRY, TOKEN " [NAME]", "reply_to", "1" }, .want = "ok",
	    .detail = "dry run: refuse: loop, unfinished, secret, taint, "
		      "approval; it seems to contain: " },
	{ "a limit refuses", { 0 }, sent_one, "send", { TO, DRY, "more" },
	    .want = "ok",
	    .says = "\"verdict\":\"refuse\",\"reasons\":[" FOUND("rate_limited",
		"refuse") },
	{ "one without a rule's name has its code", { 0 }, two_people, "send",
	    { TO, "to", "ann@us.example", "to", "x@us.example", DRY, "hello" },
	    .want = "ok", .says = FOUND("limit", "refuse") },
	{ "an earlier call is the answer", { 0 }, sent_by_key, "send",
	    { TO, DRY, "hello", "idempotency_key", "k" }, .want = "ok",
	    .says = "\"again\":true" },
	{ "unless it was another message", { 0 }, sent_by_key, "send",
	    { TO, DRY, "else", "idempotency_key", "k" },
	    .want = "idempotency_conflict" },
	/* What the send would answer before there is a message. */
	{ "the list holds", { .out_on = true }, NULL, "send",
	    { "to", "x@them.example", DRY, "hello" }, .want = "whitelist_out" },
	{ "the account is read-only", { .ro = true }, NULL, "send",
	    { TO, DRY, "hello" }, .want = "ro_mode" },
	{ "what is answered is there", { 0 }, NULL, "send",
	    { TO, DRY, "hello", "reply_to", "9" }, .want = "not_found" },
	/* A draft. */
	{ "a draft would be made", { 0 }, NULL, "create_draft",
	    { TO, DRY, "hello" }, .want = "ok",
	    .says = "\"verdict\":\"make\",\"bytes\":", .detail = "dry run" },
	{ "not with a secret", { 0 }, NULL, "create_draft", { TO, DRY, TOKEN },
	    .want = "secret" },
};

static size_t
outbox_rows(struct house *h)
{
	struct store_outbox *v;
	struct err e = { 0 };
	size_t n = 0;

	assert_int_equal(store_outbox_list(h->store, h->a, 0,
			     STORE_OUTBOX_STATES, true, 100, &v, &n, &e),
	    0);
	return n;
}

/* Whatever it would meet. */
static void
leaves_nothing(void **state)
{
	static const char *const body[] = { "hello", TOKEN };
	struct house h;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		fake_reset();
		house_open(&h, (struct terms){ 0 });
		few(&h);
		for (int k = 0; k < 3; k++)
			assert_string_equal(house_word(house_call(&h, "send",
						TO, DRY, body[i],
						"idempotency_key", "k", NULL)),
			    "ok");
		assert_int_equal(outbox_rows(&h), 0);
		assert_string_equal(house_word(house_call(&h, "create_draft",
					TO, DRY, "hello", NULL)),
		    "ok");
		assert_int_equal(fake.sent + fake.calls[FAKE_APPEND] +
			fake.calls[FAKE_DRAFT],
		    0);
		/* The one message of the day is still to be had. */
		assert_string_equal(house_word(house_call(&h, "send", TO,
					"subject", "s", "body", "hello",
					"idempotency_key", "k", NULL)),
		    "ok");
		house_close(&h);
	}
}

/* Nobody is asked whether nothing may be sent. */
static int
declines(const struct gate_act *act, struct err *e)
{
	(void)act;
	return err_set(e, ERR_POLICY, "no");
}

static void
asks_nobody(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	house_caller(&h, (struct gate_caller){ .consent = declines });
	assert_string_equal(house_word(
				house_call(&h, "send", TO, DRY, "hello", NULL)),
	    "ok");
	assert_string_equal(house_word(house_call(&h, "send", TO, "subject",
				"s", "body", "hello", NULL)),
	    "policy");
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("nothing is written or counted", leaves_nothing, NULL);
	rows_add("nobody is asked", asks_nobody, NULL);
	return cmocka_run_group_tests_name("gate/outbox_try", rows_tests, NULL,
	    NULL);
}
