/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline: asked, judged (call_judge.c), done (call_done.c).
 *
 * The audit row is marked three times.  The first two marks come before the
 * operation runs, because what cannot be recorded must not be done; a row that
 * was never marked done shows a crash in between.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/operate.h"
#include "gate/rules.h"
#include "gate/way.h"

static int
gate_call_act(struct way *w, struct json *out, struct err *e)
{
	int r;

	gate_call_judge_equip(w);
	r = w->op->run(&w->call, out, e);
	mailbox_close(&w->mailbox);
	return r;
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

/* For a call of all accounts: the operation sees those that are admitted. */
static bool
gate_call_span(struct way *w, struct args *args, struct json *data, bool *ran,
    struct err *e)
{
	if (gate_span_begin(w, args, e) == 0) {
		*ran = true;
		(void)w->op->run(&w->call, data, e);
	}
	return gate_span_end(w, e) == 0;
}

/* Its time runs: also that of what is written before the account is known. */
static int
gate_call_begin_time(struct way *w, struct err *e)
{
	struct store *s = w->g->store;
	const int64_t begun_ms = store_until_begun(s);

	/* As they are now, not as they were when the gate was opened. */
	store_setting_forget(s);
	store_until(s, begun_ms + LIMIT_TIMEOUT_MS);
	if (store_setting_timeout(s, &w->timeout_ms, e) < 0)
		return -1;
	w->until_ms = begun_ms + w->timeout_ms;
	store_until(s, w->until_ms);
	return 0;
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
	if (gate_call_begin_time(w, e) < 0 || gate_call_judge_begin(w, e) < 0 ||
	    args_check(args, w->call.arena, e) < 0)
		return false;
	if (w->op->spans != NULL && args_given(args, w->op->spans))
		return gate_call_span(w, args, *data, ran, e);
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
		store_until(g->store, 0);
	if (operates)
		good = gate_call_operate(&w, args, data, &ran, &e);
	else
		good = gate_call_ask(&w, args, &data, &ran, &e);
	gate_call_put_resolution(&w, data, good);
	store_until_last(g->store);
	gate_call_done(&w, &e);
	store_until(g->store, 0);
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
