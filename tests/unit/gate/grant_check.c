/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May this call run now?  Each way to have no valid grant for it, and the error
 * that the agent gets.
 */
#include "../rows.h"

#include "../../fake/house.h"

/* The place of the call. */
static const struct gate_caller place = { .principal = SI("a"),
	.conversation = SI("c"),
	.turn = SI("1"),
	.grants = true };

static void
in_place(struct house *h)
{
	(void)fake_add(BOSS);
	house_caller(h, place);
}

static struct str
lease_of(struct house *h, struct reply r)
{
	struct str s = json_text(r.data, h->a), mark = S("\"lease\":\"");
	ptrdiff_t at = str_find(s, mark);
	struct str lease = S(""), rest;

	if (at >= 0)
		(void)str_cut(str_from(s, (size_t)at + mark.n), '"', &lease,
		    &rest);
	return lease;
}

/* Loads it there; returns its handle. */
static struct str
load(struct house *h, const char *skill)
{
	struct reply r = house_call(h, "load_skill", "skill", skill, NULL);

	if (r.err.kind != ERR_NONE)
		fail_msg("%s", r.err.say);
	return lease_of(h, r);
}

static void
loaded(struct house *h)
{
	in_place(h);
	(void)load(h, "mail-read");
}

static void
other_skill(struct house *h)
{
	in_place(h);
	(void)load(h, "mail-send");
}

static void
whole(struct house *h)
{
	in_place(h);
	(void)load(h, "mail");
}

/* -- it is another's ------------------------------------------------------- */

static void
move(struct house *h, const char *agent, const char *conversation,
    const char *turn)
{
	struct gate_caller who = place;

	who.principal = str_of(agent);
	who.conversation = str_of(conversation);
	who.turn = str_of(turn);
	house_caller(h, who);
}

static void
another_turn(struct house *h)
{
	loaded(h);
	move(h, "a", "c", "2");
}

static void
another_talk(struct house *h)
{
	loaded(h);
	move(h, "a", "d", "1");
}

static void
another_agent(struct house *h)
{
	loaded(h);
	move(h, "b", "c", "1");
}

static void
no_place(struct house *h)
{
	loaded(h);
	move(h, "a", "", "");
}

static void
loaded_in_no_place(struct house *h)
{
	in_place(h);
	move(h, "a", "", "");
	(void)load(h, "mail-read");
}

/* -- it is over ------------------------------------------------------------ */

#define OVER(name, change)                                                     \
	static void name(struct house *h)                                      \
	{                                                                      \
		loaded(h);                                                     \
		house_sql(h, "UPDATE skill_grant SET " change);                \
	}

OVER(expired, "expires_ms = 1")
OVER(idle, "used_ms = 1, idle_ms = 1")
OVER(spent, "uses_left = 0")
OVER(changed, "digest = 'other'")
OVER(of_later_accounts, "accounts = ' 99 '")
OVER(of_fewer_ops, "ops = ' get '")

static void
one_use(struct house *h)
{
	house_set(h, "skill_uses", "1");
	loaded(h);
}

static void
used_up(struct house *h)
{
	one_use(h);
	assert_string_equal(house_word(house_call(h, "list", WORK, NULL)),
	    "ok");
}

static void
unloaded(struct house *h)
{
	loaded(h);
	(void)house_call(h, "unload_skill", "skill", "mail-read", NULL);
}

/* -- by its handle --------------------------------------------------------- */

/* If the door knows the place, the call need not name it. */
static void
door_has_lease_of(struct house *h, struct gate_caller who, const char *agent,
    const char *turn)
{
	static char kept[64];

	(void)fake_add(BOSS);
	house_caller(h, who);
	(void)snprintf(kept, sizeof(kept), "%.*s",
	    STR_ARG(load(h, "mail-read")));
	who.lease = str_of(kept);
	who.principal = str_of(agent);
	who.turn = str_of(turn);
	house_caller(h, who);
}

static void
door_has_lease(struct house *h)
{
	door_has_lease_of(h,
	    (struct gate_caller){ .principal = S("a"), .grants = true }, "a",
	    "");
}

static void
another_has_lease(struct house *h)
{
	door_has_lease_of(h,
	    (struct gate_caller){ .principal = S("a"), .grants = true }, "b",
	    "");
}

static void
door_has_last_turns_lease(struct house *h)
{
	door_has_lease_of(h, place, "a", "2");
}

/* -- whether one is needed ------------------------------------------------- */

static void
always(struct house *h)
{
	(void)h;
	(void)fake_add(BOSS);
}

static void
by_setting(struct house *h)
{
	always(h);
	house_set(h, "skills", "grant");
}

static void
by_strange_setting(struct house *h)
{
	always(h);
	house_set(h, "skills", "what");
}

static struct str one_skill = SI("mail-send");
static const struct strs only_send = { &one_skill, 1 };

static void
may_only_send(struct house *h)
{
	in_place(h);
	house_caller(h,
	    (struct gate_caller){ .skills = &only_send, .grants = true });
}

#define FIX                                                                    \
	"\"fix\":{\"tool\":\"load_skill\",\"arguments\":{\"skill\":"           \
	"\"mail-read\"}}"

#define NOT_ACTIVE .want = "skill_not_active", .audit = "skill_not_active"
#define OVER_NOW .want = "skill_expired", .audit = "skill_expired"

static const struct house_row rows[] = {
	/* Is a grant needed? */
	{ "none is needed", { 0 }, always, "list", { WORK }, .want = "ok" },
	{ "where grants are demanded it is", { 0 }, by_setting, "list",
	    { WORK }, NOT_ACTIVE, .says = FIX },
	{ "and where nobody knows what is", { 0 }, by_strange_setting, "list",
	    { WORK }, NOT_ACTIVE },
	{ "a door may demand one", { 0 }, in_place, "list", { WORK },
	    NOT_ACTIVE, .says = FIX, .detail = "no grant: none here" },
	{ "an operation of no skill needs none", { 0 }, in_place, "doctor",
	    { "account", "work" }, .want = "ok" },
	{ "nor does loading one", { 0 }, in_place, "load_skill",
	    { "skill", "mail-read" }, .want = "ok" },
	{ "a skill that is not for it", { 0 }, may_only_send, "list", { WORK },
	    .want = "skill_not_permitted", .audit = "skill_not_permitted" },
	{ "is not there to be loaded", { 0 }, may_only_send, "load_skill",
	    { "skill", "mail-read" }, .want = "unknown_skill" },
	/* A valid grant. */
	{ "it was loaded here", { 0 }, loaded, "list", { WORK }, .want = "ok",
	    .uids = "1", .detail = "grant 1: mail-read" },
	{ "or with all of mail", { 0 }, whole, "list", { WORK }, .want = "ok" },
	{ "it has a use left", { 0 }, one_use, "list", { WORK }, .want = "ok" },
	{ "the door has its handle", { 0 }, door_has_lease, "list", { WORK },
	    .want = "ok" },
	/* A grant that is missing, or is another's. */
	{ "another skill's", { 0 }, other_skill, "list", { WORK }, NOT_ACTIVE },
	{ "another turn's", { 0 }, another_turn, "list", { WORK }, NOT_ACTIVE },
	{ "another conversation's", { 0 }, another_talk, "list", { WORK },
	    NOT_ACTIVE },
	{ "another agent's", { 0 }, another_agent, "list", { WORK },
	    NOT_ACTIVE },
	{ "its place is not known", { 0 }, no_place, "list", { WORK },
	    NOT_ACTIVE },
	{ "nor was it when it was loaded", { 0 }, loaded_in_no_place, "list",
	    { WORK }, NOT_ACTIVE },
	{ "a handle of nothing", { 0 }, loaded, "list",
	    { WORK, "lease", "none" }, NOT_ACTIVE,
	    .detail = "no grant: no such lease" },
	{ "another's handle", { 0 }, another_has_lease, "list", { WORK },
	    NOT_ACTIVE, .detail = "no grant: another's" },
	{ "the handle of the turn before", { 0 }, door_has_last_turns_lease,
	    "list", { WORK }, OVER_NOW, .detail = "no grant: turn" },
	{ "a handle where none is needed is looked at", { 0 }, always, "list",
	    { WORK, "lease", "none" }, NOT_ACTIVE },
	{ "it was given back", { 0 }, unloaded, "list", { WORK }, NOT_ACTIVE },
	/* A grant that has ended. */
	{ "its time is over", { 0 }, expired, "list", { WORK }, OVER_NOW,
	    .says = FIX, .detail = "no grant: expired" },
	{ "it was not used", { 0 }, idle, "list", { WORK }, OVER_NOW,
	    .detail = "no grant: idle" },
	{ "it was used up", { 0 }, used_up, "list", { WORK }, OVER_NOW,
	    .detail = "no grant: spent" },
	{ "by others", { 0 }, spent, "list", { WORK }, OVER_NOW,
	    .detail = "no grant: spent" },
	{ "the skill says something else now", { 0 }, changed, "list", { WORK },
	    OVER_NOW, .detail = "no grant: changed" },
	{ "the account came later", { 0 }, of_later_accounts, "list", { WORK },
	    NOT_ACTIVE },
	{ "so did the operation", { 0 }, of_fewer_ops, "list", { WORK },
	    NOT_ACTIVE },
};

/* Loaded, and then used with the handle from the reply. */
static void
a_handle_is_good_in_the_call(void **state)
{
	struct house h;
	const char *lease;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ .nobody = false });
	(void)fake_add(BOSS);
	house_caller(&h,
	    (struct gate_caller){ .principal = S("a"), .grants = true });
	lease = str_c(h.a, load(&h, "mail-read"));
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", WORK, "lease", lease,
				    NULL)),
	    "1");
	assert_string_equal(house_word(house_call(&h, "list", WORK, NULL)),
	    "skill_not_active");
	assert_string_equal(house_word(house_call(&h, "send", "to",
				"boss@us.example", "subject", "s", "body", "b",
				"lease", lease, NULL)),
	    "skill_not_active");
	house_close(&h);
}

/* "uid", "1", NULL: required arguments, and no time to wait. */
static void
least_args(const struct op *op, const char *lease, const char **arg)
{
	for (size_t i = 0; op->args[i].name != NULL; i++) {
		const struct arg_spec *spec = &op->args[i];
		bool since = strcmp(spec->name, "since") == 0;
		bool timeout = strcmp(spec->name, "timeout") == 0;

		if (!(spec->flags & ARG_REQUIRED) && !timeout)
			continue;
		*arg++ = spec->name;
		*arg++ = since                  ? "14d"
		    : timeout                   ? "0"
		    : spec->type == ARG_ADDRESS ? "boss@us.example"
						: "1";
	}
	if (lease != NULL) {
		*arg++ = "lease";
		*arg++ = lease;
	}
	*arg = NULL;
}

static const char *
called(struct house *h, const struct op *op, const char *lease)
{
	const char *arg[32];

	least_args(op, lease, arg);
	return house_word(house_call_list(h, op->name, arg));
}

static void
is_held(struct house *h, const struct op *op)
{
	const char *other =
	    strcmp(op->skill, "mail-read") == 0 ? "mail-send" : "mail-read";
	const char *none = called(h, op, NULL);
	const char *wrong = called(h, op, str_c(h->a, load(h, other)));
	const char *good = called(h, op, str_c(h->a, load(h, op->skill)));
	const char *all = called(h, op, str_c(h->a, load(h, "mail")));

	if (strcmp(none, "skill_not_active") != 0 ||
	    strcmp(wrong, "skill_not_active") != 0 ||
	    strncmp(good, "skill_", 6) == 0 || strncmp(all, "skill_", 6) == 0)
		fail_msg("%s: %s, %s, %s, %s", op->name, none, wrong, good,
		    all);
}

static void
allows_all(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
	acct->forward = true;
}

static void
every_operation_of_a_skill_is_held(void **state)
{
	struct house h;
	size_t n = 0;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ .nobody = false });
	house_change(&h, "work", allows_all);
	(void)fake_add(BOSS);
	house_caller(&h,
	    (struct gate_caller){ .principal = S("a"), .grants = true });
	for (size_t i = 0; op_table[i] != NULL; i++)
		if (op_table[i]->skill != NULL) {
			is_held(&h, op_table[i]);
			n++;
		}
	assert_true(n > 10);
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("a handle is good in the call it is given to",
	    a_handle_is_good_in_the_call, NULL);
	rows_add("every operation of a skill is held",
	    every_operation_of_a_skill_is_held, NULL);
	return cmocka_run_group_tests_name("gate/grant_check", rows_tests, NULL,
	    NULL);
}
