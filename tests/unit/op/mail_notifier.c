/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The notifier's operations: which messages are unread, and no word of them;
 * waiting for a change; and how it is switched, without a session.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "store/outbox.h"

static const struct gate_binding binding = {
	.transport = SI("filesystem"),
	.principal = SI("HOUMAO-me"),
	.address = SI("me@us.example"),
	.version = SI("2026-04-08T10:11:12.123456Z"),
};
static const struct gate_binding on_server = {
	.transport = SI("stalwart"),
	.principal = SI("HOUMAO-me"),
	.address = SI("me@us.example"),
	.version = SI("2026-04-08T10:11:12.123456Z"),
};

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
	acct->bound = STORE_BOUND_YES;
}

/* 1 and 3 are from the boss, 2 from somebody else; 3 is read. */
static void
box(struct house *h)
{
	house_change(h, "work", organises);
	house_caller(h, (struct gate_caller){ .binding = &binding });
	(void)fake_add(BOSS);
	(void)fake_add(SPAM);
	fake_add(BOSS)->flags = FLAG_READ;
}

static void
box_on_server(struct house *h)
{
	box(h);
	house_caller(h, (struct gate_caller){ .binding = &on_server });
}

static void
box_that_changes(struct house *h)
{
	box_on_server(h);
	fake.changes = true;
}

static void
box_out_of_order(struct house *h)
{
	box_on_server(h);
	fake.fault[FAKE_WATCH].kind = ERR_NETWORK;
}

/* It is no agent's own. */
static void
box_of_a_person(struct house *h)
{
	house_caller(h, (struct gate_caller){ .binding = &on_server });
}

static void
unbound(struct house *h)
{
	box(h);
	house_caller(h, (struct gate_caller){ 0 });
}

static void
read_all(struct house *h)
{
	box(h);
	fake.mail[0].flags = fake.mail[1].flags = FLAG_READ;
}

#define BOX .backend = "agentbox"
#define SERVER .backend = "jmap"
#define SET "interval_seconds", "60"

static struct house_row rows[] = {
	{ "unread ones by their refs alone", { BOX }, box, "mail_unread",
	    { NULL }, .want = "ok",
	    .says = "\"address\":\"me@us.example\",\"message_refs\":"
		    "[\"filesystem:id00002\",\"filesystem:id00001\"],"
		    "\"more\":false}" },
	{ "no hidden one", { BOX, .in_on = true }, box, "mail_unread", { NULL },
	    .want = "ok", .says = "\"message_refs\":[\"filesystem:id00001\"]" },
	{ "none", { BOX }, read_all, "mail_unread", { NULL }, .want = "ok",
	    .says = "\"message_refs\":[],\"more\":false}" },
	{ "on a server too", { SERVER }, box_on_server, "mail_unread", { NULL },
	    .want = "ok",
	    .says = "[\"stalwart:id00002\",\"stalwart:id00001\"]" },
	{ "without a binding there are none", { BOX }, unbound, "mail_unread",
	    { NULL }, .want = "no_mailbox" },
	{ "a wait ends with a change", { SERVER }, box_that_changes,
	    "mail_wait", { "timeout", "3600" }, .want = "ok",
	    .says = "\"address\":\"me@us.example\",\"changed\":true}" },
	{ "or without one", { SERVER }, box_on_server, "mail_wait", { NULL },
	    .want = "ok", .says = "\"changed\":false}" },
	{ "or does not begin", { SERVER }, box_out_of_order, "mail_wait",
	    { NULL }, .want = "network" },
	{ "it is no longer than an hour", { SERVER }, box_that_changes,
	    "mail_wait", { "timeout", "3601" }, .want = "usage" },
	{ "a mailbox root tells of no changes", { BOX }, box, "mail_wait",
	    { NULL }, .want = "unsupported" },
	{ "nor does a server to whom it is not bound", { SERVER }, unbound,
	    "mail_wait", { NULL }, .want = "no_mailbox" },
	{ "nor a person's", { SERVER }, box_of_a_person, "mail_wait", { NULL },
	    .want = "no_mailbox" },
	{ "a call that is bound to no session has no notifier", { BOX }, box,
	    "mail_notifier", { NULL }, .want = "no_mailbox" },
	{ "and can switch none on", { BOX }, box, "mail_notifier_set", { SET },
	    .want = "no_mailbox" },
	{ "nor off", { BOX }, box, "mail_notifier_off", { NULL },
	    .want = "no_mailbox" },
	{ "no text of others is typed", { BOX }, box, "mail_notifier_set",
	    { SET, "appendix_text", "x" }, .want = "unsupported",
	    .says = "appendix_text is not supported" },
	{ "and no other step is taken", { BOX }, box, "mail_notifier_set",
	    { SET, "pre_notification_context_action", "compact" },
	    .want = "unsupported" },
	{ "it is not switched off so", { BOX }, box, "mail_notifier_set",
	    { SET, "enabled", "false" }, .want = "usage",
	    .says = "DELETE switches it off" },
};

/* The agent has seen no word of a message until it reads one. */
static void
a_look_taints_nobody(void **state)
{
	struct err e = { 0 };
	struct house h;
	int64_t at = 7;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ BOX });
	box(&h);
	assert_string_equal(house_word(house_call(&h, "mail_unread", NULL)),
	    "ok");
	assert_int_equal(store_taint_at(h.store, S("agent"), &at, &e), 0);
	assert_int_equal(at, 0);
	assert_string_equal(house_word(house_call(&h, "mail_check", NULL)),
	    "ok");
	assert_int_equal(store_taint_at(h.store, S("agent"), &at, &e), 0);
	assert_int_not_equal(at, 0);
	house_close(&h);
}

static unsigned begun;

static void
begins(void)
{
	assert_int_equal(fake.calls[FAKE_WATCH], ++begun);
}

/* The caller is told when no later change is missed, and has read nothing. */
static void
a_wait_says_when_it_begins(void **state)
{
	struct err e = { 0 };
	struct house h;
	int64_t at = 7;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ SERVER });
	box_that_changes(&h);
	gate_watching(h.gate, begins);
	assert_string_equal(house_word(house_call(&h, "mail_wait", NULL)),
	    "ok");
	assert_int_equal(begun, 1);
	assert_int_equal(store_taint_at(h.store, S("agent"), &at, &e), 0);
	assert_int_equal(at, 0);
	assert_int_equal(fake.calls[FAKE_FIND] + fake.calls[FAKE_HEADERS], 0);
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("a look for unread mail taints nobody", a_look_taints_nobody,
	    NULL);
	rows_add("a wait says when it begins", a_wait_says_when_it_begins,
	    NULL);
	return cmocka_run_group_tests_name("op/mail_notifier", rows_tests, NULL,
	    NULL);
}
