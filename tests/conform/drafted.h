/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_DRAFTED_H
#define TESTS_CONFORM_DRAFTED_H

/* Drafts: what is put where a person finds it, and goes nowhere. */
#include "asked.h"

static struct str
drafts_folder(struct asked *t)
{
	struct str folder = { 0 };
	int r = site.be->drafts(t->c, t->a, &folder, &t->e);

	if (r < 0)
		print_message("%s: %s (%s)\n", err_code(t->e.kind), t->e.say,
		    t->e.detail);
	assert_int_equal(r, 0);
	return folder;
}

static void
there_is_a_folder_for_drafts(void **state)
{
	struct asked *t = *state;
	struct str folder = drafts_folder(t);
	struct folders f = { 0 };
	int found = 0;

	assert_int_equal(site.be->folders(t->c, t->a, &f, &t->e), 0);
	for (size_t i = 0; i < f.n; i++) {
		if (!str_eq(f.v[i].name, folder))
			continue;
		assert_true(f.v[i].selectable);
		assert_int_equal(f.v[i].role, FOLDER_DRAFTS);
		found++;
	}
	assert_int_equal(found, 1);
	/* Named by the operator it is the same. */
	t->acct.drafts_folder = folder;
	assert_true(str_eq(drafts_folder(t), folder));
	(void)everything(t);
}

/* Another setting is of another connection. */
static void
set_drafts_folder(struct asked *t, struct str name)
{
	site.be->close(t->c);
	t->acct.drafts_folder = name;
	assert_int_equal(site.be->open(&t->acct, t->a, &t->c, &t->e), 0);
}

static void
a_folder_that_is_away_takes_no_drafts(void **state)
{
	struct asked *t = *state;
	struct str folder;

	set_drafts_folder(t, S("no such folder"));
	assert_int_equal(site.be->drafts(t->c, t->a, &folder, &t->e), -1);
	assert_int_equal(t->e.kind, ERR_UNSUPPORTED);
	assert_true(t->e.say[0] != '\0');
	set_drafts_folder(t, S(""));
	(void)drafts_folder(t);
	(void)everything(t);
}

static struct str
draft_text(struct asked *t, struct str id, const char *more)
{
	return str_fmt(t->a,
	    "From: %.*s\r\nTo: ann@example.net\r\nSubject: Re: %.*s\r\n"
	    "Date: Fri, 26 Jun 2026 10:00:00 +0000\r\n"
	    "Message-ID: %.*s\r\n%sMIME-Version: 1.0\r\n"
	    "Content-Type: text/plain; charset=utf-8\r\n\r\n"
	    "8 bit: \xc3\xbc\r\n.\r\nFrom here\r\n",
	    STR_ARG(t->acct.from), STR_ARG(id), STR_ARG(id), more);
}

static struct str
draft_id(struct asked *t)
{
	return str_fmt(t->a, "<draft.%lld@conform.example>",
	    (long long)clock_mono_ms());
}

/* Found by what `draft` said of it, and by its Message-ID. */
static void
assert_draft(struct asked *t, struct str folder, struct str id,
    const struct drafted *d, struct str want)
{
	struct ref ref = d->ref;
	struct refs refs = { &ref, 1 };
	struct str raw = { 0 };

	assert_true(d->id.n > 0);
	assert_int_equal(find(t,
			     (struct query){ .folder = folder,
				 .message_id = id },
			     50),
	    0);
	assert_int_equal(t->rows.n, 1);
	assert_true(t->rows.v[0].draft);
	if (ref.uid == 0 && ref.id.n == 0)
		return;
	assert_int_equal(site.be->headers(t->c, t->a, folder, &refs, &t->st,
			     &t->rows, &t->e),
	    0);
	assert_int_equal(t->rows.n, 1);
	assert_true(t->rows.v[0].draft);
	assert_int_equal(site.be->body(t->c, t->a, folder, &ref, 4096, &raw,
			     &t->e),
	    0);
	assert_int_equal(raw.n, want.n);
	assert_memory_equal(raw.p, want.p, want.n);
}

static void
a_draft_is_every_byte_and_marked(void **state)
{
	struct asked *t = *state;
	struct str folder = drafts_folder(t);
	struct str id = draft_id(t), m = draft_text(t, id, "");
	struct drafted d = { 0 };

	assert_int_equal(site.be->draft(t->c, t->a, folder, m, S(""), &d,
			     &t->e),
	    0);
	assert_draft(t, folder, id, &d, m);
	/* Nothing of it is elsewhere, nor sent. */
	(void)everything(t);
}

static void
a_draft_goes_into_its_thread(void **state)
{
	struct asked *t = *state;
	struct str folder = drafts_folder(t);
	struct str id = draft_id(t), thread, m;
	struct drafted d = { 0 };

	m = draft_text(t, id,
	    "In-Reply-To: <1@conform.example>\r\n"
	    "References: <1@conform.example>\r\n");
	(void)everything(t);
	thread = t->rows.v[MAILS - 1].thread;
	assert_int_equal(site.be->draft(t->c, t->a, folder, m, thread, &d,
			     &t->e),
	    0);
	/* Where it is, or where else it went instead. */
	assert_true(d.thread.n > 0);
	assert_draft(t, folder, id, &d, m);
	assert_true(str_eq(t->rows.v[0].thread, d.thread));
}

#endif
