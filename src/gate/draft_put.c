/* SPDX-License-Identifier: Apache-2.0 */
/* Saves a draft in its folder, and reads it back. */
#include "base/clock.h"
#include "gate/draft_plan.h"
#include "gate/outbox_secret.h"

enum {
	LOOKED_AT = 20 /* results of a search that may find too much */
};

static struct str
draft_put_id(struct arena *a, struct str head)
{
	struct mime_envelope env;

	mime_envelope_parse(a, head, &env);
	return env.message_id;
}

static struct str
draft_put_answered(struct arena *a, struct str head)
{
	struct mime_envelope env;

	mime_envelope_parse(a, head, &env);
	return env.in_reply_to.n > 0 ? env.in_reply_to.v[0] : S("");
}

/*
 * Not judged: only a caller that knows thread and body knows this Message-ID,
 * and it is our own draft, or nothing.
 */
int
draft_put_find(struct draft_plan *p, struct str folder, struct row *out,
    struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	const struct query q = { .folder = folder,
		.message_id = p->message_id };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };

	if (m->src->be->find(m->conn, m->arena, &q, LOOKED_AT, &st, &rows, e) <
	    0)
		return -1;
	for (size_t i = 0; i < rows.n; i++) {
		*out = rows.v[i];
		if ((out->draft || !str_eq(folder, S("INBOX"))) &&
		    str_eq(draft_put_id(m->arena, out->head), p->message_id))
			return 1;
	}
	return 0;
}

/* By the store's own thread, or by the draft's In-Reply-To. */
static void
draft_put_tell_place(const struct draft_plan *p, const struct row *row,
    struct draft_made *out)
{
	struct mailbox *m = p->d->mailbox;
	struct str says = draft_put_answered(m->arena, row->head);
	bool own = m->src->be->caps & CAP_THREADS;
	bool named = p->in_reply_to.n > 0 && str_eq(says, p->in_reply_to);

	out->method = named ? "reply-header" : "subject-fallback";
	out->attached = p->threaded && named && !own;
	if (own && p->threaded && str_eq(row->thread, p->thread.name.id)) {
		out->method = "thread";
		out->attached = true;
	}
	if (!p->threaded)
		out->why = "no_thread";
	else if (!out->attached)
		out->why = own ? "thread_refused" : "no_message_id";
	if (p->threaded)
		out->thread = p->thread.name;
	else
		out->thread = (struct mailbox_thread_name){ thread_name_kind(m),
			p->message_id };
	if (own && row->thread.n > 0)
		out->thread.id = row->thread;
}

void
draft_put_tell(const struct draft_plan *p, struct str folder,
    const struct row *row, struct draft_made *out)
{
	struct arena *a = p->d->mailbox->arena;
	const struct mailbox_thread_message x = { .ref = row->ref,
		.draft_id = row->draft_id,
		.folder = folder };
	struct str own = draft_put_id(a, row->head);

	out->id = mailbox_thread_drafts_id(a, &x);
	/* A store may replace the Message-ID by its own. */
	out->message_id = own.n > 0 ? own : p->message_id;
	out->folder = folder;
	out->subject = p->subject;
	out->to = p->p.to;
	out->cc = p->p.cc;
	draft_put_tell_place(p, row, out);
	if (p->threaded && !out->attached)
		gate_warn(p->d->mailbox->call, WARN_DRAFT_UNATTACHED, 1);
}

/* A person may send it unchanged: as strict as for sending. */
static int
draft_put_look_secret(struct draft_plan *p, struct err *e)
{
	CLEANUP(outbox_secret_close) struct outbox_secret w = { 0 };
	struct mailbox *m = p->d->mailbox;
	const char *kind = NULL;

	if (m->src->acct.no_secrets_check)
		return 0;
	if (outbox_secret_open(&w, m->gate->store, m->gate->env,
		m->src->acct.id, m->arena, e) < 0 ||
	    outbox_secret_message_search(&w, p->message, p->p.rcpt, p->p.n,
		&kind, e) < 0)
		return -1;
	if (kind == NULL)
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: secret");
	e->reason = "secret";
	return -1;
}

static int
draft_put_compose(struct draft_plan *p, struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	struct compose c = {
		.to = p->p.to,
		.cc = p->p.cc,
		.draft_bcc = p->bcc,
		.subject = p->subject,
		.body = outbox_text_signed(m->arena, p->ask->body,
		    m->src->acct.signature, p->below),
		.message_id = p->message_id,
		.date_s = clock_now(),
		.in_reply_to = p->in_reply_to,
		.references = p->references,
		.flowed = p->below.n > 0,
	};
	bool utf8 = false;

	if (address_wire(m->arena, m->src->acct.from_addr, &c.from, &utf8, e) <
		0 ||
	    outbox_text_copy(m->arena, &m->src->acct, &c, e) < 0)
		return -1;
	return compose_message(m->arena, &c, &p->message, e);
}

/*
 * Uses the store's answer to saving, because a search may not find the draft
 * yet.  A uid counts only if it has that Message-ID.  1; 0: not given, or not
 * there; -1.
 */
static int
draft_put_read_made(const struct draft_plan *p, struct str folder,
    const struct drafted *made, struct row *out, struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	struct ref ref = made->ref;
	const struct refs refs = { &ref, 1 };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };

	if (ref.uid == 0 && ref.id.n == 0)
		return 0;
	if (m->src->be->headers(m->conn, m->arena, folder, &refs, &st, &rows,
		e) < 0)
		return -1;
	if (rows.n != 1 ||
	    (ref.id.n == 0 &&
		!str_eq(draft_put_id(m->arena, rows.v[0].head), p->message_id)))
		return 0;
	*out = rows.v[0];
	if (ref.id.n > 0 && out->draft_id.n == 0 && !str_eq(made->id, ref.id))
		out->draft_id = made->id;
	return 1;
}

/* Finds a draft that was just made, by its id or by its Message-ID. */
static int
draft_put_read_back(struct draft_plan *p, struct str folder,
    const struct drafted *made, struct row *out, struct err *e)
{
	int r = draft_put_read_made(p, folder, made, out, e);

	return r != 0 ? r : draft_put_find(p, folder, out, e);
}

static int
draft_put_prepare(struct draft_plan *p, struct err *e)
{
	return draft_plan_quote(p, e) < 0 || draft_put_compose(p, e) < 0
	    ? -1
	    : draft_put_look_secret(p, e);
}

int
draft_put_try(struct draft_plan *p, struct str folder, struct draft_made *out,
    struct err *e)
{
	struct mailbox *m = p->d->mailbox;

	if (draft_put_prepare(p, e) < 0)
		return -1;
	out->message_id = p->message_id;
	out->folder = folder;
	out->subject = p->subject;
	out->to = p->p.to;
	out->cc = p->p.cc;
	if (p->threaded)
		out->thread = p->thread.name;
	else
		out->thread = (struct mailbox_thread_name){ thread_name_kind(m),
			p->message_id };
	out->bytes = p->message.n;
	out->digest = store_digest_file(m->arena, p->message);
	gate_note(m->call, S("dry run"));
	return 0;
}

int
draft_put(struct draft_plan *p, struct str folder, struct draft_made *out,
    struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	bool own = m->src->be->caps & CAP_THREADS;
	struct drafted made = { 0 };
	struct row row = { 0 };
	struct err late = { 0 };

	if (draft_put_prepare(p, e) < 0 ||
	    m->src->be->draft(m->conn, m->arena, folder, p->message,
		own && p->threaded ? p->thread.name.id : S(""), &made, e) < 0)
		return -1;
	out->message_id = p->message_id;
	if (draft_put_read_back(p, folder, &made, &row, &late) != 1) {
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the draft was made, but cannot be found: look for it "
		    "before you make another");
		return err_because(e, "%s %s", late.say, late.detail);
	}
	draft_put_tell(p, folder, &row, out);
	return 0;
}
