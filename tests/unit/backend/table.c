/* SPDX-License-Identifier: Apache-2.0 */
/* The table of backends and what they share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/internal.h"
#include "base/clock.h"

static void
every_backend_keeps_the_contract_on_its_slots(void **state)
{
	const struct backend *be;
	size_t i;

	(void)state;
	for (i = 0; (be = backend_at(i)) != NULL; i++) {
		assert_true(backend_check(be));
		assert_ptr_equal(backend_find(str_of(be->name)), be);
	}
	assert_true(i >= 4);
}

static void
a_name_that_is_not_in_the_table_finds_nothing(void **state)
{
	(void)state;
	assert_null(backend_find(S("pop3")));
	assert_null(backend_find(S("IMAP")));
	assert_null(backend_find(S("")));
}

static void
a_slot_without_its_bit_breaks_the_contract(void **state)
{
	struct backend be = maildir_backend;

	(void)state;
	be.caps &= ~(unsigned)CAP_SUBMIT;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.caps |= CAP_UIDS;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.caps &= ~(unsigned)CAP_APPEND;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.append = NULL;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.listing = NULL;
	assert_false(backend_check(&be));
	be = imap_backend;
	be.caps |= CAP_LISTING;
	assert_false(backend_check(&be));
	be = agentbox_backend;
	be.caps &= ~(unsigned)CAP_CHANGES;
	assert_false(backend_check(&be));
	be = imap_backend;
	be.caps &= ~(unsigned)CAP_DRAFT;
	assert_false(backend_check(&be));
	be = imap_backend;
	be.drafts = NULL;
	assert_false(backend_check(&be));
	be = mbox_backend;
	be.caps |= CAP_DRAFT;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.probe = NULL;
	assert_false(backend_check(&be));
	be = mbox_backend;
	be.caps |= CAP_MARK;
	assert_false(backend_check(&be));
	be.flags = FLAG_READ;
	assert_false(backend_check(&be));
	be = mbox_backend;
	be.flags = FLAG_READ;
	assert_false(backend_check(&be));
	be = mbox_backend;
	be.caps |= CAP_MOVE;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.move = NULL;
	assert_false(backend_check(&be));
	be = mbox_backend;
	be.caps |= CAP_LABEL;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.caps |= CAP_PLACES;
	assert_false(backend_check(&be));
	be = jmap_backend;
	be.move_back = NULL;
	assert_false(backend_check(&be));
	be = gmail_backend;
	be.caps &= ~(unsigned)CAP_PLACES;
	assert_false(backend_check(&be));
	be = mbox_backend;
	be.caps |= CAP_WATCH;
	assert_false(backend_check(&be));
	be = jmap_backend;
	be.caps &= ~(unsigned)CAP_WATCH;
	assert_false(backend_check(&be));
	be = maildir_backend;
	be.caps = CAP_SUBMIT;
	assert_false(backend_check(&be));
}

static void
mail_leaves_through_the_backend_or_smtp(void **state)
{
	struct backend_account acct = { 0 };

	(void)state;
	assert_ptr_equal(backend_submitter(&maildir_backend, &acct),
	    &maildir_backend);
	assert_null(backend_submitter(&imap_backend, &acct));
	acct.smtp_host = S("smtp.lab.example");
	assert_ptr_equal(backend_submitter(&imap_backend, &acct),
	    &smtp_backend);
	assert_ptr_equal(backend_submitter(&maildir_backend, &acct),
	    &maildir_backend);
}

static void
every_role_but_none_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(backend_role_name(FOLDER_PLAIN), "");
	assert_string_equal(backend_role_name(FOLDER_INBOX), "inbox");
	assert_string_equal(backend_role_name(FOLDER_TRASH), "trash");
	for (int r = FOLDER_INBOX; r <= FOLDER_TRASH; r++)
		assert_int_not_equal(backend_role_name((enum folder_role)r)[0],
		    0);
}

static void
a_probe_line_keeps_its_own_text_and_time(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	char say[] = "fine";
	struct probes p = { 0 };

	(void)state;
	backend_probe_add(a, &p, "x.one", true, clock_mono_ms() - 50,
	    str_of(say));
	say[0] = 'm';
	backend_probe_add(a, &p, "x.two", false, clock_mono_ms(), S("no"));
	assert_int_equal(p.n, 2);
	assert_memory_equal(p.v[0].say.p, "fine", 4);
	assert_true(p.v[0].ok);
	assert_true(p.v[0].ms >= 50 && p.v[0].ms < 5000);
	assert_memory_equal(p.v[1].what.p, "x.two", 5);
	assert_false(p.v[1].ok);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_backend_keeps_the_contract_on_its_slots),
		cmocka_unit_test(a_name_that_is_not_in_the_table_finds_nothing),
		cmocka_unit_test(a_slot_without_its_bit_breaks_the_contract),
		cmocka_unit_test(mail_leaves_through_the_backend_or_smtp),
		cmocka_unit_test(every_role_but_none_has_a_name),
		cmocka_unit_test(a_probe_line_keeps_its_own_text_and_time),
	};

	return cmocka_run_group_tests_name("backend/table", tests, NULL, NULL);
}
