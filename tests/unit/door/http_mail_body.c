/* SPDX-License-Identifier: Apache-2.0 */
/* A body of the gateway's against the table of its operation. */
#include "../rows.h"

#include "door/http/gateway.h"
#include "op/op.h"

static struct row {
	const char *why, *op, *body;
	const char *say;  /* NULL: it is accepted */
	const char *arg;  /* whose values are: */
	const char *want; /* joined by "|"; NULL: none */
} rows[] = {
	{ "nothing at all", "mail_check", "{}", NULL, "limit", NULL },
	{ "a flag", "mail_check", "{\"unread_only\":true}", NULL, "unread_only",
	    "true" },
	{ "a flag that is not set", "mail_check", "{\"unread_only\":false}",
	    NULL, "unread_only", NULL },
	{ "a number", "mail_check", "{\"limit\":7}", NULL, "limit", "7" },
	{ "null is left out", "mail_check", "{\"limit\":null}", NULL, "limit",
	    NULL },
	{ "null of what is required", "mail_peek", "{\"message_ref\":null}",
	    "message_ref is not a string", NULL, NULL },
	{ "a choice of yes and no", "mail_mark", "{\"read\":false}", NULL,
	    "read", "false" },
	{ "the same as a text", "mail_mark", "{\"read\":\"false\"}",
	    "read is not true or false", NULL, NULL },
	{ "a choice of words", "mail_list", "{\"read_state\":\"unread\"}", NULL,
	    "read_state", "unread" },
	{ "texts", "mail_send", "{\"to\":[\"a@b\",\"c@d\"]}", NULL, "to",
	    "a@b|c@d" },
	{ "a text instead of texts", "mail_send", "{\"to\":\"a@b\"}",
	    "to is not a list", NULL, NULL },
	{ "a number among texts", "mail_send", "{\"to\":[1]}",
	    "to is not a string", NULL, NULL },
	{ "a list in a list", "mail_send", "{\"to\":[[\"a@b\"]]}",
	    "to is not a string", NULL, NULL },
	{ "an empty body", "mail_send", "{\"body_content\":\"\"}", NULL,
	    "body_content", "" },
	{ "a blank", "mail_send", "{\"subject\":\" \\t\"}", "subject is blank",
	    NULL, NULL },
	{ "files", "mail_send",
	    "{\"attachments\":[{\"path\":\"/a\"},{\"path\":\"/b\","
	    "\"label\":\"x\"},{\"path\":\"/c\",\"label\":null}]}",
	    NULL, "attachments", "/a|/b|/c" },
	{ "their names", "mail_send",
	    "{\"attachments\":[{\"path\":\"/a\"},{\"path\":\"/b\","
	    "\"label\":\"x\"}]}",
	    NULL, "attachment_labels", "|x" },
	{ "a file as a text", "mail_send", "{\"attachments\":[\"/a\"]}",
	    "attachments is not a list of objects", NULL, NULL },
	{ "a file without a path", "mail_send", "{\"attachments\":[{}]}",
	    "attachments.path is missing", NULL, NULL },
	{ "more of a file", "mail_send",
	    "{\"attachments\":[{\"path\":\"/a\",\"mode\":1}]}",
	    "attachments.mode is not known", NULL, NULL },
	{ "the form of another door", "mail_send",
	    "{\"attachment_labels\":[\"x\"]}",
	    "attachment_labels is not known here", NULL, NULL },
	{ "an account", "mail_check", "{\"account\":\"other\"}",
	    "account is not known here", NULL, NULL },
	{ "a member of another operation", "mail_check", "{\"to\":[\"a@b\"]}",
	    "to is not known here", NULL, NULL },
	{ "the name that an option has", "mail_check", "{\"unread-only\":true}",
	    "unread-only is not known here", NULL, NULL },
	{ "true, and nothing else", "mail_notifier_set", "{\"enabled\":true}",
	    NULL, "enabled", "true" },
	{ "true as a text", "mail_notifier_set", "{\"enabled\":\"true\"}",
	    "enabled is not true or false", NULL, NULL },
	{ "seconds", "mail_notifier_set", "{\"interval_seconds\":60}", NULL,
	    "interval_seconds", "60" },
	{ "seconds as a text", "mail_notifier_set",
	    "{\"interval_seconds\":\"60\"}",
	    "interval_seconds is not a whole number", NULL, NULL },
	{ "a time", "mail_notifier_set",
	    "{\"snooze_until\":\"2026-06-21T10:00:00Z\"}", NULL, "snooze_until",
	    "2026-06-21T10:00:00Z" },
	{ "no time", "mail_notifier_set", "{\"snooze_until\":null}", NULL,
	    "snooze_until", NULL },
	{ "a text that is empty", "mail_notifier_set",
	    "{\"appendix_text\":\"\"}", NULL, "appendix_text", "" },
	{ "a sender's text", "mail_notifier_set",
	    "{\"notify_block_text\":\"x\"}",
	    "notify_block_text is not known here", NULL, NULL },
	{ "a member twice", "mail_check", "{\"limit\":1,\"limit\":1}", "", NULL,
	    NULL },
	{ "no object", "mail_check", "[]", "the body is no JSON object", NULL,
	    NULL },
	{ "half an object", "mail_check", "{\"limit\":", "", NULL, NULL },
	{ "nothing", "mail_check", "", "", NULL, NULL },
	{ "bytes that are no text", "mail_check", "{\"cursor\":\"\xff\"}", "",
	    NULL, NULL },
	{ "a NUL", "mail_check", "{\"cursor\":\"\\u0000\"}", "", NULL, NULL },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 22);
	const struct row *r = *state;
	const struct op *op = op_find_mail(str_of(r->op));
	struct err e = { 0 };
	struct args args;
	struct buf b;
	int got;

	assert_non_null(op);
	args_init(&args, op->args, a);
	got = http_mail_body(str_of(r->body), &args, a, &e);
	assert_int_equal(got, r->say == NULL ? 0 : -1);
	if (r->say != NULL) {
		assert_int_equal(e.kind, ERR_USAGE);
		assert_true(str_find(str_of(e.say), str_of(r->say)) >= 0);
		return;
	}
	buf_init(&b, a, 4096);
	for (size_t i = 0; i < args_list(&args, r->arg)->n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? "|" : "",
		    STR_ARG(args_list(&args, r->arg)->v[i]));
	assert_int_equal(args_has(&args, r->arg), r->want != NULL);
	rows_same(buf_view(&b), str_of(r->want));
}

/* The longest text of a message, although the command line takes no such. */
static void
the_longest_text(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	const struct op *op = op_find_mail(S("mail_send"));
	struct str text = rows_repeat(a, S("\\n"), LIMIT_AGENTBOX_BODY);
	struct err e = { 0 };
	struct args args;

	(void)state;
	args_init(&args, op->args, a);
	assert_int_equal(http_mail_body(str_fmt(a,
					    "{\"body_content\":\"%.*s\"}",
					    STR_ARG(text)),
			     &args, a, &e),
	    0);
	assert_int_equal(args_text(&args, "body_content").n,
	    LIMIT_AGENTBOX_BODY);
}

static void
too_much(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	const struct op *op = op_find_mail(S("mail_send"));
	struct str one = rows_repeat(a, S("\"a@b\","), LIMIT_RECIPIENTS);
	const struct str bodies[] = {
		str_fmt(a, "{\"to\":[%.*s\"a@b\"]}", STR_ARG(one)),
		str_fmt(a, "{\"body_content\":\"%.*s\"}",
		    STR_ARG(rows_repeat(a, S("x"), LIMIT_AGENTBOX_BODY + 1))),
		rows_repeat(a, S(" "), LIMIT_GATEWAY_BODY + 1),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct err e = { 0 };
		struct args args;

		args_init(&args, op->args, a);
		assert_int_equal(http_mail_body(bodies[i], &args, a, &e), -1);
		assert_int_equal(e.kind, ERR_LIMIT);
	}
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("the longest text", the_longest_text, NULL);
	rows_add("too much", too_much, NULL);
	return cmocka_run_group_tests_name("door/http_mail_body", rows_tests,
	    NULL, NULL);
}
