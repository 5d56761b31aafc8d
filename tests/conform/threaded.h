/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_THREADED_H
#define TESTS_CONFORM_THREADED_H

/* What puts messages side by side: time, references, lists, threads. */
#include "../named.h"
#include "asked.h"

#define DAY 86400

static bool
has_subject(struct asked *t, const char *want)
{
	for (size_t i = 0; i < t->rows.n; i++) {
		struct mime_header h;
		const struct mime_field *f;

		mime_header_parse(t->a, t->rows.v[i].head, &h);
		f = mime_header_get(&h, "Subject", 0);
		if (f != NULL &&
		    str_eq(mime_header_text(t->a, f->value), str_of(want)))
			return true;
	}
	return false;
}

/* Everything that came later, and nothing from more than a day before. */
static void
what_came_later_is_all_of_it(void **state)
{
	struct asked *t = *state;
	struct rows all;

	(void)everything(t);
	all = t->rows;
	for (size_t i = 0; i < all.n; i++) {
		int64_t when = all.v[i].received_s;
		size_t later = 0, found = 0;

		if (when == 0)
			continue;
		assert_int_equal(find(t, (struct query){ .received_s = when },
				     50),
		    0);
		for (size_t k = 0; k < all.n; k++)
			later += all.v[k].received_s > when;
		for (size_t k = 0; k < t->rows.n; k++) {
			assert_true(t->rows.v[k].received_s > when - DAY);
			found += t->rows.v[k].received_s > when;
		}
		assert_int_equal(found, later);
	}
	/* And not one of a time to come. */
	assert_asked(t,
	    find(t,
		(struct query){ .received_s = all.v[0].received_s + 2 * DAY,
		    .since_s = mails[0].day_s },
		50),
	    "");
}

static void
assert_named(struct asked *t, const char *id, const char *want)
{
	struct refs refs;

	assert_int_equal(named_find(t->c, t->a, site.inbox, str_of(id), &refs,
			     &t->e),
	    0);
	assert_asked(t,
	    site.be->headers(t->c, t->a, site.inbox, &refs, &t->st, &t->rows,
		&t->e),
	    want);
}

static void
who_refers_to_a_message_is_told(void **state)
{
	struct asked *t = *state;

	assert_named(t, "<1@conform.example>", "a needle,first");
	assert_named(t, "<0@conform.example>", "a needle");
	assert_named(t, "<nobody@nowhere>", "");
}

/* Only a hint: others may come too. */
static void
a_list_loses_none_of_its_mail(void **state)
{
	struct asked *t = *state;
	struct query q = { .list = S("dev@conform.example") };

	assert_int_equal(find(t, q, 50), 0);
	assert_true(has_subject(t, "with a file"));
	/* What names no list is one's by its address; another list's is not,
	 * but may come along. */
	q.list = S("agent@lab.example");
	assert_int_equal(find(t, q, 50), 0);
	assert_true(has_subject(t, "first") && has_subject(t, "last"));
	assert_true(has_subject(t, "a needle"));
}

static void
rows_tell_the_store_s_threads(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);

	for (size_t i = 0; i < t->rows.n; i++)
		assert_true(t->rows.v[i].thread.n > 0);
	assert_asked(t,
	    site.be->headers(t->c, t->a, site.inbox, &all, &t->st, &t->rows,
		&t->e),
	    ALL);
	for (size_t i = 0; i < t->rows.n; i++)
		assert_true(t->rows.v[i].thread.n > 0);
}

/* Whoever has a thread of the store's does not know which folder. */
static void
a_body_is_read_wherever_it_lies(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct str here, there;

	assert_int_equal(site.be->body(t->c, t->a, site.inbox, &all.v[0], 4096,
			     &here, &t->e),
	    0);
	assert_int_equal(site.be->body(t->c, t->a, S(""), &all.v[0], 4096,
			     &there, &t->e),
	    0);
	assert_true(str_eq(here, there));
}

static void
without_threads_no_row_tells_one(void **state)
{
	struct asked *t = *state;

	(void)everything(t);
	for (size_t i = 0; i < t->rows.n; i++) {
		assert_int_equal(t->rows.v[i].thread.n, 0);
		assert_false(t->rows.v[i].draft);
	}
}

/* In its folder and over all of them. */
static void
a_thread_is_found_oldest_first(void **state)
{
	const struct str folder[] = { site.inbox, S("") };
	struct asked *t = *state;
	struct rows all;

	(void)everything(t);
	all = t->rows;
	for (size_t i = 0; i < all.n; i++)
		for (size_t k = 0; k < 2; k++) {
			struct query q = { .folder = folder[k],
				.thread = all.v[i].thread };
			bool there = false;

			t->e = (struct err){ 0 };
			assert_int_equal(site.be->find(t->c, t->a, &q,
					     LIMIT_PAGE, &t->st, &t->rows,
					     &t->e),
			    0);
			for (size_t r = 0; r < t->rows.n; r++) {
				const struct row *row = &t->rows.v[r];

				assert_true(str_eq(row->thread, q.thread));
				assert_true(r == 0 ||
				    row[-1].received_s <= row->received_s);
				there =
				    there || str_eq(row->head, all.v[i].head);
			}
			assert_true(there);
		}
}

#endif
