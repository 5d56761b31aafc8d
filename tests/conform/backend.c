/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any backend against the contract of backend/backend.h.  Capability bits
 * decide what is asked; what is not there is skipped by name.
 */
#include "asked.h"
#include "drafted.h"
#include "kept.h"
#include "marked.h"
#include "sent.h"
#include "threaded.h"
#include "uids.h"
#include "watched.h"

static void
slots_keep_the_contract(void **state)
{
	(void)state;
	assert_true(backend_check(site.be));
	if (getenv("CONFORM_WIRED") == NULL)
		assert_ptr_equal(backend_find(str_of(site.be->name)), site.be);
	else
		assert_ptr_equal(wired_of(site.be), site.be);
	site.be->close(NULL);
}

static void
doctor_finds_nothing_wrong(void **state)
{
	struct asked *t = *state;
	struct probes p = { 0 };

	assert_int_equal(site.be->probe(&t->acct, t->a, &p, &t->e), 0);
	assert_true(p.n > 0);
	for (size_t i = 0; i < p.n; i++) {
		assert_true(p.v[i].ok);
		assert_true(p.v[i].what.n > 0 && p.v[i].say.n > 0);
		assert_true(p.v[i].ms >= 0 && p.v[i].ms < TIMEOUT_MS);
	}
}

static void
folders_have_names_and_roles(void **state)
{
	struct asked *t = *state;
	struct folders f = { 0 };
	int inbox = 0, empty = 0;

	assert_int_equal(site.be->folders(t->c, t->a, &f, &t->e), 0);
	assert_true(f.n >= 1 && f.n <= LIMIT_FOLDERS);
	for (size_t i = 0; i < f.n; i++) {
		assert_true(f.v[i].name.n > 0);
		if (f.v[i].role == FOLDER_INBOX) {
			assert_true(str_eq(f.v[i].name, site.inbox));
			assert_true(f.v[i].selectable);
			inbox++;
		}
		empty += str_eq(f.v[i].name, site.empty);
	}
	/* A mailing list is nobody's inbox. */
	assert_int_equal(inbox, str_eq(site.inbox, S("INBOX")));
	assert_int_equal(empty, !site.one_folder);
}

/* With CAP_CHANGES only a scan counts. */
static void
assert_exists(const struct asked *t, uint32_t n)
{
	assert_int_equal(t->st.exists, site.be->caps & CAP_CHANGES ? 0 : n);
}

static void
newest_come_first(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	bool uids = (site.be->caps & CAP_UIDS) != 0;

	assert_int_equal(all.n, MAILS);
	assert_exists(t, MAILS);
	assert_int_equal(t->st.uidvalidity != 0, uids);
	for (size_t i = 0; i < all.n; i++) {
		assert_int_equal(all.v[i].uid != 0, uids);
		assert_int_equal(all.v[i].id.n != 0, !uids);
		if (uids && i > 0)
			assert_true(all.v[i].uid < all.v[i - 1].uid);
	}
	if (t->st.uidnext != 0)
		assert_true(t->st.uidnext > all.v[0].uid);
}

static void
rows_tell_what_judging_needs(void **state)
{
	struct asked *t = *state;

	(void)everything(t);
	for (size_t i = 0; i < MAILS; i++) {
		const struct conform_mail *m = &mails[MAILS - 1 - i];
		const struct row *row = &t->rows.v[i];
		struct mime_header h;

		mime_header_parse(t->a, row->head, &h);
		assert_int_equal(mime_header_count(&h, "From"),
		    strstr(m->raw, "From: eve") != NULL ? 2 : 1);
		assert_int_equal(mime_header_count(&h, "To"), 1);
		assert_int_equal(mime_header_count(&h, "Date"), 1);
		assert_int_equal(mime_header_count(&h, "Message-ID"), 1);
		assert_int_equal(mime_header_count(&h, "References"),
		    strstr(m->raw, "References") != NULL);
		assert_int_equal(row->size, strlen(m->raw));
		assert_int_equal(row->has_attachments, m->attachment);
	}
}

static void
a_limit_keeps_the_newest(void **state)
{
	struct asked *t = *state;

	assert_asked(t, find(t, (struct query){ 0 }, 1), "last");
	assert_asked(t, find(t, (struct query){ 0 }, 2),
	    "last,gr\xc3\xbc\xc3\x9f");
	assert_asked(t, find(t, (struct query){ 0 }, MAILS), ALL);
	assert_asked(t, find(t, (struct query){ .from = S("bob") }, 1),
	    "with a file");
	assert_asked(t, find(t, (struct query){ .from = S("bob") }, 2),
	    "with a file,a needle");
}

static void
among_is_looked_at_in_its_order(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct ref some[] = { all.v[4], nothing(), all.v[0], all.v[2] };
	struct refs among = { some, 4 }, none = { some, 0 };
	struct query q = { .among = &among };

	some[0].uid = 77;
	assert_asked(t, find(t, q, 50), "two senders,last,with a file");
	assert_int_equal(t->rows.v[0].ref.uid, 77);
	assert_true(str_eq(t->rows.v[0].ref.id, all.v[4].id));
	assert_asked(t, find(t, q, 2), "two senders,last");
	q.among = &none;
	assert_asked(t, find(t, q, 50), "");
}

static void
questions_ignore_case_and_all_must_hold(void **state)
{
	struct asked *t = *state;

	assert_asked(t, find(t, (struct query){ .subject = S("NEEDLE") }, 50),
	    "a needle");
	assert_asked(t,
	    find(t, (struct query){ .from = S("ann@example.net") }, 50),
	    getenv("CONFORM_ONE_FROM") == NULL
		? "last,gr\xc3\xbc\xc3\x9f,two senders,first"
		: "last,gr\xc3\xbc\xc3\x9f,first");
	assert_asked(t,
	    find(t, (struct query){ .text = S("haystack-word") }, 50),
	    "a needle");
	assert_asked(t,
	    find(t, (struct query){ .text = S("no such word") }, 50), "");
	assert_asked(t,
	    find(t, (struct query){ .from = S("bob"), .subject = S("file") },
		50),
	    "with a file");
	assert_asked(t,
	    find(t, (struct query){ .from = S("ann"), .subject = S("file") },
		50),
	    "");
	assert_asked(t, find(t, (struct query){ .to = S("CAROL") }, 50),
	    "a needle");
	assert_asked(t,
	    find(t, (struct query){ .to = S("agent"), .from = S("bob") }, 50),
	    "with a file,a needle");
	assert_asked(t, find(t, (struct query){ .to = S("bob") }, 50), "");
	assert_asked(t, find(t, (struct query){ .subject = S("\"\\") }, 50),
	    "");
	assert_asked(t,
	    find(t, (struct query){ .subject = S("gr\xc3\xbc\xc3\x9f") }, 50),
	    "gr\xc3\xbc\xc3\x9f");
}

static void
days_begin_with_since_and_end_before_before(void **state)
{
	struct asked *t = *state;
	struct query q = { .since_s = mails[2].day_s,
		.before_s = mails[4].day_s };

	assert_asked(t, find(t, q, 50), "with a file,a needle");
	q.before_s = 0;
	assert_asked(t, find(t, q, 50),
	    "last,gr\xc3\xbc\xc3\x9f,with a file,a needle");
	q = (struct query){ .before_s = mails[1].day_s };
	assert_asked(t, find(t, q, 50), "first");
}

static void
what_is_not_there_is_not_found(void **state)
{
	struct asked *t = *state;
	struct ref none = nothing();
	struct refs refs = { &none, 1 };
	struct str raw, away = S("no such folder");
	struct strs ids;

	assert_int_equal(find(t, (struct query){ .folder = away }, 50), -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	t->e = (struct err){ 0 };
	assert_int_equal(site.be->headers(t->c, t->a, away, &refs, &t->st,
			     &t->rows, &t->e),
	    -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	t->e = (struct err){ 0 };
	assert_int_equal(site.be->body(t->c, t->a, away, &none, 100, &raw,
			     &t->e),
	    -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	t->e = (struct err){ 0 };
	assert_int_equal(site.be->body(t->c, t->a, site.inbox, &none, 100, &raw,
			     &t->e),
	    -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	if (site.be->scan != NULL) {
		t->e = (struct err){ 0 };
		assert_int_equal(site.be->scan(t->c, t->a, away, &t->st, &ids,
				     &t->e),
		    -1);
		assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	}
	/* And the connection is still of use. */
	(void)everything(t);
}

static void
an_empty_folder_is_no_error(void **state)
{
	struct asked *t = *state;
	struct query q = { .folder = site.empty, .from = S("ann") };

	assert_asked(t, find(t, (struct query){ .folder = site.empty }, 50),
	    "");
	assert_exists(t, 0);
	assert_asked(t, find(t, q, 50), "");
	(void)everything(t);
}

static void
headers_come_in_the_order_asked(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct ref some[] = { all.v[5], nothing(), all.v[0], all.v[2],
		all.v[0] };
	struct refs refs = { some, 5 }, none = { some, 0 };

	t->st = (struct folder_state){ 0 };
	assert_asked(t,
	    site.be->headers(t->c, t->a, site.inbox, &refs, &t->st, &t->rows,
		&t->e),
	    "first,last,with a file,last");
	assert_exists(t, MAILS);
	assert_int_equal(t->rows.v[0].ref.uid, all.v[5].uid);
	assert_asked(t,
	    site.be->headers(t->c, t->a, site.inbox, &none, &t->st, &t->rows,
		&t->e),
	    "");
}

static void
a_body_is_every_byte_or_refused(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);

	for (size_t i = 0; i < MAILS; i++) {
		struct str want = str_of(mails[MAILS - 1 - i].raw), raw;

		assert_int_equal(site.be->body(t->c, t->a, site.inbox,
				     &all.v[i], want.n, &raw, &t->e),
		    0);
		assert_int_equal(raw.n, want.n);
		assert_memory_equal(raw.p, want.p, want.n);
		t->e = (struct err){ 0 };
		assert_int_equal(site.be->body(t->c, t->a, site.inbox,
				     &all.v[i], want.n - 1, &raw, &t->e),
		    -1);
		assert_int_equal(t->e.kind, ERR_LIMIT);
	}
	(void)everything(t);
}

static void
a_scan_is_every_id_and_stays_so(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct strs ids = { 0 }, again = { 0 };
	struct conn *other;

	t->st = (struct folder_state){ 0 };
	assert_int_equal(site.be->scan(t->c, t->a, site.inbox, &t->st, &ids,
			     &t->e),
	    0);
	assert_int_equal(ids.n, MAILS);
	assert_int_equal(t->st.exists, MAILS);
	for (size_t i = 0; i < MAILS; i++)
		assert_true(str_eq(ids.v[i], all.v[MAILS - 1 - i].id));
	assert_int_equal(site.be->open(&t->acct, t->a, &other, &t->e), 0);
	assert_int_equal(site.be->scan(other, t->a, site.inbox, &t->st, &again,
			     &t->e),
	    0);
	site.be->close(other);
	assert_int_equal(again.n, MAILS);
	for (size_t i = 0; i < MAILS; i++)
		assert_true(str_eq(ids.v[i], again.v[i]));
}

static void
results_outlive_the_connection(void **state)
{
	struct asked *t = *state;
	struct folders f = { 0 };
	struct refs all = everything(t);
	struct str raw;

	assert_int_equal(site.be->folders(t->c, t->a, &f, &t->e), 0);
	assert_int_equal(site.be->body(t->c, t->a, site.inbox, &all.v[0], 4096,
			     &raw, &t->e),
	    0);
	site.be->close(t->c);
	t->c = NULL;
	assert_rows(t, ALL);
	assert_true(site.made || str_starts(raw, S("Received: ")));
	assert_true(f.v[f.n - 1].name.p[0] != '\0');
}

/* Whether it answers or not, it does so at once. */
static void
a_deadline_is_kept(void **state)
{
	struct asked *t = *state;
	int64_t since = clock_mono_ms();
	struct folders f = { 0 };

	t->acct.deadline_ms = since - 1;
	if (find(t, (struct query){ .text = S("x") }, 50) < 0)
		assert_true(t->e.kind == ERR_NETWORK || t->e.kind == ERR_LIMIT);
	(void)site.be->folders(t->c, t->a, &f, &t->e);
	assert_true(clock_mono_ms() - since < 1000);
}

/* The mailbox before all tests. */
static uint64_t site_before;

static void
looking_changed_nothing(void **state)
{
	(void)state;
	assert_true(site_state() == site_before);
}

struct part {
	const char *name;
	void (*run)(void **state);
	unsigned with, without; /* capability bits */
};

#define PART(f, with, without)                                                 \
	{                                                                      \
#f, f, with, without                                           \
	}

static const struct part parts[] = {
	PART(slots_keep_the_contract, 0, 0),
	PART(doctor_finds_nothing_wrong, 0, 0),
	PART(folders_have_names_and_roles, CAP_READ, 0),
	PART(newest_come_first, CAP_READ, 0),
	PART(rows_tell_what_judging_needs, CAP_READ, 0),
	PART(a_limit_keeps_the_newest, CAP_READ, 0),
	PART(uids_bound_from_both_sides, CAP_READ | CAP_UIDS, 0),
	PART(what_is_asked_next_changes_no_answer, CAP_READ | CAP_UIDS, 0),
	PART(among_is_looked_at_in_its_order, CAP_READ, CAP_UIDS),
	PART(questions_ignore_case_and_all_must_hold, CAP_READ, 0),
	PART(days_begin_with_since_and_end_before_before, CAP_READ, 0),
	PART(a_message_id_finds_its_message, CAP_READ, 0),
	PART(an_append_is_every_byte, CAP_APPEND, 0),
	PART(an_append_makes_no_folder, CAP_APPEND, 0),
	PART(what_came_later_is_all_of_it, CAP_READ, 0),
	PART(who_refers_to_a_message_is_told, CAP_READ, CAP_THREADS),
	PART(a_list_loses_none_of_its_mail, CAP_READ, 0),
	PART(rows_tell_the_store_s_threads, CAP_READ | CAP_THREADS, 0),
	PART(a_body_is_read_wherever_it_lies, CAP_READ | CAP_THREADS, 0),
	PART(without_threads_no_row_tells_one, CAP_READ, CAP_THREADS),
	PART(a_thread_is_found_oldest_first, CAP_READ | CAP_THREADS, 0),
	PART(there_is_a_folder_for_drafts, CAP_DRAFT, 0),
	PART(a_folder_that_is_away_takes_no_drafts, CAP_DRAFT, 0),
	PART(a_draft_is_every_byte_and_marked, CAP_DRAFT, 0),
	PART(a_draft_goes_into_its_thread, CAP_DRAFT | CAP_THREADS, 0),
	PART(what_is_not_there_is_not_found, CAP_READ, 0),
	PART(an_empty_folder_is_no_error, CAP_READ, 0),
	PART(headers_come_in_the_order_asked, CAP_READ, 0),
	PART(a_body_is_every_byte_or_refused, CAP_READ, 0),
	PART(a_scan_is_every_id_and_stays_so, CAP_READ, CAP_UIDS),
	PART(results_outlive_the_connection, CAP_READ, 0),
	PART(a_deadline_is_kept, CAP_READ, 0),
	PART(a_wait_ends_in_time_or_is_not_offered, CAP_WATCH, 0),
	PART(a_change_after_ready_ends_a_wait, CAP_WATCH | CAP_APPEND, 0),
	PART(mail_goes_to_all_or_to_none, CAP_SUBMIT, 0),
	/* What is above changes no mail that stays, what is below does. */
	PART(looking_changed_nothing, 0, 0),
	PART(flags_are_set_found_and_cleared, CAP_MARK, 0),
	PART(one_that_is_missing_and_no_flag_changes, CAP_MARK, 0),
	PART(labels_are_added_told_and_dropped, CAP_LABEL, 0),
	PART(what_is_moved_is_elsewhere_and_comes_back, CAP_MOVE, 0),
	PART(a_move_is_stopped_between_copies_and_removal_and_finished,
	    CAP_MOVE, 0),
	PART(what_is_thrown_away_is_in_trash_and_comes_back, CAP_MOVE, 0),
	PART(what_is_archived_comes_back_from_anywhere,
	    CAP_MOVE | CAP_THREADS | CAP_MARK, 0),
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

int
main(int argc, char **argv)
{
	struct CMUnitTest tests[PARTS] = { 0 };
	char name[64];
	uint64_t before;
	size_t n = 0;
	int failed;

	if (argc == 3 && strcmp(argv[1], "mail") == 0) {
		int i = atoi(argv[2]);

		return i < 1 || i > MAILS ||
		    fputs(mails[i - 1].raw, stdout) < 0;
	}
	site_make();
	for (size_t i = 0; i < PARTS; i++) {
		if ((site.be->caps & parts[i].with) != parts[i].with ||
		    (site.be->caps & parts[i].without) != 0)
			continue;
		if (site.one_folder &&
		    parts[i].run == an_empty_folder_is_no_error)
			continue;
		/* Of what is no message as it came no byte is known. */
		if (site.made &&
		    (parts[i].run == rows_tell_what_judging_needs ||
			parts[i].run == a_message_id_finds_its_message ||
			parts[i].run == a_body_is_every_byte_or_refused))
			continue;
		tests[n].name = parts[i].name;
		tests[n].test_func = parts[i].run;
		tests[n].setup_func = setup;
		tests[n++].teardown_func = teardown;
	}
	(void)snprintf(name, sizeof(name), "conform/%s", site.be->name);
	site_before = site_state();
	site_renames = true;
	before = site_state();
	site_renames = false;
	failed = _cmocka_run_group_tests(name, tests, n, NULL, NULL);
	site_renames = true;
	if (site_state() != before) {
		(void)fprintf(stderr, "%s: the mailbox is another\n", name);
		failed++;
	}
	site_unmake();
	return failed;
}
