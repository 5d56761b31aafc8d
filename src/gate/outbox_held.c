/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A held message, read from the bytes and the envelope that would be sent.
 * Nothing is left out of the text, because the operator must find what an agent
 * hides in it.
 */
#include "base/clean.h"
#include "gate/held.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "gate/outbox_secret.h"
#include "mime/forward.h"

static const char *
outbox_held_kind_of(struct arena *a, const struct mime_envelope *v,
    struct str canonical)
{
	const struct {
		const struct addresses *l;
		const char *kind;
	} lists[] = { { &v->to, "to" }, { &v->cc, "cc" } };

	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++)
		for (size_t i = 0; i < lists[k].l->n; i++) {
			struct err unused = { 0 };
			struct str addr;

			if (address_canonical(a, lists[k].l->v[i].addr, &addr,
				&unused) == 0 &&
			    str_eq(addr, canonical))
				return lists[k].kind;
		}
	return "bcc";
}

/* A message that no server would take as its lines goes as bytes. */
static bool
outbox_held_is_message(const struct mime_attachment *x)
{
	return x->part->is_message || str_ends_case(x->name, S(".eml"));
}

static void
outbox_held_show_files(struct arena *a, const struct mime_reading *r,
    struct outbox_held *out)
{
	out->files = r->n;
	out->file = arena_array(a, r->n, sizeof(*out->file));
	for (size_t i = 0; i < r->n; i++) {
		const struct mime_attachment *x = &r->attachment[i];
		struct str bytes = mime_part_decode(a, x->part);

		out->file[i] = (struct outbox_held_file){
			.name = x->name,
			.type = x->type,
			.digest = store_digest_file(a, bytes),
			.bytes = bytes.n,
		};
		if (outbox_held_is_message(x))
			out->file[i].which = forward_which(a, bytes);
		out->warned[WARN_NAME_DECEPTIVE] += x->deceptive;
	}
}

/* The first text of a message that emcli composed is its complete text. */
static struct str
outbox_held_text_of(struct arena *a, const struct mime_message *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->part[i].type, S("text/plain")))
			return mime_part_text(a, &m->part[i]);
	return S("");
}

static void
outbox_held_show_message(struct arena *a, const struct store_outbox *row,
    struct outbox_held *out)
{
	struct mime_reading reading;
	struct mime_envelope v;
	struct mime_message m;
	size_t unseen = 0;

	mime_message_parse(a, row->message, &m);
	mime_envelope_parse(a, row->message, &v);
	mime_reading_make(a, &m, &reading);
	out->subject = v.subject;
	out->text = outbox_held_text_of(a, &m);
	(void)clean_text(a, out->text, &unseen);
	(void)clean_text(a, out->subject, &unseen);
	out->warned[WARN_UNSEEN_REMOVED] = (uint32_t)unseen;
	out->warned[WARN_TRUNCATED] = m.over || reading.truncated;
	out->warned[WARN_BAD_CHARSET] = reading.bad_charset;
	outbox_held_show_files(a, &reading, out);
	out->n = row->n;
	out->to = arena_array(a, row->n, sizeof(*out->to));
	for (size_t i = 0; i < row->n; i++) {
		out->to[i].address = row->rcpt[i].address;
		out->to[i].kind =
		    outbox_held_kind_of(a, &v, row->rcpt[i].canonical);
	}
}

/* What it names is shown while it waits; it can be made later, or never. */
static int
outbox_held_show_change(struct arena *a, const struct store_outbox *row,
    struct outbox_held *out, struct err *e)
{
	struct mailbox_change *what = arena_array(a, 1, sizeof(*what));
	struct held_messages messages;
	struct err why = { 0 };

	changes_tell(row->change, what);
	out->change = what;
	out->state = store_outbox_change_word(row);
	if (row->message.n == 0)
		return 0;
	if (held_read(a, row, &messages, &why) < 0) {
		if (why.kind != ERR_POLICY) {
			*e = why;
			return -1;
		}
		out->why = why.reason;
	}
	out->subjects = messages.subjects;
	return 0;
}

static int
outbox_held_look_for_secrets(struct store *s, const struct env *env,
    struct arena *a, const struct store_outbox *row, struct outbox_held *out,
    struct err *e)
{
	CLEANUP(outbox_secret_close) struct outbox_secret w = { 0 };
	struct recipient *to = arena_array(a, row->n, sizeof(*to));

	if (outbox_secret_open(&w, s, env, row->account, a, e) < 0)
		return -1;
	for (size_t i = 0; i < row->n; i++)
		to[i].addr = row->rcpt[i].address;
	return outbox_secret_message_search(&w, row->message, to, row->n,
	    &out->carries, e);
}

int
outbox_held(struct store *s, const struct env *env, struct arena *a, int64_t id,
    struct outbox_held *out, struct err *e)
{
	struct store_account acct = { 0 };
	struct store_outbox row = { 0 };
	struct err why = { 0 };

	*out = (struct outbox_held){ 0 };
	if (store_outbox_get(s, a, id, &row, e) < 0)
		return -1;
	if (outbox_release_digest(s, a, &row, &acct, &out->digest, &why) < 0) {
		if (why.kind != ERR_POLICY) {
			*e = why;
			return -1;
		}
		out->why = why.reason;
	}
	out->id = row.id;
	out->state = store_outbox_word(row.state);
	out->account = acct.name;
	out->principal = row.principal;
	out->reason = row.reason;
	out->sender = row.sender;
	out->message_id = row.message_id;
	out->bytes = row.bytes;
	out->created_s = row.created_s;
	out->expires_s = row.expires_s + row.frozen_s;
	if (row.change != NULL)
		return outbox_held_show_change(a, &row, out, e);
	outbox_held_show_message(a, &row, out);
	if (row.message.n == 0)
		return 0;
	return outbox_held_look_for_secrets(s, env, a, &row, out, e);
}
