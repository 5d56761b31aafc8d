/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a large mailbox costs: files and rows are counted, not time.  And what
 * changed in a box since a listing.
 */
#include "agentbox_site.h"

#include "backend/agentbox/contract.h"

#include <sys/syscall.h>

enum {
	MANY = 2000
};

/* Message files opened; ours is linked before the C library's. */
static size_t opened;

int
openat(int at, const char *name, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	opened += strncmp(name, "msg-", 4) == 0;
	return (int)syscall(SYS_openat, at, name, flags, mode);
}

struct desk {
	struct site *s;
	struct backend_account acct;
	struct conn *c;
	struct str day; /* the folder of the messages */
};

static struct str
name_of(struct desk *k, unsigned i)
{
	return str_fmt(k->s->a, "msg-20260408T%02u%02u%02uZ-%032u",
	    i / 3600 % 24, i / 60 % 60, i % 60, i);
}

/* In SQL, as name_of() and the time in it. */
#define NAME                                                                   \
	"printf('msg-20260408T%02d%02d%02dZ-%032d', i / 3600 % 24,"            \
	" i / 60 % 60, i % 60, i)"
#define TIME                                                                   \
	"printf('2026-04-08T%02d:%02d:%02dZ', i / 3600 % 24, i / 60 % 60,"     \
	" i % 60)"

static void
put_rows(struct desk *k, unsigned from, unsigned to, const char *db,
    const char *insert)
{
	struct site *s = k->s;

	(void)site_sql(s, db,
	    str_fmt(s->a,
		"WITH RECURSIVE n(i) AS (SELECT %u UNION ALL SELECT i + 1"
		" FROM n WHERE i + 1 < %u) %s",
		from, to, insert)
		.p);
}

/* Rows and, where they are to be read, files. */
static void
put(struct desk *k, unsigned from, unsigned to, const char *address, bool files)
{
	struct site *s = k->s;

	put_rows(k, from, to, "index.sqlite",
	    "INSERT INTO messages SELECT " NAME ", 'thread', NULL, " TIME
	    ", 'x', 'hello', '', '{}', 'HOUMAO-ci', '" CI
	    "', NULL, NULL, NULL, NULL FROM n");
	put_rows(k, from, to, "index.sqlite",
	    str_fmt(s->a,
		"INSERT INTO mailbox_projections SELECT (SELECT"
		" registration_id FROM mailbox_registrations WHERE address ="
		" '%s'), %s, 'inbox', 'x' FROM n",
		address, NAME)
		.p);
	put_rows(k, from, to,
	    str_fmt(s->a, "mailboxes/%s/mailbox.sqlite", address).p,
	    "INSERT INTO message_state SELECT " NAME ", 'thread', " TIME
	    ", 'hello', 0, 0, 0, 0 FROM n");
	for (unsigned i = from; files && i < to; i++) {
		struct agentbox_party p = { .principal = S("HOUMAO-ci"),
			.address = S(CI) };
		struct agentbox_message m = { .id = name_of(k, i),
			.thread = name_of(k, i),
			.from = p,
			.to = { &p, 1 },
			.subject = S("hello"),
			.body = S("body\n") };
		struct str file;

		m.created = str_fmt(s->a, "2026-04-08T%02u:%02u:%02uZ",
		    i / 3600 % 24, i / 60 % 60, i % 60);
		site_ok(s, agentbox_front_write(s->a, &m, &file, &s->e));
		site_write(s,
		    str_fmt(s->a, "messages/2026-04-08/%.*s.md", STR_ARG(m.id))
			.p,
		    str_c(s->a, file));
	}
}

static void
begin(struct desk *k, struct site *s)
{
	*k = (struct desk){ .s = s };
	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_close(s);
	assert_int_equal(mkdir(site_path(s, "messages/2026-04-08"), 0700), 0);
	k->acct = (struct backend_account){
		.name = S("box"),
		.from = S(WRITER),
		.path = str_of(s->root),
		.mac = site_mac,
		.deadline_ms = clock_mono_ms() + 60000,
	};
	site_ok(s, agentbox_backend.open(&k->acct, s->a, &k->c, &s->e));
}

static struct str
listing(struct desk *k, size_t n)
{
	struct folder_state st;
	struct strs ids;

	site_ok(k->s,
	    agentbox_backend.scan(k->c, k->s->a, S("INBOX"), &st, &ids,
		&k->s->e));
	assert_int_equal(ids.n, n);
	assert_int_equal(st.exists, n);
	return st.listing;
}

/* What changed since: "+1 -2", or "?" where it cannot be told. */
static void
assert_changes(struct desk *k, struct str *since, const char *want)
{
	struct site *s = k->s;
	struct folder_state st = { 0 };
	struct strs came, gone;
	struct str text = S("");
	int r = agentbox_backend.changes(k->c, s->a, S("INBOX"), *since, &st,
	    &came, &gone, &s->e);

	site_ok(s, r);
	if (r == 0)
		text = S("?");
	for (size_t i = 0; i < came.n; i++)
		text = str_fmt(s->a, "%.*s+%d", STR_ARG(text),
		    atoi(str_c(s->a, came.v[i]) + 21));
	for (size_t i = 0; i < gone.n; i++)
		text = str_fmt(s->a, "%.*s-%d", STR_ARG(text),
		    atoi(str_c(s->a, gone.v[i]) + 21));
	assert_string_equal(str_c(s->a, text), want);
	if (r == 1)
		*since = st.listing;
}

static void
a_page_of_a_large_mailbox_opens_its_own_files_once(void **state)
{
	struct site *s = *state;
	struct ref ref[5];
	struct refs refs = { ref, 5 };
	struct query q = { .folder = S("INBOX"), .among = &refs };
	struct folder_state st;
	struct rows rows;
	struct desk k;
	struct str was, now;

	begin(&k, s);
	put(&k, 0, MANY, WRITER, false);
	put(&k, MANY, MANY + 5, WRITER, true);
	was = now = listing(&k, MANY + 5);
	for (unsigned i = 0; i < 5; i++)
		ref[i] = (struct ref){ .uid = i + 1,
			.id = name_of(&k, MANY + 4 - i) };
	opened = 0;
	assert_changes(&k, &now, "");
	assert_string_equal(was.p, now.p);
	site_ok(s, agentbox_backend.find(k.c, s->a, &q, 5, &st, &rows, &s->e));
	assert_int_equal(rows.n, 5);
	for (unsigned i = 0; i < 5; i++) {
		struct str raw;

		site_ok(s,
		    agentbox_backend.body(k.c, s->a, S("INBOX"), &ref[i],
			100000, &raw, &s->e));
		assert_true(str_find(raw, name_of(&k, MANY + 4 - i)) >= 0);
	}
	assert_int_equal(opened, 5);
	agentbox_backend.close(k.c);
}

static void
changes_are_told_by_their_rows(void **state)
{
	struct site *s = *state;
	struct ref ref = { 0 };
	struct refs refs = { &ref, 1 }, moved;
	const struct flag_change read = { .set = FLAG_READ };
	struct str since;
	struct desk k;

	begin(&k, s);
	put(&k, 0, 10, WRITER, true);
	since = listing(&k, 10);
	put(&k, 10, 12, WRITER, true);
	assert_changes(&k, &since, "+10+11");
	assert_changes(&k, &since, "");
	/* Others' mail, and marks, are no changes. */
	put(&k, 50, 60, CI, true);
	ref.id = name_of(&k, 3);
	site_ok(s,
	    agentbox_backend.mark(k.c, s->a, S("INBOX"), &refs, &read, &s->e));
	assert_changes(&k, &since, "");
	/* The newest and another one go away, and one of them comes back. */
	ref.id = name_of(&k, 11);
	site_ok(s,
	    agentbox_backend.move(k.c, s->a, S("INBOX"), &refs, S("archive"),
		NULL, &moved, &s->e));
	assert_changes(&k, &since, "-11");
	ref.id = name_of(&k, 2);
	site_ok(s,
	    agentbox_backend.move(k.c, s->a, S("INBOX"), &refs, S("later"),
		NULL, &moved, &s->e));
	ref.id = name_of(&k, 11);
	site_ok(s,
	    agentbox_backend.move(k.c, s->a, S("archive"), &refs, S("INBOX"),
		NULL, &moved, &s->e));
	assert_changes(&k, &since, "+11-2");
	assert_changes(&k, &since, "");
	(void)listing(&k, 11);
	agentbox_backend.close(k.c);
}

/* Each is done to a box of ten: then everything must be read. */
static const struct {
	const char *db, *sql;
} breaks[] = {
	{ "mailboxes/" WRITER "/mailbox.sqlite",
	    "UPDATE message_state SET is_deleted = 1 WHERE rowid = 4" },
	{ "mailboxes/" WRITER "/mailbox.sqlite",
	    "UPDATE message_state SET is_deleted = 0 WHERE rowid = 4" },
	{ "mailboxes/" WRITER "/mailbox.sqlite",
	    "DELETE FROM message_state WHERE rowid = 10" },
	{ "index.sqlite",
	    "DELETE FROM mailbox_projections WHERE rowid ="
	    " (SELECT max(rowid) FROM mailbox_projections)" },
	{ "index.sqlite", "CREATE TABLE another (x)" },
	{ "emcli.sqlite", "DELETE FROM sqlite_sequence" },
};

static void
what_rows_do_not_tell_needs_a_scan(void **state)
{
	struct site *s = *state;
	struct ref ref = { 0 };
	struct refs refs = { &ref, 1 }, moved;
	struct folder_state st;
	struct strs ids;
	struct str since;
	struct desk k;

	begin(&k, s);
	put(&k, 0, 10, WRITER, true);
	ref.id = name_of(&k, 0);
	site_ok(s,
	    agentbox_backend.move(k.c, s->a, S("INBOX"), &refs, S("archive"),
		NULL, &moved, &s->e));
	since = S("no listing of ours");
	assert_changes(&k, &since, "?");
	for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
		site_ok(s,
		    agentbox_backend.scan(k.c, s->a, S("INBOX"), &st, &ids,
			&s->e));
		since = st.listing;
		assert_changes(&k, &since, "");
		(void)site_sql(s, breaks[i].db, breaks[i].sql);
		assert_changes(&k, &since, "?");
	}
	since = st.listing;
	put(&k, 1000, 1600, WRITER, false);
	assert_changes(&k, &since, "?");
	agentbox_backend.close(k.c);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(a_page_of_a_large_mailbox_opens_its_own_files_once),
		SITE_TEST(changes_are_told_by_their_rows),
		SITE_TEST(what_rows_do_not_tell_needs_a_scan),
	};

	return cmocka_run_group_tests_name("backend/agentbox_changes", tests,
	    NULL, NULL);
}
