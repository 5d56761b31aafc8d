/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits of one call: mail from strangers must not fill its memory, because
 * it would abort without a reply.
 */
#include "../rows.h"

#include "../../fake/house.h"

#define MANY 1500

static struct arena *own;

/* A header with n more bytes in the field. */
static const char *
long_head(const char *head, const char *field, size_t n)
{
	char *pad = arena_alloc(own, n + 1);

	memset(pad, 'x', n);
	return str_fmt(own, "%s%s: <%s@y>\r\n", head, field, pad).p;
}

static void
fill(const char *head, size_t n)
{
	fake_reset();
	for (size_t i = 0; i < n; i++)
		(void)fake_add(head);
}

static void
hidden_mail_costs_no_memory(void **state_)
{
	struct house h;

	(void)state_;
	fill(long_head(SPAM, "To", 20000), MANY);
	house_open(&h, (struct terms){ .in_on = true });
	assert_string_equal(house_uids(&h, house_call(&h, "list", WORK, NULL)),
	    "");
	assert_true(arena_used(h.a) < 1UL << 20);
	house_close(&h);
}

static void
ack_costs_little_memory(void **state_)
{
	struct house h;
	struct reply r;

	(void)state_;
	fill(long_head(BOSS, "To", 20000), MANY);
	house_open(&h, (struct terms){ .in_on = true, .backlog = true });
	r = house_call(&h, "ack", WORK, "uid", "1:1500", NULL);
	assert_int_equal(r.err.kind, ERR_NONE);
	assert_true(arena_used(h.a) < 1UL << 20);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "new", "", NULL)),
	    "");
	house_close(&h);
}

static void
ack_of_pages_takes_all_or_none(void **state_)
{
	struct house h;
	struct reply r;

	(void)state_;
	fill(BOSS, MANY);
	fake.mail[MANY - 1].head = SPAM;
	house_open(&h, (struct terms){ .in_on = true, .backlog = true });
	r = house_call(&h, "ack", WORK, "uid", "1:1500", NULL);
	assert_int_equal(r.err.kind, ERR_NOT_FOUND);
	r = house_call(&h, "list", WORK, "new", "", "limit", "500", NULL);
	assert_non_null(strstr(house_text(&h, r), "{\"uid\":1499,"));
	house_close(&h);
}

static void
a_page_that_is_too_big_is_refused(void **state_)
{
	struct house h;
	struct reply r;

	(void)state_;
	fill(long_head(BOSS, "Message-ID", 250000), 300);
	house_open(&h, (struct terms){ .in_on = true });
	r = house_call(&h, "list", WORK, "limit", "300", NULL);
	assert_int_equal(r.err.kind, ERR_LIMIT);
	r = house_call(&h, "list", WORK, "limit", "100", NULL);
	assert_int_equal(r.err.kind, ERR_NONE);
	house_close(&h);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		{ "hidden mail takes no memory, however much there is",
		    hidden_mail_costs_no_memory, NULL, NULL, NULL },
		{ "an ack of many takes the memory of a page",
		    ack_costs_little_memory, NULL, NULL, NULL },
		{ "an ack of several pages takes all or none",
		    ack_of_pages_takes_all_or_none, NULL, NULL, NULL },
		{ "a page of enormous headers is refused, a smaller one not",
		    a_page_that_is_too_big_is_refused, NULL, NULL, NULL },
	};
	int failed;

	own = arena_open(LIMIT_ARENA);
	failed = cmocka_run_group_tests_name("op/bounds", tests, NULL, NULL);
	arena_close(&own);
	return failed;
}
