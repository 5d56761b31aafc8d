/* emcli list: headers of a folder, newest first. */
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, ARG_REQUIRED, "folder to list", .def = NULL },
	{ "new", ARG_FLAG, 0, "only what is new: not acked, above the floor",
	    .def = NULL },
	{ "before", ARG_UID, 0,
	    "only uids below this: next_before pages further down",
	    .def = NULL },
	{ "since", ARG_UID, 0, "only uids above this", .def = NULL },
	FIELDS_ARG_LIMIT,
	{ 0 },
};

static const struct field result[] = {
	FIELDS_MESSAGES,
	{ "next_before", FIELD_INT, false, true,
	    "pass as `before` for the next page; null: no more", NULL },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_query q = {
		.folder = args_text(c->args, "folder"),
		.only_new = args_has(c->args, "new"),
		.before = args_uid(c->args, "before"),
		.since = args_uid(c->args, "since"),
		.limit = args_count(c->args, "limit", c->page),
	};
	struct mails page;

	if (mailbox_find(c->mailbox, &q, &page, e) < 0)
		return -1;
	fields_put_page(out, c->arena, &page);
	return 0;
}

const struct op op_list = {
	.name = "list",
	.summary = "List the headers of a folder, newest first",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.run = run,
};
