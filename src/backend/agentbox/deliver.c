/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delivery.  First, everything that can be refused is checked; then attachments
 * and the message file are written to disk in staging; then the journal row is
 * written.  From there on the message counts as delivered: apply_mail.c does
 * the rest, now or when the root is next opened.
 */
#include <errno.h>
#include <unistd.h>

#include "backend/agentbox/delivering.h"
#include "base/clock.h"
#include "base/utf8.h"

static int
deliver_check(const struct agentbox_send *s, struct err *e)
{
	size_t n = s->to.n + s->cc.n;

	if (s->to.n == 0)
		return agentbox_deliver_look_refuse(e, "unknown_recipient",
		    "a message needs a recipient");
	if (n > LIMIT_AGENTBOX_RECIPIENTS ||
	    s->reply_to.n > LIMIT_AGENTBOX_RECIPIENTS)
		return err_set(e, ERR_LIMIT,
		    "the message has too many recipients");
	if (s->files > LIMIT_AGENTBOX_FILES)
		return err_set(e, ERR_LIMIT,
		    "the message has too many attachments");
	if (s->body.n > LIMIT_AGENTBOX_BODY)
		return err_set(e, ERR_LIMIT, "the message's body is too big");
	if (str_trim(s->subject).n == 0 || !utf8_valid(s->subject) ||
	    str_has_char(s->subject, '\0') || s->subject.n > LIMIT_SUBJECT)
		return agentbox_deliver_look_refuse(e, "subject",
		    "a message needs a subject of valid text");
	if (str_has_char(s->body, '\0') || !utf8_valid(s->body))
		return agentbox_deliver_look_refuse(e, "body",
		    "the body must be valid text without NUL");
	if (s->id.n > 0 && !agentbox_name_message(s->id))
		return agentbox_deliver_look_refuse(e, "id",
		    "that is no message id");
	if (s->key.n > LIMIT_IDEMPOTENCY_KEY)
		return err_set(e, ERR_LIMIT, "the idempotency key is too long");
	return 0;
}

/* A new "msg-<time>-<uuid4>". */
static void
deliver_name(struct deliver *d)
{
	struct str hex = agentbox_name_new(d->a, "", 16);
	char *p = (char *)hex.p;
	struct str t;

	d->m.created = t = clock_rfc3339(d->a, clock_now());
	d->m.id = d->s->id;
	if (d->m.id.n > 0)
		return;
	p[12] = '4'; /* RFC 9562 section 5.4 */
	p[16] = "89ab"[str_hex(p[16]) & 3];
	d->m.id = str_fmt(d->a, "msg-%.4s%.2s%.2sT%.2s%.2s%.2sZ-%.*s", t.p,
	    t.p + 5, t.p + 8, t.p + 11, t.p + 14, t.p + 17, STR_ARG(hex));
}

static int
deliver_files(struct deliver *d, struct err *e)
{
	const struct agentbox_send *s = d->s;

	d->m.attachment = arena_array(d->a, s->files, sizeof(*d->m.attachment));
	for (size_t i = 0; i < s->files; i++)
		if (agentbox_attach_put(d->r, &s->file[i], d->a,
			&d->m.attachment[d->m.attachments++], e) < 0)
			return -1;
	return 0;
}

static int
deliver_stage(struct deliver *d, struct err *e)
{
	struct str name = str_fmt(d->a, "emcli-%.*s.md", STR_ARG(d->m.id));
	CLEANUP(path_close) int to = agentbox_layout_folder(d->r, "staging", e);

	if (to < 0 || agentbox_front_write(d->a, &d->m, &d->file, e) < 0)
		return -1;
	d->digest = agentbox_attach_digest(d->a, d->file);
	if (d->r->use.mac != NULL &&
	    agentbox_load_mac(d->r, &d->m.from, d->m.id, d->digest, d->mac, e) <
		0)
		return -1;
	if (path_folder_new(to, name.p, d->file, e) < 0)
		return -1;
	if (path_folder_sync(to, e) == 0)
		return 0;
	path_folder_drop(to, name.p);
	return -1;
}

static struct str
deliver_plan(const struct deliver *d)
{
	struct json *j = json_new(d->a);

	json_open_object(j, NULL);
	json_put_str(j, "id", d->m.id);
	json_put_str(j, "day", str_first(d->m.created, 10));
	json_put_str(j, "digest", d->digest);
	json_open_array(j, "copies");
	for (size_t i = 0; i < d->n; i++) {
		const struct deliver_copy *c = &d->copy[i];

		if (!c->is_sender && !c->is_recipient)
			continue;
		json_open_object(j, NULL);
		json_put_str(j, "id", c->reg.id);
		json_put_bool(j, "sender", c->is_sender);
		json_put_bool(j, "recipient", c->is_recipient);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	return json_text(j, d->a);
}

/* Written with the row: the signature, and the idempotency key. */
static int
deliver_also(struct db *own, const void *ctx, struct err *e)
{
	const struct deliver *d = ctx;
	struct str mac = { (const char *)d->mac, sizeof(d->mac) };

	if (d->r->use.mac != NULL &&
	    db_keep_mac_put(own, d->m.id, d->digest, mac, e) < 0)
		return -1;
	if (d->s->key.n == 0)
		return 0;
	return db_keep_key_put(own, d->s->address, d->s->key, d->request,
	    d->m.id, e);
}

int
agentbox_deliver(struct agentbox_root *r, const struct agentbox_send *s,
    struct arena *a, struct agentbox_sent *out, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct deliver d = { .r = r, .s = s, .a = a };
	struct err late = { 0 };
	int got;

	if (deliver_check(s, e) < 0 || agentbox_lock_hold(r, &locked, e) < 0)
		return -1;
	/* Unfinished work of other processes first: its keys are then known. */
	if (agentbox_replay(r, e) < 0)
		return -1;
	got = agentbox_deliver_key(&d, out, e);
	if (got != 0)
		return got < 0 ? -1 : 0;
	deliver_name(&d);
	d.m.subject = str_trim(s->subject);
	d.m.body = s->body;
	d.m.header = (struct agentbox_header *)s->header;
	d.m.headers = s->headers;
	if (agentbox_deliver_look(&d, e) < 0 || deliver_files(&d, e) < 0 ||
	    deliver_stage(&d, e) < 0)
		return -1;
	got = agentbox_replay_new(r, "deliver", deliver_plan(&d), deliver_also,
	    &d, &late);
	if (got < 0) {
		*e = late;
		return -1;
	}
	/*
	 * It is in the journal: the next process that opens the root finishes
	 * it.
	 */
	if (got == 1)
		agentbox_layout_note(r,
		    "a message is accepted and not yet in every mailbox: %s",
		    late.say);
	agentbox_deliver_key_said(&d.m, false, out);
	return 0;
}
