/* SPDX-License-Identifier: Apache-2.0 */
/* Mailboxes that are emptied on command, and stay. */
#include "agentbox_site.h"

#include "backend/agentbox/clean.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/repair.h"
#include "backend/agentbox/view.h"

#define AB "a.b+c@agents.example.test"

static const struct agentbox_file note = { .name = SI("note.txt"),
	.bytes = SI("a note\n") };

static struct str
send(struct site *s, const char *from, struct str to, const char *key,
    size_t files)
{
	struct agentbox_send v = {
		.principal = str_fmt(s->a, "HOUMAO-%s", from),
		.address = str_of(from),
		.subject = S("Hello"),
		.body = str_of(key),
		.key = str_of(key),
		.file = &note,
		.files = files,
	};
	struct agentbox_sent out;
	struct str one;
	bool more = true;

	while (more) {
		more = str_cut(to, ' ', &one, &to);
		str_push(s->a, &v.to, one);
	}
	site_ok(s, agentbox_deliver(s->r, &v, s->a, &out, &s->e));
	return out.id;
}

static size_t
has(struct site *s, const char *address)
{
	struct agentbox_want w = { 0 };
	struct agentbox_entries got;

	site_ok(s,
	    agentbox_view_list(s->r, str_of(address), &w, s->a, &got, NULL,
		&s->e));
	return got.n;
}

/* The first from the writer to ci, the second to ci and ab, the third from ab
 * to itself, the last two with the same file. */
static void
make_some(struct site *s)
{
	static const char *const all[] = { WRITER, CI, AB };

	site_make(s);
	for (size_t i = 0; i < 3; i++)
		site_register(s, all[i], str_fmt(s->a, "HOUMAO-%s", all[i]).p);
	(void)send(s, WRITER, S(CI), "1", 0);
	(void)send(s, WRITER, S(CI " " AB), "2", 1);
	(void)send(s, AB, S(AB), "3", 1);
}

static struct agentbox_cleared
clear(struct site *s, const char *address, bool look_only)
{
	const struct agentbox_clear c = { .address = str_of(address),
		.look_only = look_only };
	struct agentbox_cleared out;

	site_ok(s, agentbox_clear(s->r, &c, s->a, &out, &s->e));
	return out;
}

/* In this order, each of what the one before it left. */
static const struct {
	const char *address;
	size_t messages, removed;
	size_t left[3]; /* of the writer, ci and ab */
	const char *rows, *files;
} rows[] = {
	{ CI, 2, 0, { 2, 0, 3 }, "3", "2" },
	{ CI, 0, 0, { 2, 0, 3 }, "3", "2" },
	{ AB, 2, 1, { 2, 0, 0 }, "2", "1" },
	{ WRITER, 2, 2, { 0, 0, 0 }, "0", "0" },
};

static void
of_one_address_leaves_what_others_have(void **state)
{
	struct site *s = *state;
	struct agentbox_report report;

	make_some(s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct agentbox_cleared got = clear(s, rows[i].address, true);

		assert_int_equal(got.messages, rows[i].messages);
		got = clear(s, rows[i].address, false);
		assert_int_equal(got.mailboxes, 1);
		assert_int_equal(got.messages, rows[i].messages);
		assert_int_equal(got.removed, rows[i].removed);
		/* Nothing of it is adopted by the next, or found damaged. */
		site_open(s);
		assert_int_equal(agentbox_root_notes(s->r)->n, 0);
		assert_int_equal(has(s, WRITER), rows[i].left[0]);
		assert_int_equal(has(s, CI), rows[i].left[1]);
		assert_int_equal(has(s, AB), rows[i].left[2]);
		assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages",
		    rows[i].rows);
		assert_sql(s, "index.sqlite",
		    "SELECT count(*) FROM thread_summaries", rows[i].rows);
		assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM mac",
		    rows[i].rows);
		assert_sql(s, "index.sqlite",
		    "SELECT count(*) FROM attachments", rows[i].files);
		assert_sql(s, "index.sqlite",
		    "SELECT count(*) FROM pragma_foreign_key_check", "0");
	}
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations WHERE status ="
	    " 'active'",
	    "4");
	site_close(s);
	site_ok(s, agentbox_repair(s->root, &s->use, s->a, &report, &s->e));
	assert_int_equal(report.messages + report.rows + report.links, 0);
}

static void
of_all_goes_with_files_and_the_rest_stays(void **state)
{
	struct site *s = *state;
	struct agentbox_cleared got;
	struct str day;

	make_some(s);
	day = site_sql(s, "index.sqlite",
	    "SELECT 'messages/' || substr(created_at_utc, 1, 10) FROM messages"
	    " ORDER BY message_id LIMIT 1");
	assert_true(site_has(s, day.p));
	site_ok(s, agentbox_register_end(s->r, S(CI), false, &s->e));
	got = clear(s, "", false);
	assert_int_equal(got.mailboxes, 4);
	assert_int_equal(got.messages, 3);
	assert_int_equal(got.removed, 3);
	assert_false(site_has(s, day.p));
	assert_sql(s, "mailboxes/" CI "/mailbox.sqlite",
	    "SELECT count(*) FROM message_state", "0");
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations", "4");
	(void)send(s, WRITER, S(AB), "4", 1);
	assert_int_equal(has(s, WRITER), 1);
	assert_int_equal(has(s, AB), 1);
}

static void
of_a_key_is_remembered(void **state)
{
	struct site *s = *state;
	struct str id;

	make_some(s);
	id = send(s, WRITER, S(CI), "again", 0);
	(void)clear(s, "", false);
	assert_true(str_eq(send(s, WRITER, S(CI), "again", 0), id));
	assert_int_equal(has(s, CI), 0);
}

static void
of_others_than_agreed_does_nothing(void **state)
{
	struct site *s = *state;
	const struct agentbox_clear c = { .address = S(CI), .agreed = 1 };
	struct agentbox_cleared out;

	make_some(s);
	assert_int_equal(agentbox_clear(s->r, &c, s->a, &out, &s->e), -1);
	assert_string_equal(s->e.reason, "changed");
	assert_int_equal(has(s, CI), 2);
	s->e = (struct err){ 0 };
	assert_int_equal(agentbox_clear(s->r,
			     &(struct agentbox_clear){ .address = S("x@y.z") },
			     s->a, &out, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

/* Rows name nothing outside of the folders of messages and copies. */
static void
of_hostile_rows_takes_nothing_else(void **state)
{
	struct site *s = *state;

	make_some(s);
	site_write(s, "rules/msg.md", "kept");
	(void)site_sql(s, "index.sqlite",
	    "UPDATE messages SET created_at_utc = '../rules/xyz'");
	(void)site_sql(s, "index.sqlite",
	    "UPDATE attachments SET sha256 = '../../rules'");
	(void)clear(s, "", false);
	assert_true(site_has(s, "rules/msg.md"));
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages", "0");
}

static void
of_upstream_leaves_a_root_it_can_use(void **state)
{
	struct site *s = *state;

	site_unpack(s, "v0.6.6");
	site_open(s);
	(void)clear(s, "", false);
	assert_int_equal(has(s, WRITER), 0);
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM pragma_foreign_key_check", "0");
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_one_address_leaves_what_others_have),
		SITE_TEST(of_all_goes_with_files_and_the_rest_stays),
		SITE_TEST(of_a_key_is_remembered),
		SITE_TEST(of_others_than_agreed_does_nothing),
		SITE_TEST(of_hostile_rows_takes_nothing_else),
		SITE_TEST(of_upstream_leaves_a_root_it_can_use),
	};

	return cmocka_run_group_tests_name("backend/agentbox_clear", tests,
	    NULL, NULL);
}
