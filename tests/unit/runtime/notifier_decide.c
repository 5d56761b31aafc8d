/* SPDX-License-Identifier: Apache-2.0 */
/* When an agent is told of unread mail, and what is remembered of it. */
#include "../rows.h"

#include "base/limits.h"
#include "runtime/notifier.h"

#define NOW 1000000

static struct row {
	const char *why;
	struct notifier_settings is;
	int64_t notified;
	const char *known, *unread; /* digests, by blanks */
	bool more, busy;
	enum notifier_outcome want;
	const char *then; /* known after it */
} rows[] = {
	{ "off", { false, 60, 0, 0 }, 0, "", "a", false, false,
	    NOTIFIER_DISABLED, "" },
	{ "no mail", { true, 60, 0, 0 }, NOW - 9, "a b", "", false, false,
	    NOTIFIER_EMPTY, "" },
	{ "the first", { true, 60, 0, 0 }, 0, "", "a", false, false,
	    NOTIFIER_ENQUEUED, "a" },
	{ "the agent is busy, and is told later", { true, 60, 0, 0 }, 0, "",
	    "a", false, true, NOTIFIER_BUSY_SKIP, "" },
	{ "the same set", { true, 60, 0, 0 }, NOW - 9, "a b", "b a", false,
	    false, NOTIFIER_DEDUP_SKIP, "a b" },
	{ "the same set, and busy", { true, 60, 0, 0 }, NOW - 9, "a", "a",
	    false, true, NOTIFIER_DEDUP_SKIP, "a" },
	{ "one was read: the smaller set wakes nobody", { true, 60, 0, 0 },
	    NOW - 9, "a b", "b", false, false, NOTIFIER_DEDUP_SKIP, "b" },
	{ "one was read and is unread again", { true, 60, 0, 0 }, NOW - 9, "b",
	    "a b", false, false, NOTIFIER_ENQUEUED, "a b" },
	{ "a new one", { true, 60, 0, 0 }, NOW - 9, "a", "b a", false, false,
	    NOTIFIER_ENQUEUED, "b a" },
	{ "a new one, and busy: it stays new", { true, 60, 0, 0 }, NOW - 9,
	    "a c", "b a", false, true, NOTIFIER_BUSY_SKIP, "a" },
	{ "a new one in a snooze", { true, 60, 0, NOW + 1 }, NOW - 9, "a",
	    "b a", false, false, NOTIFIER_DEDUP_SKIP, "a" },
	{ "no mail in a snooze", { true, 60, 0, NOW + 1 }, 0, "", "", false,
	    false, NOTIFIER_EMPTY, "" },
	{ "the snooze is over: the same set again", { true, 60, 0, NOW },
	    NOW - 9, "a", "a", false, false, NOTIFIER_ENQUEUED, "a" },
	{ "but once", { true, 60, 0, NOW - 9 }, NOW - 9, "a", "a", false, false,
	    NOTIFIER_DEDUP_SKIP, "a" },
	{ "not yet again", { true, 60, 10, 0 }, NOW - 9, "a", "a", false, false,
	    NOTIFIER_DEDUP_SKIP, "a" },
	{ "again", { true, 60, 9, 0 }, NOW - 9, "a", "a", false, false,
	    NOTIFIER_ENQUEUED, "a" },
	{ "again, but busy", { true, 60, 9, 0 }, NOW - 9, "a", "a", false, true,
	    NOTIFIER_BUSY_SKIP, "a" },
	{ "not again while it snoozes", { true, 60, 9, NOW + 1 }, NOW - 9, "a",
	    "a", false, false, NOTIFIER_DEDUP_SKIP, "a" },
	{ "a clock that went back", { true, 60, 9, 0 }, NOW + 99, "a", "a",
	    false, false, NOTIFIER_DEDUP_SKIP, "a" },
	{ "a part of a long list: older ones are not new", { true, 60, 0, 0 },
	    NOW - 9, "a b c", "b c d", true, false, NOTIFIER_DEDUP_SKIP,
	    "a b c" },
	{ "a part of it: newer ones are", { true, 60, 0, 0 }, NOW - 9, "a b",
	    "n a b", true, false, NOTIFIER_ENQUEUED, "n a b" },
	{ "a part of it, of which nothing is known", { true, 60, 0, 0 }, 0, "",
	    "a b", true, false, NOTIFIER_ENQUEUED, "a b" },
};

static struct strs
words(struct arena *a, const char *text)
{
	struct strs l = { 0 };
	struct str word, rest = str_of(text);

	while (rest.n > 0) {
		(void)str_cut(rest, ' ', &word, &rest);
		str_push(a, &l, word);
	}
	return l;
}

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct strs unread = words(a, r->unread), then = words(a, r->then);
	struct notifier_state st = { .notified_s = r->notified,
		.known = words(a, r->known) };
	const struct notifier_poll p = { &unread, r->more, r->busy, NOW };
	enum notifier_outcome o = notifier_decide(&r->is, &st, &p);

	if (o != r->want)
		fail_msg("%s", notifier_outcome(o));
	notifier_decide_settle(&st, &p, o, a);
	assert_int_equal(st.polled_s, NOW);
	assert_int_equal(st.notified_s,
	    o == NOTIFIER_ENQUEUED ? NOW : r->notified);
	if (o == NOTIFIER_DISABLED)
		return;
	assert_int_equal(st.known.n, then.n);
	for (size_t i = 0; i < then.n; i++)
		assert_true(str_among(&st.known, then.v[i]));
}

/* A poll that failed has seen nothing. */
static void
failed(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct strs none = { 0 };
	struct notifier_state st = { .notified_s = 7, .known = words(a, "a") };
	const struct notifier_poll p = { &none, false, false, NOW };

	(void)state;
	notifier_decide_settle(&st, &p, NOTIFIER_POLL_ERROR, a);
	assert_int_equal(st.known.n, 1);
	assert_int_equal(st.notified_s, 7);
	assert_int_equal(st.polled_s, NOW);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("a poll that failed forgets nothing", failed, NULL);
	return cmocka_run_group_tests_name("runtime/notifier_decide",
	    rows_tests, NULL, NULL);
}
