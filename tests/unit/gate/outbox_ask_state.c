/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A state that a client returns is valid for its agent, its call, its message
 * and a limited time; each byte of it counts.
 */
#include "../store/fixture.h"

#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_ask.h"
#include "gate/outbox_post.h"
#include "op/op.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

enum {
	NOW = 1790000000
};

static const struct outbox_ask_state given = {
	.id = 7,
	.round = 2,
	.until_s = NOW + 100,
	.digest = SI(HEX),
};

static struct str
made(struct fx *x, struct str principal, struct str request,
    const struct outbox_ask_state *st)
{
	struct gate g = { .store = x->s, .principal = principal };
	struct str text;

	assert_int_equal(outbox_ask_state_put(&g, x->a, request, st, &text,
			     &x->e),
	    0);
	return text;
}

static bool
is_good(struct fx *x, struct str principal, struct str request, struct str text,
    int64_t now)
{
	struct gate g = { .store = x->s, .principal = principal };
	struct outbox_ask_state got = { 0 };

	x->e = (struct err){ 0 };
	if (outbox_ask_state_read(&g, x->a, request, text, now, &got, &x->e) <
	    0) {
		assert_int_equal(x->e.kind, ERR_USAGE);
		return false;
	}
	assert_int_equal(got.id, given.id);
	assert_int_equal(got.round, given.round);
	assert_int_equal(got.until_s, given.until_s);
	assert_true(str_eq(got.digest, given.digest));
	return true;
}

static void
it_comes_back_for_whom_and_what_it_was_made(void **state)
{
	struct fx *x = *state;
	struct str text = made(x, S("bot"), S("r"), &given);

	assert_true(is_good(x, S("bot"), S("r"), text, NOW));
	assert_true(is_good(x, S("bot"), S("r"), text, NOW + 99));
	assert_false(is_good(x, S("bot"), S("r"), text, NOW + 100));
	assert_false(is_good(x, S("bots"), S("r"), text, NOW));
	assert_false(is_good(x, S(""), S("r"), text, NOW));
	assert_false(is_good(x, S("bot"), S("s"), text, NOW));
	/* Two fields cannot be shifted into each other. */
	assert_false(is_good(x, S("bo"), S("tr"), text, NOW));
}

static void
every_byte_counts(void **state)
{
	struct fx *x = *state;
	struct str text = made(x, S("bot"), S("r"), &given), cut;

	for (size_t i = 0; i < text.n; i++) {
		static const char put[] = { '0', '1', 'f', '.', '\0', ' ' };

		for (size_t k = 0; k < sizeof(put); k++) {
			char *p = str_c(x->a, text);

			if (p[i] == put[k])
				continue;
			p[i] = put[k];
			assert_false(is_good(x, S("bot"), S("r"),
			    (struct str){ p, text.n }, NOW));
		}
		cut = str_first(text, i);
		assert_false(is_good(x, S("bot"), S("r"), cut, NOW));
		cut = str_from(text, i + 1);
		assert_false(is_good(x, S("bot"), S("r"), cut, NOW));
		cut = str_fmt(x->a, "%.*s0%.*s", (int)i, text.p,
		    STR_ARG(str_from(text, i)));
		assert_false(is_good(x, S("bot"), S("r"), cut, NOW));
	}
}

static void
what_cannot_have_been_made_is_not_read(void **state)
{
	struct outbox_ask_state wrong[] = { given, given, given };
	struct fx *x = *state;

	/* The mark is right, but the data under it is not. */
	wrong[0].id = (int64_t)UINT32_MAX + 1;
	wrong[1].round = LIMIT_APPROVAL_ASKS + 1;
	wrong[2].digest = S(HEX HEX HEX HEX);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(is_good(x, S("bot"), S("r"),
		    made(x, S("bot"), S("r"), &wrong[i]), NOW));
}

static struct str
request(struct fx *x, const char *name, const char *to, const char *subject)
{
	const struct op *op = op_find(str_of(name));
	struct args args;

	args_init(&args, op->args, x->a);
	if (to != NULL)
		assert_int_equal(args_add(&args, x->a,
				     args_find(&args, S("to")), str_of(to),
				     &x->e),
		    0);
	if (subject != NULL)
		assert_int_equal(args_add(&args, x->a,
				     args_find(&args, S("subject")),
				     str_of(subject), &x->e),
		    0);
	return outbox_ask_request(x->a, op, &args);
}

static void
calls_differ_by_what_is_given(void **state)
{
	struct fx *x = *state;
	const struct str all[] = {
		request(x, "send", NULL, NULL),
		request(x, "send", "a@us.example", NULL),
		request(x, "send", NULL, "a@us.example"),
		request(x, "send", "a@us.example", ""),
		request(x, "send", "a@us.example", "x"),
		request(x, "create_draft", NULL, NULL),
		request(x, "send_status", NULL, NULL),
	};
	const size_t n = sizeof(all) / sizeof(all[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			assert_int_equal(str_eq(all[i], all[k]), i == k);
	assert_true(str_eq(all[4], request(x, "send", "a@us.example", "x")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    it_comes_back_for_whom_and_what_it_was_made, fx_setup,
		    fx_teardown),
		cmocka_unit_test_setup_teardown(every_byte_counts, fx_setup,
		    fx_teardown),
		cmocka_unit_test_setup_teardown(
		    what_cannot_have_been_made_is_not_read, fx_setup,
		    fx_teardown),
		cmocka_unit_test_setup_teardown(calls_differ_by_what_is_given,
		    fx_setup, fx_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
