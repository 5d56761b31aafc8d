/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli policy apply: makes the store as a document says, all of it or nothing.
 * It is done twice: first in a transaction that is undone, which says what is
 * different; and, when the person has agreed, for good, if it is still the
 * same.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "desk/agree.h"
#include "desk/desk.h"
#include "desk/policy.h"
#include "store/whole.h"

static const struct arg_spec args[] = {
	DOCUMENT_ARG_FILE,
	{ "prune", ARG_FLAG,
	    .help = "also remove agents and models that are not in the file" },
	DOCUMENT_ARG_DRY_RUN,
	AGREE_ARG_YES,
	{ 0 },
};

static const struct field result[] = {
	{ "applied", FIELD_BOOL, .help = "was something changed?" },
	{ "changes", FIELD_OBJECTS, .help = "what is different",
	    .sub = plan_fields },
	{ "kept", FIELD_TEXTS,
	    .help = "what is not in the file, and stays without --prune" },
	{ "invalid", FIELD_INTS,
	    .help = "held messages that can no longer be released" },
	{ "needs", FIELD_TEXTS,
	    .help = "commands for secrets that are missing" },
	{ 0 },
};

struct apply {
	struct policy_apply p;
	struct policy_held lost;
	const struct apply *agreed; /* NULL: a dry run, to be undone */
	bool done;                  /* the dry run came to its end */
};

static int
policy_apply_check(const struct document *d, struct err *e)
{
	struct strs known = { 0 };

	str_push(d->a, &known, S("emcli"));
	str_push(d->a, &known, S("version"));
	for (const struct policy_section *s = policy_sections; s->key != NULL;
	     s++)
		str_push(d->a, &known, str_of(s->key));
	return document_check_keys(d, document_root(d), &known, e);
}

static int
policy_apply_sections(struct policy_apply *p, struct err *e)
{
	for (const struct policy_section *s = policy_sections; s->key != NULL;
	     s++) {
		const struct yaml_node *x =
		    document_member(&p->d, document_root(&p->d), s->key);

		if (x != NULL && s->take(p, x, e) < 0)
			return -1;
	}
	return 0;
}

/* Is it what was shown? */
static bool
policy_apply_same(const struct apply *x, const struct apply *y)
{
	return plan_same(&x->p.plan, &y->p.plan) &&
	    policy_held_same(&x->lost, &y->lost);
}

/* Within a transaction. */
static int
policy_apply_change(struct store *s, void *ctx, struct err *e)
{
	struct apply *x = ctx;
	struct policy_held before, now;

	x->p.s = s;
	if (policy_held_load(x->p.c, &before, e) < 0 ||
	    policy_apply_sections(&x->p, e) < 0 ||
	    plan_check(&x->p.plan, e) < 0 ||
	    policy_held_load(x->p.c, &now, e) < 0)
		return -1;
	x->lost = policy_held_lost(x->p.c->arena, &before, &now);
	x->done = true;
	if (x->agreed == NULL)
		return -1;
	return policy_apply_same(x, x->agreed)
	    ? 0
	    : err_set(e, ERR_USAGE,
		  "the store was changed meanwhile: nothing was changed; try "
		  "again");
}

static int
policy_apply_once(struct call *c, const struct document *d,
    const struct apply *agreed, struct apply *x, struct err *e)
{
	*x = (struct apply){
		.p = { .c = c,
		    .d = *d,
		    .plan = { .a = c->arena },
		    .prune = args_has(c->args, "prune") },
		.agreed = agreed,
	};
	if (store_whole_change(operate_store(c), policy_apply_change, x, e) ==
	    0)
		return 0;
	return agreed == NULL && x->done ? 0 : -1;
}

/* The plan, and what follows from it. */
static struct str
policy_apply_text(const struct apply *x)
{
	struct arena *a = x->p.c->arena;
	struct buf b;

	buf_init(&b, a, 8 * LIMIT_DOCUMENT);
	buf_str(&b, plan_text(&x->p.plan));
	if (x->lost.n > 0)
		buf_text(&b, "can no longer be released:");
	for (size_t i = 0; i < x->lost.n; i++)
		buf_fmt(&b, " %lld", (long long)x->lost.id[i]);
	if (x->lost.n > 0)
		buf_text(&b, " (emcli approve list)\n");
	for (size_t i = 0; i < x->p.kept.n; i++)
		buf_fmt(&b,
		    "not in the file, and kept: %.*s (--prune removes it)\n",
		    STR_ARG(x->p.kept.v[i]));
	return buf_view(&b);
}

static void
policy_apply_put(const struct apply *x, bool applied, struct json *out)
{
	json_put_bool(out, "applied", applied);
	plan_to_json(&x->p.plan, out);
	json_put_strs(out, "kept", &x->p.kept);
	json_open_array(out, "invalid");
	for (size_t i = 0; i < x->lost.n; i++)
		json_put_int(out, NULL, x->lost.id[i]);
	json_close_array(out);
	json_put_strs(out, "needs", &x->p.needs);
}

static void
policy_apply_say_needs(struct call *c, const struct apply *x)
{
	if (x->p.needs.n > 0)
		gate_tell(c, "secrets that are missing:");
	for (size_t i = 0; i < x->p.needs.n; i++)
		gate_say(c, GATE_NEXT, "%.*s", STR_ARG(x->p.needs.v[i]));
}

/* Shows it, and asks. */
static int
policy_apply_agree(struct call *c, const struct apply *x, struct err *e)
{
	bool asks = !args_has(c->args, "yes") && operate_door(c)->person;

	if (asks)
		(void)operate_door(c)->ask(c->arena, policy_apply_text(x),
		    NULL);
	else
		gate_say_text(c, policy_apply_text(x));
	return agree(c,
	    str_fmt(c->arena, "make %zu change%s of policy", x->p.plan.n,
		x->p.plan.n == 1 ? "" : "s"),
	    e);
}

static int
policy_apply_run(struct call *c, struct json *out, struct err *e)
{
	bool dry = args_has(c->args, "dry_run");
	struct apply first, x;
	struct document d;

	if (document_read(c, DOCUMENT_POLICY, &d, e) < 0 ||
	    policy_apply_check(&d, e) < 0 ||
	    policy_apply_once(c, &d, NULL, &first, e) < 0)
		return -1;
	if (dry || first.p.plan.n == 0) {
		policy_apply_put(&first, false, out);
		gate_say_text(c, policy_apply_text(&first));
		policy_apply_say_needs(c, &first);
		gate_tell(c, "%s",
		    first.p.plan.n == 0 ? "nothing is different"
					: "dry run: nothing was changed");
		return 0;
	}
	if (policy_apply_agree(c, &first, e) < 0 ||
	    policy_apply_once(c, &d, &first, &x, e) < 0)
		return -1;
	c->note = plan_note(&x.p.plan);
	policy_apply_put(&x, true, out);
	gate_tell(c, "applied %zu change%s", x.p.plan.n,
	    x.p.plan.n == 1 ? "" : "s");
	policy_apply_say_needs(c, &x);
	return 0;
}

const struct op desk_policy_apply = {
	.name = "policy apply",
	.summary = "Make the store as a text says, all of it or nothing",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = policy_apply_run,
};
