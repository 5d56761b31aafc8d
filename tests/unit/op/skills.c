/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The skills in the operations' table, and grants by the place that a door
 * knows: principal, conversation, turn.
 */
#include "../rows.h"

#include "../../fake/house.h"

#include "gate/grant.h"

static int
run_nothing(struct call *c, struct json *out, struct err *e)
{
	(void)c;
	(void)out;
	(void)e;
	return 0;
}

/* A table of one operation, with that skill. */
static int
checked(const char *name, const char *skill)
{
	const struct op op = { .name = name,
		.skill = skill,
		.run = run_nothing };
	const struct op *const table[] = { &op, NULL };
	struct err e = { 0 };

	return op_skills_check(table, &e);
}

static void
malformed_does_not_start(void **state_)
{
	struct err e = { 0 };

	(void)state_;
	assert_int_equal(op_skills_check(op_table, &e), 0);
	assert_int_equal(checked("list", "mail-read"), 0);
	assert_int_equal(checked("list", NULL), 0);
	assert_int_equal(checked("list", ""), -1);
	assert_int_equal(checked("list", "mail-reed"), -1);
	assert_int_equal(checked("list", "mail_read"), -1);
	assert_int_equal(checked("list", "Mail-Read"), -1);
	assert_int_equal(checked("list", "mail"), -1);
	assert_int_equal(checked("list", "mail-send"), -1);
	assert_int_equal(checked("nothing", "mail-read"), -1);
}

/* A new operation on mail must name its skill. */
static void
nothing_is_left_out(void **state_)
{
	(void)state_;
	for (size_t i = 0; op_table[i] != NULL; i++) {
		const struct op *op = op_table[i];
		bool lease = false;

		for (size_t k = 0; op->args[k].name != NULL; k++)
			lease = lease ||
			    (str_eq(str_of(op->args[k].name), S("lease")) &&
				!(op->args[k].flags & ARG_REQUIRED));
		if ((op->needs & (NEED_READ | NEED_SUBMIT)) &&
		    op->skill == NULL)
			fail_msg("%s is of no skill", op->name);
		if (op->skill != NULL && !lease)
			fail_msg("%s takes no lease", op->name);
		if (op->skill != NULL)
			assert_string_equal(skill_of_op(str_of(op->name))->name,
			    op->skill);
		else
			assert_null(skill_of_op(str_of(op->name)));
	}
}

static void
place(struct house *h, const char *agent, const char *conversation,
    const char *turn)
{
	const struct gate_caller who = { .principal = str_of(agent),
		.conversation = str_of(conversation),
		.turn = str_of(turn),
		.grants = true };

	gate_caller_set(h->gate, &who);
}

static enum err_kind
listed(struct house *h)
{
	return house_call(h, "list", WORK, NULL).err.kind;
}

static void
load(struct house *h, const char *skill)
{
	assert_int_equal(house_call(h, "load_skill", "skill", skill, NULL)
			     .err.kind,
	    ERR_NONE);
}

static void
a_grant_stays_in_its_place(void **state_)
{
	static const char *const elsewhere[][3] = {
		{ "a", "c", "2" },
		{ "a", "d", "1" },
		{ "b", "c", "1" },
		{ "a", "c", "" },
		{ "a", "", "" },
	};
	struct house h;

	(void)state_;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	place(&h, "a", "c", "1");
	assert_int_equal(listed(&h), ERR_SKILL);
	load(&h, "mail-read");
	assert_int_equal(listed(&h), ERR_NONE);
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		place(&h, elsewhere[i][0], elsewhere[i][1], elsewhere[i][2]);
		assert_int_equal(listed(&h), ERR_SKILL);
	}
	place(&h, "a", "c", "1");
	assert_int_equal(listed(&h), ERR_NONE);
	assert_int_equal(house_call(&h, "unload_skill", "skill", "mail-read",
			     NULL)
			     .err.kind,
	    ERR_NONE);
	assert_int_equal(listed(&h), ERR_SKILL);
	house_close(&h);
}

/* Without a place, only the handle identifies the caller. */
static void
no_place_no_lease(void **state_)
{
	struct house h;

	(void)state_;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	place(&h, "", "", "");
	load(&h, "mail-read");
	assert_int_equal(listed(&h), ERR_SKILL);
	house_close(&h);
}

static void
the_whole_is_its_parts(void **state_)
{
	struct house h;
	bool live;
	struct err e = { 0 };

	(void)state_;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	place(&h, "a", "c", "1");
	load(&h, "mail-read");
	assert_int_equal(gate_grant_live(h.gate, h.a, skill_find(S("mail")),
			     &live, &e),
	    0);
	assert_false(live);
	place(&h, "a", "c", "2");
	load(&h, "Mail");
	assert_int_equal(gate_grant_live(h.gate, h.a,
			     skill_find(S("mail-read")), &live, &e),
	    0);
	assert_true(live);
	assert_int_equal(listed(&h), ERR_NONE);
	house_close(&h);
}

static void
a_door_narrows(void **state_)
{
	struct str one = S("mail-send"), none = S("home");
	struct strs skills = { &one, 1 }, accounts = { &none, 1 };
	struct gate_caller who = { .skills = &skills };
	struct house h;
	struct reply r;

	(void)state_;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	gate_caller_set(h.gate, &who);
	r = house_call(&h, "list", WORK, NULL);
	assert_int_equal(r.err.kind, ERR_POLICY);
	assert_string_equal(r.err.reason, "skill_not_permitted");
	r = house_call(&h, "load_skill", "skill", "mail-read", NULL);
	assert_int_equal(r.err.kind, ERR_NOT_FOUND);
	who = (struct gate_caller){ .accounts = &accounts };
	gate_caller_set(h.gate, &who);
	r = house_call(&h, "list", WORK, NULL);
	assert_string_equal(house_text(&h, r),
	    house_text(&h,
		house_call(&h, "list", "account", "x", "folder", "y", NULL)));
	assert_int_equal(r.err.kind, ERR_NOT_FOUND);
	r = house_call(&h, "doctor", "account", "work", NULL);
	assert_int_equal(r.err.kind, ERR_NOT_FOUND);
	r = house_call(&h, "doctor", NULL);
	assert_null(strstr(house_text(&h, r), "\"account\":\"work\""));
	who = (struct gate_caller){ 0 };
	gate_caller_set(h.gate, &who);
	assert_int_equal(listed(&h), ERR_NONE);
	house_close(&h);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(malformed_does_not_start),
		cmocka_unit_test(nothing_is_left_out),
		cmocka_unit_test(a_grant_stays_in_its_place),
		cmocka_unit_test(no_place_no_lease),
		cmocka_unit_test(the_whole_is_its_parts),
		cmocka_unit_test(a_door_narrows),
	};

	return cmocka_run_group_tests_name("op/skills", tests, NULL, NULL);
}
