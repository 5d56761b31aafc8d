/*
 * The only sender.  Recipients are read once, judged, and those very ones go
 * to the wire; the bytes are composed here and from nothing else.
 */
#include "gate/outbox.h"

#include <sys/random.h>

#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "mime/compose.h"

/* Everybody a message goes to, in the forms the steps below need. */
struct parties {
	struct strs to, cc;     /* for the header, as the wire has them */
	struct strs judged;     /* canonical, for policy */
	struct recipient *rcpt; /* each address once */
	size_t n;
	bool utf8;
};

static bool
among(const struct strs *l, struct str s)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i], s))
			return true;
	return false;
}

static int
add_party(struct outbox *o, struct parties *p, struct str given,
    struct strs *header, struct err *e)
{
	struct str canonical, wire;
	bool utf8 = false;

	if (address_canonical(o->arena, given, &canonical, e) < 0 ||
	    address_wire(o->arena, given, &wire, &utf8, e) < 0)
		return -1;
	p->utf8 = p->utf8 || utf8;
	if (header != NULL)
		str_push(o->arena, header, wire);
	if (among(&p->judged, canonical))
		return 0;
	str_push(o->arena, &p->judged, canonical);
	p->rcpt[p->n++].addr = wire;
	return 0;
}

static int
add_list(struct outbox *o, struct parties *p, const struct strs *given,
    struct strs *header, struct err *e)
{
	for (size_t i = 0; given != NULL && i < given->n; i++)
		if (add_party(o, p, given->v[i], header, e) < 0)
			return -1;
	return 0;
}

static int
gather(struct outbox *o, const struct outgoing *m, struct parties *p,
    struct err *e)
{
	size_t all = m->to->n + m->cc->n + m->bcc->n;

	*p = (struct parties){ 0 };
	if (all == 0)
		return err_set(e, ERR_USAGE, "a message needs a recipient");
	if (all > LIMIT_RECIPIENTS)
		return err_set(e, ERR_LIMIT, "at most %d recipients a message",
		    LIMIT_RECIPIENTS);
	p->rcpt = arena_array(o->arena, all, sizeof(*p->rcpt));
	if (add_list(o, p, m->to, &p->to, e) < 0 ||
	    add_list(o, p, m->cc, &p->cc, e) < 0 ||
	    add_list(o, p, m->bcc, NULL, e) < 0)
		return -1;
	return 0;
}

/* The gate asked policy before the call; this asks it of what will leave. */
static int
judge(struct outbox *o, const struct parties *p, struct err *e)
{
	struct policy_facts f = { EFFECT_SEND, p->judged };
	struct decision d = policy_decide(o->rules, &f);

	if (d.verdict == VERDICT_ALLOW)
		return 0;
	(void)err_set(e, d.verdict == VERDICT_ASK ? ERR_APPROVAL : ERR_POLICY,
	    "refused by policy: %s", d.why);
	e->reason = d.why;
	return -1;
}

static int
compose(struct outbox *o, const struct outgoing *m, const struct parties *p,
    struct submission *s, struct sent *out, struct err *e)
{
	struct compose c = {
		.to = p->to,
		.cc = p->cc,
		.subject = m->subject,
		.body = m->body,
		.date_s = clock_now(),
		.in_reply_to = m->in_reply_to,
		.references = m->references,
	};
	struct compose_file *files = NULL;
	unsigned char rnd[16];
	bool utf8 = false;

	if (o->src->acct.from_addr.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the account has no address to send from");
	if (address_wire(o->arena, o->src->acct.from_addr, &s->from, &utf8, e) <
		0 ||
	    attach_load(o, m->attach, &files, &c.files, e) < 0)
		return -1;
	if (getrandom(rnd, sizeof(rnd), 0) != sizeof(rnd))
		err_bug("no random bytes from the kernel");
	c.from = s->from;
	c.file = files;
	c.message_id = compose_message_id(o->arena, rnd, s->from);
	out->message_id = c.message_id;
	s->smtputf8 = p->utf8 || utf8;
	return compose_message(o->arena, &c, &s->message, e);
}

static int
submit(struct outbox *o, struct submission *s, struct err *e)
{
	const struct backend *be = o->src->submitter;
	struct conn *conn = NULL;
	int r;

	if (be == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "this account has nothing to send with");
	if (source_unseal(o->gate->store, o->src, e) < 0 ||
	    be->open(&o->src->view, o->arena, &conn, e) < 0)
		return -1;
	r = be->submit(conn, o->arena, s, e);
	be->close(conn);
	return r;
}

int
outbox_send(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e)
{
	struct submission s = { 0 };
	struct parties p;
	int r;

	*out = (struct sent){ 0 };
	if (gather(o, m, &p, e) < 0 || judge(o, &p, e) < 0 ||
	    compose(o, m, &p, &s, out, e) < 0)
		return -1;
	s.to = p.rcpt;
	s.n = p.n;
	r = submit(o, &s, e);
	out->to = p.rcpt;
	out->n = p.n;
	return r;
}
