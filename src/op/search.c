/* emcli search: the same rows as list, found by what they say. */
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, 0, "folder to search", .def = "INBOX" },
	{ "from", ARG_TEXT, 0, "part of the sender's name or address",
	    .def = NULL },
	{ "to", ARG_TEXT, 0,
	    "part of a recipient's name or address, in To or Cc", .def = NULL },
	{ "subject_contains", ARG_TEXT, 0, "part of the subject", .def = NULL },
	{ "text", ARG_TEXT, 0, "words in the header or body", .def = NULL },
	{ "message_id", ARG_TEXT, 0, "with this Message-ID, whole",
	    .def = NULL },
	{ "since", ARG_DATE, 0, "dated on this day or later", .def = NULL },
	{ "before", ARG_DATE, 0, "dated before this day", .def = NULL },
	{ "before_uid", ARG_UID, 0, "only uids below this: next_before",
	    .def = NULL },
	FIELDS_ARG_LIMIT,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	FIELDS_MESSAGES,
	{ "truncated", FIELD_BOOL, false, false,
	    "the result was truncated: there may be more", NULL },
	{ "next_before", FIELD_INT, false, true,
	    "pass as `before_uid` for the next page; null: no more", NULL },
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
		.limit = args_count(c->args, "limit", c->page),
	};
	struct mails page;

	if (mailbox_find(c->mailbox, &q, &page, e) < 0)
		return -1;
	json_put_bool(out, "truncated", page.next_before != 0);
	fields_put_page(out, c->arena, &page);
	return 0;
}

const struct op op_search = {
	.name = "search",
	.summary = "Find messages in a folder by sender, subject, text or date",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-read",
	.args = args,
	.result = result,
	.columns = "uid date from.address=FROM sender_auth=AUTH subject",
	.run = search_run,
};
