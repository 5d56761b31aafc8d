/* SPDX-License-Identifier: Apache-2.0 */
/* What send and forward share: once, or as a dry run; and the result. */
#include "op/send_out.h"

#include "base/clock.h"

static const struct field reason[] = {
	{ "reason", FIELD_TEXT, .help = "secret, loop, rate_limited ..." },
	{ "effect", FIELD_TEXT, .help = "hold or refuse" },
	{ "message", FIELD_TEXT, .nullable = true,
	    .help = "of a refusal: what it would say" },
	{ "hint", FIELD_TEXT, .nullable = true,
	    .help = "of a refusal: what to do about it" },
	{ 0 },
};

const struct field send_out_result[] = {
	{ "id", FIELD_INT, .optional = true,
	    .help = "of this send, for send_status" },
	{ "state", FIELD_TEXT, .help = "sent, or dry_run" },
	{ "again", FIELD_BOOL,
	    .help = "an earlier call with this key is the answer; this one "
		    "sent nothing" },
	{ "message_id", FIELD_TEXT, .optional = true,
	    .help = "of the sent message" },
	{ "recipients", FIELD_OBJECTS, .help = "each address once",
	    .sub = fields_recipient },
	{ "verdict", FIELD_TEXT, .optional = true,
	    .help = "of a dry run: send, hold, refuse, or again: an earlier "
		    "call with this key is the answer" },
	{ "reasons", FIELD_OBJECTS, .optional = true,
	    .help = "of a dry run: all that would hold or refuse it",
	    .sub = reason },
	{ "bytes", FIELD_INT, .optional = true,
	    .help = "of a dry run: size of the message" },
	{ "digest", FIELD_TEXT, .optional = true,
	    .help = "of a dry run: SHA-256 of its bytes; what is sent later "
		    "has another date and Message-ID" },
	FIELDS_WARNINGS,
	{ 0 },
};

void
send_out_put(struct call *c, struct json *j, const struct sent *s)
{
	json_put_int(j, "id", s->id);
	json_put_text(j, "state", s->state);
	json_put_bool(j, "again", s->again);
	json_put_str(j, "message_id", s->message_id);
	fields_put_recipients(j, s);
	if (s->reason != NULL && s->expires_s > 0 &&
	    !str_eq(str_of(s->state), S("sent")))
		json_put_str(j, "expires",
		    clock_rfc3339(c->arena, s->expires_s));
}

/* The details of a message that was not sent, or may not have been. */
static void
send_out_put_detail(struct call *c, const struct sent *s)
{
	if (s->id == 0)
		return;
	c->detail = json_new(c->arena);
	json_open_object(c->detail, NULL);
	send_out_put(c, c->detail, s);
	json_close_object(c->detail);
}

static void
send_out_put_reason(struct json *j, const struct outbox_finding *f)
{
	json_open_object(j, NULL);
	json_put_text(j, "reason", f->reason);
	json_put_text(j, "effect", f->refuses ? "refuse" : "hold");
	json_put_str_or_null(j, "message", f->say);
	json_put_text(j, "hint", f->hint);
	json_close_object(j);
}

static int
send_out_try(struct call *c, struct outgoing *m, send_out_fill *fill,
    struct json *j, struct err *e)
{
	struct outbox_tried t;

	if (fill(c, m, e) < 0 || outbox_try(c->outbox, m, &t, e) < 0)
		return -1;
	json_put_text(j, "state", "dry_run");
	json_put_bool(j, "again", str_eq(str_of(t.verdict), S("again")));
	fields_put_recipients(j, &t.sent);
	json_put_text(j, "verdict", t.verdict);
	json_open_array(j, "reasons");
	for (size_t i = 0; i < t.found.n; i++)
		send_out_put_reason(j, &t.found.v[i]);
	json_close_array(j);
	json_put_int(j, "bytes", (int64_t)t.bytes);
	json_put_str(j, "digest", t.digest);
	return 0;
}

static int
send_out_once(struct call *c, struct outgoing *m, send_out_fill *fill,
    struct sent *sent, struct err *e)
{
	/* Before the other message is read, which may be gone. */
	int r = outbox_again(c->outbox, m, sent, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	if (fill(c, m, e) < 0)
		return -1;
	return outbox_send(c->outbox, m, sent, e);
}

int
send_out(struct call *c, struct outgoing *m, send_out_fill *fill,
    struct json *out, struct err *e)
{
	struct sent sent = { 0 };

	if (fields_key(m->key, e) < 0)
		return -1;
	if (args_has(c->args, "dry_run"))
		return send_out_try(c, m, fill, out, e);
	if (send_out_once(c, m, fill, &sent, e) < 0) {
		send_out_put_detail(c, &sent);
		return -1;
	}
	send_out_put(c, out, &sent);
	return 0;
}
