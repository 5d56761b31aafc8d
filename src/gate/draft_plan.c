/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans a draft.  The subject is the first message's, whatever is answered; the
 * draft answers the last message that is not a draft; and its recipient is the
 * person who began the thread, unless one is given.
 */
#include "gate/draft_plan.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "gate/reply.h"

#include "base/buf.h"
#include "mime/compose.h"
#include "mime/subject.h"
#include "store/outbox.h"

/* The last message that was sent. */
static const struct mailbox_thread_message *
draft_plan_last_of(const struct mailbox_thread *t)
{
	for (size_t i = t->n; i-- > 0;)
		if (!t->v[i].draft)
			return &t->v[i];
	return NULL;
}

static void
draft_plan_add_reference(struct draft_plan *p, struct str id)
{
	struct strs *l = &p->references;

	if (l->n == 0 || !str_eq(l->v[l->n - 1], id))
		str_push(p->d->mailbox->arena, l, id);
}

/*
 * RFC 5322 section 3.6.4: References of the answered message, or otherwise its
 * In-Reply-To if that has one id, followed by its Message-ID.
 */
static void
draft_plan_answer(struct draft_plan *p, const struct mime_envelope *v)
{
	const struct strs *before = NULL;

	if (v->message_id.n == 0) {
		gate_warn(p->d->mailbox->call, WARN_NO_MESSAGE_ID, 1);
		return;
	}
	p->in_reply_to = v->message_id;
	if (v->references.n > 0)
		before = &v->references;
	else if (v->in_reply_to.n == 1)
		before = &v->in_reply_to;
	for (size_t i = 0; before != NULL && i < before->n; i++)
		draft_plan_add_reference(p, before->v[i]);
	draft_plan_add_reference(p, v->message_id);
}

static int
draft_plan_set_subject(struct draft_plan *p, struct err *e)
{
	struct arena *a = p->d->mailbox->arena;
	const struct mailbox_thread_message *first, *last;

	if (!p->threaded) {
		p->subject = p->ask->subject;
		if (str_trim(subject_root(a, p->subject)).n == 0)
			return err_set(e, ERR_USAGE,
			    "without a thread a subject is required");
		return 0;
	}
	if (p->ask->subject.n > 0)
		return err_set(e, ERR_USAGE,
		    "the subject is the thread's: leave subject out");
	first = mailbox_thread_first(&p->thread);
	last = draft_plan_last_of(&p->thread);
	if (first == NULL)
		return thread_rows_absent(e);
	p->subject = compose_reply_subject(a, first->mail.env.subject);
	draft_plan_answer(p, &last->mail.env);
	return 0;
}

static bool
draft_plan_is_us(const struct draft_plan *p, struct str addr)
{
	const struct mailbox *m = p->d->mailbox;
	struct err none = { 0 };
	struct str us, one;

	return address_canonical(m->arena, m->src->acct.from_addr, &us,
		   &none) == 0 &&
	    address_canonical(m->arena, addr, &one, &none) == 0 &&
	    str_eq(us, one);
}

/* The person who began the thread, or to whom this account began it. */
static int
draft_plan_reporter(const struct draft_plan *p, struct strs *out, struct err *e)
{
	const struct mime_envelope *v =
	    &mailbox_thread_first(&p->thread)->mail.env;
	const struct addresses *l = &v->from;

	if (v->from.n == 1 && draft_plan_is_us(p, v->from.v[0].addr))
		l = &v->to;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].addr.n > 0 && !draft_plan_is_us(p, l->v[i].addr))
			str_push(p->d->mailbox->arena, out, l->v[i].addr);
	if (out->n == 0)
		return err_set(e, ERR_USAGE,
		    "the thread has nobody to answer: give to");
	return 0;
}

static int
draft_plan_find_people(const struct draft_plan *p, struct reply_people *l,
    struct err *e)
{
	if (!p->threaded && (p->ask->all || p->ask->quote))
		return err_set(e, ERR_USAGE, "%s needs a thread",
		    p->ask->all ? "reply_all" : "quote");
	if (!p->threaded)
		return l->to.n > 0 ? 0 : err_set(e, ERR_USAGE, "to is missing");
	if (p->ask->all)
		return reply_people(p->d->mailbox->arena,
		    &draft_plan_last_of(&p->thread)->mail.env,
		    &p->d->mailbox->src->acct, l, e);
	return l->to.n > 0 ? 0 : draft_plan_reporter(p, &l->to, e);
}

static int
draft_plan_set_people(struct draft_plan *p, struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	struct outbox o = { .arena = m->arena };
	struct str list = m->src->acct.list;
	struct reply_people l = { 0 };
	const struct outgoing g = { .to = &l.to,
		.cc = &l.cc,
		.bcc = p->ask->bcc };

	for (size_t i = 0; i < p->ask->to->n; i++)
		str_push(m->arena, &l.to, p->ask->to->v[i]);
	for (size_t i = 0; i < p->ask->cc->n; i++)
		str_push(m->arena, &l.cc, p->ask->cc->v[i]);
	if (draft_plan_find_people(p, &l, e) < 0)
		return -1;
	/* The list receives a copy, even of an answer to a private message. */
	if (list.n > 0 && !str_among_case(&l.to, list) &&
	    !str_among_case(&l.cc, list))
		str_push(m->arena, &l.cc, list);
	if (outbox_compose_gather(&o, &g, &p->p, e) < 0)
		return -1;
	for (size_t i = 0; i < p->ask->bcc->n; i++) {
		struct str wire;
		bool utf8;

		if (address_wire(m->arena, p->ask->bcc->v[i], &wire, &utf8, e) <
		    0)
			return -1;
		str_push(m->arena, &p->bcc, wire);
	}
	return 0;
}

int
draft_plan_quote(struct draft_plan *p, struct err *e)
{
	const struct mailbox_thread_message *last;
	struct str raw;

	if (!p->ask->quote)
		return 0;
	last = draft_plan_last_of(&p->thread);
	if (mailbox_thread_body(p->d->mailbox, last, &raw, e) < 0)
		return -1;
	p->below = reply_quote(p->d->mailbox->arena, &last->mail.env, raw);
	return 0;
}

int
draft_plan_make(struct draft_plan *p, struct err *e)
{
	return draft_plan_set_subject(p, e) < 0 ||
		draft_plan_set_people(p, e) < 0
	    ? -1
	    : 0;
}

/* Without white space at the ends of lines and of the text. */
static struct str
draft_plan_normal_body(struct arena *a, struct str body)
{
	struct str rest = body, line;
	bool more = true;
	struct buf b;

	buf_init(&b, a, body.n + 2);
	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		buf_str(&b, str_trim_end(line, S(" \t\r")));
		buf_char(&b, '\n');
	}
	return str_trim(buf_view(&b));
}

static void
push_all(struct arena *a, struct strs *to, const struct strs *from)
{
	str_push(a, to, str_fmt(a, "%zu", from->n));
	for (size_t i = 0; i < from->n; i++)
		str_push(a, to, from->v[i]);
}

int
draft_plan_key(struct draft_plan *p, struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	struct arena *a = m->arena;
	struct str hex, from;
	struct strs l = { 0 };
	unsigned char bits[16];
	bool utf8 = false;

	if (m->src->acct.from_addr.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the account has no address to write from");
	if (address_wire(a, m->src->acct.from_addr, &from, &utf8, e) < 0)
		return -1;
	str_push(a, &l, m->src->acct.name);
	if (p->threaded) {
		str_push(a, &l, str_of(p->thread.name.kind));
		str_push(a, &l, p->thread.name.id);
	} else {
		str_push(a, &l, p->subject);
		push_all(a, &l, &p->p.judged);
	}
	str_push(a, &l, draft_plan_normal_body(a, p->ask->body));
	str_push(a, &l, p->ask->another);
	if (p->ask->all)
		str_push(a, &l, S("all"));
	if (p->ask->quote)
		str_push(a, &l, S("quote"));
	hex = store_digest(a, l.v, l.n);
	for (size_t i = 0; i < sizeof(bits); i++)
		bits[i] = (unsigned char)str_hex_pair(hex, 2 * i);
	p->message_id = compose_message_id(a, bits, from);
	return 0;
}
