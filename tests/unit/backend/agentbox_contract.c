/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mailbox of a root as backend.h has it: sent, found, marked and moved by its
 * ids.  What every backend has to do is tests/conform's.
 */
#include "agentbox_site.h"

#include "backend/agentbox/contract.h"

struct box {
	struct backend_account acct;
	struct conn *c;
};

static void
open_box(struct site *s, struct box *b, const char *address)
{
	b->acct = (struct backend_account){
		.name = S("box"),
		.from = str_lower(s->a, str_of(address)),
		.path = str_of(s->root),
		.mac = site_mac,
		.deadline_ms = clock_mono_ms() + 60000,
	};
	site_ok(s, agentbox_backend.open(&b->acct, s->a, &b->c, &s->e));
}

/* Two mailboxes; the writer's is registered in letters of both cases. */
static void
make(struct site *s, struct box *writer, struct box *ci)
{
	site_make(s);
	site_register(s, "Writer@agents.example.test", "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_close(s);
	open_box(s, writer, WRITER);
	open_box(s, ci, CI);
}

static void
leave(struct box *x, struct box *y)
{
	agentbox_backend.close(x->c);
	agentbox_backend.close(y->c);
}

/* Its id. */
static struct str
submit(struct site *s, struct box *b, const char *to, const char *more)
{
	static unsigned char rnd[16];
	struct recipient rcpt = { .addr = str_of(to) };
	struct submission x = { .from = b->acct.from, .to = &rcpt, .n = 1 };
	struct str id;

	rnd[0]++;
	id = agentbox_submit_id(s->a, rnd, 1775643072);
	x.message = str_fmt(s->a,
	    "From: eve@evil.example\r\nTo: %s\r\nSubject: hello\r\n"
	    "Message-ID: %.*s\r\n%s\r\nbody\r\n",
	    to, STR_ARG(id), more);
	site_ok(s, agentbox_backend.submit(b->c, s->a, &x, &s->e));
	assert_int_equal(rcpt.code, 250);
	return agentbox_submit_read_id(id);
}

static struct row
row_of(struct site *s, struct box *b, const char *folder, struct str id)
{
	struct ref ref = { .id = id };
	struct refs refs = { &ref, 1 };
	struct folder_state st;
	struct rows rows;

	site_ok(s,
	    agentbox_backend.headers(b->c, s->a, str_of(folder), &refs, &st,
		&rows, &s->e));
	assert_true(rows.n <= 1);
	return rows.n == 1 ? rows.v[0] : (struct row){ 0 };
}

/* Where the message is, in that folder or in any. */
static void
is_in(struct site *s, struct box *b, const char *folder, struct str id,
    const char *want)
{
	assert_string_equal(str_c(s->a, row_of(s, b, folder, id).folder), want);
}

static void
the_sender_is_the_account(void **state)
{
	struct site *s = *state;
	struct box writer, ci;
	struct row row;
	struct str id;

	make(s, &writer, &ci);
	id = submit(s, &ci, WRITER, "");
	row = row_of(s, &writer, "INBOX", id);
	assert_true(
	    str_find(row.head, S("From: <ci@agents.example.test>")) >= 0);
	assert_true(str_find(row.head, S("evil")) < 0);
	assert_true(str_find(row.head,
			S("X-Emcli-Principal: ci@agents.example.test "
			  "HOUMAO-ci\r\n")) > 0);
	assert_true(row.vouched);
	assert_true(str_eq(row.thread, id));
	assert_int_equal(row.flags, 0);
	row = row_of(s, &ci, "sent", id);
	assert_int_equal(row.flags, FLAG_READ);
	leave(&writer, &ci);
}

static void
another_key_vouches_for_nobody(void **state)
{
	struct site *s = *state;
	struct box writer, ci;
	struct str id;

	make(s, &writer, &ci);
	id = submit(s, &ci, WRITER, "");
	writer.acct.mac = NULL;
	assert_false(row_of(s, &writer, "INBOX", id).vouched);
	leave(&writer, &ci);
}

static void
an_answer_is_in_its_thread(void **state)
{
	struct site *s = *state;
	struct box writer, ci;
	struct query q = { 0 };
	struct folder_state st;
	struct rows rows;
	struct str first, second;

	make(s, &writer, &ci);
	first = submit(s, &ci, WRITER, "");
	second = submit(s, &writer, CI,
	    str_fmt(s->a, "In-Reply-To: <%.*s@houmao.localhost>\r\n",
		STR_ARG(first))
		.p);
	assert_true(str_eq(row_of(s, &ci, "INBOX", second).thread, first));
	q.thread = first;
	site_ok(s,
	    agentbox_backend.find(ci.c, s->a, &q, 50, &st, &rows, &s->e));
	assert_int_equal(rows.n, 2);
	leave(&writer, &ci);
}

static void
flags_change_for_one_mailbox(void **state)
{
	const struct flag_change done = { .set = FLAG_READ | FLAG_ANSWERED };
	const struct flag_change back = { .clear = FLAG_READ };
	struct site *s = *state;
	struct box writer, ci;
	struct ref ref[2] = { 0 };
	struct refs refs = { ref, 1 };
	struct query q = { .folder = S("INBOX"), .without = FLAG_READ };
	struct folder_state st;
	struct rows rows;

	make(s, &writer, &ci);
	ref[0].id = submit(s, &ci, WRITER, "");
	site_ok(s,
	    agentbox_backend.mark(writer.c, s->a, S(""), &refs, &done, &s->e));
	assert_int_equal(row_of(s, &writer, "", ref[0].id).flags,
	    FLAG_READ | FLAG_ANSWERED);
	site_ok(s,
	    agentbox_backend.find(writer.c, s->a, &q, 50, &st, &rows, &s->e));
	assert_int_equal(rows.n, 0);
	site_ok(s,
	    agentbox_backend.mark(writer.c, s->a, S("INBOX"), &refs, &back,
		&s->e));
	assert_int_equal(row_of(s, &writer, "", ref[0].id).flags,
	    FLAG_ANSWERED);
	/* One that is not there keeps the other as it is. */
	ref[1].id = S("msg-20260408T101112Z-00112233445566778899aabbccddeeff");
	refs.n = 2;
	assert_int_equal(agentbox_backend.mark(writer.c, s->a, S(""), &refs,
			     &done, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	assert_int_equal(row_of(s, &writer, "", ref[0].id).flags,
	    FLAG_ANSWERED);
	/* Nor is it in another box. */
	refs.n = 1;
	assert_int_equal(agentbox_backend.mark(writer.c, s->a, S("sent"), &refs,
			     &done, &s->e),
	    -1);
	leave(&writer, &ci);
}

static void
messages_move_and_come_back(void **state)
{
	struct site *s = *state;
	struct box writer, ci;
	struct ref ref = { 0 };
	struct refs refs = { &ref, 1 }, moved;
	struct row row;

	make(s, &writer, &ci);
	ref.id = submit(s, &ci, WRITER, "");
	site_ok(s,
	    agentbox_backend.move(writer.c, s->a, S("INBOX"), &refs,
		S("archive"), NULL, &moved, &s->e));
	assert_int_equal(moved.n, 1);
	row = row_of(s, &writer, "", moved.v[0].id);
	assert_true(str_eq(row.folder, S("archive")));
	assert_int_equal(row.flags, FLAG_READ | FLAG_ARCHIVED);
	assert_int_equal(row_of(s, &writer, "INBOX", ref.id).ref.id.n, 0);
	site_ok(s,
	    agentbox_backend.move(writer.c, s->a, S(""), &moved, S("later"),
		NULL, &moved, &s->e));
	row = row_of(s, &writer, "later", ref.id);
	assert_true(str_eq(row.ref.id, ref.id));
	assert_int_equal(row.flags, FLAG_READ);
	site_ok(s,
	    agentbox_backend.move(writer.c, s->a, S("later"), &refs, S("INBOX"),
		NULL, &moved, &s->e));
	assert_true(str_eq(row_of(s, &writer, "", ref.id).folder, S("INBOX")));
	/* The sender's own copy was nobody's to move. */
	assert_true(str_eq(row_of(s, &ci, "", ref.id).folder, S("sent")));
	leave(&writer, &ci);
}

/* It is in two boxes; its own copy of what it sent stays. */
static void
a_message_to_oneself_is_where_it_was_put(void **state)
{
	static const char *const to[] = { "archive", "later", "INBOX" };
	struct site *s = *state;
	struct box writer, ci;
	struct ref ref = { 0 };
	struct refs refs = { &ref, 1 }, moved;
	struct str other;

	make(s, &writer, &ci);
	ref.id = submit(s, &writer, WRITER, "");
	other = submit(s, &writer, CI, "");
	for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
		site_ok(s,
		    agentbox_backend.move(writer.c, s->a, S(""), &refs,
			str_of(to[i]), NULL, &moved, &s->e));
		is_in(s, &writer, "", ref.id, to[i]);
		is_in(s, &writer, "sent", ref.id, "sent");
	}
	is_in(s, &writer, "", other, "sent");
	leave(&writer, &ci);
}

static void
a_box_is_a_name_and_no_path(void **state)
{
	static const char *const bad[] = { "../x", "a/b", ".", "..", "",
		"inbox" };
	struct site *s = *state;
	struct box writer, ci;
	struct ref ref = { 0 };
	struct refs refs = { &ref, 1 }, moved;

	make(s, &writer, &ci);
	ref.id = submit(s, &ci, WRITER, "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(agentbox_backend.move(writer.c, s->a,
				     S("INBOX"), &refs, str_of(bad[i]), NULL,
				     &moved, &s->e),
		    -1);
		assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	}
	leave(&writer, &ci);
}

static void
a_damaged_message_is_not_there(void **state)
{
	struct site *s = *state;
	struct box writer, ci;
	struct ref ref = { 0 };
	struct str raw;

	make(s, &writer, &ci);
	ref.id = submit(s, &ci, WRITER, "");
	site_write(s,
	    str_fmt(s->a, "messages/%s/%.*s.md",
		site_sql(s, "index.sqlite",
		    "SELECT substr(created_at_utc, 1, 10) FROM messages")
		    .p,
		STR_ARG(ref.id))
		.p,
	    "nothing");
	assert_int_equal(row_of(s, &writer, "INBOX", ref.id).ref.id.n, 0);
	assert_int_equal(agentbox_backend.body(writer.c, s->a, S("INBOX"), &ref,
			     100000, &raw, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	leave(&writer, &ci);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(the_sender_is_the_account),
		SITE_TEST(another_key_vouches_for_nobody),
		SITE_TEST(an_answer_is_in_its_thread),
		SITE_TEST(flags_change_for_one_mailbox),
		SITE_TEST(messages_move_and_come_back),
		SITE_TEST(a_message_to_oneself_is_where_it_was_put),
		SITE_TEST(a_box_is_a_name_and_no_path),
		SITE_TEST(a_damaged_message_is_not_there),
	};

	return cmocka_run_group_tests_name("backend/agentbox_contract", tests,
	    NULL, NULL);
}
