/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli approve release: releases exactly what the operator saw, here and now
 * or by its digest.
 */
#include "base/limits.h"
#include "desk/approve_text.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	APPROVE_ID,
	{ "digest", ARG_TEXT,
	    .help = "the digest of approve show; required without a terminal" },
	{ "yes", ARG_FLAG, .help = "at a terminal: show it, but do not ask" },
	{ 0 },
};

static const struct field result[] = {
	{ "id", FIELD_INT, .help = "its number" },
	{ "message_id", FIELD_TEXT, .optional = true,
	    .help = "the Message-ID" },
	{ "recipients", FIELD_INT, .optional = true,
	    .help = "number of recipients" },
	{ "copy", FIELD_TEXT, .optional = true,
	    .help = "the copy in Sent: none, saved or failed" },
	{ "change", FIELD_INT, .optional = true,
	    .help = "of a change of mail: its number in the journal" },
	{ "count", FIELD_INT, .optional = true, .help = "messages changed" },
	{ 0 },
};

static int
approve_release_agree(struct call *c, const struct outbox_held *h,
    struct str *digest, struct err *e)
{
	const char *word = args_has(c->args, "yes") ? NULL
	    : h->change != NULL                     ? "change it"
						    : "send it";
	struct buf b;

	*digest = args_text(c->args, "digest");
	if (args_has(c->args, "digest"))
		return 0;
	if (!operate_door(c)->person)
		return err_set(e, ERR_USAGE,
		    "without a terminal --digest is required: see emcli "
		    "approve show");
	if (h->why != NULL)
		return err_set(e, ERR_POLICY,
		    "it has changed since it was held: deny it");
	*digest = h->digest;
	buf_init(&b, c->arena, LIMIT_MESSAGE);
	approve_text(&b, c->arena, h);
	/* Repeated, so that a long body cannot scroll it away. */
	buf_char(&b, '\n');
	if (h->change != NULL)
		approve_change_deed(&b, c->arena, h);
	approve_text_recipients(&b, c->arena, h);
	if (b.over)
		return err_set(e, ERR_LIMIT,
		    "it is too long to show here: give --digest");
	if (operate_door(c)->ask(c->arena, buf_view(&b), word))
		return 0;
	return err_set(e, ERR_USAGE, "nothing was done: it is still held");
}

static int
approve_release_change(struct call *c, const struct outbox_held *h,
    struct str digest, struct json *out, struct err *e)
{
	struct mailbox_change made;

	if (held_release(c, operate_store(c), operate_env(c), h->id, digest,
		&made, e) < 0)
		return -1;
	json_put_int(out, "id", h->id);
	json_put_int(out, "change", made.id);
	json_put_int(out, "count", (int64_t)made.done);
	gate_tell(c, "changed %zu message%s (change %lld)", made.done,
	    made.done == 1 ? "" : "s", (long long)made.id);
	c->note = str_fmt(c->arena, "%.*s, change %lld, digest %.*s",
	    STR_ARG(h->account), (long long)made.id, STR_ARG(digest));
	return 0;
}

static int
approve_release_message(struct call *c, const struct outbox_held *held,
    struct str digest, struct json *out, struct err *e)
{
	const struct outbox_held h = *held;
	struct sent sent;

	if (outbox_release(operate_store(c), c->arena, h.id, digest, &sent, e) <
	    0)
		return -1;
	json_put_int(out, "id", h.id);
	json_put_str(out, "message_id", sent.message_id);
	json_put_int(out, "recipients", (int64_t)sent.n);
	json_put_text(out, "copy", sent.copy);
	gate_tell(c, "sent %lld: %.*s, recipients: %zu", (long long)h.id,
	    STR_ARG(sent.message_id), sent.n);
	if (str_eq(str_of(sent.copy), S("failed")))
		gate_tell(c, "note: the copy could not be saved in Sent");
	c->note = str_fmt(c->arena, "%.*s, %.*s, digest %.*s",
	    STR_ARG(h.account), STR_ARG(sent.message_id), STR_ARG(digest));
	return 0;
}

static int
approve_release_run(struct call *c, struct json *out, struct err *e)
{
	struct outbox_held h;
	struct str digest;

	if (outbox_held(operate_store(c), operate_env(c), c->arena,
		args_count(c->args, "id", 0), &h, e) < 0 ||
	    approve_release_agree(c, &h, &digest, e) < 0)
		return -1;
	return h.change != NULL
	    ? approve_release_change(c, &h, digest, out, e)
	    : approve_release_message(c, &h, digest, out, e);
}

const struct op desk_approve_release = {
	.name = "approve release",
	.shows = "emcli approve list",
	.summary = "Send a held message, or make a held change, once",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = approve_release_run,
};
