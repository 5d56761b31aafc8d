/* SPDX-License-Identifier: Apache-2.0 */
/* emcli create-draft: an answer for a person to send.  It sends nothing. */
#include "base/clean.h"
#include "gate/draft.h"
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "thread", ARG_TEXT,
	    .help = "answer this thread: kind:id, Message-ID or address" },
	{ "to", ARG_ADDRESS, ARG_MANY,
	    .help = "recipients; default: the author of the thread's first "
		    "message" },
	{ "reply_all", ARG_FLAG,
	    .help = "to the author and the other recipients of the thread's "
		    "last message, besides to and cc" },
	{ "quote", ARG_FLAG,
	    .help = "quote the text of the thread's last message below the "
		    "body" },
	{ "cc", ARG_ADDRESS, ARG_MANY,
	    .help = "Cc recipients, besides the account's mailing list" },
	{ "bcc", ARG_ADDRESS, ARG_MANY,
	    .help = "Bcc recipients: nobody else sees them" },
	{ "subject", ARG_TEXT,
	    .help = "only without a thread; a reply takes that of the first "
		    "message" },
	{ "body", ARG_LONG_TEXT, ARG_REQUIRED, .help = "text of the message" },
	{ "another", ARG_TEXT, ARG_EMPTY,
	    .help = "make one more while a draft is pending; the reason" },
	{ "dry_run", ARG_FLAG, .help = "make none; say what it would be" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "draft_id", FIELD_TEXT, .optional = true,
	    .help = "as list_drafts gives it" },
	{ "message_id", FIELD_TEXT, .help = "of the draft" },
	FIELDS_THREAD_ID,
	{ "attached", FIELD_BOOL, .optional = true,
	    .help = "is it in the thread, as the source sees it now?" },
	{ "attach_method", FIELD_TEXT, .optional = true,
	    .help = "thread, reply-header or subject-fallback" },
	{ "attach_reason", FIELD_TEXT, .optional = true, .nullable = true,
	    .help = "why it is not attached: no_thread, no_message_id or "
		    "thread_refused" },
	{ "again", FIELD_BOOL,
	    .help = "an earlier call with this thread and text made it; this "
		    "one made nothing" },
	{ "subject", FIELD_TEXT, .help = "as stored" },
	{ "to", FIELD_TEXTS, .help = "addresses" },
	{ "cc", FIELD_TEXTS, .help = "addresses" },
	{ "folder", FIELD_TEXT, .help = "where it is" },
	{ "url", FIELD_TEXT, .nullable = true,
	    .help = "of the thread, if known without a further request" },
	{ "content_type", FIELD_TEXT, .help = "text/plain; charset=utf-8" },
	{ "verdict", FIELD_TEXT, .optional = true,
	    .help = "of a dry run: make, or again: it is there already" },
	{ "bytes", FIELD_INT, .optional = true,
	    .help = "of a dry run: size of the draft" },
	{ "digest", FIELD_TEXT, .optional = true,
	    .help = "of a dry run: SHA-256 of its bytes; the draft made later "
		    "has another date" },
	FIELDS_RESOLUTION,
	{ 0 },
};

/* A dry run has no draft to tell of, unless an earlier call made one. */
static void
create_draft_put_made(struct json *j, struct arena *a,
    const struct draft_made *m)
{
	if (m->id.n > 0)
		json_put_str(j, "draft_id", m->id);
	json_put_str(j, "message_id", m->message_id);
	fields_source_put_id(j, a, "thread_id", &m->thread);
	if (m->id.n > 0) {
		json_put_bool(j, "attached", m->attached);
		json_put_text(j, "attach_method", m->method);
		json_put_text(j, "attach_reason", m->why);
	}
	json_put_bool(j, "again", m->again);
	json_put_str(j, "subject", clean_text(a, m->subject, NULL));
	fields_put_list(j, a, "to", &m->to);
	fields_put_list(j, a, "cc", &m->cc);
	json_put_str(j, "folder", m->folder);
	json_put_str_or_null(j, "url", m->url);
	json_put_text(j, "content_type", "text/plain; charset=utf-8");
}

static void
create_draft_put_tried(struct json *j, const struct draft_made *m)
{
	json_put_text(j, "verdict", m->again ? "again" : "make");
	if (m->again)
		return;
	json_put_int(j, "bytes", (int64_t)m->bytes);
	json_put_str(j, "digest", m->digest);
}

/* The details of a draft that was not made, or may not have been. */
static void
create_draft_put_detail(struct call *c, const struct draft_made *m)
{
	if (m->waiting.n == 0 && m->message_id.n == 0)
		return;
	c->detail = json_new(c->arena);
	json_open_object(c->detail, NULL);
	if (m->waiting.n > 0)
		fields_put_list(c->detail, c->arena, "draft_ids", &m->waiting);
	if (m->message_id.n > 0)
		json_put_str(c->detail, "message_id", m->message_id);
	json_close_object(c->detail);
}

static int
create_draft_run(struct call *c, struct json *out, struct err *e)
{
	const struct draft_ask ask = {
		.thread = args_text(c->args, "thread"),
		.to = args_list(c->args, "to"),
		.cc = args_list(c->args, "cc"),
		.bcc = args_list(c->args, "bcc"),
		.subject = args_text(c->args, "subject"),
		.body = args_text(c->args, "body"),
		.another = args_text(c->args, "another"),
		.all = args_has(c->args, "reply_all"),
		.quote = args_has(c->args, "quote"),
		.dry = args_has(c->args, "dry_run"),
	};
	struct draft_made made;

	if (args_has(c->args, "another") && str_trim(ask.another).n == 0)
		return err_set(e, ERR_USAGE, "another needs a reason");
	if (draft_create(c->draft, &ask, &made, e) < 0) {
		create_draft_put_detail(c, &made);
		return -1;
	}
	create_draft_put_made(out, c->arena, &made);
	if (ask.dry)
		create_draft_put_tried(out, &made);
	return 0;
}

const struct op op_create_draft = {
	.name = "create_draft",
	.summary = "Write a draft: an answer in a thread, or a new message",
	.effect = EFFECT_DRAFT,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	.serves = ROLE_CREATE_DRAFT,
	.args = args,
	.result = result,
	.run = create_draft_run,
};
