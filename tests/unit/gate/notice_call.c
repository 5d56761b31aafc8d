/* SPDX-License-Identifier: Apache-2.0 */
/* What a call shows of its account: which part of it fails, or works again. */
#include "../../fake/house.h"
#include "../rows.h"

#include <sqlite3.h>

#define ON "INSERT INTO settings (key, value) VALUES ('notify', '/bin/true')"
#define OLD(kind, item)                                                        \
	"INSERT INTO notice (kind, account_id, item, since_s)"                 \
	" SELECT '" kind "', id, " item ", 1 FROM accounts;"
#define READS OLD("account", "0")
#define SENDS OLD("account", "1")
#define SEND "to", "boss@us.example", "subject", "s", "body", "hello"
#define STRANGER "to", "x@them.example", "subject", "s", "body", "hello"
#define REPLY "to", "boss@us.example", "reply_to", "1", "body", "hello"

static const struct shown {
	const char *why;
	const char *known; /* what failed before, or NULL */
	enum fake_verb verb;
	enum err_kind fault; /* of that verb */
	bool listed;         /* only those that are listed get mail */
	const char *op;
	const char *arg[12];
	const char *says; /* house_word() */
	const char *want; /* what fails after it: of each its kind and part */
} rows[] = {
	{ "a list that fails", NULL, FAKE_OPEN, ERR_NETWORK, false, "list",
	    { WORK }, "network", "account 0" },
	{ "a send that fails", NULL, FAKE_SUBMIT, ERR_NETWORK, false, "send",
	    { SEND }, "network", "account 1" },
	{ "a send whose login fails", NULL, FAKE_OPEN, ERR_AUTH, false, "send",
	    { SEND }, "auth", "account 1" },
	{ "a reply that fails", NULL, FAKE_SUBMIT, ERR_NETWORK, false, "send",
	    { REPLY }, "network", "account 1" },
	{ "a reply whose original cannot be read", NULL, FAKE_HEADERS,
	    ERR_NETWORK, false, "send", { REPLY }, "network", "account 0" },
	{ "nor can the mailbox be opened", NULL, FAKE_OPEN, ERR_NETWORK, false,
	    "send", { REPLY }, "network", "account 0" },
	{ "a forward whose original cannot be read", NULL, FAKE_BODY,
	    ERR_NETWORK, false, "forward",
	    { "to", "boss@us.example", "uid", "1" }, "network", "account 0" },
	{ "a list that goes well", READS SENDS, FAKE_OPEN, ERR_NONE, false,
	    "list", { WORK }, "ok", "account 1" },
	{ "a message that is not there", READS SENDS, FAKE_OPEN, ERR_NONE,
	    false, "get", { WORK, "uid", "9" }, "not_found", "account 1" },
	{ "a folder that is not there", READS SENDS, FAKE_OPEN, ERR_NONE, false,
	    "list", { "account", "work", "folder", "nope" }, "not_found",
	    "account 1" },
	{ "a reply that policy refuses", READS SENDS, FAKE_OPEN, ERR_NONE, true,
	    "send", { "reply_to", "1", "reply_all", "", "body", "hello" },
	    "whitelist_out", "account 1" },
	{ "a reply that is held", READS SENDS, FAKE_OPEN, ERR_NONE, false,
	    "send",
	    { "to", "boss@us.example", "reply_to", "1", "body",
		"ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5" },
	    "secret", "account 1, held 1" },
	{ "a message that the server refuses", READS SENDS, FAKE_SUBMIT,
	    ERR_REJECTED, false, "send", { SEND }, "rejected", "account 0" },
	{ "a send that goes well", READS SENDS, FAKE_OPEN, ERR_NONE, false,
	    "send", { SEND }, "ok", "account 0" },
	{ "a call that reaches no server mends nothing", READS SENDS, FAKE_OPEN,
	    ERR_NONE, true, "send", { STRANGER }, "whitelist_out",
	    "account 0, account 1" },
	{ "nor does one that is refused there for another reason", READS SENDS,
	    FAKE_FIND, ERR_INTERNAL, false, "list", { WORK }, "internal",
	    "account 0, account 1" },
	{ "a token that read is not one that sends",
	    OLD("token", "0") OLD("token", "1"), FAKE_OPEN, ERR_NONE, false,
	    "list", { WORK }, "ok", "token 1" },
};

/* "account 0, token 1" */
static void
assert_fails(const struct house *h, const char *want)
{
	static const char sql[] =
	    "SELECT coalesce(group_concat(t, ', '), '') FROM (SELECT kind || "
	    "' ' || item AS t FROM notice ORDER BY kind, item)";
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;

	assert_int_equal(sqlite3_open(h->db, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(st, 0), want);
	(void)sqlite3_finalize(st);
	(void)sqlite3_close(db);
}

static void
forwards(struct store_account *a)
{
	a->forward = true;
}

static void
row(void **state)
{
	const struct shown *r = *state;
	struct house h;

	fake_reset();
	house_open(&h, (struct terms){ .out_on = r->listed });
	(void)fake_add(
	    BOSS "To: me@us.example, x@them.example\r\n\r\nthe figures\r\n");
	house_change(&h, "work", forwards);
	house_sql(&h, ON);
	if (r->known != NULL)
		house_sql(&h, r->known);
	fake.fault[r->verb].kind = r->fault;
	assert_string_equal(house_word(house_call_list(&h, r->op, r->arg)),
	    r->says);
	assert_fails(&h, r->want);
	house_close(&h);
}

ROWS_MAIN("gate/notice_call", rows, row)
