/* SPDX-License-Identifier: Apache-2.0 */
/* emcli list: headers of a folder, newest first. */
#include "base/clock.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, .help = "folder to list", .def = "INBOX" },
	{ "new", ARG_FLAG,
	    .help = "only new messages: not acked, above the floor" },
	{ "claim", ARG_COUNT,
	    .help = "with new: claim them for this many seconds, or until ack; "
		    "this agent's other workers skip them",
	    .min = 1, .max = LIMIT_CLAIM_S },
	{ "before", ARG_UID, .help = "only uids below this: next_before" },
	{ "since", ARG_UID, .help = "only uids above this" },
	FIELDS_ARG_LIMIT,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field rematch[] = {
	{ "found", FIELD_INT,
	    .help = "acked messages that were recognized: they stay acked" },
	{ "lost", FIELD_INT,
	    .help = "acked messages that were not recognized: those still "
		    "there may be new again" },
	{ 0 },
};

static const struct field result[] = {
	FIELDS_MESSAGES,
	{ "next_before", FIELD_INT, .nullable = true,
	    .help = "pass as `before` for the next page; null: no more" },
	{ "claimed_until", FIELD_TEXT, .optional = true,
	    .help = "with claim: when the claim ends (RFC 3339)" },
	{ "rematch", FIELD_OBJECT, .optional = true,
	    .help = "if the server renumbered the folder: what became of acked "
		    "messages",
	    .sub = rematch },
	FIELDS_WARNINGS,
	{ 0 },
};

static void
list_put_rematch(struct json *out, const struct mailbox_rematch *r)
{
	if (!r->any)
		return;
	json_open_object(out, "rematch");
	json_put_int(out, "found", (int64_t)r->found);
	json_put_int(out, "lost", (int64_t)r->lost);
	json_close_object(out);
}

static int
list_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_query q = {
		.folder = args_text(c->args, "folder"),
		.only_new = args_has(c->args, "new"),
		.before = args_uid(c->args, "before"),
		.since = args_uid(c->args, "since"),
		.limit = args_count(c->args, "limit", c->page),
		.claim_s = args_count(c->args, "claim", 0),
	};
	struct mails page;

	if (q.claim_s > 0 && !q.only_new)
		return err_set(e, ERR_USAGE,
		    "only new messages can be claimed: add --new");
	if (mailbox_find(c->mailbox, &q, &page, e) < 0)
		return -1;
	fields_put_page(out, c->arena, &page);
	if (q.claim_s > 0)
		json_put_str(out, "claimed_until",
		    clock_rfc3339(c->arena, page.claimed_until_s));
	list_put_rematch(out, &page.rematch);
	return 0;
}

/*
 * A read, although it may claim: a claim separates the agent's own workers for
 * a while and expires by itself.  Only ack marks messages as done.
 */
const struct op op_list = {
	.name = "list",
	.summary = "List the headers of a folder, newest first",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-read",
	.args = args,
	.result = result,
	.columns = "uid date@ from.address=FROM sender_auth=AUTH subject",
	.run = list_run,
};
