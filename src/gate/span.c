/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All accounts of the caller in one call.  The call has a row in the audit log,
 * and so has each account: asked, judged, done.
 */
#include "gate/span.h"
#include "base/clock.h"
#include "base/limits.h"
#include "gate/rules.h"
#include "gate/way.h"

/* An account whose mail is missing. */
struct span_fault {
	struct str account;
	struct err err;
};

/* What an error of one account does to a call of all. */
enum span_effect {
	SPAN_FAILS, /* all of it fails */
	SPAN_HIDES, /* the account may not be used: no word of it */
	SPAN_TELLS, /* the account is told */
};

static const enum span_effect span_effects[ERR_KINDS] = {
	[ERR_NOT_FOUND] = SPAN_HIDES, /* it was removed meanwhile */
	[ERR_POLICY] = SPAN_HIDES,
	[ERR_SKILL] = SPAN_HIDES,
	[ERR_CONFIG] = SPAN_TELLS,
	[ERR_UNSUPPORTED] = SPAN_TELLS,
	[ERR_LIMIT] = SPAN_TELLS,
	[ERR_AUTH] = SPAN_TELLS,
	[ERR_REJECTED] = SPAN_TELLS,
	[ERR_NETWORK] = SPAN_TELLS,
};

/* A grant that is over would let a search miss accounts: it is to be renewed.
 */
static enum span_effect
span_effect_of(const struct err *e)
{
	if (e->reason != NULL && str_eq(str_of(e->reason), S("skill_expired")))
		return SPAN_FAILS;
	return span_effects[e->kind];
}

static void
span_tell(struct call *c, struct str account, const struct err *e)
{
	struct span *s = c->span;

	s->fault[s->faults++] = (struct span_fault){ account, *e };
	gate_warn(c, WARN_NOT_SEARCHED, 1);
}

/* -- what the operation does ----------------------------------------------- */

void
span_begin(struct span *s, size_t i)
{
	int64_t now = clock_mono_ms();

	s->v[i].mailbox->src->view.deadline_ms =
	    now + (s->until_ms - now) / (int64_t)(s->n - i);
}

int
span_failed(struct call *c, size_t i, struct err *e)
{
	struct span *s = c->span;
	struct span_box *box = &s->v[i];

	box->err = *e;
	if (span_effect_of(e) != SPAN_TELLS)
		return -1;
	span_tell(c, box->mailbox->src->acct.name, e);
	for (size_t k = 0; k < s->n; k++)
		if (k > i || s->v[k].err.kind == ERR_NONE) {
			*e = (struct err){ 0 };
			return 0;
		}
	*e = s->v[0].err;
	return -1;
}

void
span_end(struct span *s, size_t i)
{
	mailbox_close(s->v[i].mailbox);
}

void
span_put(const struct call *c, struct json *out)
{
	const struct span *s = c->span;

	if (s == NULL || s->faults == 0)
		return;
	json_open_array(out, "not_searched");
	for (size_t i = 0; i < s->faults; i++) {
		const struct span_fault *f = &s->fault[i];

		json_open_object(out, NULL);
		json_put_str(out, "account", f->account);
		json_put_text(out, "code", err_code(f->err.kind));
		json_put_text(out, "message", f->err.say);
		json_put_text(out, "next", next_hint(&f->err));
		json_close_object(out);
	}
	json_close_array(out);
}

/* -- what the gate does ---------------------------------------------------- */

/* One that sends or changes would have to ask for each. */
static int
span_check(const struct way *w, const struct args *args, struct strs *names,
    struct err *e)
{
	if (w->op->effect != EFFECT_READ || !(w->op->needs & NEED_ACCOUNT))
		err_bug("an operation of all accounts reads mail");
	if (args_text(args, "account").n > 0)
		return err_set(e, ERR_USAGE,
		    "all accounts and one: name none with all accounts");
	if (gate_call_judge_permits(w, e) < 0)
		return -1;
	return which_all(w->g, w->call.arena, names, e);
}

/* A call of this account, as far as the operation: false, with the reason. */
static bool
span_admit(struct way *one, struct args *args, struct err *e)
{
	if (gate_call_judge_begin(one, e) < 0 ||
	    gate_call_judge(one, args, e) < 0)
		return false;
	gate_call_judge_equip(one);
	return true;
}

/*
 * Those that refuse are done with.  If all do, the call fails as that of the
 * first.
 */
static int
span_admit_all(struct way *w, const struct strs *names, struct args *args,
    struct err *e)
{
	struct span *s = w->call.span;
	struct err first = { 0 };

	for (size_t i = 0; i < names->n; i++) {
		struct way *one = &s->way[s->ways++];
		struct err no = { 0 };

		*one = (struct way){ .g = w->g, .op = w->op };
		one->only = names->v[i];
		one->timeout_ms = w->timeout_ms;
		one->until_ms = w->until_ms;
		one->call = (struct call){ .op = w->op,
			.args = args,
			.arena = w->call.arena,
			.gate = w->g };
		if (span_admit(one, args, &no)) {
			w->call.page = one->call.page;
			s->v[s->n++].mailbox = &one->mailbox;
			continue;
		}
		if (first.kind == ERR_NONE) {
			first = no;
			w->call.detail = one->call.detail;
		}
		gate_call_done(one, &no);
		one->audit = 0;
		if (span_effect_of(&no) == SPAN_FAILS) {
			*e = no;
			return -1;
		}
		if (span_effect_of(&no) == SPAN_TELLS)
			span_tell(&w->call, names->v[i], &no);
	}
	if (s->n > 0) {
		w->call.detail = NULL;
		return 0;
	}
	*e = first;
	return -1;
}

int
gate_span_begin(struct way *w, struct args *args, struct err *e)
{
	struct arena *a = w->call.arena;
	struct span *s = arena_new(a, struct span);
	struct strs names = { 0 };

	if (span_check(w, args, &names, e) < 0)
		return -1;
	s->way = arena_array(a, names.n, sizeof(*s->way));
	s->v = arena_array(a, names.n, sizeof(*s->v));
	s->fault = arena_array(a, names.n, sizeof(*s->fault));
	s->until_ms = w->until_ms;
	w->call.span = s;
	if (span_admit_all(w, &names, args, e) < 0)
		return -1;
	return gate_call_judge_mark(w, true, e);
}

/* How the call went for this account. */
static struct err
span_how(const struct span *s, const struct way *one, const struct err *whole)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].mailbox == &one->mailbox &&
		    s->v[i].err.kind != ERR_NONE)
			return s->v[i].err;
	return *whole;
}

int
gate_span_end(struct way *w, struct err *e)
{
	struct span *s = w->call.span;
	struct err whole = *e;

	for (size_t i = 0; s != NULL && i < s->ways; i++) {
		struct way *one = &s->way[i];
		struct err how = span_how(s, one, &whole);
		enum err_kind was = how.kind;

		for (int k = 0; k < WARNINGS; k++)
			gate_warn(&w->call, (enum warning)k,
			    one->call.warned[k]);
		mailbox_close(&one->mailbox);
		gate_call_done(one, &how);
		if (how.kind != was && e->kind == ERR_NONE)
			*e = how; /* it could not be recorded */
		rules_close(&one->rules);
		source_done(&one->src);
	}
	return e->kind == ERR_NONE ? 0 : -1;
}
