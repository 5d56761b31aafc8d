/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks before a message may be sent.  Each may refuse it, or hold it for
 * the operator; the first that holds names the reason, so the most specific
 * comes first.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "gate/outbox_secret.h"
#include "mime/signature.h"

/* A mark of reading may be that much older than the reading: store/taint.c. */
#define MARK_S 60

enum {
	FOUND_SHOWN = 60 /* of what looks unfinished */
};

struct outbox_check {
	const char *hold; /* the row's reason when it holds */
	/* 1: it must wait; 0: this check passes; -1: it is refused. */
	int (*look)(struct outbox *o, struct outbox_draft *d, struct err *e);
};

static int
outbox_check_refuse(struct err *e, const char *why)
{
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", why);
	e->reason = why;
	return -1;
}

/*
 * An account that only replies: each recipient must be in the answered message.
 * That one is visible, and the whitelist was already checked.
 */
static int
outbox_check_look_scope(struct outbox *o, struct outbox_draft *d, struct err *e)
{
	if (!o->src->acct.scope_thread)
		return 0;
	if (!d->m->answers)
		return outbox_check_refuse(e, "scope_thread");
	for (size_t i = 0; i < d->p.judged.n; i++)
		if (!str_among(&d->m->thread, d->p.judged.v[i]))
			return outbox_check_refuse(e, "scope_thread");
	return 0;
}

/* Does what is passed on go back to where it came from? */
static bool
outbox_check_goes_back(const struct outbox_draft *d)
{
	for (size_t i = 0; i < d->p.judged.n; i++)
		if (str_among(&d->m->origin, d->p.judged.v[i]))
			return true;
	return false;
}

/*
 * RFC 3834 section 2: programs do not answer programs, nor lists.  A message
 * that an operator approves is not an automatic answer, so a list may get it; a
 * program may not.
 */
static int
outbox_check_look_loop(struct outbox *o, struct outbox_draft *d, struct err *e)
{
	int r;

	if (!d->m->answers && !outbox_check_goes_back(d))
		return 0;
	if (d->m->answers_automatic || (d->m->answers_list && !d->ask))
		return outbox_check_refuse(e, "loop");
	if (d->m->in_reply_to.n == 0)
		return 0;
	r = store_outbox_ours(o->gate->store, o->src->acct.id,
	    d->m->in_reply_to, e);
	return r > 0 ? outbox_check_refuse(e, "loop") : r;
}

/*
 * Text that an agent forgot to complete, or files to attach.  Not if it says
 * that this is intended; then the audit log has what was found.
 */
static int
outbox_check_look_unfinished(struct outbox *o, struct outbox_draft *d,
    struct err *e)
{
	const struct policy_text t = {
		.subject = d->m->subject_taken ? S("") : d->m->subject,
		.body = signature_above(d->m->body, o->src->acct.signature),
		.files = o->files,
	};
	struct str found;
	const char *what = NULL;

	if (!o->src->acct.no_unfinished_check)
		what = policy_unfinished(&t, &found);
	if (d->m->as_is)
		gate_note(o->call,
		    what == NULL ? S("as is")
				 : str_fmt(o->arena, "as is: %s: %.*s", what,
				       STR_ARG(found)));
	if (what == NULL || d->m->as_is)
		return 0;
	(void)err_set(e, ERR_POLICY,
	    "refused by policy: unfinished: %s: \"%.*s\"; finish it, or "
	    "give as_is to send it as it is",
	    what, STR_ARG(utf8_first(found, FOUND_SHOWN)));
	e->reason = "unfinished";
	return -1;
}

static int
outbox_check_look_secret(struct outbox *o, struct outbox_draft *d,
    struct err *e)
{
	CLEANUP(outbox_secret_close) struct outbox_secret w = { 0 };

	if (o->src->acct.no_secrets_check)
		return 0;
	if (outbox_secret_open(&w, o->gate->store, o->gate->env,
		o->src->acct.id, o->arena, e) < 0 ||
	    outbox_secret_message_search(&w, d->s.message, d->p.rcpt, d->p.n,
		&d->carries, e) < 0)
		return -1;
	return d->carries != NULL;
}

/* A stranger's mail may have caused this message. */
static int
outbox_check_look_taint(struct outbox *o, struct outbox_draft *d, struct err *e)
{
	int64_t minutes = o->src->acct.taint_minutes, at;

	(void)d;
	if (minutes == 0)
		return 0;
	if (store_taint_at(o->gate->store, o->gate->principal, &at, e) < 0)
		return -1;
	/* A time in the future counts too: clocks are set back. */
	return at > 0 && at > clock_now() - minutes * 60 - MARK_S;
}

/* The account's level: every message needs approval. */
static int
look_approval(struct outbox *o, struct outbox_draft *d, struct err *e)
{
	(void)o;
	(void)e;
	return d->ask;
}

static const struct outbox_check checks[] = {
	{ NULL, outbox_check_look_scope },
	{ NULL, outbox_check_look_loop },
	{ NULL, outbox_check_look_unfinished },
	{ "secret", outbox_check_look_secret },
	{ "taint", outbox_check_look_taint },
	{ "approval", look_approval },
};

/* An invalid setting is not a reason to wait longer. */
int
outbox_check_until(struct store *s, struct arena *a, int64_t *out,
    struct err *e)
{
	int64_t wait = LIMIT_APPROVAL_S;
	struct str text;
	uint32_t hours;
	int r = store_setting_get(s, a, S("approval_hours"), &text, e);

	if (r == 1 && str_to_u32(text, LIMIT_APPROVAL_HOURS, &hours) &&
	    hours > 0)
		wait = (int64_t)hours * 3600;
	*out = clock_now() + wait;
	return r < 0 ? -1 : 0;
}

static struct outbox_finding *
outbox_check_add(struct arena *a, struct outbox_findings *all)
{
	all->v = arena_more(a, all->v, all->n, sizeof(*all->v));
	all->v[all->n] = (struct outbox_finding){ 0 };
	return &all->v[all->n++];
}

int
outbox_check_found(struct arena *a, struct outbox_findings *all, struct err *e)
{
	struct outbox_finding *f;

	if (e->kind != ERR_POLICY && e->kind != ERR_LIMIT)
		return -1;
	f = outbox_check_add(a, all);
	f->refuses = true;
	f->reason = e->reason != NULL ? e->reason : err_code(e->kind);
	f->say = str_dup(a, str_of(e->say));
	f->hint = next_hint(e);
	*e = (struct err){ 0 };
	return 0;
}

int
outbox_check(struct outbox *o, struct outbox_draft *d,
    struct outbox_findings *all, const char **hold, struct err *e)
{
	*hold = NULL;
	/* Runs all checks: a message that is refused is not held first. */
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		int r = checks[i].look(o, d, e);

		if (r < 0 &&
		    (all == NULL || outbox_check_found(o->arena, all, e) < 0))
			return -1;
		if (r > 0 && *hold == NULL)
			*hold = checks[i].hold;
		if (r > 0 && all != NULL)
			outbox_check_add(o->arena, all)->reason =
			    checks[i].hold;
	}
	return *hold != NULL
	    ? outbox_check_until(o->gate->store, o->arena, &d->expires_s, e)
	    : 0;
}
