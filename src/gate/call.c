/*
 * The pipeline: asked, judged, done.
 *
 * The audit row is marked three times.  The first two marks come before the
 * operation runs, because what cannot be recorded must not be done; a row that
 * was never marked done shows a crash in between.
 */
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/operate.h"
#include "gate/outbox_post.h"
#include "gate/resolve.h"
#include "gate/rules.h"
#include "store/audit.h"
#include "store/freeze.h"

/* One call in progress. */
struct way {
	struct gate *g;
	const struct op *op;
	struct call call;
	struct mailbox mailbox;
	struct outbox outbox;
	struct draft draft;
	struct resolve resolve; /* with NEED_SOURCE */
	struct str account;     /* the account that was found, or empty */
	struct source src;
	struct policy_rules rules;
	int64_t audit; /* the row's id; 0: none */
	bool judged;
};

static int
gate_call_asked(struct way *w, struct err *e)
{
	const struct args *args = w->call.args;
	struct store_audit row = {
		.principal = w->g->principal,
		.action = record_action(w->call.arena, w->op->name),
		.target = target_text(w->call.arena, args),
	};

	if (w->op->needs & (NEED_ACCOUNT | NEED_SOURCE))
		row.account = str_first(args_text(args, "account"), 64);
	if (store_audit_asked(w->g->store, &row, &w->audit, e) < 0)
		return -1;
	w->call.audit = w->audit;
	return 0;
}

static int
gate_call_find_name(struct way *w, struct str *name, struct err *e)
{
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
	int64_t timeout;

	if (gate_call_find_name(w, &name, e) < 0) {
		/* The account whose policy refused, if there is one. */
		if (w->op->needs & NEED_SOURCE)
			w->account = name;
		return -1;
	}
	w->account = name;
	if (source_timeout(w->g->store, w->call.arena, &timeout, e) < 0 ||
	    source_default_page(w->g->store, w->call.arena, &w->call.page, e) <
		0 ||
	    (w->g->caller.windows &&
		source_default_window(w->g->store, w->call.arena,
		    &w->call.window, e) < 0))
		return -1;
	if (source_resolve(w->g->store, w->call.arena, name,
		clock_mono_ms() + timeout, &w->src, e) < 0)
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

/* The row's second mark, with the account that was found. */
static int
gate_call_mark_judged(struct way *w, bool allowed, struct err *e)
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
		(void)err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
		e->reason = d.why;
		return -1;
	}
	return named ? gate_call_capable(w, e) : 0;
}

/* Did the operator allow this operation to this caller? */
static int
gate_call_permitted(const struct way *w, struct err *e)
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

static int
gate_call_judge(struct way *w, struct args *args, struct err *e)
{
	if (gate_call_permitted(w, e) < 0)
		return -1;
	if (gate_call_judge_account(w, e) < 0) {
		struct err late = *e;

		/* Refused, but an account was found: record it. */
		if (!w->judged && was_found(w) &&
		    gate_call_mark_judged(w, false, &late) < 0)
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
	return gate_call_mark_judged(w, true, e);
}

static int
gate_call_act(struct way *w, struct json *out, struct err *e)
{
	struct call *c = &w->call;
	int r;

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
	r = w->op->run(c, out, e);
	mailbox_close(&w->mailbox);
	return r;
}

/*
 * The operation ran but could not be recorded.  A send must not look as if it
 * can be tried again.
 */
static void
gate_call_unwritten(const struct way *w, const struct err *late, struct err *e)
{
	*e = *late;
	if (w->op->effect != EFFECT_SEND || args_given(w->call.args, "dry_run"))
		return;
	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the message was sent, but this could not be recorded; do not "
	    "send it again");
	(void)err_because(e, "%s", late->say);
	(void)err_because(e, "%s", late->detail);
}

/* The row's last mark.  A failure here fails a successful call. */
static void
gate_call_done(struct way *w, struct err *e)
{
	const char *reason = NULL;
	struct err late = { 0 };
	struct str detail = str_of(e->detail);
	const char *outcome = e->kind == ERR_NONE ? "ok" : err_code(e->kind);

	if (w->audit == 0)
		return;
	if (w->op->effect == EFFECT_OPERATE) {
		operate_recorded(w->g->store, w->audit, w->call.note, e);
		return;
	}
	if (w->call.blocked != NULL)
		reason = w->call.blocked;
	else if (e->kind == ERR_POLICY || e->kind == ERR_APPROVAL ||
	    e->kind == ERR_SKILL)
		reason = e->reason != NULL ? e->reason : "policy";
	else if (e->kind != ERR_NONE && !w->judged)
		reason = outcome;
	if (detail.n == 0)
		detail = resolve_text(&w->resolve, w->call.arena);
	else if (w->resolve.made)
		detail = str_fmt(w->call.arena, "%.*s; %.*s",
		    STR_ARG(resolve_text(&w->resolve, w->call.arena)),
		    STR_ARG(detail));
	if (w->g->remote)
		detail = str_fmt(w->call.arena, "uid %u%s%.*s", w->g->uid,
		    detail.n > 0 ? "; " : "", STR_ARG(detail));
	if (w->call.note.n > 0)
		detail = str_fmt(w->call.arena, "%.*s%s%.*s", STR_ARG(detail),
		    detail.n > 0 ? "; " : "", STR_ARG(w->call.note));
	if (store_audit_done(w->g->store, w->audit, str_of(reason),
		str_of(outcome), detail, &late) < 0 &&
	    e->kind == ERR_NONE)
		gate_call_unwritten(w, &late, e);
}

static void
gate_call_put_warnings(struct json *j, const uint32_t warned[WARNINGS])
{
	bool any = false;

	for (int i = 0; i < WARNINGS; i++)
		any = any || warned[i] > 0;
	if (!any)
		return;
	json_open_array(j, "warnings");
	for (int i = 0; i < WARNINGS; i++)
		if (warned[i] > 0)
			json_put_str(j, NULL, str_of(warning_table[i].code));
	json_close_array(j);
	json_open_object(j, "warning_counts");
	for (int i = 0; i < WARNINGS; i++)
		if (warned[i] > 0)
			json_put_int(j, warning_table[i].code, warned[i]);
	json_close_object(j);
}

/*
 * Tries one source after the other while they decline: only work that has not
 * begun falls through (an error in the middle does not).
 */
static bool
gate_call_attempts(struct way *w, struct args *args, struct json **data,
    bool *ran, struct err *e)
{
	for (;;) {
		if (gate_call_judge(w, args, e) == 0) {
			*ran = true;
			if (gate_call_act(w, *data, e) == 0)
				return true;
		}
		if (e->kind != ERR_UNSUPPORTED ||
		    !(w->op->needs & NEED_SOURCE) ||
		    !resolve_declined(&w->resolve))
			return false;
		*e = (struct err){ 0 };
		rules_close(&w->rules);
		source_done(&w->src);
		*data = json_new(w->call.arena);
		json_open_object(*data, NULL);
	}
}

/* Reports the choice after errors too. */
static void
gate_call_put_resolution(struct way *w, struct json *data, bool good)
{
	struct json *detail;

	if (!w->resolve.made)
		return;
	if (good) {
		resolve_put(data, &w->resolve);
		return;
	}
	detail = json_new(w->call.arena);
	json_open_object(detail, NULL);
	if (w->call.detail != NULL)
		json_put_members(detail, w->call.detail);
	choose_record_put(detail, "resolution", &w->resolve.choice);
	json_close_object(detail);
	w->call.detail = detail;
}

/* For operator's operations: checks the key, not an account's rules. */
static bool
gate_call_operate(struct way *w, struct args *args, struct json *data,
    bool *ran, struct err *e)
{
	struct arena *a = w->call.arena;

	if (operate_begin(w->g, w->op, args, a, &w->audit, e) < 0)
		return false;
	w->call.audit = w->audit;
	w->judged = true;
	*ran = true;
	if (gate_call_act(w, data, e) == 0)
		return true;
	if (!sole_explain(w->g->store, a, args, e) &&
	    e->kind == ERR_NOT_FOUND && w->op->shows != NULL &&
	    e->hint == NULL && str_find(str_of(e->say), S("emcli ")) < 0)
		(void)err_hint(e, w->op->shows);
	return false;
}

/* A call of an agent. */
static bool
gate_call_ask(struct way *w, struct args *args, struct json **data, bool *ran,
    struct err *e)
{
	/* The operator is not an agent, so no policy applies. */
	if (w->g->operates != NULL) {
		(void)err_set(e, ERR_CONFIG,
		    "this gate was opened for the operator's %s alone",
		    w->g->operates->name);
		return false;
	}
	if (gate_call_asked(w, e) < 0 || args_check(args, w->call.arena, e) < 0)
		return false;
	return gate_call_attempts(w, args, data, ran, e);
}

void
gate_call(struct gate *g, const struct op *op, struct args *args,
    struct arena *a, struct reply *out)
{
	static const struct args_files none = { .none = true };
	bool operates = op->effect == EFFECT_OPERATE;
	struct way w = { .g = g, .op = op };
	struct err e = { 0 };
	struct json *data = json_new(a);
	bool ran = false, good = false;

	/* Another user's process must not borrow our right to a file. */
	if (g->remote && args->files == NULL)
		args->files = &none;
	w.call = (struct call){ .op = op, .args = args, .arena = a, .gate = g };
	json_open_object(data, NULL);
	if (operates)
		good = gate_call_operate(&w, args, data, &ran, &e);
	else
		good = gate_call_ask(&w, args, &data, &ran, &e);
	gate_call_put_resolution(&w, data, good);
	gate_call_done(&w, &e);
	if (good)
		gate_call_put_warnings(data, w.call.warned);
	/* The operator searches for the Message-ID. */
	if (good && e.kind == ERR_UNKNOWN_OUTCOME) {
		json_close_object(data);
		w.call.detail = data;
	}
	if (!operates)
		e.hint = next_hint(&e);
	*out = (struct reply){ .err = e, .detail = w.call.detail };
	if (e.kind == ERR_APPROVAL)
		out->held = w.call.held;
	if (e.kind == ERR_NONE || (ran && op->report)) {
		json_close_object(data);
		out->data = data;
	} else {
		out->data = json_new(a);
		json_open_object(out->data, NULL);
		json_close_object(out->data);
	}
	out->person = w.call.person;
	rules_close(&w.rules);
	source_done(&w.src);
}
