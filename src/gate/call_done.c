/* SPDX-License-Identifier: Apache-2.0 */
/* The last mark of a call's row in the audit log. */
#include "gate/notice.h"
#include "gate/operate.h"
#include "gate/way.h"
#include "store/audit.h"

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

static void
gate_call_record(struct way *w, struct err *e)
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

void
gate_call_done(struct way *w, struct err *e)
{
	gate_call_record(w, e);
	notice_of_call(w, e);
}
