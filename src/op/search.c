/* SPDX-License-Identifier: Apache-2.0 */
/* emcli search: the same rows as list, found by what they say. */
#include "gate/across.h"
#include "gate/span.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, .help = "folder to search", .def = "INBOX" },
	{ "all_accounts", ARG_FLAG,
	    .help = "that folder, or all_folders, of every account" },
	{ "all_folders", ARG_FLAG, .help = "every folder but Trash and Junk" },
	{ "trash_too", ARG_FLAG, .help = "with all_folders: those, too" },
	{ "from", ARG_TEXT, .help = "part of the sender's name or address" },
	{ "to", ARG_TEXT,
	    .help = "part of a recipient's name or address, in To or Cc" },
	{ "subject_contains", ARG_TEXT, .help = "part of the subject" },
	{ "text", ARG_TEXT, .help = "words in the header or body" },
	{ "message_id", ARG_TEXT, .help = "with this Message-ID, whole" },
	{ "unread", ARG_FLAG, .help = "only unread messages" },
	{ "flagged", ARG_FLAG, .help = "only flagged messages" },
	{ "unanswered", ARG_FLAG, .help = "only messages without an answer" },
	{ "has_attachment", ARG_FLAG, .help = "only with attachments" },
	{ "since", ARG_DATE, .help = "dated on this day or later" },
	{ "before", ARG_DATE, .help = "dated before this day" },
	{ "before_uid", ARG_UID, .help = "only uids below this: next_before" },
	{ "cursor", ARG_TEXT, .help = "next_cursor of the page before" },
	FIELDS_ARG_LIMIT,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field row[] = {
	FIELDS_ROW,
	{ "account", FIELD_TEXT, .optional = true,
	    .help = "with all_folders or all_accounts: where it is" },
	{ "folder", FIELD_TEXT, .optional = true,
	    .help = "the folder whose uid it is" },
	{ 0 },
};

static const struct field not_searched[] = {
	{ "account", FIELD_TEXT, .help = "its name" },
	{ "code", FIELD_TEXT, .help = "the code of its error" },
	{ "message", FIELD_TEXT, .help = "what happened" },
	{ "next", FIELD_TEXT, .nullable = true, .help = "what to do" },
	{ 0 },
};

static const struct field result[] = {
	{ "messages", FIELD_OBJECTS, .help = "newest first", .sub = row },
	{ "truncated", FIELD_BOOL,
	    .help = "the result was truncated: there may be more" },
	{ "next_before", FIELD_INT, .nullable = true,
	    .help = "pass as `before_uid` for the next page; null: no more" },
	{ "next_cursor", FIELD_TEXT, .optional = true, .nullable = true,
	    .help = "of several folders: pass as `cursor` for the next "
		    "page; null: no more" },
	{ "not_searched", FIELD_OBJECTS, .optional = true,
	    .help = "accounts whose mail is missing", .sub = not_searched },
	FIELDS_WARNINGS,
	{ 0 },
};

/* 0 means no criterion, but 1970-01-01 is one: any second of that day works. */
static int64_t
search_day(const struct call *c, const char *name)
{
	int64_t s = args_date(c->args, name);

	return s == 0 && args_has(c->args, name) ? 1 : s;
}

/* What a server keeps of a message. */
static const struct search_flag {
	const char *name;
	unsigned with, without; /* enum backend_flag */
} search_flags[] = {
	{ "unread", .without = FLAG_READ },
	{ "flagged", .with = FLAG_FLAGGED },
	{ "unanswered", .without = FLAG_ANSWERED },
};

static void
search_put_flags(const struct call *c, struct mailbox_query *q)
{
	size_t n = sizeof(search_flags) / sizeof(search_flags[0]);

	for (size_t i = 0; i < n; i++) {
		if (!args_has(c->args, search_flags[i].name))
			continue;
		q->with |= search_flags[i].with;
		q->without |= search_flags[i].without;
	}
}

static void
search_put_hits(struct json *out, struct arena *a, const struct across_page *l)
{
	json_open_array(out, "messages");
	for (size_t i = 0; i < l->n; i++) {
		json_open_object(out, NULL);
		fields_put_row(out, a, &l->v[i].mail);
		json_put_str(out, "account", l->v[i].account);
		json_put_str(out, "folder", l->v[i].mail.folder);
		json_close_object(out);
	}
	json_close_array(out);
}

static int
search_across(struct call *c, const struct mailbox_query *q, struct json *out,
    struct err *e)
{
	struct across_query all = {
		.find = *q,
		.trash = args_has(c->args, "trash_too"),
		.cursor = args_text(c->args, "cursor"),
	};
	struct across_page page;

	if (args_has(c->args, "all_folders"))
		all.find.folder = S("");
	if (across_search(c, &all, &page, e) < 0)
		return -1;
	json_put_bool(out, "truncated", page.next.n > 0);
	search_put_hits(out, c->arena, &page);
	json_put_null(out, "next_before");
	if (page.next.n > 0)
		json_put_str(out, "next_cursor", page.next);
	else
		json_put_null(out, "next_cursor");
	span_put(c, out);
	return 0;
}

static bool
search_is_across(const struct call *c)
{
	return c->span != NULL || args_has(c->args, "all_folders");
}

/* What cannot be asked together. */
static int
search_check(const struct call *c, struct err *e)
{
	bool all = args_has(c->args, "all_folders");
	bool several = search_is_across(c);

	if (all && args_has(c->args, "folder"))
		return err_set(e, ERR_USAGE,
		    "all folders and one: leave out --folder or --all-folders");
	if (several && args_has(c->args, "before_uid"))
		return err_set(e, ERR_USAGE,
		    "a uid is of one folder: go on with --cursor");
	if (!all && args_has(c->args, "trash_too"))
		return err_set(e, ERR_USAGE,
		    "--trash-too is for --all-folders");
	if (!several && args_has(c->args, "cursor"))
		return err_set(e, ERR_USAGE,
		    "--cursor is for --all-folders and --all-accounts");
	return 0;
}

static int
search_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_query q = {
		.folder = args_text(c->args, "folder"),
		.from = args_text(c->args, "from"),
		.to = args_text(c->args, "to"),
		.message_id = fields_message_id(c->arena,
		    args_text(c->args, "message_id")),
		.before = args_uid(c->args, "before_uid"),
		.subject = args_text(c->args, "subject_contains"),
		.text = args_text(c->args, "text"),
		.since_s = search_day(c, "since"),
		.before_s = search_day(c, "before"),
		.has_attachments = args_has(c->args, "has_attachment"),
		.limit = args_count(c->args, "limit", c->page),
	};
	struct mails page;

	search_put_flags(c, &q);
	if (search_check(c, e) < 0)
		return -1;
	if (search_is_across(c))
		return search_across(c, &q, out, e);
	if (mailbox_find(c->mailbox, &q, &page, e) < 0)
		return -1;
	json_put_bool(out, "truncated", page.next_before != 0);
	fields_put_page(out, c->arena, &page);
	return 0;
}

const struct op op_search = {
	.name = "search",
	.summary = "Find messages by sender, subject, text or date",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.spans = "all_accounts",
	.skill = "mail-read",
	.args = args,
	.result = result,
	.columns = "account~ folder~ uid date@ from.address=FROM "
		   "sender_auth=AUTH subject",
	.run = search_run,
};
