/* SPDX-License-Identifier: Apache-2.0 */
/* Delivery in a mailbox root: to all or to none, and once. */
#include "agentbox_site.h"

#include "backend/agentbox/deliver.h"

#define STATE(what) "SELECT " what " FROM message_state"
#define BOX(address) "mailboxes/" address "/mailbox.sqlite"
#define AB "a.b+c@agents.example.test"

static void
make(struct site *s)
{
	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
}

static struct agentbox_send
mail(struct site *s, const char *to, const char *cc)
{
	struct agentbox_send m = { .principal = S("HOUMAO-ci"),
		.address = S(CI),
		.subject = S("Build failed: step 3"),
		.body = S("a\n---\nb\n") };

	str_push(s->a, &m.to, str_of(to));
	if (cc != NULL)
		str_push(s->a, &m.cc, str_of(cc));
	return m;
}

static struct agentbox_sent
deliver(struct site *s, const struct agentbox_send *m)
{
	struct agentbox_sent out = { 0 };

	site_ok(s, agentbox_deliver(s->r, m, s->a, &out, &s->e));
	return out;
}

static void
refused(struct site *s, const struct agentbox_send *m, enum err_kind kind,
    const char *reason)
{
	struct agentbox_sent out;

	s->e = (struct err){ 0 };
	assert_int_equal(agentbox_deliver(s->r, m, s->a, &out, &s->e), -1);
	assert_int_equal(s->e.kind, kind);
	if (reason != NULL)
		assert_string_equal(s->e.reason, reason);
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages", "0");
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM journal", "0");
	assert_false(site_has(s, "locks/index.lock"));
}

static void
reaches_everybody(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;
	struct agentbox_sent sent;
	struct agentbox_loaded got;
	struct str file, link;
	char text[PATH_MAX] = { 0 };

	make(s);
	m = mail(s, WRITER, AB);
	sent = deliver(s, &m);
	assert_true(agentbox_name_message(sent.id));
	assert_int_equal(sent.recipients, 2);
	assert_false(sent.again);
	file = str_fmt(s->a, "messages/%.10s/%.*s.md", sent.created.p,
	    STR_ARG(sent.id));
	assert_int_equal(site_mode(s, file.p), 0600);
	link = str_fmt(s->a, "mailboxes/" WRITER "/inbox/%.*s.md",
	    STR_ARG(sent.id));
	assert_true(readlink(site_path(s, link.p), text, sizeof(text)) > 0);
	assert_string_equal(text, site_path(s, file.p));
	assert_true(site_has(s,
	    str_fmt(s->a, "mailboxes/" AB "/inbox/%s.md", sent.id.p).p));
	assert_true(site_has(s,
	    str_fmt(s->a, "mailboxes/" CI "/sent/%s.md", sent.id.p).p));
	assert_sql(s, BOX(WRITER), STATE("is_read || message_id"),
	    str_fmt(s->a, "0%s", sent.id.p).p);
	assert_sql(s, BOX(AB), STATE("is_read"), "0");
	assert_sql(s, BOX(CI), STATE("is_read"), "1");
	assert_sql(s, BOX(WRITER),
	    "SELECT unread_count || normalized_subject FROM thread_summaries",
	    "1build failed: step 3");
	assert_sql(s, "index.sqlite", "SELECT canonical_path FROM messages",
	    text);
	assert_sql(s, "index.sqlite",
	    "SELECT group_concat(recipient_kind || ordinal || address) FROM"
	    " message_recipients",
	    "to0" WRITER ",cc1" AB);
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_projections", "3");
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM journal", "0");

	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	assert_true(got.authentic);
	assert_string_equal(got.message.body.p, "a\n---\nb\n");
	assert_string_equal(got.message.from.principal.p, "HOUMAO-ci");
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 0);
}

static void
to_oneself_is_unread(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;

	make(s);
	m = mail(s, CI, NULL);
	deliver(s, &m);
	assert_sql(s, BOX(CI), STATE("is_read || count(*)"), "01");
	assert_sql(s, "index.sqlite",
	    "SELECT group_concat(folder_name) FROM (SELECT folder_name FROM"
	    " mailbox_projections ORDER BY 1)",
	    "inbox,sent");
}

static void
to_one_that_is_not_there_reaches_nobody(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;

	make(s);
	m = mail(s, WRITER, "nobody@agents.example.test");
	refused(s, &m, ERR_USAGE, "unknown_recipient");
	m = mail(s, WRITER, "../../etc");
	refused(s, &m, ERR_USAGE, "unknown_recipient");
	site_ok(s, agentbox_register_end(s->r, S(AB), false, &s->e));
	m = mail(s, WRITER, AB);
	refused(s, &m, ERR_USAGE, "inactive_recipient");
	m = mail(s, WRITER, NULL);
	m.principal = S("HOUMAO-writer");
	refused(s, &m, ERR_USAGE, "sender");
	m = mail(s, WRITER, NULL);
	m.subject = S(" \t");
	refused(s, &m, ERR_USAGE, "subject");
	m = mail(s, WRITER, NULL);
	m.body = (struct str){ "a\0b", 3 };
	refused(s, &m, ERR_USAGE, "body");
	m = mail(s, WRITER, NULL);
	m.parent = S("msg-20260408T101112Z-00112233445566778899aabbccddeeff");
	refused(s, &m, ERR_NOT_FOUND, NULL);
	m = mail(s, WRITER, NULL);
	for (int i = 0; i < LIMIT_AGENTBOX_RECIPIENTS; i++)
		str_push(s->a, &m.cc, S(WRITER));
	refused(s, &m, ERR_LIMIT, NULL);
	/*
	 * A mailbox without its folder refuses, and nobody else gets the
	 * message.
	 */
	assert_int_equal(rename(site_path(s, "mailboxes/" WRITER "/inbox"),
			     site_path(s, "gone")),
	    0);
	m = mail(s, WRITER, CI);
	refused(s, &m, ERR_CONFIG, "mailbox_missing");
	assert_int_equal(rmdir(site_path(s, "gone")), 0);
}

static void
reaches_more_than_ten_mailboxes(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;

	make(s);
	m = mail(s, WRITER, NULL);
	for (int i = 0; i < 12; i++) {
		struct str to = str_fmt(s->a, "n%d@agents.example.test", i);

		site_register(s, to.p, "HOUMAO-n");
		str_push(s->a, i % 2 ? &m.to : &m.cc, to);
	}
	assert_int_equal(deliver(s, &m).recipients, 13);
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_projections", "14");
	assert_sql(s, BOX("n11@agents.example.test"), STATE("count(*)"), "1");
}

static void
of_one_key_happens_once(void **state)
{
	struct site *s = *state;
	struct agentbox_send m, other;
	struct agentbox_sent first, again, out;

	make(s);
	m = mail(s, WRITER, AB);
	m.key = S("k1");
	first = deliver(s, &m);
	again = deliver(s, &m);
	assert_true(again.again);
	assert_true(str_eq(first.id, again.id));
	assert_true(str_eq(first.thread, again.thread));
	assert_int_equal(again.recipients, 2);
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages", "1");
	other = m;
	other.body = S("else");
	assert_int_equal(agentbox_deliver(s->r, &other, s->a, &out, &s->e), -1);
	assert_string_equal(s->e.reason, "idempotency_conflict");
	/* The same key of another sender is a different key. */
	other = mail(s, CI, NULL);
	other.principal = S("HOUMAO-writer");
	other.address = S(WRITER);
	other.key = S("k1");
	assert_false(deliver(s, &other).again);
}

static void
of_an_answer_keeps_the_thread(void **state)
{
	struct site *s = *state;
	struct agentbox_send m, r;
	struct agentbox_sent first, second, third;
	struct agentbox_loaded got;

	make(s);
	m = mail(s, WRITER, NULL);
	first = deliver(s, &m);
	r = mail(s, CI, NULL);
	r.principal = S("HOUMAO-writer");
	r.address = S(WRITER);
	r.parent = first.id;
	second = deliver(s, &r);
	m.parent = second.id;
	third = deliver(s, &m);
	assert_true(str_eq(third.thread, first.id));
	assert_int_equal(agentbox_load(s->r, third.id, s->a, &got, &s->e), 1);
	assert_int_equal(got.message.references.n, 2);
	assert_true(str_eq(got.message.references.v[0], first.id));
	assert_true(str_eq(got.message.in_reply_to, second.id));
	/* Another mailbox's message cannot be a parent. */
	r = mail(s, CI, NULL);
	r.principal = S("HOUMAO-ab");
	r.address = S(AB);
	r.parent = first.id;
	s->e = (struct err){ 0 };
	assert_int_equal(agentbox_deliver(s->r, &r, s->a, &first, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static void
takes_files_along(void **state)
{
	struct agentbox_file f[] = {
		{ SI("plan.txt"), SI("text/plain"), SI("the plan\n") },
		{ SI("../../etc/pass\nwd"), { 0 }, SI("the plan\n") },
		{ SI(".."), { 0 }, SI("") },
	};
	struct site *s = *state;
	struct agentbox_send m;
	struct agentbox_sent sent;
	struct agentbox_loaded got;
	const struct agentbox_attachment *t;
	struct str bytes;

	make(s);
	m = mail(s, WRITER, NULL);
	m.file = f;
	m.files = 3;
	sent = deliver(s, &m);
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	assert_int_equal(got.message.attachments, 3);
	t = got.message.attachment;
	assert_string_equal(t[0].path.p,
	    "attachments/managed/2d619c7869a25a069e8d9fe28202d200c8bef01cba077"
	    "934e702217e8a678b59/plan.txt");
	assert_int_equal(site_mode(s, t[0].path.p), 0600);
	assert_string_equal(t[1].label.p, "file.._.._etc_pass_wd");
	assert_int_equal(agentbox_attach_read(s->r, &t[1], s->a, &bytes, &s->e),
	    1);
	assert_string_equal(bytes.p, "the plan\n");
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) || sum(size_bytes) FROM attachments JOIN"
	    " message_attachments USING (attachment_id)",
	    "318");
	/* Changed since then: not returned. */
	site_write(s, t[0].path.p, "another\n");
	assert_int_equal(agentbox_attach_read(s->r, &t[0], s->a, &bytes, &s->e),
	    -1);
	assert_string_equal(s->e.reason, "damaged");
	/* The next message with it repairs it. */
	deliver(s, &m);
	assert_int_equal(agentbox_attach_read(s->r, &t[0], s->a, &bytes, &s->e),
	    1);
	/* A path that the sender gives is never read. */
	got.message.attachment[0].managed = false;
	got.message.attachment[0].path = S("/etc/passwd");
	assert_int_equal(agentbox_attach_read(s->r, &t[0], s->a, &bytes, &s->e),
	    0);
	got.message.attachment[1].path = str_fmt(s->a,
	    "attachments/managed/%s/../../../index.sqlite", t[1].sha256.p);
	assert_int_equal(agentbox_attach_read(s->r, &t[1], s->a, &bytes, &s->e),
	    0);
	f[0].bytes.p = arena_alloc(s->a, LIMIT_AGENTBOX_FILE + 1);
	f[0].bytes.n = LIMIT_AGENTBOX_FILE + 1;
	s->e = (struct err){ 0 };
	assert_int_equal(agentbox_deliver(s->r, &m, s->a, &sent, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_LIMIT);
}

static void
changed_since_is_not_authentic(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;
	struct agentbox_sent sent;
	struct agentbox_loaded got;
	struct str path;

	make(s);
	m = mail(s, WRITER, NULL);
	sent = deliver(s, &m);
	path = str_fmt(s->a, "messages/%.10s/%s.md", sent.created.p, sent.id.p);
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	site_write(s, path.p, str_fmt(s->a, "%sx", got.file.p).p);
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	assert_false(got.authentic);
	site_write(s, path.p, "---\nno message\n---\n");
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), -1);
	assert_string_equal(s->e.reason, "damaged");
	assert_int_equal(unlink(site_path(s, path.p)), 0);
	assert_int_equal(symlink("/etc/passwd", site_path(s, path.p)), 0);
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), -1);
	assert_int_equal(agentbox_load(s->r, S("../x"), s->a, &got, &s->e), 0);
}

/* In a root that the upstream program wrote. */
static void
beside_the_upstream_program(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;
	struct agentbox_sent sent;
	struct agentbox_loaded got;

	site_unpack(s, "v0.6.6");
	site_open(s);
	m = mail(s, WRITER, AB);
	m.parent = S("msg-20261122T223801Z-ed2e402b9a4c4e24a8d60f40f98cb34c");
	sent = deliver(s, &m);
	assert_string_equal(sent.thread.p,
	    "msg-20261122T223800Z-295d86642abd409e99954a0fb05c0699");
	assert_int_equal(agentbox_load(s->r, m.parent, s->a, &got, &s->e), 1);
	assert_false(got.authentic);
	assert_sql(s, BOX(WRITER), STATE("count(*)"), "13");
	assert_sql(s, BOX(WRITER),
	    "SELECT unread_count FROM thread_summaries WHERE thread_id ="
	    " 'msg-20261122T223800Z-295d86642abd409e99954a0fb05c0699'",
	    "2");
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages", "13");
}

/* A file without a row, as a killed process leaves it. */
static void
of_a_file_without_a_row_is_finished(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;
	struct agentbox_sent sent;
	struct agentbox_loaded got;
	struct str path;

	make(s);
	m = mail(s, WRITER, AB);
	sent = deliver(s, &m);
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	path = str_fmt(s->a, "messages/%.10s/%s.md", sent.created.p, sent.id.p);
	site_close(s);
	assert_int_equal(nftw(s->root, site_remove, 16, FTW_DEPTH | FTW_PHYS),
	    0);
	make(s);
	assert_int_equal(mkdir(site_path(s,
				   str_fmt(s->a, "messages/%.10s",
				       sent.created.p)
				       .p),
			     0700),
	    0);
	site_write(s, path.p, got.file.p);
	site_write(s,
	    str_fmt(s->a,
		"messages/%.10s/msg-20260408T101112Z-00112233445566778899aabbcc"
		"ddeeff.md",
		sent.created.p)
		.p,
	    got.file.p);
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 2);
	assert_sql(s, BOX(WRITER), STATE("is_read || message_id"),
	    str_fmt(s->a, "0%s", sent.id.p).p);
	assert_sql(s, BOX(AB), STATE("count(*)"), "1");
	assert_sql(s, BOX(CI), STATE("is_read"), "1");
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM damaged", "1");
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	assert_false(got.authentic);
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 0);
}

static void
that_nobody_finished_is_put_aside(void **state)
{
	struct site *s = *state;
	struct timespec old[2] = { { .tv_sec = 1000000 },
		{ .tv_sec = 1000000 } };

	make(s);
	site_write(s, "staging/emcli-x.md", "x");
	site_write(s, "staging/gateway-1.md", "on its way");
	site_write(s, "staging/gateway-2.md", "forgotten");
	assert_int_equal(utimensat(AT_FDCWD,
			     site_path(s, "staging/gateway-2.md"), old, 0),
	    0);
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 1);
	assert_true(site_has(s, "staging/gateway-1.md"));
	assert_false(site_has(s, "staging/gateway-2.md"));
	assert_false(site_has(s, "staging/emcli-x.md"));
	assert_true(site_has(s, "staging/quarantine"));
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(reaches_everybody),
		SITE_TEST(to_oneself_is_unread),
		SITE_TEST(to_one_that_is_not_there_reaches_nobody),
		SITE_TEST(reaches_more_than_ten_mailboxes),
		SITE_TEST(of_one_key_happens_once),
		SITE_TEST(of_an_answer_keeps_the_thread),
		SITE_TEST(takes_files_along),
		SITE_TEST(changed_since_is_not_authentic),
		SITE_TEST(beside_the_upstream_program),
		SITE_TEST(of_a_file_without_a_row_is_finished),
		SITE_TEST(that_nobody_finished_is_put_aside),
	};

	return cmocka_run_group_tests_name("backend/agentbox_deliver", tests,
	    NULL, NULL);
}
