/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of protocols 1 and 3, imported and exported. */
#include "agentbox_site.h"

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/port.h"
#include "backend/agentbox/view.h"

#define OLD1 "msg-20261122T223800Z-295d86642abd409e99954a0fb05c0699"
#define OLD3 "msg-20261122T223806Z-0d412b84e78d47ee92d7d31269b6cf37"
#define ARCHIVED3 "msg-20261122T223807Z-bb151afa54f146dfadf8f940ad35e535"

static struct agentbox_entry
entry(struct site *s, const char *address, const char *id)
{
	struct strs ids = { 0 };
	struct agentbox_want w = { .ids = &ids };
	struct agentbox_entries got;

	str_push(s->a, &ids, str_of(id));
	site_ok(s,
	    agentbox_view_list(s->r, str_of(address), &w, s->a, &got, NULL,
		&s->e));
	assert_int_equal(got.n, 1);
	return got.v[0];
}

static size_t
total(struct site *s, const char *address, struct agentbox_want w)
{
	struct agentbox_entries got;
	size_t n;

	site_ok(s,
	    agentbox_view_list(s->r, str_of(address), &w, s->a, &got, &n,
		&s->e));
	assert_int_equal(got.n, n);
	return n;
}

/* Unpacks the root of that version: its path; s->root is ours again. */
static const char *
theirs(struct site *s, const char *version)
{
	char ours[96];
	const char *path;

	memcpy(ours, s->root, sizeof(ours));
	site_unpack(s, version);
	path = str_dup(s->a, str_of(s->root)).p;
	memcpy(s->root, ours, sizeof(ours));
	return str_c(s->a, str_of(path));
}

static void
of_protocol_3_comes_in(void **state)
{
	struct site *s = *state;
	const char *from = theirs(s, "v2.1.0");
	struct agentbox_ported got;
	struct agentbox_loaded m;
	struct agentbox_change c = { .read = AGENTBOX_NO };
	struct strs ids = { 0 };

	site_make(s);
	site_ok(s, agentbox_import(s->r, from, s->a, &got, &s->e));
	assert_int_equal(got.protocol, 3);
	assert_int_equal(got.registrations, 3);
	assert_int_equal(got.messages, 12);
	assert_int_equal(got.damaged.n, 0);
	assert_int_equal(total(s, WRITER,
			     (struct agentbox_want){ .box = S("inbox") }),
	    10);
	assert_true(entry(s, WRITER, OLD3).answered);
	assert_true(entry(s, WRITER, OLD3).read);
	assert_true(entry(s, WRITER, ARCHIVED3).archived);
	assert_string_equal(entry(s, WRITER, ARCHIVED3).box.p, "archive");
	assert_int_equal(agentbox_load(s->r, S(OLD3), s->a, &m, &s->e), 1);
	assert_false(m.authentic);
	assert_int_equal(m.message.attachments, 1);
	assert_string_equal(m.message.body.p, "one line");
	/* A second run changes nothing, not even what was changed here. */
	str_push(s->a, &ids, S(OLD3));
	site_ok(s, agentbox_state_change(s->r, S(WRITER), &ids, &c, &s->e));
	site_ok(s, agentbox_import(s->r, from, s->a, &got, &s->e));
	assert_int_equal(got.messages, 0);
	assert_int_equal(got.known, 12);
	assert_false(entry(s, WRITER, OLD3).read);
	/* The old root is unchanged. */
	memcpy(s->root, from, strlen(from) + 1);
	assert_false(site_has(s, "emcli.sqlite"));
	assert_false(site_has(s, "locks/emcli.flock"));
}

static void
of_protocol_1_comes_in(void **state)
{
	struct site *s = *state;
	const char *from = theirs(s, "v0.6.6");
	struct agentbox_ported got;

	site_make(s);
	site_register(s, "other@agents.example.test", "HOUMAO-other");
	site_ok(s, agentbox_import(s->r, from, s->a, &got, &s->e));
	assert_int_equal(got.protocol, 1);
	assert_int_equal(got.messages, 12);
	assert_int_equal(total(s, WRITER,
			     (struct agentbox_want){ .read = AGENTBOX_YES }),
	    4);
	assert_sql(s, "index.sqlite",
	    "SELECT canonical_path FROM messages WHERE message_id = '" OLD1 "'",
	    site_path(s, "messages/2026-11-22/" OLD1 ".md"));
}

static void
in_the_way_of_another_does_not_come(void **state)
{
	struct site *s = *state;
	const char *from = theirs(s, "v2.1.0");
	struct agentbox_ported got;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-somebody");
	assert_int_equal(agentbox_import(s->r, from, s->a, &got, &s->e), -1);
	assert_string_equal(s->e.reason, "registration_conflict");
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages", "0");
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations", "2");
	assert_int_equal(agentbox_import(s->r, s->root, s->a, &got, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_USAGE);
}

/* Exported as one protocol, and imported again: nothing is lost. */
static void
goes_out_and_in(struct site *s, unsigned protocol)
{
	const char *from = theirs(s, "v2.1.0");
	const char *to = str_fmt(s->a, "%s/out", s->top).p;
	struct agentbox_ported got;
	char ours[96], text[PATH_MAX] = { 0 };

	site_make(s);
	site_ok(s, agentbox_import(s->r, from, s->a, &got, &s->e));
	site_ok(s, agentbox_export(s->r, to, protocol, s->a, &got, &s->e));
	assert_int_equal(got.messages, 12);
	assert_int_equal(agentbox_export(s->r, to, protocol, s->a, &got, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_USAGE);
	site_close(s);

	memcpy(ours, s->root, sizeof(ours));
	(void)snprintf(s->root, sizeof(s->root), "%s/out", s->top);
	assert_false(site_has(s, "emcli.sqlite"));
	assert_false(site_has(s, "locks/index.lock"));
	assert_true(
	    readlink(site_path(s,
			 "mailboxes/" WRITER "/archive/" ARCHIVED3 ".md"),
		text, sizeof(text) - 1) > 0);
	assert_string_equal(text,
	    site_path(s, "messages/2026-11-22/" ARCHIVED3 ".md"));
	assert_sql(s, "index.sqlite",
	    "SELECT canonical_path FROM messages WHERE message_id = '" ARCHIVED3
	    "'",
	    text);
	assert_sql(s, "index.sqlite",
	    "SELECT mailbox_path FROM mailbox_registrations WHERE address ="
	    " '" WRITER "'",
	    site_path(s, "mailboxes/" WRITER));
	if (protocol == 3) {
		assert_sql(s, "mailboxes/" WRITER "/mailbox.sqlite",
		    "SELECT is_read || is_answered || is_archived || box_name"
		    " FROM message_state WHERE message_id = '" ARCHIVED3 "'",
		    "101archive");
		assert_sql(s, "mailboxes/" WRITER "/mailbox.sqlite",
		    "SELECT is_read || is_answered || is_archived || box_name"
		    " FROM message_state WHERE message_id = '" OLD3 "'",
		    "110inbox");
		assert_sql(s, "index.sqlite",
		    "SELECT substr(body_markdown, 1, 24) FROM messages LIMIT 1",
		    "---\nprotocol_version: 3\n");
	}
	memcpy(s->root, ours, sizeof(ours));
	(void)nftw(s->root, site_remove, 16, FTW_DEPTH | FTW_PHYS);
	site_make(s);
	site_ok(s, agentbox_import(s->r, to, s->a, &got, &s->e));
	assert_int_equal(got.protocol, protocol);
	assert_int_equal(got.messages, 12);
	assert_true(entry(s, WRITER, ARCHIVED3).archived);
	if (protocol == 3)
		assert_true(entry(s, WRITER, OLD3).answered);
}

static void
of_protocol_1_goes_out(void **state)
{
	goes_out_and_in(*state, 1);
}

static void
of_protocol_3_goes_out(void **state)
{
	goes_out_and_in(*state, 3);
}

/* As the upstream program creates them: the same tables and columns. */
static void
of_protocol_3_has_the_upstream_tables(void **state)
{
	static const char sql[] =
	    "SELECT group_concat(t || ':' || c, ' ') FROM (SELECT m.name AS t,"
	    " (SELECT group_concat(p.name || p.type || p.pk, ',') FROM"
	    " pragma_table_info(m.name) p) AS c FROM sqlite_master m WHERE"
	    " m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name)";
	struct site *s = *state;
	const char *from = theirs(s, "v2.1.0");
	struct agentbox_ported got;
	struct str index, box;

	site_make(s);
	site_ok(s, agentbox_import(s->r, from, s->a, &got, &s->e));
	site_ok(s,
	    agentbox_export(s->r, str_fmt(s->a, "%s/out", s->top).p, 3, s->a,
		&got, &s->e));
	(void)snprintf(s->root, sizeof(s->root), "%s/out", s->top);
	index = site_sql(s, "index.sqlite", sql);
	box = site_sql(s, "mailboxes/" WRITER "/mailbox.sqlite", sql);
	memcpy(s->root, from, strlen(from) + 1);
	assert_sql(s, "index.sqlite", sql, index.p);
	assert_sql(s, "mailboxes/" WRITER "/mailbox.sqlite", sql, box.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_protocol_3_comes_in),
		SITE_TEST(of_protocol_1_comes_in),
		SITE_TEST(in_the_way_of_another_does_not_come),
		SITE_TEST(of_protocol_1_goes_out),
		SITE_TEST(of_protocol_3_goes_out),
		SITE_TEST(of_protocol_3_has_the_upstream_tables),
	};

	return cmocka_run_group_tests_name("backend/agentbox_port", tests, NULL,
	    NULL);
}
