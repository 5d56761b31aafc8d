/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asked and judged: the row in the audit log, the account, what policy says of
 * the call, the grant, and what the operation then sees mail by.
 */
#include "base/clock.h"
#include "gate/outbox_post.h"
#include "gate/rules.h"
#include "gate/way.h"
#include "store/audit.h"
#include "store/freeze.h"

int
gate_call_judge_begin(struct way *w, struct err *e)
{
	const struct args *args = w->call.args;
	struct store_audit row = {
		.principal = w->g->principal,
		.action = record_action(w->call.arena, w->op->name),
		.target = target_text(w->call.arena, args),
	};

	if (w->op->needs & (NEED_ACCOUNT | NEED_SOURCE))
		row.account =
		    str_first(w->only.n > 0 ? w->only
					    : args_text(args, "account"),
			64);
	if (store_audit_asked(w->g->store, &row, &w->audit, e) < 0)
		return -1;
	w->call.audit = w->audit;
	return 0;
}

static int
gate_call_find_name(struct way *w, struct str *name, struct err *e)
{
	*name = w->only;
	if (name->n > 0)
		return 0;
	if (w->op->needs & NEED_ACCOUNT)
		return which_account(w->g, w->call.args, w->call.arena, name,
		    e);
	return resolve_account(&w->resolve, w->g, w->op, w->call.args,
	    w->call.arena, name, e);
}

/* Reads the store at each call: a freeze takes effect with the next one. */
static int
gate_call_look_frozen(struct way *w, struct policy_facts *f, struct err *e)
{
	int r;

	if (w->op->unfrozen)
		return 0;
	r = store_freeze_has(w->g->store, w->g->principal, w->src.acct.id, e);
	f->frozen = r > 0;
	return r < 0 ? -1 : 0;
}

static int
gate_call_find_account(struct way *w, struct err *e)
{
	struct str name = { 0 };

	if (gate_call_find_name(w, &name, e) < 0) {
		/* The account whose policy refused, if there is one. */
		if (w->op->needs & NEED_SOURCE)
			w->account = name;
		return -1;
	}
	w->account = name;
	/* Which source it is may have been asked of servers. */
	if (w->op->needs & NEED_SOURCE) {
		w->until_ms = clock_mono_ms() + w->timeout_ms;
		store_until(w->g->store, w->until_ms);
	}
	if (source_default_page(w->g->store, w->call.arena, &w->call.page, e) <
		0 ||
	    (w->g->caller.windows &&
		source_default_window(w->g->store, w->call.arena,
		    &w->call.window, e) < 0))
		return -1;
	if (source_resolve(w->g->store, w->call.arena, name, w->until_ms,
		&w->src, e) < 0)
		return e->kind == ERR_NOT_FOUND
		    ? which_unknown(w->g, w->call.arena, name, e)
		    : -1;
	source_wire(&w->src, w->call.arena);
	w->src.view.progress = w->g->progress;
	return rules_load(w->g->store, w->call.arena, &w->src.acct, &w->rules,
	    e);
}

static int
gate_call_capable(const struct way *w, struct err *e)
{
	unsigned needs = w->op->needs;

	if ((needs & NEED_READ) && !(w->src.be->caps & CAP_READ))
		return err_set(e, ERR_UNSUPPORTED,
		    "this account cannot be read");
	if ((needs & NEED_SUBMIT) && w->src.submitter == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "this account has nothing to send with");
	return 0;
}

int
gate_call_judge_mark(struct way *w, bool allowed, struct err *e)
{
	struct str why = S("");

	if (!allowed)
		why = str_of(e->reason != NULL ? e->reason : err_code(e->kind));
	if (store_audit_judged_for(w->g->store, w->audit, w->account, allowed,
		why, e) < 0)
		return -1;
	w->judged = true;
	return 0;
}

/* The folders that the call names; others are judged when they are known. */
static void
gate_call_learn_folders(struct way *w, struct policy_facts *f)
{
	static const char *const names[] = { "folder", "to" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (args_find(w->call.args, str_of(names[i])) != NULL &&
		    args_text(w->call.args, names[i]).n > 0)
			str_push(w->call.arena, &f->folders,
			    args_text(w->call.args, names[i]));
}

/*
 * Collects the facts for policy.  A frozen agent learns nothing about what
 * exists.
 */
static int
gate_call_learn_facts(struct way *w, struct policy_facts *f, struct err *e)
{
	bool named = w->op->needs & (NEED_ACCOUNT | NEED_SOURCE);

	*f = (struct policy_facts){ .effect = w->op->effect,
		.forwards = w->op->forwards,
		.later =
		    w->op->finds || args_given(w->call.args, "reply_all") };
	if (gate_call_look_frozen(w, f, e) < 0)
		return -1;
	if (f->frozen || !named)
		return 0;
	if (gate_call_find_account(w, e) < 0 ||
	    gate_call_look_frozen(w, f, e) < 0)
		return -1;
	if (f->effect == EFFECT_ORGANISE)
		gate_call_learn_folders(w, f);
	if (f->frozen ||
	    (f->effect != EFFECT_SEND && f->effect != EFFECT_DRAFT))
		return 0;
	return recipients_read(w->call.args, w->g->caller.binding,
	    w->call.arena, &f->to, e);
}

/* Do the account's rules allow it? */
static int
gate_call_judge_account(struct way *w, struct err *e)
{
	bool named = w->op->needs & (NEED_ACCOUNT | NEED_SOURCE);
	struct policy_facts f;
	struct decision d;

	if (gate_call_learn_facts(w, &f, e) < 0)
		return -1;
	d = policy_decide(&w->rules, &f);
	/*
	 * The outbox holds what must be approved first; it is the only way out
	 * for such operations.  So does the mailbox with changes.
	 */
	if (d.verdict != VERDICT_ALLOW &&
	    (d.verdict != VERDICT_ASK ||
		(!(w->op->needs & NEED_SUBMIT) && w->op->put_change == NULL))) {
		if (d.verdict == VERDICT_ASK && f.effect == EFFECT_ORGANISE)
			d.why = "organise_approve";
		(void)err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
		e->reason = d.why;
		return -1;
	}
	return named ? gate_call_capable(w, e) : 0;
}

int
gate_call_judge_permits(const struct way *w, struct err *e)
{
	if (w->op->skill == NULL || gate_caller_may(w->g, str_of(w->op->name)))
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: op_not_permitted");
	e->reason = "op_not_permitted";
	return -1;
}

/* Does it find what the person who is asked has to see?  Then it asks. */
static bool
gate_call_asks_later(const struct way *w, const struct args *args)
{
	bool signs = w->src.acct.signature.n > 0;

	return w->op->forwards || (signs && w->op->signs) ||
	    args_given(args, "reply_all") || args_given(args, "quote");
}

/* Was the account found, so that neither the call nor its row names it yet? */
static bool
was_found(const struct way *w)
{
	return w->account.n > 0 &&
	    (w->op->needs & NEED_SOURCE ||
		args_text(w->call.args, "account").n == 0);
}

int
gate_call_judge(struct way *w, struct args *args, struct err *e)
{
	if (gate_call_judge_permits(w, e) < 0)
		return -1;
	if (gate_call_judge_account(w, e) < 0) {
		struct err late = *e;

		/* Refused, but an account was found: record it. */
		if (!w->judged && was_found(w) &&
		    gate_call_judge_mark(w, false, &late) < 0)
			*e = late;
		return -1;
	}
	if (grant_check(&w->call, w->op, w->src.acct.id, e) < 0)
		return -1;
	if (w->judged) /* another source, after one declined */
		return 0;
	if (!gate_call_asks_later(w, args) &&
	    gate_consent(&w->call, args, e) < 0)
		return -1;
	for (size_t i = 0; i < args->n; i++)
		if (attach_text(w->call.arena, args, w->src.acct.attach_dir,
			&args->v[i], e) < 0)
			return -1;
	return gate_call_judge_mark(w, true, e);
}

void
gate_call_judge_equip(struct way *w)
{
	struct call *c = &w->call;

	w->mailbox = (struct mailbox){
		.gate = w->g,
		.call = c,
		.arena = c->arena,
		.src = &w->src,
		.rules = &w->rules,
	};
	w->outbox = (struct outbox){
		.gate = w->g,
		.call = c,
		.arena = c->arena,
		.src = &w->src,
		.rules = &w->rules,
		.mailbox = &w->mailbox,
	};
	w->draft = (struct draft){ .mailbox = &w->mailbox, .rules = &w->rules };
	if (w->op->needs & (NEED_ACCOUNT | NEED_SOURCE))
		c->mailbox = &w->mailbox;
	if (w->op->effect == EFFECT_DRAFT)
		c->draft = &w->draft;
	if (w->op->needs & NEED_SUBMIT)
		c->outbox = &w->outbox;
}
