/* SPDX-License-Identifier: Apache-2.0 */
/* Every operator's operation, at the gates of others. */
#include "../rows.h"

#include "../../fake/house.h"
#include "base/limits.h"
#include "desk/desk.h"
#include "door/cli/column.h"
#include "gate/operate.h"
#include "op/op.h"

#include <string.h>

enum {
	OPS_MAX = 128
};

/* The operator's operations, as the program's table names them. */
static size_t
all_ops(const struct op *out[OPS_MAX])
{
	size_t n = 0;

	for (; desk_table[n] != NULL; n++) {
		assert_true(n < OPS_MAX);
		out[n] = desk_table[n];
	}
	assert_true(n > 30);
	return n;
}

/* A value for each required argument. */
static void
fill(struct args *args, const struct op *op, struct arena *a)
{
	args_init(args, op->args, a);
	for (size_t i = 0; i < args->n; i++) {
		struct arg *arg = &args->v[i];

		if (arg->spec->flags & ARG_REQUIRED)
			str_push(a, &arg->text,
			    arg->spec->type == ARG_COUNT      ? S("1")
				: arg->spec->type == ARG_UIDS ? S("1")
							      : S("work"));
	}
}

static struct reply
call(struct house *h, struct gate *g, const struct op *op)
{
	struct args args;
	struct reply r;

	fill(&args, op, h->a);
	gate_call(g, op, &args, h->a, &r);
	return r;
}

/* Nothing was done, and nothing in the store is disclosed. */
static void
refused(struct house *h, const struct op *op, struct reply r,
    enum err_kind kind, const char *says)
{
	if (r.err.kind != kind || strstr(r.err.say, says) == NULL)
		fail_msg("%s: %s", op->name, house_text(h, r));
	assert_string_equal(json_text(r.data, h->a).p, "{}");
	assert_int_equal(r.person.n, 0);
}

static void
all_are_the_operators(void **state)
{
	const struct op *op[OPS_MAX];
	size_t n = all_ops(op);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(op[i]->effect, EFFECT_OPERATE);
		assert_null(op[i]->skill);
		/* The key decides whose undo is meant: operate_means(). */
		if (strcmp(op[i]->name, "undo") != 0)
			assert_null(op_find(str_of(op[i]->name)));
	}
	for (size_t i = 0; op_table[i] != NULL; i++)
		assert_int_not_equal(op_table[i]->effect, EFFECT_OPERATE);
}

/* "whitelist in add" is "whitelist.in.add" in the audit log. */
static struct store_audit
recorded(struct house *h, const struct op *op)
{
	char *p = str_c(h->a, str_of(op->name));

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == ' ')
			p[i] = '.';
	return house_audit(h, p);
}

/* Even with the operator's key as well as its own; the attempt is recorded. */
static void
an_agents_gate_runs_none(void **state)
{
	const struct op *op[OPS_MAX];
	size_t n = all_ops(op);
	struct house h;

	(void)state;
	house_open(&h, (struct terms){ 0 });
	assert_non_null(h.env.admin_key);
	for (size_t i = 0; i < n; i++) {
		struct store_audit a;

		refused(&h, op[i], call(&h, h.gate, op[i]), ERR_POLICY,
		    "the operator's alone");
		a = recorded(&h, op[i]);
		assert_string_equal(str_c(h.a, a.result), "blocked");
		assert_string_equal(str_c(h.a, a.reason), "policy");
	}
	house_close(&h);
}

/* One that needs the store, and one that opens none. */
static void
a_gate_for_one_runs_no_other(void **state)
{
	static const char *const opened[] = { "audit list", "freeze" };
	const struct op *op[OPS_MAX];
	size_t n = all_ops(op);
	struct house h;

	(void)state;
	house_open(&h, (struct terms){ 0 });
	for (size_t k = 0; k < 2 * n; k++) {
		CLEANUP(gate_close) struct gate *g = NULL;
		const struct op *mine = NULL, *asked = op[k / 2];
		struct err e = { 0 };
		struct args args;

		for (size_t i = 0; i < n; i++)
			if (strcmp(op[i]->name, opened[k % 2]) == 0)
				mine = op[i];
		assert_non_null(mine);
		fill(&args, mine, h.a);
		if (operate_open(&h.env, mine, &args, h.a, &g, &e) < 0)
			fail_msg("%s (%s)", e.say, e.detail);
		if (asked != mine)
			refused(&h, asked, call(&h, g, asked), ERR_CONFIG,
			    str_fmt(h.a, "for the operator's %s alone",
				mine->name)
				.p);
	}
	house_close(&h);
}

/* The operator's key is no agent: no policy and no name would apply. */
static void
the_operators_gate_runs_no_agents_operation(void **state)
{
	static const char *const opened[] = { "audit list", "freeze" };
	const struct op *op[OPS_MAX];
	size_t n = all_ops(op);
	struct house h;

	(void)state;
	house_open(&h, (struct terms){ 0 });
	for (size_t i = 0; i < n; i++) {
		CLEANUP(gate_close) struct gate *g = NULL;
		struct err e = { 0 };
		struct args args;

		if (strcmp(op[i]->name, opened[0]) != 0 &&
		    strcmp(op[i]->name, opened[1]) != 0)
			continue;
		fill(&args, op[i], h.a);
		if (operate_open(&h.env, op[i], &args, h.a, &g, &e) < 0)
			fail_msg("%s (%s)", e.say, e.detail);
		for (size_t k = 0; op_table[k] != NULL; k++)
			refused(&h, op_table[k], call(&h, g, op_table[k]),
			    ERR_CONFIG, "for the operator's");
	}
	house_close(&h);
}

/*
 * Operations without a store; freeze and health, which need no key; the broker,
 * which has the agents' key and refuses the operator's.
 */
static bool
is_keyless(const char *name)
{
	static const char *const all[] = { "account providers", "freeze",
		"health", "home build", "home list", "home show",
		"key generate", "mcp install", "serve", "serve install",
		"serve status", "session hook", "session pane", "skill cost",
		"skill list", "skill show", "skill validate", "store roles" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i], name) == 0)
			return true;
	return false;
}

/* Checks that precede the opening of the gate. */
static void
without_the_key_it_is_not_opened(void **state)
{
	const struct op *op[OPS_MAX];
	size_t n = all_ops(op);
	struct secret *key;
	struct house h;

	(void)state;
	house_open(&h, (struct terms){ 0 });
	key = h.env.admin_key;
	h.env.admin_key = NULL;
	for (size_t i = 0; i < n; i++) {
		struct err e = { 0 };
		struct args args;

		fill(&args, op[i], h.a);
		if (operate_needs(op[i], &args) == 0) {
			assert_true(is_keyless(op[i]->name));
			continue;
		}
		assert_int_equal(operate_allow(&h.env, op[i], &args, false, h.a,
				     &e),
		    -1);
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_non_null(strstr(e.say, "EMCLI_ADMIN_KEY"));
		assert_string_equal(recorded(&h, op[i]).principal.p, "agent");
	}
	h.env.admin_key = key;
	house_close(&h);
}

/* A mark that follows the text for null would be shown as a part of it. */
static void
marks_are_before_the_text_for_null(const struct op *op, const char *words,
    struct arena *a)
{
	struct column col[COLUMNS_MAX];
	size_t n = words != NULL ? column_read(a, words, col) : 0;

	for (size_t i = 0; i < n; i++)
		if (col[i].none.n > 0 &&
		    str_has_char(S("<+!~@"), col[i].none.p[col[i].none.n - 1]))
			fail_msg("%s: %s: \"%.*s\" for null", op->name,
			    col[i].member, STR_ARG(col[i].none));
}

static void
columns_are_read_as_they_are_meant(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct op *op[OPS_MAX];
	size_t n = all_ops(op);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		marks_are_before_the_text_for_null(op[i], op[i]->columns, a);
		marks_are_before_the_text_for_null(op[i], op[i]->heads, a);
	}
	for (size_t i = 0; op_table[i] != NULL; i++) {
		marks_are_before_the_text_for_null(op_table[i],
		    op_table[i]->columns, a);
		marks_are_before_the_text_for_null(op_table[i],
		    op_table[i]->heads, a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_the_operators),
		cmocka_unit_test(an_agents_gate_runs_none),
		cmocka_unit_test(a_gate_for_one_runs_no_other),
		cmocka_unit_test(the_operators_gate_runs_no_agents_operation),
		cmocka_unit_test(without_the_key_it_is_not_opened),
		cmocka_unit_test(columns_are_read_as_they_are_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
