/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the requests that wait is next, and which is one too many. */
#include "../rows.h"

#include "door/http/internal.h"

enum {
	SERVERS = 2
};

/*
 * A word for each caller: "a" one call, "A" a brief one; "1" that of a token
 * that is new here, "*" a brief one.
 */
static struct row {
	const char *why;
	bool shared;
	const char *running;   /* on this worker */
	const char *elsewhere; /* on another */
	const char *waiting;
	int next;     /* of those that wait; -1: none */
	bool refused; /* one more of "a" */
} rows[] = {
	{ "the oldest", true, "", "", "abc", 0, false },
	{ "the one with the fewest", true, "aab", "", "abc", 2, false },
	{ "the fewest of all workers", true, "", "aab", "abc", 2, false },
	{ "of two equals the older", true, "ab", "", "ba", 0, false },
	{ "not one with 8", true, "aaaaaaaa", "", "aab", 2, false },
	{ "not one with 8 on two workers", true, "aaaa", "aaaa", "aa", -1,
	    false },
	{ "a brief one at once", true, "aaaaaaaa", "", "aaA", 2, false },
	{ "8 of a caller wait", true, "", "", "aaaaaaaa", 0, true },
	{ "7 of a caller wait", true, "", "", "aaaaaaab", 0, false },
	{ "8 of another's wait", true, "", "", "bbbbbbbb", 0, false },
	{ "without shares it is the oldest", false, "aab", "", "abc", 0,
	    false },
	{ "and all wait", false, "", "", "aaaaaaaaaaaa", 0, false },
	{ "and 8 run", false, "aaaaaaaa", "", "b", -1, false },
	{ "but for brief ones", false, "aaaaaaaa", "", "bB", 1, false },
	{ "4 new tokens at once", false, "1234", "", "56", -1, false },
	{ "3 leave room for one", false, "123", "", "45", 0, false },
	{ "brief ones too", false, "1234", "", "*", -1, false },
	{ "others do not wait for them", false, "1234", "", "567a", 3, false },
	{ "who have all their places", false, "1234aaaaaaa", "", "5a", 1,
	    false },
	{ "and no more", false, "1234aaaaaaaa", "", "a", -1, false },
	{ "a new one needs such a place", false, "aaaaaaaa", "", "1A", 1,
	    false },
	{ "nobody is refused for them", false, "1234", "", "56789012", -1,
	    false },
	{ "nobody waits", true, "a", "b", "", -1, false },
};

static struct http_call
call_of(char c)
{
	return (struct http_call){
		.brief = (c >= 'A' && c <= 'Z') || c == '*',
		.stranger = (c >= '0' && c <= '9') || c == '*',
		.asked = { .caller = (uint64_t)(c | 32) },
	};
}

static void
run(struct running *t, size_t server, const char *callers)
{
	for (size_t i = 0; callers[i] != '\0'; i++) {
		struct running_place p = running_take(t, server, i, 0);

		running_is(&p, (uint64_t)callers[i]);
	}
}

static void
test_turn(void **state)
{
	const struct row *r = *state;
	const struct route_table t = { .shared = r->shared };
	const struct http h = { .routes = &t,
		.running = running_new(SERVERS, HTTP_PLACES) };
	struct http_calls all = { .h = &h, .last = &all.first };
	struct http_call waiting[16], busy[16], more = call_of('a');
	struct http_call **link = NULL, *got;
	size_t place = HTTP_PLACES;

	run(h.running, 0, r->running);
	run(h.running, 1, r->elsewhere);
	for (size_t i = 0; r->running[i] != '\0'; i++) {
		busy[i] = call_of(r->running[i]);
		all.at[i] = &busy[i];
	}
	for (size_t i = 0; r->waiting[i] != '\0'; i++) {
		waiting[i] = call_of(r->waiting[i]);
		*all.last = &waiting[i];
		all.last = &waiting[i].next;
	}
	got = http_turns_next(&all, &link, &place);
	assert_int_equal(got == NULL ? -1 : got - waiting, r->next);
	assert_true((got == NULL) == (place == HTTP_PLACES));
	if (got != NULL) {
		assert_ptr_equal(*link, got);
		assert_null(all.at[place]);
	}
	assert_int_equal(http_turns_refuse(&all, &more), r->refused);
}

/* Whoever they are, and whatever else waits. */
static void
test_strangers(void **state)
{
	const struct route_table t = { 0 };
	const struct http h = { .routes = &t };
	struct http_calls all = { .h = &h, .last = &all.first };
	struct http_call waiting[LIMIT_BEARER_WAITING + 1];
	struct http_call call = call_of('a'), stranger = call_of('1'),
			 brief = call_of('*');

	(void)state;
	for (size_t i = 0; i < LIMIT_BEARER_WAITING + 1; i++) {
		assert_false(http_turns_refuse(&all, &stranger));
		waiting[i] = call_of(i == 0 ? 'a' : '1');
		*all.last = &waiting[i];
		all.last = &waiting[i].next;
	}
	assert_true(http_turns_refuse(&all, &stranger));
	assert_true(http_turns_refuse(&all, &brief));
	assert_false(http_turns_refuse(&all, &call));
}

/* However many callers there are. */
static void
test_cap(void **state)
{
	const struct route_table t = { .shared = true };
	const struct http h = { .routes = &t,
		.running = running_new(SERVERS, HTTP_PLACES) };
	struct http_calls all = { .h = &h, .last = &all.first };
	struct http_call one = call_of('z'), brief = call_of('Z');
	struct http_call **link = NULL;
	size_t place = HTTP_PLACES;

	(void)state;
	all.first = &one;
	for (size_t i = 0; i < LIMIT_HTTP_CALLS; i++) {
		struct running_place p;

		assert_ptr_equal(http_turns_next(&all, &link, &place), &one);
		p = running_take(h.running, i % SERVERS, i / SERVERS, 0);
		running_is(&p, 1000 + i);
	}
	assert_int_equal(running_of(h.running, 0), LIMIT_HTTP_CALLS);
	assert_int_equal(running_of(h.running, 1000), 1);
	assert_null(http_turns_next(&all, &link, &place));
	one.next = &brief;
	assert_ptr_equal(http_turns_next(&all, &link, &place), &brief);
	running_clear(h.running, 1);
	assert_ptr_equal(http_turns_next(&all, &link, &place), &one);
}

int
main(void)
{
	ROWS(rows, test_turn);
	rows_add("8 new tokens wait", test_strangers, NULL);
	rows_add("the cap of all", test_cap, NULL);
	return cmocka_run_group_tests_name("http_turns", rows_tests, NULL,
	    NULL);
}
