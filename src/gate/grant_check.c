/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May this call run now?  gate/call.c asks this for every call from every door;
 * only the store decides, not what a model was shown or what a transcript says.
 */
#include "base/clock.h"
#include "gate/grant_place.h"

/* The reason for the agent, by what ended the grant; else skill_not_active. */
static const char *const expired[] = { "expired", "idle", "spent", "changed",
	"turn" };

static const char *
grant_check_reason_of(const char *why)
{
	for (size_t i = 0; i < sizeof(expired) / sizeof(expired[0]); i++)
		if (str_eq(str_of(why), str_of(expired[i])))
			return "skill_expired";
	return "skill_not_active";
}

/* The refusal includes the call that fixes it. */
static int
grant_check_refuse(struct call *c, const struct op *op, const char *why,
    struct err *e)
{
	struct json *j = json_new(c->arena);
	const char *reason = grant_check_reason_of(why);

	json_open_object(j, NULL);
	json_put_text(j, "skill", op->skill);
	if (gate_grant_names(c, j, e) < 0)
		return -1;
	json_open_object(j, "fix");
	json_put_str(j, "tool",
	    str_fmt(c->arena, "%.*sload_skill",
		STR_ARG(c->gate->caller.prefix)));
	json_open_object(j, "arguments");
	json_put_text(j, "skill", op->skill);
	json_close_object(j);
	json_close_object(j);
	json_close_object(j);
	c->detail = j;
	(void)err_set(e, ERR_SKILL, "the skill %s is not active%s: load it",
	    op->skill,
	    str_eq(str_of(reason), S("skill_expired")) ? " any more" : "");
	e->reason = reason;
	return err_because(e, "no grant: %s", why);
}

/* Why the grant does not cover this call; NULL: it does. */
static int
grant_check_judge(struct call *c, const struct op *op, int64_t account,
    const struct store_grant *x, const char **why, struct err *e)
{
	struct gate *g = c->gate;
	struct str id = str_fmt(c->arena, "%lld", (long long)account);
	bool current;

	*why = NULL;
	/* Nobody learns that another agent's handle exists. */
	if (!str_eq(x->principal, g->principal) ||
	    !str_eq(x->conversation, g->caller.conversation))
		*why = "another's";
	else if (!str_eq(x->turn, g->caller.turn))
		*why = "turn";
	else
		*why = store_grant_over(x, clock_now_ms());
	if (*why != NULL)
		return 0;
	if (gate_grant_current(g, c->arena, x, &current, e) < 0)
		return -1;
	if (!current)
		*why = "changed";
	else if (!store_grant_member(x->ops, str_of(op->name)))
		*why = "of another skill";
	else if (account != 0 && !store_grant_member(x->accounts, id))
		*why = "the account was not there yet";
	return 0;
}

/* By the handle in the call. */
static int
grant_check_by_lease(struct call *c, const struct op *op, int64_t account,
    struct str lease, struct store_grant *x, const char **why, struct err *e)
{
	int r = store_grant_by_lease(c->gate->store, c->arena, lease, x, e);

	if (r < 0)
		return -1;
	if (r == 0) {
		*why = "no such lease";
		return 0;
	}
	return grant_check_judge(c, op, account, x, why, e);
}

/* By the conversation and turn, if the door knows them. */
static int
grant_check_by_place(struct call *c, const struct op *op, int64_t account,
    struct store_grant *x, const char **why, struct err *e)
{
	const struct gate_caller *who = &c->gate->caller;
	struct store_grant *v;
	size_t n;

	*why = "no lease";
	if (who->conversation.n == 0 && who->turn.n == 0)
		return 0;
	if (gate_grant_here(c->gate, c->arena, &v, &n, e) < 0)
		return -1;
	*why = "none here";
	for (size_t i = 0; i < n && *why != NULL; i++) {
		*x = v[i];
		if (grant_check_judge(c, op, account, x, why, e) < 0)
			return -1;
	}
	return 0;
}

static int
grant_check_is_demanded(struct call *c, bool *out, struct err *e)
{
	struct str mode;
	int r;

	*out = true;
	if (c->gate->caller.grants)
		return 0;
	r = store_setting_get(c->gate->store, c->arena, S("skills"), &mode, e);
	if (r < 0)
		return -1;
	/* Every other value requires a grant. */
	*out = r == 1 && !str_eq(mode, S("always"));
	return 0;
}

/* If one of these has just expired, the agent gets that reason. */
static const char *
grant_check_ran_out(const struct gate *g, const struct op *op,
    const struct store_grant *v, size_t n, const char *why)
{
	for (size_t i = 0; i < n; i++)
		if (gate_grant_is_here(g, &v[i]) &&
		    store_grant_member(v[i].ops, str_of(op->name)))
			return v[i].ended.p;
	return why;
}

int
grant_check(struct call *c, const struct op *op, int64_t account, struct err *e)
{
	struct gate *g = c->gate;
	const struct skill *skill;
	struct store_grant x = { 0 }, *gone;
	const struct arg *given;
	struct str lease;
	const char *why = NULL;
	bool demanded;
	size_t n;

	if (op->skill == NULL)
		return 0;
	skill = skill_find(str_of(op->skill));
	if (skill == NULL || !gate_grant_allowed(g, skill)) {
		(void)err_set(e, ERR_POLICY,
		    "refused by policy: skill_not_permitted");
		e->reason = "skill_not_permitted";
		return -1;
	}
	given = args_find(c->args, S("lease"));
	lease = given != NULL && given->text.n > 0 ? given->text.v[0]
						   : g->caller.lease;
	if (grant_check_is_demanded(c, &demanded, e) < 0)
		return -1;
	if (!demanded && lease.n == 0)
		return 0;
	if (gate_grant_lapse(g, c->arena, &gone, &n, e) < 0)
		return -1;
	if (lease.n > 0) {
		if (grant_check_by_lease(c, op, account, lease, &x, &why, e) <
		    0)
			return -1;
	} else {
		if (grant_check_by_place(c, op, account, &x, &why, e) < 0)
			return -1;
		if (why != NULL)
			why = grant_check_ran_out(g, op, gone, n, why);
	}
	if (why == NULL) {
		int r = store_grant_use(g->store, x.id, clock_now_ms(), e);

		if (r < 0)
			return -1;
		why = r == 1 ? NULL : "spent";
	}
	if (why != NULL)
		return grant_check_refuse(c, op, why, e);
	gate_grant_note(c, &x, "");
	return 0;
}
