/* SPDX-License-Identifier: Apache-2.0 */
/* The gate's idea of an operation of the contract agrees with its row. */
#include "../rows.h"

#include "../../fake/house.h"

#include "gate/sources.h"

static void
open_roster(struct house *h, struct terms t, struct store **s,
    struct role_source **v)
{
	struct store_keys keys;
	struct err e = { 0 };
	size_t n;

	house_open(h, t);
	keys = (struct store_keys){ h->env.admin_key, h->env.agent_key };
	assert_int_equal(store_open(h->db, STORE_ADMIN, &keys, s, &e), 0);
	assert_int_equal(sources_roster(*s, h->a, v, &n, &e), 0);
	assert_int_equal(n, 1);
}

static void
each_is_served_once(void **state)
{
	int served[ROLE_OPS] = { 0 };

	(void)state;
	for (size_t i = 0; op_table[i] != NULL; i++)
		/* draft_status uses the source that lists drafts. */
		if (op_table[i]->needs & NEED_SOURCE &&
		    !str_eq(str_of(op_table[i]->name), S("draft_status")))
			served[op_table[i]->serves]++;
	for (int op = 0; op < ROLE_OPS; op++)
		assert_int_equal(served[op], 1);
}

static void
what_changes_the_store_is_barred(void **state)
{
	for (int ro = 0; ro < 2; ro++) {
		struct role_source *v;
		struct store *s = NULL;
		struct house h;

		(void)state;
		open_roster(&h, (struct terms){ .ro = ro }, &s, &v);
		for (size_t i = 0; op_table[i] != NULL; i++) {
			const struct op *op = op_table[i];
			bool reads = op->effect == EFFECT_READ;

			if (!(op->needs & NEED_SOURCE))
				continue;
			assert_int_equal(v->bar[op->serves].reason != NULL,
			    ro && !reads);
			if (ro && !reads)
				assert_false(v->supports & 1U << op->serves);
		}
		sources_roster_unbar(v);
		for (int op = 0; op < ROLE_OPS; op++)
			assert_null(v->bar[op].reason);
		store_close(&s);
		house_close(&h);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		{ "each operation of the contract is served by one of ours",
		    each_is_served_once, NULL, NULL, NULL },
		{ "an account that may not write is no source of what writes",
		    what_changes_the_store_is_barred, NULL, NULL, NULL },
	};

	return cmocka_run_group_tests_name("op/serves", tests, NULL, NULL);
}
