/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message files: the upstream program's are read, ours written, others refused.
 */
#include "agentbox_site.h"

#include "backend/agentbox/message.h"
#include "base/base64.h"
#include "mime/header.h"

#define HEX "00112233445566778899aabbccddeeff"
#define ID "msg-20260408T101112Z-" HEX
#define PARTY "principal_id: HOUMAO-ci\n  address: ci@agents.example.test\n"
#define HEAD                                                                   \
	"---\nprotocol_version: 1\nmessage_id: " ID "\nthread_id: " ID         \
	"\ncreated_at_utc: '2026-04-08T10:11:12Z'\nfrom:\n  " PARTY            \
	"to:\n- " PARTY "subject: x\n"

struct front_row {
	const char *why;
	struct str file;
	bool good;
};

static struct front_row rows[] = {
	{ "the least there is", SI(HEAD "---\n"), true },
	{ "a body with a fence", SI(HEAD "---\n\na\n---\nb\n"), true },
	{ "no head", SI("subject: x\n"), false },
	{ "a head without end", SI(HEAD), false },
	{ "an empty head", SI("---\n---\n"), false },
	{ "CRLF is another file", SI("---\r\nsubject: x\r\n---\r\n"), false },
	{ "a key nobody knows", SI(HEAD "bcc: []\n---\n"), false },
	{ "a key twice", SI(HEAD "subject: y\n---\n"), false },
	{ "an alias", SI(HEAD "headers: &x {}\n---\n"), false },
	{ "a tag", SI(HEAD "headers: !!python/none x\n---\n"), false },
	{ "a blank subject",
	    SI("---\nprotocol_version: 1\nmessage_id: " ID "\nthread_id: " ID
	       "\ncreated_at_utc: '2026-04-08T10:11:12Z'\nfrom:\n  " PARTY
	       "to:\n- " PARTY "subject: ' '\n---\n"),
	    false },
	{ "nobody to go to",
	    SI("---\nprotocol_version: 1\nmessage_id: " ID "\nthread_id: " ID
	       "\ncreated_at_utc: '2026-04-08T10:11:12Z'\nfrom:\n  " PARTY
	       "to: []\nsubject: x\n---\n"),
	    false },
	{ "a time that YAML takes for one",
	    SI("---\nprotocol_version: 1\nmessage_id: " ID "\nthread_id: " ID
	       "\ncreated_at_utc: 2026-04-08T10:11:12Z\nfrom:\n  " PARTY
	       "to:\n- " PARTY "subject: x\n---\n"),
	    false },
	{ "an id that leads out",
	    SI("---\nprotocol_version: 1\nmessage_id: ../x\nthread_id: ../x"
	       "\ncreated_at_utc: '2026-04-08T10:11:12Z'\nfrom:\n  " PARTY
	       "to:\n- " PARTY "subject: x\n---\n"),
	    false },
	{ "a number for a subject", SI(HEAD "reply_to: 7\n---\n"), false },
	{ "another protocol",
	    SI("---\nprotocol_version: 3\nmessage_id: " ID "\nthread_id: " ID
	       "\ncreated_at_utc: '2026-04-08T10:11:12Z'\nfrom:\n  " PARTY
	       "to:\n- " PARTY "subject: x\n---\n"),
	    false },
	{ "a reply that refers to nothing",
	    SI(HEAD "in_reply_to: " ID "\n---\n"), false },
	{ "a root that refers", SI(HEAD "references:\n- " ID "\n---\n"),
	    false },
	{ "a path that is not absolute",
	    SI(HEAD "attachments:\n- attachment_id: a\n  kind: path_ref\n"
		    "  path: x\n  media_type: text/plain\n---\n"),
	    false },
	{ "a size below nothing",
	    SI(HEAD "attachments:\n- attachment_id: a\n  kind: managed_copy\n"
		    "  path: x\n  media_type: text/plain\n"
		    "  size_bytes: -1\n---\n"),
	    false },
	{ "a NUL in the body", SI(HEAD "---\n\na\0b"), false },
};

static void
is_judged(void **state)
{
	const struct front_row *row = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct agentbox_message m;
	struct err e = { 0 };
	int r = agentbox_front_read(a, row->file, 1, &m, &e);

	assert_int_equal(r, row->good ? 0 : -1);
	if (!row->good)
		assert_string_equal(e.reason, "damaged");
}

static struct str
member(const struct json_value *v, const char *key)
{
	struct str s = { 0 };

	(void)json_parse_str(json_parse_member(v, key), &s);
	return s;
}

static struct str
slurp(struct site *s, const char *path)
{
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct str out;

	if (fd < 0)
		fail_msg("%s", path);
	site_ok(s, path_read(fd, 16 << 20, s->a, &out, &s->e));
	return out;
}

/* The upstream program's own reading of a file. */
static void
agrees(struct site *s, const struct json_value *want, unsigned protocol)
{
	struct str ref = str_from(member(want, "message_ref"), 11);
	struct str day = str_first(member(want, "created_at_utc"), 10);
	struct agentbox_message m;
	struct str file, out;
	struct str path = str_fmt(s->a, "%s/messages/%.*s/%.*s.md", s->root,
	    STR_ARG(day), STR_ARG(ref));

	file = slurp(s, path.p);
	site_ok(s, agentbox_front_read(s->a, file, protocol, &m, &s->e));
	assert_true(str_eq(m.subject, member(want, "subject")));
	assert_true(str_eq(m.body, member(want, "body_text")) || m.body.n == 0);
	assert_true(str_eq(m.created, member(want, "created_at_utc")));
	assert_true(str_eq(m.thread, str_from(member(want, "thread_ref"), 11)));
	assert_true(str_eq(m.from.address,
	    member(json_parse_member(want, "sender"), "address")));
	assert_int_equal(m.to.n,
	    json_parse_count(json_parse_member(want, "to")));
	assert_int_equal(m.cc.n,
	    json_parse_count(json_parse_member(want, "cc")));
	assert_int_equal(m.attachments,
	    json_parse_count(json_parse_member(want, "attachments")));
	/* A file that we wrote is read again without loss. */
	site_ok(s, agentbox_front_write(s->a, &m, &out, &s->e));
	site_ok(s, agentbox_front_read(s->a, out, 1, &m, &s->e));
	assert_true(str_eq(m.subject, member(want, "subject")));
	site_ok(s, agentbox_front_read(s->a, file, protocol, &m, &s->e));
}

static size_t
reads(struct site *s, const char *version, unsigned protocol)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *box, *list;
	struct str path;
	size_t n = 0;

	site_unpack(s, version);
	path = str_fmt(s->a, "%s/houmao-%s/expected.json", s->top, version);
	site_ok(s, json_parse_open(slurp(s, path.p), 4 << 20, &doc, &s->e));
	for (size_t i = 0;
	     (box = json_parse_item(json_parse_root(doc), i)) != NULL; i++) {
		list = json_parse_member(box, "messages");
		for (size_t k = 0; k < json_parse_count(list); k++, n++)
			agrees(s, json_parse_item(list, k), protocol);
	}
	return n;
}

static void
of_upstream_are_read(void **state)
{
	assert_int_equal(reads(*state, "v0.6.6", 1), 29);
	assert_true(reads(*state, "v2.1.0", 3) > 15);
}

/* Everything that is free text, in one message. */
static struct agentbox_message
nasty(struct site *s)
{
	static struct agentbox_party party = { SI("HOUMAO-\"x\" \\ #"),
		SI("a.b+c@x.test"),
		SI("N\xc3\xa4me: \xf0\x9f\x98\x80\n- \"quoted\"\\"),
		SI("/tmp/a b"), SI("yes") };
	static struct agentbox_attachment att = { SI("att-0a1b2c3d4e5f"), true,
		SI("attachments/managed/x/y: z"), SI("text/plain"),
		SI("2d619c7869a25a069e8d9fe28202d200c8bef01cba077934e702217e8a6"
		   "78b59"),
		9, SI("plan\r\nBcc: x@y.test") };
	static struct agentbox_header header[] = {
		{ SI("x-houmao-origin"), SI("a\r\nBcc: x@y.test") },
		{ SI("Authentication-Results"), SI("x; dmarc=pass") },
		{ SI("null"), SI("null") },
	};
	struct agentbox_message m = { .id = S(ID), .thread = S(ID) };

	(void)s;
	m.created = S("2026-04-08T10:11:12Z");
	m.from = party;
	m.to = (struct agentbox_parties){ &party, 1 };
	m.reply_to = m.to;
	m.subject = S("- 'a': \"b\" # \xe2\x80\xa8 =?utf-8?q?x?=\r\nBcc: c");
	m.attachment = &att;
	m.attachments = 1;
	m.header = header;
	m.headers = 3;
	m.body = S("\n\n---\ntab\t\x0c and \xc3\xbc\r\n no end");
	return m;
}

static void
of_ours_come_back_whole(void **state)
{
	struct site *s = *state;
	struct agentbox_message m = nasty(s), back;
	struct str file;

	site_ok(s, agentbox_front_write(s->a, &m, &file, &s->e));
	site_ok(s, agentbox_front_read(s->a, file, 1, &back, &s->e));
	assert_true(str_eq(back.subject, m.subject));
	assert_true(str_eq(back.body, m.body));
	assert_true(str_eq(back.from.principal, m.from.principal));
	assert_true(str_eq(back.from.display_name, m.from.display_name));
	assert_true(str_eq(back.to.v[0].role, m.from.role));
	assert_true(str_eq(back.attachment[0].label, m.attachment[0].label));
	assert_int_equal(back.attachment[0].size, 9);
	assert_int_equal(back.headers, 3);
	assert_true(str_eq(back.header[0].value, m.header[0].value));
}

static void
what_nobody_could_read_is_not_written(void **state)
{
	struct site *s = *state;
	struct agentbox_message m = nasty(s);
	struct str file;

	m.subject = S("  ");
	assert_int_equal(agentbox_front_write(s->a, &m, &file, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_USAGE);
	m = nasty(s);
	m.body.p = arena_alloc(s->a, LIMIT_AGENTBOX_BODY + 1);
	m.body.n = LIMIT_AGENTBOX_BODY + 1;
	assert_int_equal(agentbox_front_write(s->a, &m, &file, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_LIMIT);
}

static void
as_mail_is_one_message(void **state)
{
	struct site *s = *state;
	struct agentbox_message m = nasty(s);
	struct str files[] = { SI("the plan\n") }, mail, text, part;
	ptrdiff_t at;
	char *body;

	site_ok(s, agentbox_front_mail(s->a, &m, files, &mail, &s->e));
	/* No text of the file can begin a header line. */
	assert_true(str_find(mail, S("\nBcc:")) < 0);
	assert_true(str_find(mail, S("Authentication-Results")) < 0);
	assert_true(str_find(mail, S("\nX-Houmao-Origin: ")) < 0);
	assert_true(str_find(mail, S("\nx-houmao-origin: =?utf-8?B?")) >= 0);
	assert_true(str_find(mail,
			S("\nMessage-ID: <" ID "@houmao.localhost>\r\n")) >= 0);
	assert_true(
	    str_find(mail, S("\nDate: Wed, 08 Apr 2026 10:11:12 +0000\r\n")) >=
		0 ||
	    str_find(mail, S("\nDate: Wed, 8 Apr 2026 10:11:12 +0000\r\n")) >=
		0 ||
	    str_starts(mail, S("Date: Wed, 08 Apr 2026 10:11:12 +0000\r\n")) ||
	    str_starts(mail, S("Date: Wed, 8 Apr 2026 10:11:12 +0000\r\n")));
	for (size_t i = 1; i < mail.n; i++)
		assert_true(mail.p[i] != '\n' || mail.p[i - 1] == '\r');

	/* The body's bytes are the file's. */
	at = str_find(mail,
	    S("charset=utf-8\r\nContent-Transfer-Encoding: "
	      "base64\r\n\r\n"));
	assert_true(at >= 0);
	text = str_from(mail, (size_t)at + 52);
	at = str_find(text, S("--_" ID "_\r\n"));
	assert_true(at > 0);
	part = str_first(text, (size_t)at);
	body = arena_alloc(s->a, part.n);
	{
		bool bad;
		size_t n = base64_decode_lax(body, part, &bad);

		assert_false(bad);
		assert_true(str_eq((struct str){ body, n }, m.body));
	}
	assert_true(str_find(text, S("dGhlIHBsYW4K\r\n--_" ID "_--\r\n")) > 0);
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		SITE_TEST(of_upstream_are_read),
		SITE_TEST(of_ours_come_back_whole),
		SITE_TEST(what_nobody_could_read_is_not_written),
		SITE_TEST(as_mail_is_one_message),
	};
	const size_t n = sizeof(rows) / sizeof(rows[0]);
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) +
	    sizeof(more) / sizeof(more[0])] = { 0 };

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = is_judged;
		tests[i].initial_state = &rows[i];
	}
	memcpy(tests + n, more, sizeof(more));
	return cmocka_run_group_tests_name("backend/agentbox_front", tests,
	    NULL, NULL);
}
