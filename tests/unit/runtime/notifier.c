/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a notifier: settings, state, and a line for each poll. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/instance.h"
#include "runtime/notifier.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

enum made {
	A_FILE,
	A_LINK,
	A_FOLDER,
	A_PIPE,
	OPEN_FOLDER, /* others can write to the folder */
};

static struct row {
	const char *why;
	const char *name;
	const char *text; /* NULL: there is no such file */
	enum made made;
	int want;
} rows[] = {
	{ "no settings", NOTIFIER_SETTINGS, NULL, A_FILE, 1 },
	{ "settings", NOTIFIER_SETTINGS,
	    "{\"enabled\":true,\"interval_seconds\":60,\"renotify_seconds\":7,"
	    "\"schema_version\":1,\"snooze_until\":\"2026-06-21T10:00:00Z\"}",
	    A_FILE, 0 },
	{ "without a snooze", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":1,\"snooze_until\":null}", A_FILE, 0 },
	{ "no interval", NOTIFIER_SETTINGS, "{\"enabled\":true}", A_FILE, -1 },
	{ "an interval of nothing", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":0}", A_FILE, -1 },
	{ "one that is too long", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":31536001}", A_FILE, -1 },
	{ "one that is a text", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":\"60\"}", A_FILE, -1 },
	{ "an unknown member", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":60,\"appendix_text\":\"x\"}", A_FILE, -1 },
	{ "another version", NOTIFIER_SETTINGS,
	    "{\"schema_version\":2,\"interval_seconds\":60}", A_FILE, -1 },
	{ "a time that is none", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":60,\"snooze_until\":\"soon\"}", A_FILE, -1 },
	{ "cut off", NOTIFIER_SETTINGS, "{\"interval_seconds\":60", A_FILE,
	    -1 },
	{ "empty", NOTIFIER_SETTINGS, "", A_FILE, -1 },
	{ "no object", NOTIFIER_SETTINGS, "[60]", A_FILE, -1 },
	{ "a link", NOTIFIER_SETTINGS, "{\"interval_seconds\":60}", A_LINK,
	    -1 },
	{ "a folder", NOTIFIER_SETTINGS, "", A_FOLDER, -1 },
	{ "a pipe", NOTIFIER_SETTINGS, "", A_PIPE, -1 },
	{ "a folder that others can write to", NOTIFIER_SETTINGS,
	    "{\"interval_seconds\":60}", OPEN_FOLDER, -1 },
	{ "no state", NOTIFIER_STATE, NULL, A_FILE, 1 },
	{ "a state", NOTIFIER_STATE,
	    "{\"schema_version\":1,\"last_poll_at_utc\":"
	    "\"2026-06-21T10:00:00Z\",\"last_notification_at_utc\":null,"
	    "\"last_error\":\"x\",\"notified\":[\"" HEX "\"]}",
	    A_FILE, 0 },
	{ "a digest that is none", NOTIFIER_STATE, "{\"notified\":[\"a\"]}",
	    A_FILE, -1 },
	{ "digests that are no list", NOTIFIER_STATE,
	    "{\"notified\":\"" HEX "\"}", A_FILE, -1 },
	{ "a member that is not known", NOTIFIER_STATE, "{\"subject\":\"x\"}",
	    A_FILE, -1 },
	{ "a state that is no object", NOTIFIER_STATE, "[]", A_FILE, -1 },
	{ "a link to a state", NOTIFIER_STATE, "{}", A_LINK, -1 },
};

struct place {
	char at[64];
	int session, folder;
	struct arena *a;
};

static int
begin(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct err e = { 0 };

	(void)snprintf(p->at, sizeof(p->at), "/tmp/emcli-notifier-XXXXXX");
	assert_non_null(mkdtemp(p->at));
	p->a = arena_open(32 << 20);
	p->session = open(p->at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	p->folder = instance_folder(p->session, true, &e);
	assert_true(p->folder >= 0);
	*state = p;
	return 0;
}

static void
end(struct place *p)
{
	static const char *const names[] = { NOTIFIER_SETTINGS, NOTIFIER_STATE,
		NOTIFIER_AUDIT, "elsewhere" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (unlinkat(p->folder, names[i], 0) < 0)
			(void)unlinkat(p->folder, names[i], AT_REMOVEDIR);
	path_close(&p->folder);
	assert_int_equal(unlinkat(p->session, INSTANCE_FOLDER, AT_REMOVEDIR),
	    0);
	path_close(&p->session);
	assert_int_equal(rmdir(p->at), 0);
	arena_close(&p->a);
	free(p);
}

static void
put(struct place *p, const struct row *r)
{
	struct err e = { 0 };

	if (r->text == NULL)
		return;
	if (r->made == A_FOLDER)
		assert_int_equal(mkdirat(p->folder, r->name, 0700), 0);
	else if (r->made == A_PIPE)
		assert_int_equal(mkfifoat(p->folder, r->name, 0600), 0);
	else
		assert_int_equal(instance_put(p->folder,
				     r->made == A_LINK ? "elsewhere" : r->name,
				     str_of(r->text), &e),
		    0);
	if (r->made == A_LINK)
		assert_int_equal(symlinkat("elsewhere", p->folder, r->name), 0);
	if (r->made == OPEN_FOLDER)
		assert_int_equal(fchmod(p->folder, 0777), 0);
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct place *p = NULL;
	struct notifier_settings v = { 0 };
	struct notifier_state st = { 0 };
	struct err e = { 0 };
	bool is_state = str_eq(str_of(r->name), S(NOTIFIER_STATE));
	int got;

	(void)begin((void **)&p);
	put(p, r);
	got = is_state ? notifier_state_read(p->session, p->a, &st, &e)
		       : notifier_read(p->session, p->a, &v, &e);
	assert_int_equal(got, r->want);
	if (got < 0) {
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_false(v.enabled);
	}
	(void)fchmod(p->folder, 0700);
	end(p);
}

static void
again(void **state)
{
	const struct notifier_settings v = { true, 60, 7, 1782036000 };
	struct notifier_state st = { .polled_s = 5,
		.notified_s = 4,
		.error = SI("no \"luck\"") };
	struct notifier_settings w = { 0 };
	struct notifier_state was = { 0 };
	struct place *p = NULL;
	struct err e = { 0 };
	struct stat is;

	(void)state;
	(void)begin((void **)&p);
	assert_int_equal(notifier_off(p->session, p->a, &e), 0);
	assert_int_equal(notifier_read(p->session, p->a, &w, &e), 1);
	assert_int_equal(notifier_write(p->session, &v, p->a, &e), 0);
	assert_int_equal(notifier_read(p->session, p->a, &w, &e), 0);
	assert_memory_equal(&w, &v, sizeof(v));
	assert_int_equal(notifier_off(p->session, p->a, &e), 0);
	assert_int_equal(notifier_read(p->session, p->a, &w, &e), 0);
	assert_false(w.enabled);
	assert_int_equal(w.interval_s, 60);
	assert_int_equal(w.snooze_until, v.snooze_until);
	for (size_t i = 0; i < LIMIT_NOTIFIER_REFS; i++)
		str_push(p->a, &st.known, S(HEX));
	assert_int_equal(notifier_state_write(p->session, &st, p->a, &e), 0);
	assert_int_equal(notifier_state_read(p->session, p->a, &was, &e), 0);
	assert_int_equal(was.polled_s, 5);
	assert_int_equal(was.notified_s, 4);
	rows_same(was.error, st.error);
	assert_int_equal(was.known.n, LIMIT_NOTIFIER_REFS);
	assert_int_equal(fstatat(p->folder, NOTIFIER_SETTINGS, &is, 0), 0);
	assert_int_equal(is.st_mode & 07777, 0600);
	end(p);
}

/* Whoever holds the folder is waited for, and not for ever. */
static void
locked(void **state)
{
	const struct notifier_settings v = { true, 60, 0, 0 };
	struct place *p = NULL;
	struct err e = { 0 };

	(void)state;
	(void)begin((void **)&p);
	assert_int_equal(flock(p->folder, LOCK_EX), 0);
	assert_int_equal(notifier_write(p->session, &v, p->a, &e), -1);
	assert_int_equal(e.kind, ERR_DB);
	assert_string_equal(e.reason, "locked");
	end(p);
}

/* -- the audit ------------------------------------------------------------- */

static struct str
audit(struct place *p)
{
	CLEANUP(path_close)
	int fd = openat(p->folder, NOTIFIER_AUDIT, O_RDONLY | O_CLOEXEC);
	struct err e = { 0 };
	struct str text;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(path_read(fd, 2 << 20, p->a, &text, &e), 0);
	return text;
}

static size_t
lines(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	return n;
}

static void
a_line(void **state)
{
	const struct notifier_row told = { 1782036000, true, 2, SI(HEX),
		NOTIFIER_ENQUEUED, SI("mailreq-1") };
	const struct notifier_row failed = { .at_s = 1782036060,
		.outcome = NOTIFIER_POLL_ERROR };
	struct place *p = NULL;
	struct err e = { 0 };

	(void)state;
	(void)begin((void **)&p);
	assert_int_equal(notifier_audit(p->session, &told, p->a, &e), 0);
	assert_int_equal(notifier_audit(p->session, &failed, p->a, &e), 0);
	rows_same(audit(p),
	    S("{\"poll_time_utc\":\"2026-06-21T10:00:00Z\",\"unread_count\":2,"
	      "\"unread_digest\":\"" HEX "\",\"outcome\":\"enqueued\","
	      "\"request_id\":\"mailreq-1\"}\n"
	      "{\"poll_time_utc\":\"2026-06-21T10:01:00Z\",\"unread_count\":"
	      "null,\"unread_digest\":null,\"outcome\":\"poll_error\","
	      "\"request_id\":null}\n"));
	end(p);
}

/* Rows of the file before it, what is kept of them, and the part of a line
 * that a killed writer left. */
static struct {
	const char *why;
	size_t lines, length;
	bool half;
	size_t want;
} prunes[] = {
	{ "few stay", 10, 300, false, 11 },
	{ "half a line is ended", 10, 300, true, 12 },
	{ "many are pruned", 3000, 250, false, LIMIT_NOTIFIER_ROWS },
	{ "long ones are pruned by their length", 600, 1024, false, 512 },
	{ "one endless line is dropped", 1, 600000, false, 1 },
};

static void
prune(void **state)
{
	const struct notifier_row r = { .at_s = 1782036060 };
	struct place *p = NULL;
	struct err e = { 0 };
	struct str text;
	size_t i = (size_t)(uintptr_t)*state;
	struct buf b;

	(void)begin((void **)&p);
	buf_init(&b, p->a, 4 << 20);
	for (size_t k = 0; k < prunes[i].lines; k++)
		buf_fmt(&b, "%0*zu\n", (int)prunes[i].length - 1, k);
	if (prunes[i].half)
		buf_text(&b, "{\"poll");
	assert_int_equal(instance_put(p->folder, NOTIFIER_AUDIT, buf_view(&b),
			     &e),
	    0);
	assert_int_equal(notifier_audit(p->session, &r, p->a, &e), 0);
	text = audit(p);
	assert_int_equal(lines(text), prunes[i].want);
	assert_true(str_ends(text, S("\"request_id\":null}\n")));
	assert_true(text.n <= LIMIT_NOTIFIER_AUDIT + 1000);
	/* Whole lines, up to the last one. */
	if (prunes[i].want > 1 && !prunes[i].half) {
		struct str first, rest;

		(void)str_cut(text, '\n', &first, &rest);
		assert_int_equal(first.n, prunes[i].length - 1);
	}
	end(p);
}

/* Nothing is written through a link, nor into a pipe. */
static void
no_file(void **state)
{
	const struct notifier_row r = { .at_s = 1782036060 };
	struct place *p = NULL;
	struct err e = { 0 };
	struct stat st;

	(void)state;
	(void)begin((void **)&p);
	assert_int_equal(symlinkat("elsewhere", p->folder, NOTIFIER_AUDIT), 0);
	assert_int_equal(notifier_audit(p->session, &r, p->a, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_int_equal(fstatat(p->folder, "elsewhere", &st, 0), -1);
	assert_int_equal(unlinkat(p->folder, NOTIFIER_AUDIT, 0), 0);
	assert_int_equal(mkfifoat(p->folder, NOTIFIER_AUDIT, 0600), 0);
	assert_int_equal(notifier_audit(p->session, &r, p->a, &e), -1);
	end(p);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("what was written is read again", again, NULL);
	rows_add("a lock that is held", locked, NULL);
	rows_add("a line of the audit", a_line, NULL);
	rows_add("an audit that is no file", no_file, NULL);
	for (size_t i = 0; i < sizeof(prunes) / sizeof(prunes[0]); i++)
		rows_add(prunes[i].why, prune, (void *)(uintptr_t)i);
	return cmocka_run_group_tests_name("runtime/notifier", rows_tests, NULL,
	    NULL);
}
