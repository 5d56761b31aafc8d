/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a mailbox's messages, and how they are listed. */
#include "agentbox_site.h"

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/repair.h"
#include "backend/agentbox/view.h"

#define BOX(address) "mailboxes/" address "/mailbox.sqlite"
#define OLD "msg-20261122T223800Z-295d86642abd409e99954a0fb05c0699"

static struct agentbox_entries
list(struct site *s, const char *address, const struct agentbox_want *w,
    size_t *total)
{
	struct agentbox_entries out;

	site_ok(s,
	    agentbox_view_list(s->r, str_of(address), w, s->a, &out, total,
		&s->e));
	return out;
}

static struct agentbox_entry
entry(struct site *s, const char *address, const char *id)
{
	struct strs ids = { 0 };
	struct agentbox_want w = { .ids = &ids };
	struct agentbox_entries got;

	str_push(s->a, &ids, str_of(id));
	got = list(s, address, &w, NULL);
	assert_int_equal(got.n, 1);
	return got.v[0];
}

static int
change(struct site *s, const char *address, const char *id,
    struct agentbox_change c)
{
	struct strs ids = { 0 };

	str_push(s->a, &ids, str_of(id));
	return agentbox_state_change(s->r, str_of(address), &ids, &c, &s->e);
}

static void
of_upstream_is_listed(void **state)
{
	struct site *s = *state;
	struct agentbox_want w = { .limit = 3 };
	struct agentbox_entries got;
	struct strs boxes;
	size_t total;

	site_unpack(s, "v0.6.6");
	site_open(s);
	w.box = S("inbox");
	got = list(s, WRITER, &w, &total);
	assert_int_equal(got.n, 3);
	assert_int_equal(total, 11);
	assert_true(str_cmp(got.v[0].created, got.v[2].created) >= 0);
	/* Paging returns each message once. */
	w.after_created = got.v[2].created;
	w.after_id = got.v[2].id;
	w.limit = 100;
	assert_int_equal(list(s, WRITER, &w, NULL).n, 8);
	w = (struct agentbox_want){ .box = S("inbox"), .read = AGENTBOX_YES };
	assert_int_equal(list(s, WRITER, &w, &total).n, 3);
	assert_int_equal(total, 3);
	w = (struct agentbox_want){ .box = S("sent") };
	got = list(s, WRITER, &w, NULL);
	assert_int_equal(got.n, 1);
	assert_string_equal(got.v[0].subject.p, "Re: Build: failed 'x' #1");
	w = (struct agentbox_want){ .thread = S(OLD) };
	assert_int_equal(list(s, WRITER, &w, NULL).n, 2);
	w = (struct agentbox_want){ .since = S("2026-11-22T22:38:01Z") };
	assert_int_equal(list(s, WRITER, &w, NULL).n, 10);
	w = (struct agentbox_want){ .by_arrival = true, .limit = 1 };
	got = list(s, WRITER, &w, NULL);
	assert_string_equal(got.v[0].subject.p, "plain");
	w.after_arrival = got.v[0].arrival;
	assert_true(str_eq(list(s, WRITER, &w, NULL).v[0].id, S(OLD)));
	site_ok(s, agentbox_view_boxes(s->r, S(WRITER), s->a, &boxes, &s->e));
	assert_int_equal(boxes.n, 4);
	assert_int_equal(agentbox_view_list(s->r, S("x@y.test"), &w, s->a, &got,
			     NULL, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static void
is_changed_and_kept(void **state)
{
	struct site *s = *state;
	struct agentbox_entry got;

	site_unpack(s, "v0.6.6");
	site_open(s);
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .read = AGENTBOX_YES,
		    .answered = AGENTBOX_YES }));
	got = entry(s, WRITER, OLD);
	assert_true(got.read && got.answered && !got.archived);
	/* As the upstream program reads it. */
	assert_sql(s, BOX(WRITER),
	    "SELECT is_read FROM message_state WHERE message_id = '" OLD "'",
	    "1");
	assert_sql(s, BOX(WRITER),
	    "SELECT unread_count FROM thread_summaries WHERE thread_id = '" OLD
	    "'",
	    "0");
	assert_false(entry(s, "a.b+c@agents.example.test", OLD).read);
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .read = AGENTBOX_NO,
		    .starred = AGENTBOX_YES }));
	got = entry(s, WRITER, OLD);
	assert_true(!got.read && got.answered && got.starred);
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM journal", "0");
}

static void
is_archived_and_brought_back(void **state)
{
	struct site *s = *state;
	struct agentbox_want w = { .box = S("archive") };
	struct agentbox_entry got;
	struct strs boxes;

	site_unpack(s, "v0.6.6");
	site_open(s);
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .archived = AGENTBOX_YES }));
	got = entry(s, WRITER, OLD);
	assert_true(got.archived);
	assert_string_equal(got.box.p, "archive");
	assert_int_equal(list(s, WRITER, &w, NULL).n, 1);
	assert_true(site_has(s, "mailboxes/" WRITER "/archive/" OLD ".md"));
	assert_false(site_has(s, "mailboxes/" WRITER "/inbox/" OLD ".md"));
	assert_true(site_has(s,
	    "mailboxes/a.b+c@agents.example.test/inbox/" OLD ".md"));
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .box = S("To do") }));
	got = entry(s, WRITER, OLD);
	assert_false(got.archived);
	assert_string_equal(got.box.p, "To do");
	site_ok(s, agentbox_view_boxes(s->r, S(WRITER), s->a, &boxes, &s->e));
	assert_int_equal(boxes.n, 5);
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .archived = AGENTBOX_NO }));
	assert_string_equal(entry(s, WRITER, OLD).box.p, "inbox");
	assert_true(site_has(s, "mailboxes/" WRITER "/inbox/" OLD ".md"));
	assert_false(site_has(s, "mailboxes/" WRITER "/To do/" OLD ".md"));
}

static void
is_changed_of_all_or_none(void **state)
{
	struct site *s = *state;
	struct agentbox_change c = { .read = AGENTBOX_YES };
	struct strs ids = { 0 };

	site_unpack(s, "v0.6.6");
	site_open(s);
	str_push(s->a, &ids, S(OLD));
	str_push(s->a, &ids,
	    S("msg-20261122T223800Z-00000000000000000000000000000000"));
	assert_int_equal(agentbox_state_change(s->r, S(WRITER), &ids, &c,
			     &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	assert_false(entry(s, WRITER, OLD).read);
	/* Others' messages are not found, and neither are paths. */
	assert_int_equal(change(s, AGENTBOX_OPERATOR, OLD, c), -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	assert_int_equal(change(s, WRITER, "../../index.sqlite", c), -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	c.box = S("../sent");
	assert_int_equal(change(s, WRITER, OLD, c), -1);
	assert_string_equal(s->e.reason, "box");
	c.box = S("sent");
	assert_int_equal(change(s, WRITER, OLD, c), -1);
	assert_string_equal(s->e.reason, "box");
	c.box = S("archive");
	assert_int_equal(change(s, CI, OLD, c), -1);
	assert_string_equal(s->e.reason, "box");
	assert_false(entry(s, WRITER, OLD).read);
}

static struct agentbox_report
repair(struct site *s)
{
	struct agentbox_report out;

	site_close(s);
	site_ok(s, agentbox_repair(s->root, &s->use, s->a, &out, &s->e));
	return out;
}

static void
survives_a_repair(void **state)
{
	struct site *s = *state;
	struct agentbox_report got;
	struct agentbox_entry e;

	site_unpack(s, "v0.6.6");
	site_open(s);
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .read = AGENTBOX_YES,
		    .answered = AGENTBOX_YES,
		    .archived = AGENTBOX_YES }));
	/* The root has moved, and everything that points anywhere is gone. */
	assert_int_equal(unlink(site_path(s,
			     "mailboxes/" WRITER "/archive/" OLD ".md")),
	    0);
	got = repair(s);
	assert_int_equal(got.messages, 12);
	assert_int_equal(got.registrations, 4);
	assert_int_equal(got.damaged.n, 0);
	assert_true(got.links > 0);
	assert_sql(s, "index.sqlite",
	    "SELECT canonical_path FROM messages WHERE message_id = '" OLD "'",
	    site_path(s, "messages/2026-11-22/" OLD ".md"));
	assert_sql(s, "index.sqlite",
	    "SELECT mailbox_path FROM mailbox_registrations WHERE address ="
	    " '" WRITER "'",
	    site_path(s, "mailboxes/" WRITER));
	site_open(s);
	e = entry(s, WRITER, OLD);
	assert_true(e.read && e.answered && e.archived);
	assert_true(site_has(s, "mailboxes/" WRITER "/archive/" OLD ".md"));
	got = repair(s);
	assert_int_equal(got.links, 0);
	assert_int_equal(got.rows, 0);
}

static void
survives_a_lost_index(void **state)
{
	struct site *s = *state;
	struct agentbox_want w = { .box = S("inbox"), .read = AGENTBOX_YES };
	struct agentbox_report got;
	struct agentbox_entry e;

	site_unpack(s, "v0.6.6");
	site_open(s);
	site_ok(s,
	    change(s, WRITER, OLD,
		(struct agentbox_change){ .answered = AGENTBOX_YES,
		    .archived = AGENTBOX_YES }));
	site_close(s);
	site_write(s, "index.sqlite", "this is no database at all, is it?");
	got = repair(s);
	/* Callers take an error that is set for one of the repair's. */
	assert_int_equal(s->e.kind, ERR_NONE);
	assert_int_equal(got.set_aside.n, 1);
	assert_true(site_has(s, got.set_aside.v[0].p));
	assert_int_equal(got.messages, 12);
	assert_int_equal(got.registrations, 4);
	site_open(s);
	e = entry(s, WRITER, OLD);
	assert_true(e.answered && e.archived);
	assert_string_equal(e.box.p, "archive");
	assert_int_equal(list(s, WRITER, &w, NULL).n, 3);
}

static void
lost_is_made_again(void **state)
{
	struct site *s = *state;
	struct agentbox_report got;
	struct agentbox_want w = { 0 };

	site_unpack(s, "v0.6.6");
	site_write(s, BOX(WRITER),
	    "no database either, whatever it was before");
	assert_int_equal(unlink(site_path(s, "messages/2026-11-22/" OLD ".md")),
	    0);
	site_write(s, "locks/addresses/" WRITER ".lock",
	    "pid=2147483647 acquired_at_utc=2026-04-08T10:11:12+00:00\n");
	got = repair(s);
	assert_int_equal(got.set_aside.n, 1);
	assert_int_equal(got.rows, 12);
	assert_int_equal(got.locks, 1);
	assert_int_equal(got.damaged.n, 1);
	assert_string_equal(got.damaged.v[0].p,
	    "messages/2026-11-22/" OLD ".md");
	site_open(s);
	assert_int_equal(list(s, WRITER, &w, NULL).n, 12);
	site_ok(s, agentbox_repair_look(s->r, s->a, &got, &s->e));
	assert_int_equal(got.damaged.n, 1);
	assert_int_equal(got.rows, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_upstream_is_listed),
		SITE_TEST(is_changed_and_kept),
		SITE_TEST(is_archived_and_brought_back),
		SITE_TEST(is_changed_of_all_or_none),
		SITE_TEST(survives_a_repair),
		SITE_TEST(survives_a_lost_index),
		SITE_TEST(lost_is_made_again),
	};

	return cmocka_run_group_tests_name("backend/agentbox_state", tests,
	    NULL, NULL);
}
