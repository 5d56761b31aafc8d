/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only sender.  Recipients are parsed once and judged, and exactly these
 * are used on the wire; the bytes are composed here and from nothing else; and
 * nothing is sent that is not on disk before, under a lock that distinguishes a
 * live sender from a dead one.
 */
#include "gate/outbox.h"

#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "store/freeze.h"

int
outbox_judge(struct outbox *o, struct outbox_draft *d, struct err *e)
{
	const struct policy_facts f = { .effect = EFFECT_SEND,
		.to = d->p.judged,
		.forwards = d->m->forwards };
	struct decision v = policy_decide(o->rules, &f);

	d->ask = v.verdict == VERDICT_ASK;
	if (v.verdict == VERDICT_ALLOW || d->ask)
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", v.why);
	e->reason = v.why;
	return -1;
}

void
outbox_make_row(struct outbox *o, const struct outbox_draft *d,
    const char *hold, struct store_outbox *row)
{
	const struct store_account *acct = &o->src->acct;

	*row = (struct store_outbox){
		.account = acct->id,
		.principal = o->gate->principal,
		.key = d->m->key,
		.request = outbox_digest_request(o),
		.message_id = d->message_id,
		.sender = d->s.from,
		.smtputf8 = d->s.smtputf8,
		.message = d->s.message,
		.bytes = d->s.message.n,
		.said = outbox_digest_said(o, d->m, &d->p.judged),
		.policy = outbox_digest_policy(o->arena, acct, o->rules),
		.state =
		    hold != NULL ? STORE_OUTBOX_HELD : STORE_OUTBOX_SENDING,
		.reason = str_of(hold),
		.expires_s = d->expires_s,
		.n = d->p.n,
	};
	row->rcpt = arena_array(o->arena, row->n, sizeof(*row->rcpt));
	for (size_t i = 0; i < row->n; i++) {
		row->rcpt[i].address = d->p.rcpt[i].addr;
		row->rcpt[i].canonical = d->p.judged.v[i];
	}
	row->digest = outbox_digest_row(o->arena, acct->name, row);
}

/*
 * store_outbox_add() has checked this in the row's transaction, but the server
 * may have taken long since.  A release by the operator was also checked there,
 * and a later freeze does not stop it.  Without the lock others take the result
 * for unknown, and somebody may send the message again.
 */
static int
outbox_look_late(const void *ctx, struct err *e)
{
	const struct outbox_post *p = ctx;

	if (p->agent.n > 0 &&
	    store_freeze_refuse(p->store, p->agent, p->src->acct.id, e) < 0)
		return -1;
	return store_outbox_lock_still(p->store, e);
}

static int
outbox_submit(const struct outbox_post *p, struct submission *s, struct err *e)
{
	const struct backend *be = p->src->submitter;
	bool shared = p->mailbox != NULL && be == p->src->be;
	int64_t since = clock_mono_ms();
	struct conn *conn = NULL;
	int r;

	if (be == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "this account has nothing to send with");
	if (shared ? mailbox_open(p->mailbox, e) < 0
		   : source_unseal(p->store, p->src, e) < 0 ||
		    be->open(&p->src->view, p->arena, &conn, e) < 0)
		return -1;
	if (shared)
		conn = p->mailbox->conn;
	r = be->submit(conn, p->arena, s, e);
	backend_trace(conn, since, r, e, "submit to %zu, %zu bytes", s->n,
	    s->message.n);
	if (!shared)
		be->close(conn);
	return r;
}

/*
 * Only a failure after the last octet has an unknown outcome: backend.h,
 * submit.
 */
static enum store_outbox_state
outbox_outcome(int r, const struct err *e)
{
	if (r == 0)
		return STORE_OUTBOX_SENT;
	if (e->kind == ERR_UNKNOWN_OUTCOME)
		return STORE_OUTBOX_UNKNOWN;
	return e->kind == ERR_REJECTED ? STORE_OUTBOX_REJECTED
				       : STORE_OUTBOX_FAILED;
}

/* Sent, but not recorded: must not be retried. */
static int
outbox_unwritten(const struct err *late, struct err *e)
{
	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the message was sent, but this could not be recorded; do not "
	    "send it again");
	(void)err_because(e, "%s", late->say);
	return err_because(e, "%s", late->detail);
}

static void
outbox_make_submission(const struct outbox_post *p,
    const struct store_outbox *row, struct submission *s)
{
	*s = (struct submission){
		.from = row->sender,
		.to = arena_array(p->arena, row->n, sizeof(*s->to)),
		.n = row->n,
		.message = row->message,
		.smtputf8 = row->smtputf8,
		.look = outbox_look_late,
		.ctx = p,
	};
	for (size_t i = 0; i < row->n; i++)
		s->to[i].addr = row->rcpt[i].address;
}

/* The reason for a missing copy goes to the audit log; *e does not change. */
static void
outbox_copy_sent(const struct outbox_post *p, struct store_outbox *row,
    struct err *e)
{
	struct err lost = { 0 }, late = { 0 };

	row->copy = outbox_copy(p, row, &lost);
	if (row->copy == STORE_COPY_FAILED) {
		(void)err_because(e, "the copy was not saved in Sent: %s",
		    lost.say);
		if (lost.detail[0] != '\0')
			(void)err_because(e, "%s", lost.detail);
	}
	/* A failure here keeps the bytes, and reports that there is no copy. */
	if (store_outbox_copied(p->store, row->id, row->copy, &late) < 0)
		(void)err_because(e, "outbox: %s", late.detail);
}

int
outbox_dispatch(const struct outbox_post *p, struct store_outbox *row,
    struct sent *out, struct err *e)
{
	struct err late = { 0 };
	struct submission s;
	int r;

	outbox_make_submission(p, row, &s);
	r = outbox_submit(p, &s, e);
	for (size_t i = 0; i < row->n; i++) {
		row->rcpt[i].code = s.to[i].code;
		row->rcpt[i].status = s.to[i].status;
	}
	row->state = outbox_outcome(r, e);
	row->no_copy = !outbox_copy_is_due(p);
	if (store_outbox_settle(p->store, row, row->state, &late) < 0) {
		row->state = STORE_OUTBOX_UNKNOWN;
		if (r == 0)
			r = outbox_unwritten(&late, e);
	}
	if (row->state == STORE_OUTBOX_SENT && !row->no_copy)
		outbox_copy_sent(p, row, e);
	outbox_state_tell(p->arena, row, out);
	return r;
}

void
outbox_make_limits(const struct outbox *o, bool as_is,
    struct store_outbox_limits *l)
{
	const struct store_account *acct = &o->src->acct;

	*l = (struct store_outbox_limits){
		.messages = acct->limit_messages,
		.new_recipients = acct->limit_new_recipients,
		.recipients = acct->limit_recipients,
		.bytes = acct->limit_bytes,
		.again_s =
		    acct->no_unfinished_check || as_is ? 0 : LIMIT_SAID_S,
	};
}

/* Records it; 1 if an earlier call's row answers for it. */
static int
outbox_write_down(struct outbox *o, struct store_outbox *row, bool as_is,
    struct err *e)
{
	struct store_outbox_limits l;
	bool found;

	outbox_make_limits(o, as_is, &l);
	if (store_outbox_add(o->gate->store, o->arena, row, &l, &found, e) < 0)
		return -1;
	return found;
}

int
outbox_send(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e)
{
	struct outbox_post post = { o->gate->store, o->src, o->arena,
		o->gate->principal, o->mailbox };
	struct outbox_draft d = { .m = m };
	struct store_outbox row;
	const char *hold = NULL;
	int r;

	*out = (struct sent){ 0 };
	if (outbox_compose_gather(o, m, &d.p, e) < 0 ||
	    outbox_judge(o, &d, e) < 0 || outbox_compose(o, &d, e) < 0 ||
	    outbox_check(o, &d, NULL, &hold, e) < 0)
		return -1;
	outbox_make_row(o, &d, hold, &row);
	r = outbox_write_down(o, &row, m->as_is, e);
	if (r < 0)
		return -1;
	if (r > 0)
		return outbox_again_wait(o, m->key, &row, e) < 0
		    ? -1
		    : outbox_again_answer(o, &row, out, e);
	if (row.state == STORE_OUTBOX_HELD) {
		o->call->held = row.id;
		outbox_state_tell(o->arena, &row, out);
		(void)outbox_state_error(&row, e);
		/*
		 * For the operator: the sender does not learn what was
		 * detected.
		 */
		if (d.carries != NULL)
			(void)err_because(e, "it seems to contain: %s",
			    d.carries);
		return -1;
	}
	o->tried = true;
	r = outbox_dispatch(&post, &row, out, e);
	o->reached = row.state == STORE_OUTBOX_SENT ||
	    row.state == STORE_OUTBOX_REJECTED;
	if (row.copy == STORE_COPY_FAILED)
		gate_warn(o->call, WARN_COPY_FAILED, 1);
	return r;
}
