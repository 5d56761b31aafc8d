/* SPDX-License-Identifier: Apache-2.0 */
/* emcli approve show: a waiting message, as it would leave. */
#include "base/limits.h"
#include "desk/approve_text.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	APPROVE_ID,
	{ 0 },
};

static const struct field recipients[] = {
	{ "address", FIELD_TEXT, .help = "the address" },
	{ "kind", FIELD_TEXT, .help = "to, cc or bcc" },
	{ 0 },
};

static const struct field attachments[] = {
	{ "name", FIELD_TEXT, .help = "its name" },
	{ "type", FIELD_TEXT, .help = "its media type" },
	{ "size", FIELD_INT, .help = "its bytes" },
	{ "sha256", FIELD_TEXT, .help = "their SHA-256" },
	{ "message", FIELD_TEXTS, .optional = true,
	    .help = "of a message: its From, Date and Subject" },
	{ 0 },
};

static const struct field result[] = {
	{ "id", FIELD_INT, .help = "its number" },
	{ "state", FIELD_TEXT, .help = "its state" },
	{ "reason", FIELD_TEXT, .help = "why it is held" },
	{ "carries", FIELD_TEXT, .nullable = true,
	    .help = "the kind of secret it seems to contain" },
	{ "refused", FIELD_TEXT, .nullable = true,
	    .help = "why it cannot be released as it is" },
	{ "account", FIELD_TEXT, .help = "the account it leaves from" },
	{ "agent", FIELD_TEXT, .help = "who sends it" },
	{ "created", FIELD_TEXT, .help = "when it was sent" },
	{ "expires", FIELD_TEXT, .help = "when it expires" },
	{ "sender", FIELD_TEXT, .optional = true, .help = "the From address" },
	{ "subject", FIELD_TEXT, .optional = true, .help = "the subject" },
	{ "message_id", FIELD_TEXT, .optional = true,
	    .help = "the Message-ID" },
	{ "bytes", FIELD_INT, .help = "its size" },
	{ "digest", FIELD_TEXT, .help = "the digest that a release names" },
	{ "text", FIELD_TEXT, .optional = true, .help = "the whole body" },
	{ "recipients", FIELD_OBJECTS, .optional = true,
	    .help = "its recipients", .sub = recipients },
	{ "attachments", FIELD_OBJECTS, .optional = true,
	    .help = "its attachments", .sub = attachments },
	{ "warning_counts", FIELD_COUNTS, .optional = true,
	    .help = "warnings, by code" },
	{ "change", FIELD_TEXT, .optional = true,
	    .help = "of a change of mail: what would be done" },
	{ "kind", FIELD_TEXT, .optional = true, .help = "mark or move" },
	{ "folder", FIELD_TEXT, .optional = true,
	    .help = "where the messages are" },
	{ "to", FIELD_TEXT, .optional = true, .nullable = true,
	    .help = "where they would go" },
	{ "set", FIELD_TEXT, .optional = true, .nullable = true,
	    .help = "flags and labels that they would get" },
	{ "clear", FIELD_TEXT, .optional = true, .nullable = true,
	    .help = "and that they would lose" },
	{ "messages", FIELD_INT, .optional = true, .help = "how many" },
	{ "subjects", FIELD_TEXTS, .optional = true,
	    .help = "of the first ten, 200 bytes of each" },
	{ 0 },
};

static void
approve_show_put_which(struct json *j, const struct strs *which)
{
	if (which->n == 0)
		return;
	json_open_array(j, "message");
	for (size_t i = 0; i < which->n; i++)
		json_put_str(j, NULL, which->v[i]);
	json_close_array(j);
}

static void
approve_show_put_lists(struct json *j, const struct outbox_held *h)
{
	json_open_array(j, "recipients");
	for (size_t i = 0; i < h->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "address", h->to[i].address);
		json_put_text(j, "kind", h->to[i].kind);
		json_close_object(j);
	}
	json_close_array(j);
	json_open_array(j, "attachments");
	for (size_t i = 0; i < h->files; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", h->file[i].name);
		json_put_str(j, "type", h->file[i].type);
		json_put_int(j, "size", (int64_t)h->file[i].bytes);
		json_put_str(j, "sha256", h->file[i].digest);
		approve_show_put_which(j, &h->file[i].which);
		json_close_object(j);
	}
	json_close_array(j);
	json_open_object(j, "warning_counts");
	for (int i = 0; i < WARNINGS; i++)
		if (h->warned[i] > 0)
			json_put_int(j, warning_table[i].code, h->warned[i]);
	json_close_object(j);
}

static void
approve_show_put(struct json *j, struct arena *a, const struct outbox_held *h)
{
	json_put_int(j, "id", h->id);
	json_put_text(j, "state", h->state);
	json_put_str(j, "reason", h->reason);
	json_put_text(j, "carries", h->carries);
	json_put_text(j, "refused", h->why);
	json_put_str(j, "account", h->account);
	json_put_str(j, "agent", h->principal);
	json_put_str(j, "created", approve_text_when(a, h->created_s));
	json_put_str(j, "expires", approve_text_when(a, h->expires_s));
	json_put_int(j, "bytes", (int64_t)h->bytes);
	json_put_str(j, "digest", h->digest);
	if (h->change != NULL) {
		approve_change_put(j, a, h);
		return;
	}
	json_put_str(j, "sender", h->sender);
	json_put_str(j, "subject", h->subject);
	json_put_str(j, "message_id", h->message_id);
	json_put_str(j, "text", h->text);
	approve_show_put_lists(j, h);
}

static int
approve_show_run(struct call *c, struct json *out, struct err *e)
{
	struct outbox_held h;
	struct buf b;

	if (outbox_held(operate_store(c), operate_env(c), c->arena,
		args_count(c->args, "id", 0), &h, e) < 0)
		return -1;
	approve_show_put(out, c->arena, &h);
	buf_init(&b, c->arena, LIMIT_MESSAGE);
	approve_text(&b, c->arena, &h);
	if (b.over)
		return err_set(e, ERR_LIMIT,
		    "the message is too long to show: use --json");
	gate_say_text(c, buf_view(&b));
	return 0;
}

const struct op desk_approve_show = {
	.name = "approve show",
	.shows = "emcli approve list",
	.summary = "Show a held message, as it would leave, or a held change",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.run = approve_show_run,
};
