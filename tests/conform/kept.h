/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_KEPT_H
#define TESTS_CONFORM_KEPT_H

/* What is put into a folder, and found there by its Message-ID. */
#include "asked.h"

static void
a_message_id_finds_its_message(void **state)
{
	struct asked *t = *state;
	struct query q = { .message_id = S("<3@conform.example>") };

	assert_asked(t, find(t, q, 50), "a needle");
	/* It is in another's References, too, which does not count. */
	q.message_id = S("<1@conform.example>");
	assert_asked(t, find(t, q, 50), "first");
	q.message_id = S("<0@conform.example>");
	assert_asked(t, find(t, q, 50), "");
	q = (struct query){ .message_id = S("<3@conform.example>"),
		.from = S("ann") };
	assert_asked(t, find(t, q, 50), "");
}

/* What we put into Kept with that number, found by its Message-ID. */
static void
assert_kept(struct asked *t, struct str id, struct str want)
{
	struct query q = { .folder = S("Kept"), .message_id = id };
	struct str raw;

	assert_int_equal(find(t, q, 50), 0);
	assert_int_equal(t->rows.n, 1);
	assert_int_equal(site.be->body(t->c, t->a, S("Kept"), &t->rows.v[0].ref,
			     want.n, &raw, &t->e),
	    0);
	assert_int_equal(raw.n, want.n);
	assert_memory_equal(raw.p, want.p, want.n);
}

/* A short one, and one that is longer than what is sent unasked. */
static void
an_append_is_every_byte(void **state)
{
	struct asked *t = *state;
	char *fill = arena_alloc(t->a, 200000);

	for (size_t i = 0; i < 200000; i++)
		fill[i] = i % 70 == 68 ? '\r' : i % 70 == 69 ? '\n' : 'x';
	for (int i = 0; i < 2; i++) {
		struct str id = str_fmt(t->a, "<kept.%d.%lld@conform.example>",
		    i, (long long)clock_mono_ms());
		struct str body = { fill, i == 0 ? 70 : 199990 };
		struct str m = str_fmt(t->a,
		    "From: a@b.example\r\nSubject: kept\r\n"
		    "Message-ID: %.*s\r\n\r\n.\r\n%.*s",
		    STR_ARG(id), STR_ARG(body));

		assert_int_equal(site.be->append(t->c, t->a, S("Kept"), m,
				     &t->e),
		    0);
		assert_kept(t, id, m);
	}
	/* Nothing of it is elsewhere. */
	(void)everything(t);
}

static void
an_append_makes_no_folder(void **state)
{
	static const char *const away[] = { "no such folder", "", "..", "a\nb",
		"../bob@lab.example", "a/../../b" };
	struct asked *t = *state;
	struct folders f = { 0 };
	struct str m = S("Subject: x\r\n\r\nx\r\n");

	for (size_t i = 0; i < sizeof(away) / sizeof(away[0]); i++) {
		t->e = (struct err){ 0 };
		assert_int_equal(site.be->append(t->c, t->a, str_of(away[i]), m,
				     &t->e),
		    -1);
	}
	assert_int_equal(site.be->folders(t->c, t->a, &f, &t->e), 0);
	for (size_t i = 0; i < f.n; i++)
		assert_false(str_eq(f.v[i].name, S("no such folder")));
	(void)everything(t);
}

#endif
