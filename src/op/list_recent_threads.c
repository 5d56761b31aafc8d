/* SPDX-License-Identifier: Apache-2.0 */
/* emcli list-recent-threads: threads with new messages. */
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "list", ARG_ADDRESS,
	    .help = "only of this mailing list; default: the account's list, "
		    "or its whole folder" },
	{ "since", ARG_TEXT, ARG_REQUIRED,
	    .help = "with messages newer than this: 14d, 2w, 6h, 2026-06-21 or "
		    "RFC 3339" },
	FIELDS_ARG_LIMIT,
	{ "cursor", ARG_TEXT,
	    .help = "next_cursor of the page before, with the same list and "
		    "since" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field thread[] = {
	FIELDS_THREAD_ID,
	{ "list", FIELD_TEXT, .nullable = true, .help = "the requested list" },
	{ "subject", FIELD_TEXT, .help = "of the first message" },
	{ "first_message_date", FIELD_TEXT, .nullable = true,
	    .help = "RFC 3339, UTC" },
	{ "last_message_date", FIELD_TEXT, .nullable = true,
	    .help = "RFC 3339, UTC" },
	{ "message_count", FIELD_INT,
	    .help = "of the whole thread, as read_thread has it" },
	{ "root_message_id", FIELD_TEXT, .nullable = true,
	    .help = "of the first message, even if that is missing" },
	{ "permalink", FIELD_TEXT, .nullable = true,
	    .help = "its address, if known without a further request; else use "
		    "thread_url" },
	{ "date_unknown", FIELD_BOOL,
	    .help = "a message has no date and may be older" },
	{ "complete", FIELD_BOOL,
	    .help = "false: messages that are referred to are missing; "
		    "read_thread lists them" },
	{ 0 },
};

static const struct field result[] = {
	{ "threads", FIELD_OBJECTS, .help = "newest first", .sub = thread },
	{ "truncated", FIELD_BOOL, .help = "there are more" },
	{ "next_cursor", FIELD_TEXT, .nullable = true,
	    .help = "pass as `cursor` for the next page; null: no more" },
	FIELDS_RESOLUTION,
	{ 0 },
};

static void
list_recent_threads_put(struct call *c, struct json *j,
    const struct mailbox_thread *t, struct str list)
{
	struct mailbox_thread_address to;
	struct arena *a = c->arena;
	struct err none = { 0 };
	bool dated = t->first_s != 0 || t->last_s != 0;

	json_open_object(j, NULL);
	fields_source_put_thread(j, a, t, list);
	fields_source_put_moment(j, a, "first_message_date", t->first_s, dated);
	fields_source_put_moment(j, a, "last_message_date", t->last_s, dated);
	json_put_int(j, "message_count", (int64_t)t->n);
	fields_source_put_msgid(j, a, "root_message_id", t->root_message_id);
	if (mailbox_thread_url(c->mailbox, t, false, &to, &none) == 0)
		json_put_str(j, "permalink", to.url);
	else
		json_put_null(j, "permalink");
	json_put_bool(j, "date_unknown", t->date_unknown);
	json_put_bool(j, "complete", t->missing.n == 0 && !t->over);
	json_close_object(j);
}

static int
list_recent_threads_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_threads_query q = {
		.list = args_text(c->args, "list"),
		.since = str_trim(args_text(c->args, "since")),
		.limit = args_count(c->args, "limit", c->page),
		.cursor = args_text(c->args, "cursor"),
	};
	struct mailbox_threads l;

	if (q.list.n == 0)
		q.list = mailbox_thread_list(c->mailbox);
	if (fields_source_since(c->args, &q.since_s, e) < 0 ||
	    mailbox_threads(c->mailbox, &q, &l, e) < 0)
		return -1;
	json_open_array(out, "threads");
	for (size_t i = 0; i < l.n; i++)
		list_recent_threads_put(c, out, &l.v[i], q.list);
	json_close_array(out);
	fields_source_put_page(out, &l);
	return 0;
}

const struct op op_list_recent_threads = {
	.name = "list_recent_threads",
	.summary = "List threads with new messages",
	.effect = EFFECT_READ,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	.serves = ROLE_LIST_RECENT_THREADS,
	.args = args,
	.result = result,
	.columns = "last_message_date=LAST@ message_count=MESSAGES subject "
		   "thread_id.id=THREAD",
	.run = list_recent_threads_run,
};
