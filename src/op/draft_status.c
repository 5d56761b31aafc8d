/* SPDX-License-Identifier: Apache-2.0 */
/* emcli draft-status: does a draft wait, was it sent, or is it gone? */
#include "gate/draft_status.h"
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "id", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its message_id, or its draft_id while it is pending" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "status", FIELD_TEXT,
	    .help = "pending; sent; discarded: neither pending nor sent under "
		    "its Message-ID, also if it never existed; or unknown" },
	{ "why", FIELD_TEXT, .nullable = true,
	    .help = "unknown: gone_ask_by_message_id, sent_folder_unknown or "
		    "too_many_drafts" },
	{ "draft_id", FIELD_TEXT, .nullable = true,
	    .help = "of the pending draft" },
	{ "message_id", FIELD_TEXT, .nullable = true,
	    .help = "of the draft, or of the sent message" },
	{ "date", FIELD_TEXT, .nullable = true, .help = "RFC 3339, UTC" },
	FIELDS_RESOLUTION,
	{ 0 },
};

static int
draft_status_run(struct call *c, struct json *out, struct err *e)
{
	const struct mailbox_thread_message *msg;
	struct draft_status st;

	if (draft_status(c->mailbox, args_text(c->args, "id"), &st, e) < 0)
		return -1;
	msg = st.msg;
	json_put_text(out, "status", st.status);
	json_put_text(out, "why", st.why);
	fields_source_put_msgid(out, c->arena, "draft_id",
	    msg != NULL && str_eq(str_of(st.status), S("pending"))
		? mailbox_thread_drafts_id(c->arena, msg)
		: S(""));
	fields_source_put_msgid(out, c->arena, "message_id",
	    msg != NULL ? msg->mail.env.message_id : S(""));
	fields_source_put_moment(out, c->arena, "date",
	    msg != NULL ? msg->mail.env.date_s : 0,
	    msg != NULL && msg->mail.env.has_date);
	return 0;
}

const struct op op_draft_status = {
	.name = "draft_status",
	.summary = "Tell whether a draft is pending, was sent, or is gone",
	.effect = EFFECT_READ,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	/* A source that lists drafts serves it. */
	.serves = ROLE_LIST_DRAFTS,
	.args = args,
	.result = result,
	.run = draft_status_run,
};
