/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_ASKED_H
#define TESTS_CONFORM_ASKED_H

/* What every test has: a connection of its own, and ways to ask and to look. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mime/header.h"
#include "site.h"

/* One connection and what a test asked it. */
struct asked {
	struct backend_account acct;
	struct arena *a;
	struct conn *c;
	struct folder_state st;
	struct rows rows;
	struct err e;
};

static int
setup(void **state)
{
	struct asked *t = calloc(1, sizeof(*t));

	t->a = arena_open(LIMIT_ARENA);
	t->acct = site.acct;
	t->acct.deadline_ms = clock_mono_ms() + TIMEOUT_MS;
	assert_int_equal(site.be->open(&t->acct, t->a, &t->c, &t->e), 0);
	*state = t;
	return 0;
}

static int
teardown(void **state)
{
	struct asked *t = *state;

	site.be->close(t->c);
	arena_close(&t->a);
	free(t);
	return 0;
}

static int
find(struct asked *t, struct query q, size_t limit)
{
	if (q.folder.n == 0)
		q.folder = site.inbox;
	t->e = (struct err){ 0 };
	return site.be->find(t->c, t->a, &q, limit, &t->st, &t->rows, &t->e);
}

/* Rows are those messages: "last,first" by their subjects. */
static void
assert_rows(struct asked *t, const char *want)
{
	struct str got = S("");

	for (size_t i = 0; i < t->rows.n; i++) {
		const struct mime_field *f;
		struct mime_header h;

		mime_header_parse(t->a, t->rows.v[i].head, &h);
		f = mime_header_get(&h, "Subject", 0);
		assert_non_null(f);
		got =
		    str_fmt(t->a, "%.*s%s%.*s", STR_ARG(got), i > 0 ? "," : "",
			STR_ARG(mime_header_text(t->a, f->value)));
	}
	assert_string_equal(str_c(t->a, got), want);
}

#define ALL "last,gr\xc3\xbc\xc3\x9f,with a file,a needle,two senders,first"

static void
assert_asked(struct asked *t, int r, const char *want)
{
	if (r < 0)
		print_message("%s: %s (%s)\n", err_code(t->e.kind), t->e.say,
		    t->e.detail);
	assert_int_equal(r, 0);
	assert_rows(t, want);
}

/* All of INBOX, newest first, as refs that are good on this connection. */
static struct refs
everything(struct asked *t)
{
	struct refs out = { arena_array(t->a, MAILS, sizeof(struct ref)), 0 };

	assert_asked(t, find(t, (struct query){ 0 }, LIMIT_PAGE), ALL);
	for (size_t i = 0; i < t->rows.n; i++)
		out.v[out.n++] = t->rows.v[i].ref;
	return out;
}

/* A name for no message. */
static struct ref
nothing(void)
{
	/* Cyrus finds nothing in a set with a uid of nearly 32 bits. */
	if (site.be->caps & CAP_UIDS)
		return (struct ref){ .uid = 400000000 };
	return (struct ref){ .id = S("1.no-such-message") };
}

#endif
