/* SPDX-License-Identifier: Apache-2.0 */
/* emcli folders: the names of folders, which an agent cannot guess. */
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT,
	    .help = "account to list; optional if there is only one" },
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field folder[] = {
	{ "name", FIELD_TEXT, .help = "what --folder takes" },
	{ "role", FIELD_TEXT, .nullable = true,
	    .help = "inbox, sent, drafts, trash, junk, archive ... or null" },
	{ "selectable", FIELD_BOOL, .help = "can it hold messages?" },
	{ 0 },
};

static const struct field result[] = {
	{ "folders", FIELD_OBJECTS, .help = "by name", .sub = folder },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
folders_run(struct call *c, struct json *out, struct err *e)
{
	struct folders l = { 0 };

	if (mailbox_folders(c->mailbox, &l, e) < 0)
		return -1;
	json_open_array(out, "folders");
	for (size_t i = 0; i < l.n; i++) {
		const char *role = mailbox_role(l.v[i].role);

		json_open_object(out, NULL);
		json_put_str(out, "name", l.v[i].name);
		if (role[0] != '\0')
			json_put_text(out, "role", role);
		else
			json_put_null(out, "role");
		json_put_bool(out, "selectable", l.v[i].selectable);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op op_folders = {
	.name = "folders",
	.summary = "List the folders of an account",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-read",
	.args = args,
	.result = result,
	.columns = "name role selectable",
	.run = folders_run,
};
