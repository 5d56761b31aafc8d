/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker without the key and the keeper, with a socket between them: what
 * agents' calls leave in the store.
 */
#include "serve_keys.h"

#include <signal.h>

#include "../../fake/house.h"
#include "ipc/ipc.h"
#include "store/keeping.h"
#include "store/mark.h"

/* -- one message, one answer ------------------------------------------------
 */

static void
bytes_are_the_same_over_a_socket(void **state)
{
	static const size_t sizes[] = { 0, 1, 5000, LIMIT_KEEPER_ASK - 66,
		LIMIT_KEEPER_ASK, 3 * LIMIT_KEEPER_ASK };
	struct fx *x = *state;
	struct keeper k = keeper_start(x->path, x->agent);
	struct store_keeper way;
	struct store *s = NULL;
	char *p = arena_alloc(x->a, 3 * LIMIT_KEEPER_ASK);

	serve_keys_remote(&k.fd, &way);
	assert_ok(x, store_open_served(x->path, &way, &s, &x->e));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct str text = { p, sizes[i] }, want, got;

		assert_ok(x,
		    store_mark(x->s, x->a, STORE_LABEL_TURN, text, &want,
			&x->e));
		assert_ok(x,
		    store_mark(s, x->a, STORE_LABEL_TURN, text, &got, &x->e));
		assert_true(str_eq(want, got));
	}
	store_close(&s);
	keeper_ends(&k);
}

/* What a worker that was taken over sends. */
static const struct hostile {
	const char *why;
	size_t n;
	const char *bytes;
	bool passes; /* a descriptor */
	bool says;   /* it gets an answer */
} hostiles[] = {
	{ "an unknown type", 1, "U", false, true },
	{ "a label that there is not", 3, "M\x7fx", false, true },
	{ "a request that is cut off", 2, "C\1", false, true },
	{ "one that is too long", LIMIT_KEEPER_ASK + 1, NULL, false, true },
	{ "one that is far too long", LIMIT_KEEPER_ASK + 9000, NULL, false,
	    true },
	{ "a descriptor", 1, "H", true, false },
	{ "nothing", 0, "", false, false },
};

static void
hostile_messages_end_it(void **state)
{
	struct fx *x = *state;

	for (size_t i = 0; i < sizeof(hostiles) / sizeof(hostiles[0]); i++) {
		const struct hostile *h = &hostiles[i];
		struct keeper k = keeper_start(x->path, x->agent);
		struct str bytes = { h->bytes, h->n };
		unsigned char answer[LIMIT_KEEPER_ANSWER];
		struct pollfd p = { k.fd, POLLIN, 0 };
		int null = 0;

		/* What it would be, cut off at the limit, is answered. */
		if (h->bytes == NULL)
			bytes.p = memcpy(arena_alloc(x->a, h->n), "M\1", 2);
		if (ipc_pass_send(k.fd, bytes, &null, h->passes) !=
		    (ssize_t)h->n)
			fail_msg("%s was not sent", h->why);
		assert_int_equal(poll(&p, 1, 10000), 1);
		if (h->says) {
			assert_true(recv(k.fd, answer, sizeof(answer), 0) > 2);
			assert_int_equal(answer[0], KEEPER_NO);
			assert_int_equal(answer[1], ERR_USAGE);
		}
		/* And then nothing, though we have not closed our end. */
		assert_int_equal(poll(&p, 1, 10000), 1);
		if (recv(k.fd, answer, sizeof(answer), 0) != 0)
			fail_msg("%s goes on", h->why);
		assert_int_equal(ends(k.pid), 0);
		path_close(&k.fd);
	}
}

/* The keeper dies: calls fail, and a late answer is nobody's. */
static void
without_a_keeper_calls_fail(void **state)
{
	struct fx *x = *state;
	struct keeper k = keeper_start(x->path, x->agent);
	struct store_keeper way;
	struct store *s = NULL;
	struct str mac;

	serve_keys_remote(&k.fd, &way);
	assert_ok(x, store_open_served(x->path, &way, &s, &x->e));
	assert_int_equal(kill(k.pid, SIGKILL), 0);
	(void)ends(k.pid);
	assert_err(x,
	    store_mark(s, x->a, STORE_LABEL_TURN, S("x"), &mac, &x->e),
	    ERR_CONFIG);
	assert_int_equal(k.fd, -1);
	assert_err(x,
	    store_mark(s, x->a, STORE_LABEL_TURN, S("x"), &mac, &x->e),
	    ERR_CONFIG);
	store_close(&s);
	assert_err(x, store_open_served(x->path, &way, &s, &x->e), ERR_CONFIG);
}

/* -- agents' calls ----------------------------------------------------------
 */

#define PASSWORD "tr0ub4dor and 3"
#define TO "account", "work", "to", "boss@us.example", "subject", "s"

/* Replaced by the cursor of the call before. */
#define NEXT "next"

static const char *const calls[][16] = {
	{ "folders", "account", "work" },
	{ "list", WORK, "new", "", "claim", "600" },
	{ "get", WORK, "uid", "1" },
	{ "get", WORK, "uid", "9" },
	{ "ack", WORK, "uid", "1" },
	{ "search", WORK, "text", "plan" },
	{ "send", TO, "body", "hello", "idempotency_key", "k" },
	{ "send", TO, "body", "hello", "idempotency_key", "k" },
	{ "send", TO, "body", "it is tr0ub4 dorand3" },
	{ "send", TO, "body", "dHIwdWI0ZG9yYW5kMw==" },
	{ "send", TO, "body", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCA=" },
	{ "send", TO, "body", "tell nobody of this" },
	{ "send", TO, "body", "ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5" },
	{ "send_status", "account", "work", "idempotency_key", "k" },
	{ "create_draft", TO, "body", "a draft" },
	{ "create_draft", "account", "work", "to", "boss@us.example", "subject",
	    "another", "body", "it is tr0ub4 dorand3" },
	{ "load_skill", "skill", "mail-read" },
	{ "load_skill", "skill", "mail-read" },
	{ "list_skills" },
	{ "unload_skill", "skill", "mail-read" },
	{ "sources" },
	{ "list_recent_threads", "account", "work", "since", "2020-01-01",
	    "limit", "1" },
	{ "list_recent_threads", "account", "work", "since", "2020-01-01",
	    "limit", "1", "cursor", NEXT },
	{ "freeze_self", "why", "x" },
	{ "send", TO, "body", "frozen" },
};

/* Without times, and what is random. */
static const char *const tables[] = {
	"SELECT id, principal, account, action, target, result, reason,"
	" outcome, state, detail FROM audit_log ORDER BY id",
	"SELECT seq, audit_id, mark FROM audit_link ORDER BY seq",
	"SELECT id, account_id, principal, idempotency_key, sender, bytes,"
	" policy, state, reason, copy FROM outbox ORDER BY id",
	"SELECT * FROM outbox_recipient ORDER BY outbox_id, place",
	"SELECT * FROM folder_state ORDER BY folder",
	"SELECT * FROM acked ORDER BY uid",
	"SELECT principal, folder, uid FROM claim ORDER BY uid",
	"SELECT principal, folder, uid, acked, hex(message) FROM seen_message"
	" ORDER BY uid",
	"SELECT id, principal, skill, accounts, ops, digest, uses_left, ended"
	" FROM skill_grant ORDER BY id",
	"SELECT account_id, address FROM correspondent ORDER BY address",
	"SELECT principal FROM taint ORDER BY principal",
	"SELECT agent, account_id, why FROM freeze ORDER BY agent",
	"SELECT key, value FROM settings WHERE key NOT LIKE 'dek_wrap%'"
	" ORDER BY key",
};

static void
put_rows(const char *db, struct buf *b)
{
	sqlite3 *sql = NULL;

	assert_int_equal(sqlite3_open(db, &sql), SQLITE_OK);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		sqlite3_stmt *st = NULL;

		if (sqlite3_prepare_v2(sql, tables[i], -1, &st, NULL) !=
		    SQLITE_OK)
			fail_msg("%s: %s", tables[i], sqlite3_errmsg(sql));
		buf_fmt(b, "-- %s\n", tables[i]);
		while (sqlite3_step(st) == SQLITE_ROW) {
			for (int k = 0; k < sqlite3_column_count(st); k++) {
				const char *text =
				    (const char *)sqlite3_column_text(st, k);

				buf_fmt(b, "%s|", text != NULL ? text : "-");
			}
			buf_char(b, '\n');
		}
		(void)sqlite3_finalize(st);
	}
	(void)sqlite3_close(sql);
}

static void
furnish(struct house *h)
{
	CLEANUP(secret_close) struct secret *password = fx_secret(PASSWORD);
	struct store_account acct = { 0 };
	struct err e = { 0 };

	fake_reset();
	fake_add(BOSS "Message-ID: <1@us.example>\r\n")->received_s =
	    1780000000;
	fake_add(BOSS "Message-ID: <2@us.example>\r\n")->received_s =
	    1780000001;
	house_open(h, (struct terms){ .backlog = true });
	assert_int_equal(store_account_get(h->store, h->a, S("work"), &acct,
			     &e),
	    0);
	assert_int_equal(store_account_seal(h->store, acct.id, STORE_PASSWORD,
			     password, &e),
	    0);
	assert_int_equal(store_canary_add(h->store, S("tell nobody of this"),
			     &e),
	    0);
}

static struct reply
call_one(struct house *h, const char *const *call, const char **next)
{
	const char *arg[16] = { NULL };
	struct str text, rest, cursor;
	struct reply r;
	ptrdiff_t at;

	for (size_t i = 1; call[i] != NULL; i++) {
		bool is_next = strcmp(call[i], NEXT) == 0;

		assert_true(!is_next || (*next)[0] != '\0');
		arg[i - 1] = is_next ? *next : call[i];
	}
	r = house_call_list(h, call[0], arg);
	text = json_text(r.data, h->a);
	at = str_find(text, S("\"next_cursor\":\""));
	if (at >= 0 &&
	    str_cut(str_from(text, (size_t)at + 15), '"', &cursor, &rest))
		*next = str_c(h->a, cursor);
	return r;
}

/* All calls, with the key in this process or in another; what is left. */
static struct str
run(struct arena *a, bool served)
{
	struct keeper k = { .fd = -1 };
	struct store_chain chain = { 0 };
	struct store_keeper way;
	struct house h;
	struct err e = { 0 };
	const char *next = "";
	struct env without;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	furnish(&h);
	without = h.env;
	if (served) {
		without.agent_key = without.admin_key = NULL;
		gate_close(&h.gate);
		k = keeper_start(h.db, h.env.agent_key);
		serve_keys_remote(&k.fd, &way);
		without.keeper = &way;
		if (gate_open(&without, &h.gate, &e) < 0)
			fail_msg("%s (%s)", e.say, e.detail);
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct reply r = call_one(&h, calls[i], &next);

		buf_fmt(&b, "%zu %s: %s: %s\n", i, calls[i][0], house_word(r),
		    r.err.say);
	}
	put_rows(h.db, &b);
	assert_int_equal(store_chain_verify(h.store, h.a, &chain, &e), 0);
	assert_true(chain.whole);
	gate_close(&h.gate);
	if (served)
		keeper_ends(&k);
	house_close(&h);
	return buf_view(&b);
}

static void
calls_leave_the_same_rows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16UL << 20);
	struct str direct = run(a, false), served = run(a, true);

	(void)state;
	if (!str_eq(direct, served))
		fail_msg("with the key:\n%.*s\nwithout it:\n%.*s",
		    STR_ARG(direct), STR_ARG(served));
	/* It was a whole set of calls. */
	assert_true(str_find(direct, S("contain: own_credential")) >= 0);
	assert_true(str_find(direct, S("contain: canary")) >= 0);
	assert_true(str_find(direct, S("send: ok")) >= 0);
	assert_true(str_find(direct, S("send: secret")) >= 0);
	assert_true(str_find(direct, S("create_draft: ok")) >= 0);
	assert_true(str_find(direct, S("create_draft: secret")) >= 0);
	assert_true(str_find(direct, S("load_skill: ok")) >= 0);
	assert_true(str_find(direct, S("get: not_found")) >= 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("bytes are the same over a socket",
		    bytes_are_the_same_over_a_socket),
		TEST("hostile messages end it", hostile_messages_end_it),
		TEST("without a keeper calls fail",
		    without_a_keeper_calls_fail),
		cmocka_unit_test(calls_leave_the_same_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
