/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Held messages that are released: exactly the same bytes, under the same
 * policy as when they were held.  After a change in between, the message must
 * be sent again.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/outbox.h"
#include "gate/rules.h"
#include "store/freeze.h"
#include "store/outbox.h"

struct release_row {
	const char *why;
	/* A change while it is held: by the operator, by SQL, or none. */
	void (*set)(struct store_account *a);
	const char *sql;
	const char *want;
	bool shown; /* the operator sees that it cannot be released */
};

#define SETS(name, what)                                                       \
	static void name(struct store_account *a)                              \
	{                                                                      \
		what;                                                          \
	}

SETS(read_only, a->mode = MODE_RO)
SETS(sends, a->outbound = OUTBOUND_SEND)
SETS(drafts, a->outbound = OUTBOUND_DRAFT)
SETS(in_on, a->in_on = true)
SETS(out_on, a->out_on = true)
SETS(subject, a->subject_regex = S("plan"))
SETS(authserv, a->authserv_id = S("mx.us.example"))
SETS(attach, a->attach_dir = S("/srv/out"))
SETS(scope, a->scope_thread = true)
SETS(secrets, a->no_secrets_check = true)
SETS(unfinished, a->no_unfinished_check = false)
SETS(taint, a->taint_minutes = 5)
SETS(messages, a->limit_messages = 5)
SETS(new_recipients, a->limit_new_recipients = 5)
SETS(recipients, a->limit_recipients = 5)
SETS(bytes, a->limit_bytes = 5)
SETS(from, a->from_addr = S("i@us.example"))
SETS(name, a->name = S("play"))
SETS(server, a->smtp_host = S("other.us.example"))
SETS(copy, a->no_sent_copy = true)

#define TOUCHED "changed", true

static const struct release_row rows[] = {
	{ "nothing happened", NULL, NULL, "ok", false },
	{ "the server is another", server, NULL, "ok", false },
	{ "no copy is wanted any more", copy, NULL, "ok", false },
	{ "mode", read_only, NULL, "changed", false },
	{ "outbound", sends, NULL, "changed", false },
	{ "for drafts alone", drafts, NULL, "changed", false },
	{ "the list in", in_on, NULL, "changed", false },
	{ "the list out", out_on, NULL, "changed", false },
	{ "subject_regex", subject, NULL, "changed", false },
	{ "authserv_id", authserv, NULL, "changed", false },
	{ "attach_dir", attach, NULL, "changed", false },
	{ "scope", scope, NULL, "changed", false },
	{ "check_secrets", secrets, NULL, "changed", false },
	{ "check_unfinished", unfinished, NULL, "changed", false },
	{ "taint", taint, NULL, "changed", false },
	{ "limit_messages", messages, NULL, "changed", false },
	{ "limit_new_recipients", new_recipients, NULL, "changed", false },
	{ "limit_recipients", recipients, NULL, "changed", false },
	{ "limit_bytes", bytes, NULL, "changed", false },
	{ "the account's address", from, NULL, "changed", false },
	{ "the account's name", name, NULL, "changed", false },
	{ "an entry of the list in", NULL, "DELETE FROM whitelist_in",
	    "changed", false },
	{ "one more in the list out", NULL,
	    "INSERT INTO whitelist_out (account_id, address) VALUES (1, "
	    "'eve@evil.example')",
	    "changed", false },
	{ "one that must be vouched for", NULL,
	    "UPDATE whitelist_in SET auth = 'dmarc'", "changed", false },
	{ "an entry of the list out", NULL, "DELETE FROM whitelist_out",
	    "changed", false },
	{ "a byte", NULL, "UPDATE outbox SET message = message || ' '",
	    TOUCHED },
	{ "all of it", NULL,
	    "UPDATE outbox SET message = 'To: eve@evil.example'", TOUCHED },
	{ "the bytes are gone", NULL, "UPDATE outbox SET message = NULL",
	    TOUCHED },
	{ "or are none", NULL, "UPDATE outbox SET message = x''", TOUCHED },
	{ "the sender", NULL, "UPDATE outbox SET sender = 'eve@evil.example'",
	    TOUCHED },
	{ "how addresses are written", NULL, "UPDATE outbox SET smtputf8 = 1",
	    TOUCHED },
	{ "the Message-ID", NULL, "UPDATE outbox SET message_id = '<x@y>'",
	    TOUCHED },
	{ "who asked", NULL, "UPDATE outbox SET principal = 'eve'", TOUCHED },
	{ "for what", NULL, "UPDATE outbox SET request = 'x'", TOUCHED },
	{ "under which key", NULL, "UPDATE outbox SET idempotency_key = 'k'",
	    TOUCHED },
	{ "why it waits", NULL, "UPDATE outbox SET reason = 'secret'",
	    TOUCHED },
	{ "how long", NULL, "UPDATE outbox SET expires_s = expires_s + 9",
	    TOUCHED },
	{ "how big it is", NULL, "UPDATE outbox SET bytes = 1", TOUCHED },
	{ "whose it is", NULL, "UPDATE outbox SET account_id = 2", TOUCHED },
	{ "the policy it says it is under", NULL,
	    "UPDATE outbox SET policy = ''", TOUCHED },
	{ "the digest", NULL, "UPDATE outbox SET digest = 'x'", TOUCHED },
	{ "a recipient", NULL,
	    "UPDATE outbox_recipient SET address = 'eve@evil.example'",
	    TOUCHED },
	{ "whom it was judged for", NULL,
	    "UPDATE outbox_recipient SET canonical = 'eve@evil.example'",
	    TOUCHED },
	{ "both", NULL,
	    "UPDATE outbox_recipient SET address = 'eve@evil.example', "
	    "canonical = 'eve@evil.example'",
	    TOUCHED },
	{ "one more", NULL,
	    "INSERT INTO outbox_recipient (outbox_id, place, address, "
	    "canonical) VALUES (1, 7, 'eve@evil.example', "
	    "'eve@evil.example')",
	    TOUCHED },
	{ "their order", NULL,
	    "UPDATE outbox_recipient SET place = place + 10 WHERE place = 0",
	    TOUCHED },
	{ "one less", NULL, "DELETE FROM outbox_recipient WHERE place = 0",
	    TOUCHED },
	{ "nobody is left", NULL, "DELETE FROM outbox_recipient", TOUCHED },
	{ "it was denied", NULL, "UPDATE outbox SET state = 'denied'",
	    "not_found", false },
	{ "it was sent", NULL, "UPDATE outbox SET state = 'sent'", "not_found",
	    false },
	{ "its account is gone", NULL, "DELETE FROM accounts", "not_found",
	    false },
	{ "all are stopped", NULL,
	    "INSERT INTO freeze (agent, account_id, why, at_s) VALUES "
	    "('', 0, 'x', 1)",
	    "frozen", false },
};

static void
asks_first(struct store_account *a)
{
	a->outbound = OUTBOUND_APPROVE;
}

static const char *
word(const struct err *e)
{
	if (e->kind == ERR_NONE)
		return "ok";
	return e->reason != NULL ? e->reason : err_code(e->kind);
}

/* Holds one; returns the digest that the operator is shown. */
static struct str
hold(struct house *h, int64_t *id)
{
	struct store_account other = house_account("home", "imap");
	struct outbox_held held;
	struct err e = { 0 };
	struct reply r;

	fake_reset();
	house_open(h, (struct terms){ .nobody = false });
	house_change(h, "work", asks_first);
	house_add(h, &other);
	r = house_call(h, "send", "account", "work", "to", "boss@us.example",
	    "cc", "ann@us.example", "subject", "s", "body", "b", NULL);
	assert_string_equal(house_word(r), "approval");
	*id = r.held;
	assert_int_equal(outbox_held(h->store, &h->env, h->a, *id, &held, &e),
	    0);
	assert_null(held.why);
	return held.digest;
}

/* Its present digest does not release it either; it is still held. */
static void
is_shown(struct house *h, int64_t id)
{
	struct outbox_held held;
	struct err e = { 0 };
	struct sent sent;

	assert_int_equal(outbox_held(h->store, &h->env, h->a, id, &held, &e),
	    0);
	assert_string_equal(held.why, "changed");
	assert_string_equal(held.state, "held");
	assert_int_equal(outbox_release(h->store, h->a, id, held.digest, &sent,
			     &e),
	    -1);
	assert_int_equal(fake.sent, 0);
}

static void
release(void **state)
{
	const struct release_row *t = *state;
	struct err e = { 0 };
	struct str digest;
	struct sent sent;
	struct house h;
	int64_t id;

	digest = hold(&h, &id);
	if (t->set != NULL)
		house_change(&h, "work", t->set);
	if (t->sql != NULL)
		house_sql(&h, t->sql);
	(void)outbox_release(h.store, h.a, id, digest, &sent, &e);
	if (strcmp(word(&e), t->want) != 0)
		fail_msg("%s: \"%s\", not \"%s\": %s (%s)", t->why, word(&e),
		    t->want, e.say, e.detail);
	assert_int_equal(fake.sent, e.kind == ERR_NONE);
	if (t->shown)
		is_shown(&h, id);
	/* Only once. */
	if (e.kind == ERR_NONE) {
		assert_int_equal(outbox_release(h.store, h.a, id, digest, &sent,
				     &e),
		    -1);
		assert_int_equal(e.kind, ERR_NOT_FOUND);
		assert_int_equal(fake.sent, 1);
	}
	house_close(&h);
}

static void
another_digest_lets_nothing_go(void **state)
{
	struct err e = { 0 };
	struct sent sent;
	struct house h;
	int64_t id;

	(void)state;
	(void)hold(&h, &id);
	assert_int_equal(outbox_release(h.store, h.a, id, S("x"), &sent, &e),
	    -1);
	assert_string_equal(word(&e), "changed");
	assert_int_equal(fake.sent, 0);
	house_close(&h);
}

static void
another_row_lets_nothing_go(void **state)
{
	struct err e = { 0 };
	struct str digest;
	struct sent sent;
	struct house h;
	int64_t id;

	(void)state;
	digest = hold(&h, &id);
	assert_int_equal(outbox_release(h.store, h.a, id + 1, digest, &sent,
			     &e),
	    -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	assert_int_equal(fake.sent, 0);
	house_close(&h);
}

static const struct {
	const char *why;
	void (*fn)(void **);
} others[] = {
	{ "another digest lets nothing go", another_digest_lets_nothing_go },
	{ "nor does another row", another_row_lets_nothing_go },
};

int
main(void)
{
	ROWS(rows, release);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		rows_add(others[i].why, others[i].fn, NULL);
	return cmocka_run_group_tests_name("gate/outbox_release", rows_tests,
	    NULL, NULL);
}
