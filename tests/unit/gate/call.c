/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline: who may call which operation on which account, and the record.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "store/freeze.h"

#include <string.h>

/* The house of the current row. */
static struct house *here;

/* -- accounts -------------------------------------------------------------- */

static void
two_accounts(struct house *h)
{
	struct store_account home = house_account("home", "maildir");

	house_add(h, &home);
	(void)fake_add(BOSS);
}

static void
two_and_a_default(struct house *h)
{
	two_accounts(h);
	h->env.account = strdup("home");
}

static void
default_that_is_gone(struct house *h)
{
	h->env.account = strdup("gone");
}

static void
of_no_backend(struct house *h)
{
	house_sql(h, "UPDATE accounts SET backend = 'pop3'");
}

/* It sends, and cannot be read. */
static void
of_a_sender(struct house *h)
{
	house_sql(h, "UPDATE accounts SET backend = 'smtp'");
}

static void
without_smtp(struct house *h)
{
	house_sql(h, "UPDATE accounts SET smtp_host = NULL");
}

static void
bad_entry(struct house *h)
{
	house_sql(h, "UPDATE whitelist_in SET address = '*'");
}

static void
bad_regex(struct house *h)
{
	house_sql(h, "UPDATE accounts SET subject_regex = '('");
}

/* -- what it may ----------------------------------------------------------- */

static void
draft_only(struct store_account *a)
{
	a->outbound = OUTBOUND_DRAFT;
}

static void
drafts_alone(struct house *h)
{
	house_change(h, "work", draft_only);
}

static void
no_outbound(struct store_account *a)
{
	a->outbound = OUTBOUND_NONE;
}

static void
nothing_leaves(struct house *h)
{
	house_change(h, "work", no_outbound);
}

static void
asks_first(struct store_account *a)
{
	a->outbound = OUTBOUND_APPROVE;
}

static void
waits(struct house *h)
{
	house_change(h, "work", asks_first);
}

/* -- callers --------------------------------------------------------------- */

static struct str one_name;
static const struct strs only = { &one_name, 1 };

static void
may_list(struct house *h)
{
	one_name = S("list");
	house_caller(h, (struct gate_caller){ .ops = &only });
	(void)fake_add(BOSS);
}

static void
has_home(struct house *h)
{
	two_accounts(h);
	one_name = S("home");
	house_caller(h, (struct gate_caller){ .accounts = &only });
}

static int
says_no(const struct gate_act *act, struct err *e)
{
	(void)act;
	(void)err_set(e, ERR_POLICY, "refused by policy: consent");
	e->reason = "consent";
	return -1;
}

static void
asks_its_user(struct house *h)
{
	house_caller(h, (struct gate_caller){ .consent = says_no });
	(void)fake_add(BOSS);
}

/* -- freezes --------------------------------------------------------------- */

static void
freeze(struct house *h, const char *agent, const char *account)
{
	const struct store_freeze f = { .agent = str_of(agent),
		.account = str_of(account),
		.why = S("stop") };
	const struct store_keys keys = { h->env.admin_key, h->env.agent_key };
	struct err e = { 0 };

	if (store_freeze_put(h->db, &keys, &f, &e) < 0)
		fail_msg("%s", e.say);
	(void)fake_add(BOSS);
}

static void
all_frozen(struct house *h)
{
	freeze(h, "", "");
}

static void
agent_frozen(struct house *h)
{
	freeze(h, "agent", "");
}

static void
work_frozen(struct house *h)
{
	freeze(h, "", "work");
}

static void
other_agent_frozen(struct house *h)
{
	freeze(h, "eve", "");
}

static void
other_account_frozen(struct house *h)
{
	two_accounts(h);
	freeze(h, "", "home");
}

/* Between the call and the first octet. */
static void
freeze_now(void)
{
	freeze(here, "", "");
}

static void
frozen_meanwhile(struct house *h)
{
	here = h;
	fake.meanwhile = freeze_now;
}

/* -- what cannot be recorded is not done ----------------------------------- */

#define FULL "BEGIN SELECT raise(ABORT, 'full'); END"

static void
no_record(struct house *h)
{
	(void)fake_add(BOSS);
	house_sql(h, "CREATE TRIGGER no BEFORE INSERT ON audit_log " FULL);
}

static void
no_judgement(struct house *h)
{
	(void)fake_add(BOSS);
	house_sql(h, "CREATE TRIGGER no BEFORE UPDATE ON audit_log " FULL);
}

static void
fill_record(void)
{
	house_sql(here, "CREATE TRIGGER no BEFORE UPDATE ON audit_log " FULL);
}

static void
full_while_it_leaves(struct house *h)
{
	here = h;
	fake.meanwhile = fill_record;
}

static void
no_row(struct house *h)
{
	house_sql(h, "CREATE TRIGGER no BEFORE INSERT ON outbox " FULL);
}

static void
fill_outbox(void)
{
	house_sql(here, "CREATE TRIGGER no BEFORE UPDATE ON outbox " FULL);
}

static void
row_full_while_it_leaves(struct house *h)
{
	here = h;
	fake.meanwhile = fill_outbox;
}

/* -- what the server says of a send ---------------------------------------- */

static void
refuses_boss(struct house *h)
{
	(void)h;
	fake.refused = "boss@us.example";
}

static void
falls_silent(struct house *h)
{
	(void)h;
	fake.fault[FAKE_SUBMIT].kind = ERR_UNKNOWN_OUTCOME;
}

static void
no_server(struct house *h)
{
	(void)h;
	fake.fault[FAKE_OPEN].kind = ERR_NETWORK;
}

#define NOBODY                                                                 \
	{                                                                      \
		.nobody = true                                                 \
	}
#define RO                                                                     \
	{                                                                      \
		.ro = true                                                     \
	}
#define LISTED                                                                 \
	{                                                                      \
		.out_on = true                                                 \
	}
#define BODY "subject", "s", "body", "b"
#define TO_BOSS "to", "boss@us.example", BODY

static const struct house_row rows[] = {
	/* The choice of an account. */
	{ "the only account need not be named", { 0 }, NULL, "folders",
	    { NULL }, .want = "ok", .audit = "" },
	{ "of two one has to be", { 0 }, two_accounts, "folders", { NULL },
	    .want = "usage", .says = "name one of home, work",
	    .audit = "usage" },
	{ "unless the environment does", { 0 }, two_and_a_default, "folders",
	    { NULL }, .want = "ok" },
	{ "which may name none that is gone", { 0 }, default_that_is_gone,
	    "folders", { NULL }, .want = "not_found" },
	{ "there is none at all", NOBODY, NULL, "folders", { NULL },
	    .want = "config", .says = "emcli account add NAME" },
	{ "nor one of that name", NOBODY, NULL, "folders", { "account", "x" },
	    .want = "not_found" },
	{ "a name that is nearly right", { 0 }, NULL, "folders",
	    { "account", "wrok" }, .want = "not_found", .says = "work",
	    .audit = "not_found" },
	{ "an account of no backend", { 0 }, of_no_backend, "folders", { NULL },
	    .want = "config", .audit = "config",
	    .detail = "unknown backend pop3" },
	{ "one that cannot be read", { 0 }, of_a_sender, "folders", { NULL },
	    .want = "config" },
	{ "an entry of its list that is none", { 0 }, bad_entry, "folders",
	    { NULL }, .want = "config", .audit = "config" },
	{ "a subject rule that is none", { 0 }, bad_regex, "folders", { NULL },
	    .want = "config", .detail = "subject_regex" },
	/* The arguments of a call. */
	{ "an argument is missing", { 0 }, NULL, "get", { WORK },
	    .want = "usage", .audit = "usage" },
	{ "or is none", { 0 }, NULL, "get", { WORK, "uid", "zero" },
	    .want = "usage", .audit = "usage" },
	{ "a recipient that is none", { 0 }, NULL, "send",
	    { "to", "boss", BODY }, .want = "usage" },
	{ "nor are two in one", { 0 }, NULL, "send",
	    { "to", "boss@us.example, x@them.example", BODY },
	    .want = "usage" },
	{ "nor a header", { 0 }, NULL, "send",
	    { "to", "boss@us.example\r\nBcc: x@them.example", BODY },
	    .want = "usage" },
	{ "a send of no subject", { 0 }, NULL, "send",
	    { "to", "boss@us.example", "body", "b" }, .want = "usage" },
	/* The rights of the account. */
	{ "it sends", { 0 }, NULL, "send", { TO_BOSS }, .want = "ok",
	    .audit = "" },
	{ "read-only it sends nothing", RO, NULL, "send", { TO_BOSS },
	    .want = "ro_mode", .says = "refused by policy: ro_mode",
	    .audit = "ro_mode" },
	{ "nor makes a draft", RO, NULL, "create_draft",
	    { TO_BOSS, "account", "work" }, .want = "ro_mode",
	    .audit = "ro_mode" },
	{ "and is read", RO, NULL, "folders", { NULL }, .want = "ok" },
	{ "for drafts alone it sends nothing", { 0 }, drafts_alone, "send",
	    { TO_BOSS }, .want = "draft_only" },
	{ "and makes them", { 0 }, drafts_alone, "create_draft", { TO_BOSS },
	    .want = "ok" },
	{ "where nothing leaves it sends nothing", { 0 }, nothing_leaves,
	    "send", { TO_BOSS }, .want = "draft_only" },
	{ "nor makes a draft there", { 0 }, nothing_leaves, "create_draft",
	    { TO_BOSS, "account", "work" }, .want = "no_outbound" },
	{ "what is listed is sent", LISTED, NULL, "send",
	    { "to", "BOSS@us.example.", BODY }, .want = "ok" },
	{ "and nothing else", LISTED, NULL, "send",
	    { "to", "x@them.example", BODY }, .want = "whitelist_out",
	    .audit = "whitelist_out" },
	{ "one of two is not listed", LISTED, NULL, "send",
	    { "to", "boss@us.example", "cc", "x@them.example", BODY },
	    .want = "whitelist_out" },
	{ "nor is it in secret", LISTED, NULL, "send",
	    { "to", "boss@us.example", "bcc", "x@them.example", BODY },
	    .want = "whitelist_out" },
	{ "a draft is held to the list", LISTED, NULL, "create_draft",
	    { "to", "x@them.example", BODY, "account", "work" },
	    .want = "whitelist_out" },
	{ "what has to be approved waits", { 0 }, waits, "send", { TO_BOSS },
	    .want = "approval", .audit = "approval" },
	{ "and is not asked for what is refused", LISTED, waits, "send",
	    { "to", "x@them.example", BODY }, .want = "whitelist_out" },
	{ "there is nothing to send with", { 0 }, without_smtp, "send",
	    { TO_BOSS }, .want = "unsupported",
	    .says = "nothing to send with" },
	/* The caller. */
	{ "what it was given it may", { 0 }, may_list, "list", { WORK },
	    .want = "ok", .uids = "1" },
	{ "and no other operation", { 0 }, may_list, "get",
	    { WORK, "uid", "1" }, .want = "op_not_permitted",
	    .audit = "op_not_permitted" },
	{ "nor one that sends", { 0 }, may_list, "send", { TO_BOSS },
	    .want = "op_not_permitted" },
	{ "of two accounts it has one", { 0 }, has_home, "folders", { NULL },
	    .want = "ok" },
	{ "and there is no other", { 0 }, has_home, "folders",
	    { "account", "work" }, .want = "not_found" },
	{ "its user says no", { 0 }, asks_its_user, "send", { TO_BOSS },
	    .want = "consent", .audit = "consent" },
	{ "and is not asked of a reading", { 0 }, asks_its_user, "list",
	    { WORK }, .want = "ok" },
	/* Freezes. */
	{ "all are stopped", { 0 }, all_frozen, "list", { WORK },
	    .want = "frozen", .audit = "frozen" },
	{ "of an account that is not there they hear as much", { 0 },
	    all_frozen, "list", { "account", "x", "folder", "INBOX" },
	    .want = "frozen" },
	{ "this agent is", { 0 }, agent_frozen, "list", { WORK },
	    .want = "frozen" },
	{ "and makes no draft", { 0 }, agent_frozen, "create_draft",
	    { TO_BOSS }, .want = "frozen" },
	{ "another is", { 0 }, other_agent_frozen, "list", { WORK },
	    .want = "ok" },
	{ "this account is", { 0 }, work_frozen, "list", { WORK },
	    .want = "frozen" },
	{ "another account is", { 0 }, other_account_frozen, "list", { WORK },
	    .want = "ok" },
	{ "it may stop itself, too", { 0 }, all_frozen, "freeze_self",
	    { "why", "r" }, .want = "ok" },
	{ "a freeze that comes before the first octet", { 0 }, frozen_meanwhile,
	    "send", { TO_BOSS }, .want = "frozen" },
	/* The record. */
	{ "what cannot be written down is not done", { 0 }, no_record, "list",
	    { WORK }, .want = "db" },
	{ "nor is a send", { 0 }, no_record, "send", { TO_BOSS },
	    .want = "db" },
	{ "nor what was not judged on the record", { 0 }, no_judgement, "send",
	    { TO_BOSS }, .want = "db" },
	{ "a send without a row is none", { 0 }, no_row, "send", { TO_BOSS },
	    .want = "db" },
	{ "what was sent and not recorded is not to be sent again", { 0 },
	    full_while_it_leaves, "send", { TO_BOSS },
	    .want = "unknown_outcome",
	    .says = "the message was sent, but this could not be recorded" },
	{ "nor what was sent and not settled", { 0 }, row_full_while_it_leaves,
	    "send", { TO_BOSS }, .want = "unknown_outcome",
	    .says = "the message was sent, but this could not be recorded" },
	/* The server's answer. */
	{ "nobody is called so", { 0 }, refuses_boss, "send",
	    { "to", "x@us.example", "cc", "boss@us.example", BODY },
	    .want = "rejected" },
	{ "no answer to the last octet", { 0 }, falls_silent, "send",
	    { TO_BOSS }, .want = "unknown_outcome" },
	{ "no server", { 0 }, no_server, "send", { TO_BOSS },
	    .want = "network" },
};

int
main(void)
{
	ROWS(rows, house_row);
	return cmocka_run_group_tests_name("gate/call", rows_tests, NULL, NULL);
}
