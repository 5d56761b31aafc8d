/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and ends grants, and decides who may have which. */
#include "gate/grant.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "gate/grant_place.h"
#include "gate/internal.h"
#include "store/audit.h"

/* Does the door allow this caller to have it? */
bool
gate_grant_allowed(const struct gate *g, const struct skill *s)
{
	const struct strs *only = g->caller.skills;

	if (only == NULL)
		return true;
	for (size_t i = 0; i < only->n; i++) {
		const struct skill *one = skill_find(only->v[i]);

		if (one == s || (one != NULL && (one->whole || s->whole)))
			return true;
	}
	return false;
}

static bool
gate_grant_account_sends(struct gate *g, struct arena *a,
    const struct store_account *acct)
{
	struct source src = { 0 };
	struct err unusable = { 0 };
	bool may;

	if (acct->mode != MODE_RW ||
	    (acct->outbound != OUTBOUND_SEND &&
		acct->outbound != OUTBOUND_APPROVE))
		return false;
	may =
	    source_resolve(g->store, a, acct->name, 0, &src, &unusable) == 0 &&
	    src.submitter != NULL;
	source_done(&src);
	return may;
}

/* Does any account allow calls of this skill at all? */
static int
gate_grant_some_account(struct gate *g, struct arena *a, const struct skill *s,
    bool *may, struct err *e)
{
	struct store_account *v;
	size_t n;

	*may = false;
	if (store_account_list(g->store, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n && !*may; i++) {
		if (!gate_caller_has(g, v[i].name))
			continue;
		*may = s->submits ? gate_grant_account_sends(g, a, &v[i])
		    : s->organises
		    ? v[i].mode == MODE_RW && v[i].organise != ORGANISE_OFF
		    : true;
	}
	return 0;
}

bool
gate_grant_in_turn(const struct gate *g)
{
	return g->caller.turn.n > 0;
}

static int
gate_grant_may_have(struct gate *g, struct arena *a, const struct skill *s,
    bool *may, struct err *e)
{
	bool any = false;

	*may = false;
	for (size_t i = 0; !any && s->ops[i] != NULL; i++)
		any = gate_caller_may(g, str_of(s->ops[i]));
	if (!any || !gate_grant_allowed(g, s))
		return 0;
	return gate_grant_some_account(g, a, s, may, e);
}

/* Can an operation of an added skill be had through its own skill? */
static int
gate_grant_may_have_part(struct gate *g, struct arena *a, const struct skill *s,
    bool *may, struct err *e)
{
	*may = false;
	for (size_t i = 0; !*may && s->ops[i] != NULL; i++)
		if (gate_caller_may(g, str_of(s->ops[i])) &&
		    gate_grant_may_have(g, a, skill_of_op(str_of(s->ops[i])),
			may, e) < 0)
			return -1;
	return 0;
}

int
gate_grant_may(struct gate *g, struct arena *a, const struct skill *s,
    bool *may, struct err *e)
{
	if (gate_grant_may_have(g, a, s, may, e) < 0)
		return -1;
	return *may && s->added ? gate_grant_may_have_part(g, a, s, may, e) : 0;
}

/*
 * The operations it will cover: for the combined skill and for operator-added
 * ones, only the parts this caller may use.
 */
static int
gate_grant_ops_of(struct gate *g, struct arena *a, const struct skill *s,
    struct str *out, struct err *e)
{
	struct buf b;

	buf_init(&b, a, LIMIT_SKILL);
	buf_char(&b, ' ');
	for (size_t i = 0; s->ops[i] != NULL; i++) {
		const struct skill *part = skill_of_op(str_of(s->ops[i]));
		bool may = gate_caller_may(g, str_of(s->ops[i]));

		if (may && (s->whole || s->added) && part != NULL &&
		    gate_grant_may(g, a, part, &may, e) < 0)
			return -1;
		if (may)
			buf_fmt(&b, "%s ", s->ops[i]);
	}
	*out = buf_view(&b);
	return 0;
}

static int
gate_grant_accounts_of(struct gate *g, struct arena *a, struct str *out,
    struct err *e)
{
	struct store_account *v;
	struct buf b;
	size_t n;

	if (store_account_list(g->store, a, &v, &n, e) < 0)
		return -1;
	buf_init(&b, a, LIMIT_MESSAGE);
	buf_char(&b, ' ');
	for (size_t i = 0; i < n; i++)
		if (gate_caller_has(g, v[i].name))
			buf_fmt(&b, "%lld ", (long long)v[i].id);
	*out = buf_view(&b);
	return 0;
}

static int
gate_grant_setting(struct gate *g, struct arena *a, const char *key,
    uint32_t def, uint32_t *out, struct err *e)
{
	struct str text;
	int r = store_setting_get(g->store, a, str_of(key), &text, e);

	if (r < 0)
		return -1;
	*out = def;
	if (r == 1 && !str_to_u32(text, UINT32_MAX, out))
		return err_set(e, ERR_CONFIG, "%s is no number", key);
	return 0;
}

/* The last mark of an audit row about a grant. */
void
gate_grant_note(struct call *c, const struct store_grant *g, const char *what)
{
	c->note = str_fmt(c->arena, "grant %lld: %.*s %.*s%s%.*s%s%.*s%s%s",
	    (long long)g->id, STR_ARG(g->skill), STR_ARG(g->digest),
	    g->conversation.n > 0 ? ", conversation " : "",
	    STR_ARG(str_first(g->conversation, 64)),
	    g->turn.n > 0 ? ", turn " : "", STR_ARG(str_first(g->turn, 64)),
	    what[0] != '\0' ? ", " : "", what);
}

/* An audit row for an end that no call requested. */
static int
gate_grant_note_end(struct gate *g, struct arena *a,
    const struct store_grant *was, const char *why, struct err *e)
{
	struct store_audit row = {
		.principal = g->principal,
		.action = S("expire_skill"),
		.target = str_fmt(a, "%.*s grant %lld", STR_ARG(was->skill),
		    (long long)was->id),
	};
	int64_t id;

	if (store_audit_asked(g->store, &row, &id, e) < 0 ||
	    store_audit_judged(g->store, id, true, S(""), e) < 0)
		return -1;
	return store_audit_done(g->store, id, S(""), S("ok"), str_of(why), e);
}

int
gate_grant_lapse(struct gate *g, struct arena *a, struct store_grant **v,
    size_t *n, struct err *e)
{
	if (store_grant_lapse(g->store, a, g->principal, clock_now_ms(), v, n,
		e) < 0)
		return -1;
	for (size_t i = 0; i < *n; i++)
		if (gate_grant_note_end(g, a, &(*v)[i], str_c(a, (*v)[i].ended),
			e) < 0)
			return -1;
	return 0;
}

int
gate_grant_current(struct gate *g, struct arena *a,
    const struct store_grant *was, bool *current, struct err *e)
{
	const struct skill *s = skill_find(was->skill);

	*current = s != NULL && str_eq(was->digest, str_of(s->digest));
	if (*current || was->ended.n > 0)
		return 0;
	switch (
	    store_grant_end(g->store, was->id, "changed", clock_now_ms(), e)) {
	case 0:
		return 0;
	case 1:
		return gate_grant_note_end(g, a, was, "changed", e);
	default:
		return -1;
	}
}

int
gate_grant_here(struct gate *g, struct arena *a, struct store_grant **v,
    size_t *n, struct err *e)
{
	return store_grant_list(g->store, a, g->principal,
	    g->caller.conversation, g->caller.turn, v, n, e);
}

bool
gate_grant_is_here(const struct gate *g, const struct store_grant *x)
{
	return str_eq(x->principal, g->principal) &&
	    str_eq(x->conversation, g->caller.conversation) &&
	    str_eq(x->turn, g->caller.turn);
}

/*
 * Does the grant cover every allowed operation of the skill, in its present
 * text?
 */
static int
gate_grant_is_live(struct gate *g, struct arena *a, const struct store_grant *x,
    const struct skill *s, bool *live, struct err *e)
{
	const struct skill *of = skill_find(x->skill);

	*live = false;
	if (store_grant_over(x, clock_now_ms()) != NULL ||
	    (!s->added && !store_grant_member(x->ops, str_of(s->ops[0]))))
		return 0;
	/* A skill with some of another's operations does not replace it. */
	if (!str_eq(x->skill, str_of(s->name)) &&
	    (s->whole || s->added || (of != NULL && of->added)))
		return 0;
	return gate_grant_current(g, a, x, live, e);
}

int
gate_grant_live(struct gate *g, struct arena *a, const struct skill *s,
    bool *live, struct err *e)
{
	struct store_grant *v;
	size_t n;

	*live = false;
	if (s->ops[0] == NULL)
		return 0;
	if (gate_grant_lapse(g, a, &v, &n, e) < 0 ||
	    gate_grant_here(g, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n && !*live; i++)
		if (gate_grant_is_live(g, a, &v[i], s, live, e) < 0)
			return -1;
	return 0;
}

int
gate_grant_load(struct call *c, const struct skill *s, struct gate_grant *out,
    struct err *e)
{
	struct gate *g = c->gate;
	struct store_grant want = {
		.principal = g->principal,
		.conversation = g->caller.conversation,
		.turn = g->caller.turn,
		.skill = str_of(s->name),
		.digest = str_of(s->digest),
		.issued_ms = clock_now_ms(),
	};
	struct store_grant got, *v;
	uint32_t lease_s, idle_s, uses;
	size_t n;
	bool may;

	if (gate_grant_may(g, c->arena, s, &may, e) < 0)
		return -1;
	if (!may)
		return gate_grant_unknown(c, str_of(s->name), e);
	if (gate_grant_setting(g, c->arena, "skill_lease_seconds",
		LIMIT_LEASE_S, &lease_s, e) < 0 ||
	    gate_grant_setting(g, c->arena, "skill_idle_seconds",
		LIMIT_LEASE_IDLE_S, &idle_s, e) < 0 ||
	    gate_grant_setting(g, c->arena, "skill_uses", 0, &uses, e) < 0 ||
	    gate_grant_ops_of(g, c->arena, s, &want.ops, e) < 0 ||
	    gate_grant_accounts_of(g, c->arena, &want.accounts, e) < 0 ||
	    gate_grant_lapse(g, c->arena, &v, &n, e) < 0)
		return -1;
	want.expires_ms = want.issued_ms + lease_s * 1000LL;
	want.idle_ms = idle_s * 1000LL;
	want.used_ms = want.issued_ms;
	want.uses_left = uses > 0 ? (int64_t)uses : -1;
	if (store_grant_load(g->store, c->arena, &want, &got, e) < 0)
		return -1;
	gate_grant_note(c, &got, got.fresh ? "loaded" : "was there");
	*out = (struct gate_grant){
		.skill = s,
		.fresh = got.fresh,
		.lease = got.lease,
		.expires_s = got.expires_ms / 1000,
		.idle_s = (uint32_t)(got.idle_ms / 1000),
		.uses = got.uses_left > 0 ? (uint32_t)got.uses_left : 0,
		.ops = got.ops,
	};
	return 0;
}

static int
gate_grant_end_one(struct call *c, const struct store_grant *x, size_t *n,
    struct err *e)
{
	int r = store_grant_end(c->gate->store, x->id, "unloaded",
	    clock_now_ms(), e);

	if (r < 0)
		return -1;
	if (r == 1)
		gate_grant_note(c, x, "unloaded");
	*n += (size_t)r;
	return 0;
}

int
gate_grant_unload(struct call *c, const struct skill *s, struct str lease,
    size_t *n, struct err *e)
{
	struct gate *g = c->gate;
	struct store_grant one, *v;
	size_t have;
	int r;

	*n = 0;
	if (lease.n > 0) {
		r = store_grant_by_lease(g->store, c->arena, lease, &one, e);
		if (r <= 0)
			return r;
		if (!gate_grant_is_here(g, &one) ||
		    !str_eq(one.skill, str_of(s->name)))
			return 0;
		return gate_grant_end_one(c, &one, n, e);
	}
	if (gate_grant_here(g, c->arena, &v, &have, e) < 0)
		return -1;
	for (size_t i = 0; i < have; i++)
		if (str_eq(v[i].skill, str_of(s->name)) &&
		    gate_grant_end_one(c, &v[i], n, e) < 0)
			return -1;
	return 0;
}

int
gate_grant_names(struct call *c, struct json *j, struct err *e)
{
	const struct skill *s;

	json_open_array(j, "available_skills");
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++) {
		bool may;

		if (s->whole)
			continue;
		if (gate_grant_may(c->gate, c->arena, s, &may, e) < 0)
			return -1;
		if (may)
			json_put_text(j, NULL, s->name);
	}
	json_close_array(j);
	return 0;
}

int
gate_grant_unknown(struct call *c, struct str asked, struct err *e)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	if (gate_grant_names(c, j, e) < 0)
		return -1;
	json_put_str(j, "requested_skill", str_first(asked, 64));
	json_close_object(j);
	c->detail = j;
	c->blocked = "unknown_skill";
	(void)err_set(e, ERR_NOT_FOUND, "no such skill");
	e->reason = "unknown_skill";
	return err_because(e, "asked for: %.*s", STR_ARG(str_first(asked, 64)));
}
