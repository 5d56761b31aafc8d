/* SPDX-License-Identifier: Apache-2.0 */
/* emcli search-threads: threads with a matching message. */
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "phrase", ARG_TEXT, .help = "words in the header or body" },
	{ "from", ARG_TEXT, .help = "part of the sender's name or address" },
	{ "not_from", ARG_TEXT,
	    .help = "not with this in the sender's name or address" },
	{ "to", ARG_TEXT,
	    .help = "part of a recipient's name or address, in To or Cc" },
	{ "subject", ARG_TEXT, .help = "part of the subject" },
	{ "list", ARG_ADDRESS,
	    .help = "only of this mailing list; default: the account's list, "
		    "or its whole folder" },
	{ "since", ARG_TEXT,
	    .help = "newer than this: 14d, 2w, 6h, 2026-06-21 or RFC 3339" },
	{ "before", ARG_DATE, .help = "dated before this day" },
	FIELDS_ARG_LIMIT,
	{ "cursor", ARG_TEXT,
	    .help = "next_cursor of the page before, with the same query" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field thread[] = {
	FIELDS_THREAD_ID,
	{ "list", FIELD_TEXT, .nullable = true, .help = "the requested list" },
	{ "subject", FIELD_TEXT, .help = "of the first message" },
	{ "last_message_date", FIELD_TEXT, .nullable = true,
	    .help = "RFC 3339, UTC" },
	{ "message_count", FIELD_INT,
	    .help = "of the whole thread, as read_thread has it" },
	{ "root_message_id", FIELD_TEXT, .nullable = true,
	    .help = "of the first message, even if that is missing" },
	{ "complete", FIELD_BOOL,
	    .help = "false: messages that are referred to were not examined or "
		    "are missing; read_thread lists them" },
	{ "last_message", FIELD_OBJECT, .nullable = true,
	    .help = "the newest message; it need not be a match",
	    .sub = fields_source_row },
	{ 0 },
};

static const struct field result[] = {
	{ "threads", FIELD_OBJECTS, .help = "newest first", .sub = thread },
	{ "truncated", FIELD_BOOL, .help = "there are more" },
	{ "next_cursor", FIELD_TEXT, .nullable = true,
	    .help = "pass as `cursor` for the next page; null: no more, or too "
		    "many matches: narrow the query" },
	FIELDS_RESOLUTION,
	{ 0 },
};

static void
search_threads_put_last(struct json *j, struct arena *a,
    const struct mailbox_thread *t)
{
	const struct mailbox_thread_message *last = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (!t->v[i].draft)
			last = &t->v[i];
	if (last == NULL) {
		json_put_null(j, "last_message");
		return;
	}
	json_open_object(j, "last_message");
	fields_source_put_row(j, a, last);
	json_close_object(j);
}

static void
put_thread(struct json *j, struct arena *a, const struct mailbox_thread *t,
    struct str list)
{
	json_open_object(j, NULL);
	fields_source_put_thread(j, a, t, list);
	fields_source_put_moment(j, a, "last_message_date", t->last_s,
	    t->first_s != 0 || t->last_s != 0);
	json_put_int(j, "message_count", (int64_t)t->n);
	fields_source_put_msgid(j, a, "root_message_id", t->root_message_id);
	json_put_bool(j, "complete", t->missing.n == 0 && !t->over);
	search_threads_put_last(j, a, t);
	json_close_object(j);
}

/* 0 means no criterion, but 1970-01-01 is one: any second of that day works. */
static int64_t
before_day(const struct call *c)
{
	int64_t s = args_date(c->args, "before");

	return s == 0 && args_has(c->args, "before") ? 1 : s;
}

static int
search_threads_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_threads_query q = {
		.list = args_text(c->args, "list"),
		.since = str_trim(args_text(c->args, "since")),
		.limit = args_count(c->args, "limit", c->page),
		.cursor = args_text(c->args, "cursor"),
		.search = true,
		.from = args_text(c->args, "from"),
		.not_from = args_text(c->args, "not_from"),
		.to = args_text(c->args, "to"),
		.subject = args_text(c->args, "subject"),
		.text = args_text(c->args, "phrase"),
		.before_s = before_day(c),
	};
	struct mailbox_threads l;

	if (q.list.n == 0)
		q.list = mailbox_thread_list(c->mailbox);
	if ((args_has(c->args, "since") &&
		fields_source_since(c->args, &q.since_s, e) < 0) ||
	    mailbox_threads(c->mailbox, &q, &l, e) < 0)
		return -1;
	json_open_array(out, "threads");
	for (size_t i = 0; i < l.n; i++)
		put_thread(out, c->arena, &l.v[i], q.list);
	json_close_array(out);
	fields_source_put_page(out, &l);
	return 0;
}

const struct op op_search_threads = {
	.name = "search_threads",
	.summary = "Find threads by sender, recipient, subject, text or date",
	.effect = EFFECT_READ,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	.serves = ROLE_SEARCH_THREADS,
	.args = args,
	.result = result,
	.columns = "last_message_date=LAST@ message_count=MESSAGES subject "
		   "thread_id.id=THREAD",
	.run = search_threads_run,
};
