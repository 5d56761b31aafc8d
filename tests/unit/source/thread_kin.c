/* SPDX-License-Identifier: Apache-2.0 */
/* Kin: messages that share an id, and their kin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "source/thread_kin.h"

/* Messages as "id,id", one word each; the kin of one id, by position. */
static const struct row {
	const char *why, *in, *id, *want;
} rows[] = {
	{ "nobody", "", "a", "" },
	{ "one", "a", "a", " 1" },
	{ "one whom nobody names", "a", "b", "" },
	{ "an answer", "a a,b", "b", " 1 2" },
	{ "a chain from its end", "a a,b b,c c,d", "d", " 1 2 3 4" },
	{ "and from its middle, backwards", "c,d b,c a,b a x", "b",
	    " 1 2 3 4" },
	{ "two who name one that is not there", "b,x c,x d", "x", " 1 2" },
	{ "two halves and who joins them", "a,b c,d e,f b,d", "a", " 1 2 4" },
	{ "a circle", "a,b b,c c,a d", "c", " 1 2 3" },
	{ "the same named twice", "a,a,b b,b", "a", " 1 2" },
	{ "who names nothing is nobody's", "a - a", "a", " 1 3" },
	{ "nothing is no id", "a - a", "", "" },
};

static struct strs
words(struct arena *a, struct str text, char c)
{
	struct strs out = { 0 };
	struct str word;

	while (text.n > 0) {
		(void)str_cut(text, c, &word, &text);
		str_push(a, &out, word);
	}
	return out;
}

static void
those_who_name_one_id_are_kin(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct strs in = words(a, str_of(rows[i].in), ' ');
		uint32_t *kin = arena_array(a, in.n, sizeof(*kin));
		struct thread_kin k;
		struct str got = S("");

		thread_kin_init(&k, a);
		for (size_t m = 0; m < in.n; m++) {
			struct strs ids = words(a, in.v[m], ',');

			if (str_eq(in.v[m], S("-")))
				ids.n = 0;
			kin[m] = thread_kin_add(&k, &ids);
		}
		thread_kin_want(&k, str_of(rows[i].id));
		for (size_t m = 0; m < in.n; m++)
			if (thread_kin_is_wanted(&k, kin[m]))
				got =
				    str_fmt(a, "%.*s %zu", STR_ARG(got), m + 1);
		if (!str_eq(got, str_of(rows[i].want)))
			fail_msg("%s: got \"%.*s\"", rows[i].why, STR_ARG(got));
	}
}

/* For any length of the chain, and from either end. */
static void
a_long_chain_is_one(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	enum {
		LONG = 20000
	};
	struct thread_kin k;
	uint32_t kin = 0;

	(void)state;
	thread_kin_init(&k, a);
	for (unsigned i = LONG; i > 0; i--) {
		struct str id[] = { str_fmt(a, "<%u@x>", i),
			str_fmt(a, "<%u@x>", i - 1) };
		const struct strs ids = { id, 2 };

		kin = thread_kin_add(&k, &ids);
	}
	assert_false(thread_kin_is_wanted(&k, kin));
	thread_kin_want(&k, S("<20000@x>"));
	assert_true(thread_kin_is_wanted(&k, kin));
	assert_false(k.over);
}

/* Ids may be long: a limit applies before memory runs out. */
static void
too_much_to_keep_is_left_out(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str first[] = { S("<1@x>"), S("<2@x>") };
	struct str second[] = { S("<2@x>"), S("<3@x>") };
	struct thread_kin k;

	(void)state;
	thread_kin_init(&k, a);
	(void)thread_kin_add(&k, &(struct strs){ first, 2 });
	assert_false(k.over);
	(void)arena_alloc(a, LIMIT_THREAD_KEPT);
	(void)thread_kin_add(&k, &(struct strs){ second, 2 });
	assert_true(k.over);
	assert_int_equal(k.ids.n, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_who_name_one_id_are_kin),
		cmocka_unit_test(a_long_chain_is_one),
		cmocka_unit_test(too_much_to_keep_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
