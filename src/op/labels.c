/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli labels: those of the newest messages that the agent may see.  A list of
 * all that the account has would tell of hidden mail.
 */
#include "base/clean.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, .help = "folder to look in", .def = "INBOX" },
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "labels", FIELD_TEXTS,
	    .help = "of the newest 500 messages, most recent first" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
labels_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_query q = { .folder = args_text(c->args, "folder"),
		.limit = LIMIT_PAGE,
		.ids_only = true };
	struct strs seen = { 0 };
	struct mails l;

	if (!mailbox_organise_labels(c->mailbox))
		return err_set(e, ERR_UNSUPPORTED,
		    "this account does not keep labels");
	if (mailbox_find(c->mailbox, &q, &l, e) < 0)
		return -1;
	json_open_array(out, "labels");
	for (size_t i = 0; i < l.n; i++)
		for (size_t k = 0; k < l.v[i].labels.n; k++) {
			struct str s = l.v[i].labels.v[k];

			if (str_among_case(&seen, s))
				continue;
			str_push(c->arena, &seen, s);
			json_put_str(out, NULL, clean_text(c->arena, s, NULL));
		}
	json_close_array(out);
	return 0;
}

const struct op op_labels = {
	.name = "labels",
	.summary = "List the labels of a folder's newest messages",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-organize",
	.args = args,
	.result = result,
	.run = labels_run,
};
