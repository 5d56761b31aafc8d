/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message from the account to addresses of the same root.  It is taken apart
 * again into what a message file holds; the sender is the account's own
 * registration, whatever the message says.
 */
#include "backend/agentbox/contract.h"
#include "base/clock.h"
#include "mime/message.h"

#define RANDOM 16 /* bytes of an id */

/* A message being read for delivery. */
struct post {
	struct agentbox *b;
	struct arena *a;
	struct submission *s;
	struct mime_message msg;
	struct mime_envelope env;
	struct agentbox_regs regs; /* read when an address needs them */
	bool listed;
	struct agentbox_send out;
};

struct str
agentbox_submit_read_id(struct str message_id)
{
	struct str s = message_id, end = S(AGENTBOX_DOMAIN ">");

	if (!str_starts(s, S("<")) || !str_ends(s, end))
		return S("");
	s = str_first(str_from(s, 1), s.n - 1 - end.n);
	return agentbox_name_message(s) ? s : S("");
}

struct str
agentbox_submit_id(struct arena *a, const unsigned char rnd[16], int64_t date_s)
{
	struct clock_date d = clock_date(date_s);
	unsigned char v4[RANDOM];
	char hex[2 * RANDOM];

	for (size_t i = 0; i < RANDOM; i++)
		v4[i] = rnd[i];
	/* RFC 9562 section 5.4 */
	v4[6] = (unsigned char)((v4[6] & 0x0f) | 0x40);
	v4[8] = (unsigned char)((v4[8] & 0x3f) | 0x80);
	str_hex_put(hex, v4, RANDOM);
	return str_fmt(a,
	    "<msg-%04d%02d%02dT%02d%02d%02dZ-%.32s" AGENTBOX_DOMAIN ">", d.year,
	    d.month, d.day, d.hour, d.minute, d.second, hex);
}

/* -- addresses --------------------------------------------------------------
 */

/*
 * As it is registered; an address is compared without case, as everywhere.
 * `was`: no more, but it was.
 */
static int
submit_address(struct post *p, struct str addr, struct str *out, bool *was,
    struct err *e)
{
	struct agentbox_reg reg;
	int got = agentbox_register_find(p->b->root, addr, p->a, &reg, e);

	if (got == 1)
		*out = reg.address;
	if (got != 0)
		return got;
	if (!p->listed &&
	    agentbox_register_list(p->b->root, p->a, &p->regs, e) < 0)
		return -1;
	p->listed = true;
	for (size_t i = 0; i < p->regs.n; i++) {
		const struct agentbox_reg *one = &p->regs.v[i];

		if (!str_eq_case(one->address, addr))
			continue;
		*was = *was || one->status != AGENTBOX_ACTIVE;
		if (one->status != AGENTBOX_ACTIVE)
			continue;
		/* Two that differ by case alone: neither is meant. */
		if (got++ > 0)
			return 0;
		*out = one->address;
	}
	return got;
}

static void
submit_answer(struct post *p, int code, const char *status)
{
	for (size_t i = 0; i < p->s->n; i++) {
		p->s->to[i].code = code;
		p->s->to[i].status = str_of(status);
	}
}

static bool
submit_is_in(const struct addresses *l, struct str addr)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq_case(l->v[i].addr, addr))
			return true;
	return false;
}

/* Of recipients that have no mailbox; returns -1. */
static int
submit_nobody(bool unknown, struct err *e)
{
	(void)err_set(e, ERR_REJECTED,
	    unknown ? "a recipient has no mailbox here; nothing was sent"
		    : "a recipient's mailbox is registered no more; nothing "
		      "was sent");
	e->reason = unknown ? "unknown_recipient" : "inactive_recipient";
	return -1;
}

/* Everybody has a mailbox here, and is named: there is no Bcc in a root. */
static int
submit_people(struct post *p, struct err *e)
{
	bool refused = false, unknown = false, hidden = false;

	submit_answer(p, 250, "not sent");
	for (size_t i = 0; i < p->s->n; i++) {
		struct recipient *r = &p->s->to[i];
		struct str addr = { 0 };
		bool was = false;
		int got = submit_address(p, r->addr, &addr, &was, e);

		if (got < 0)
			return -1;
		if (got == 0) {
			r->code = 550;
			r->status = S("no such mailbox");
			refused = true;
			unknown = unknown || !was;
			continue;
		}
		if (submit_is_in(&p->env.to, r->addr))
			str_push(p->a, &p->out.to, addr);
		else if (submit_is_in(&p->env.cc, r->addr))
			str_push(p->a, &p->out.cc, addr);
		else
			hidden = true;
	}
	if (refused)
		return submit_nobody(unknown, e);
	if (hidden)
		return err_set(e, ERR_REJECTED,
		    "a mailbox root has no Bcc; nothing was sent");
	/* A message to nobody but copies is one to them. */
	if (p->out.to.n == 0) {
		p->out.to = p->out.cc;
		p->out.cc = (struct strs){ 0 };
	}
	return 0;
}

/* -- the message ------------------------------------------------------------
 */

/* The first text that is no file; its bytes are those that were written. */
static const struct mime_part *
submit_body_part(const struct mime_message *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct mime_part *part = &m->part[i];

		if (!part->is_multipart && !part->is_message &&
		    str_eq(part->type, S("text/plain")) &&
		    !str_eq(part->disp.value, S("attachment")))
			return part;
	}
	return NULL;
}

static void
submit_body(struct post *p)
{
	const struct mime_part *part = submit_body_part(&p->msg);

	if (part == NULL)
		return;
	p->out.body = part->encoding == MIME_BASE64
	    ? mime_part_decode(p->a, part)
	    : mime_part_text(p->a, part);
}

static void
submit_files(struct post *p)
{
	struct mime_reading r;
	struct agentbox_file *v;

	mime_reading_make(p->a, &p->msg, &r);
	v = arena_array(p->a, r.n, sizeof(*v));
	for (size_t i = 0; i < r.n; i++)
		v[i] = (struct agentbox_file){
			.name = r.attachment[i].name,
			.media_type = r.attachment[i].type,
			.bytes = mime_part_decode(p->a, r.attachment[i].part),
		};
	p->out.file = v;
	p->out.files = r.n;
}

/* What it answers, if that is a message of this mailbox. */
static int
submit_parent(struct post *p, struct err *e)
{
	struct agentbox_entries l;
	struct str id = S("");
	struct strs ids = { &id, 1 };

	if (p->env.in_reply_to.n > 0)
		id = agentbox_submit_read_id(p->env.in_reply_to.v[0]);
	if (id.n == 0)
		return 0;
	if (agentbox_read_entries(p->b, p->a, S(""), &ids, &l, e) < 0)
		return -1;
	if (l.n > 0)
		p->out.parent = id;
	return 0;
}

static int
submit_read(struct post *p, struct err *e)
{
	const struct agentbox_reg *own = &p->b->reg;

	if (!str_eq_case(p->s->from, own->address))
		return err_set(e, ERR_CONFIG,
		    "a mailbox sends from its own address alone");
	mime_message_parse(p->a, p->s->message, &p->msg);
	mime_envelope_parse(p->a, p->s->message, &p->env);
	p->out.id = agentbox_submit_read_id(p->env.message_id);
	p->out.principal = own->owner;
	p->out.address = own->address;
	p->out.display_name = own->display_name;
	p->out.role = own->role;
	p->out.subject = str_trim(p->env.subject);
	if (p->out.subject.n == 0)
		p->out.subject = S("(no subject)");
	submit_body(p);
	submit_files(p);
	return submit_people(p, e) < 0 || submit_parent(p, e) < 0 ? -1 : 0;
}

int
agentbox_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	struct post p = { .b = (struct agentbox *)c, .a = a, .s = s };
	struct agentbox_sent sent;

	if (agentbox_own_need(p.b, e) < 0 || submit_read(&p, e) < 0 ||
	    backend_submit_look(s, e) < 0)
		return -1;
	if (agentbox_deliver(p.b->root, &p.out, a, &sent, e) < 0) {
		/* Somebody's mailbox went while we looked. */
		if (e->kind == ERR_USAGE)
			e->kind = ERR_REJECTED;
		return -1;
	}
	submit_answer(&p, 250, "accepted");
	return 0;
}
