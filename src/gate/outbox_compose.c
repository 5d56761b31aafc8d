/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the envelope and the bytes from the caller's arguments. */
#include <sys/random.h>

#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

/*
 * The message uses the judged form of an address, not the given one: to a
 * server that compares bytes, two spellings of one address are two addresses.
 */
static int
outbox_compose_add_party(struct outbox *o, struct outbox_parties *p,
    struct str given, struct strs *header, struct err *e)
{
	struct str canonical, wire;
	bool utf8 = false;

	if (address_canonical(o->arena, given, &canonical, e) < 0 ||
	    address_wire(o->arena, canonical, &wire, &utf8, e) < 0)
		return -1;
	p->utf8 = p->utf8 || utf8;
	if (header != NULL)
		str_push(o->arena, header, wire);
	if (str_among(&p->judged, canonical))
		return 0;
	str_push(o->arena, &p->judged, canonical);
	p->rcpt[p->n++].addr = wire;
	return 0;
}

static int
outbox_compose_add_list(struct outbox *o, struct outbox_parties *p,
    const struct strs *given, struct strs *header, struct err *e)
{
	for (size_t i = 0; given != NULL && i < given->n; i++)
		if (outbox_compose_add_party(o, p, given->v[i], header, e) < 0)
			return -1;
	return 0;
}

int
outbox_compose_gather(struct outbox *o, const struct outgoing *m,
    struct outbox_parties *p, struct err *e)
{
	size_t all = m->to->n + m->cc->n + m->bcc->n;

	*p = (struct outbox_parties){ 0 };
	if (all == 0)
		return err_set(e, ERR_USAGE, "a message needs a recipient");
	if (all > LIMIT_RECIPIENTS)
		return err_set(e, ERR_LIMIT,
		    "at most %d recipients per message", LIMIT_RECIPIENTS);
	p->rcpt = arena_array(o->arena, all, sizeof(*p->rcpt));
	if (outbox_compose_add_list(o, p, m->to, &p->to, e) < 0 ||
	    outbox_compose_add_list(o, p, m->cc, &p->cc, e) < 0 ||
	    outbox_compose_add_list(o, p, m->bcc, NULL, e) < 0)
		return -1;
	return 0;
}

int
outbox_compose_files(struct outbox *o, const struct outgoing *m, struct err *e)
{
	if (o->loaded)
		return 0;
	if (attach_load(o, m->attach, &o->file, &o->files, e) < 0)
		return -1;
	for (size_t i = 0; m->labels != NULL && i < m->labels->n; i++)
		if (i < o->files && m->labels->v[i].n > 0)
			o->file[i].name = m->labels->v[i];
	o->given = o->files;
	o->loaded = true;
	return 0;
}

/* After the caller's files come those that a message brings. */
static void
outbox_compose_add_parts(struct outbox *o, const struct outgoing *m)
{
	struct compose_file *all;

	if (m->parts == 0 || o->files > o->given)
		return;
	all = arena_array(o->arena, o->given + m->parts, sizeof(*all));
	for (size_t i = 0; i < o->given; i++)
		all[i] = o->file[i];
	for (size_t i = 0; i < m->parts; i++)
		all[o->given + i] = m->part[i];
	o->file = all;
	o->files += m->parts;
}

/*
 * RFC 3834 section 5: a message that nobody saw before it is sent is marked as
 * automatic, so that no other program answers it.
 */
static struct str
outbox_compose_origin(const struct outbox_draft *d)
{
	if (d->ask)
		return S("");
	return d->m->answers ? S("auto-replied") : S("auto-generated");
}

int
outbox_compose(struct outbox *o, struct outbox_draft *d, struct err *e)
{
	const struct outgoing *m = d->m;
	struct compose c = {
		.to = d->p.to,
		.cc = d->p.cc,
		.subject = m->subject,
		.body = outbox_text(o, m),
		.date_s = clock_now(),
		.in_reply_to = m->in_reply_to,
		.references = m->references,
		.flowed = m->below.n > 0,
		.exact = m->exact,
		.auto_submitted = outbox_compose_origin(d),
	};
	unsigned char rnd[16];
	bool utf8 = false;

	if (o->src->acct.from_addr.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the account has no address to send from");
	if (address_wire(o->arena, o->src->acct.from_addr, &d->s.from, &utf8,
		e) < 0 ||
	    outbox_text_copy(o->arena, &o->src->acct, &c, e) < 0 ||
	    outbox_compose_files(o, m, e) < 0)
		return -1;
	outbox_compose_add_parts(o, m);
	if (getrandom(rnd, sizeof(rnd), 0) != sizeof(rnd))
		err_bug("no random bytes from the kernel");
	c.from = d->s.from;
	c.file = o->file;
	c.files = o->files;
	c.message_id =
	    o->src->submitter != NULL && o->src->submitter->message_id != NULL
	    ? o->src->submitter->message_id(o->arena, rnd, c.date_s)
	    : compose_message_id(o->arena, rnd, d->s.from);
	d->message_id = c.message_id;
	d->s.to = d->p.rcpt;
	d->s.n = d->p.n;
	d->s.smtputf8 = d->p.utf8 || utf8;
	return compose_message(o->arena, &c, &d->s.message, e);
}
