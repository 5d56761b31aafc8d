/* emcli create-draft: an answer for a person to send.  It sends nothing. */
#include "base/clean.h"
#include "gate/draft.h"
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "thread", ARG_TEXT, 0,
	    "answer this thread: kind:id, Message-ID or address", .def = NULL },
	{ "to", ARG_ADDRESS, ARG_MANY,
	    "recipients; default: the author of the thread's first message",
	    .def = NULL },
	{ "cc", ARG_ADDRESS, ARG_MANY,
	    "Cc recipients, besides the account's mailing list", .def = NULL },
	{ "bcc", ARG_ADDRESS, ARG_MANY, "Bcc recipients: nobody else sees them",
	    .def = NULL },
	{ "subject", ARG_TEXT, 0,
	    "only without a thread; a reply takes that of the first message",
	    .def = NULL },
	{ "body", ARG_LONG_TEXT, ARG_REQUIRED, "text of the message",
	    .def = NULL },
	{ "another", ARG_TEXT, ARG_EMPTY,
	    "make one more while a draft is pending; the reason", .def = NULL },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "draft_id", FIELD_TEXT, false, false, "as list_drafts gives it",
	    NULL },
	{ "message_id", FIELD_TEXT, false, false, "of the draft", NULL },
	FIELDS_THREAD_ID,
	{ "attached", FIELD_BOOL, false, false,
	    "is it in the thread, as the source sees it now?", NULL },
	{ "attach_method", FIELD_TEXT, false, false,
	    "thread, reply-header or subject-fallback", NULL },
	{ "attach_reason", FIELD_TEXT, false, true,
	    "why it is not attached: no_thread, no_message_id or "
	    "thread_refused",
	    NULL },
	{ "again", FIELD_BOOL, false, false,
	    "an earlier call with this thread and text made it; this one "
	    "made nothing",
	    NULL },
	{ "subject", FIELD_TEXT, false, false, "as stored", NULL },
	{ "to", FIELD_TEXTS, false, false, "addresses", NULL },
	{ "cc", FIELD_TEXTS, false, false, "addresses", NULL },
	{ "folder", FIELD_TEXT, false, false, "where it is", NULL },
	{ "url", FIELD_TEXT, false, true,
	    "of the thread, if known without a further request", NULL },
	{ "content_type", FIELD_TEXT, false, false, "text/plain; charset=utf-8",
	    NULL },
	FIELDS_RESOLUTION,
	{ 0 },
};

static void
create_draft_put_made(struct json *j, struct arena *a,
    const struct draft_made *m)
{
	json_put_str(j, "draft_id", m->id);
	json_put_str(j, "message_id", m->message_id);
	fields_source_put_id(j, a, "thread_id", &m->thread);
	json_put_bool(j, "attached", m->attached);
	json_put_text(j, "attach_method", m->method);
	if (m->why != NULL)
		json_put_text(j, "attach_reason", m->why);
	else
		json_put_null(j, "attach_reason");
	json_put_bool(j, "again", m->again);
	json_put_str(j, "subject", clean_text(a, m->subject, NULL));
	fields_put_list(j, a, "to", &m->to);
	fields_put_list(j, a, "cc", &m->cc);
	json_put_str(j, "folder", m->folder);
	if (m->url.n > 0)
		json_put_str(j, "url", m->url);
	else
		json_put_null(j, "url");
	json_put_text(j, "content_type", "text/plain; charset=utf-8");
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
	};
	struct draft_made made;

	if (args_has(c->args, "another") && str_trim(ask.another).n == 0)
		return err_set(e, ERR_USAGE, "another needs a reason");
	if (draft_create(c->draft, &ask, &made, e) < 0) {
		create_draft_put_detail(c, &made);
		return -1;
	}
	create_draft_put_made(out, c->arena, &made);
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
