/* SPDX-License-Identifier: Apache-2.0 */
/* emcli changes list: what agents changed of mail, and what was undone. */
#include "desk/account_name.h"
#include "desk/changes_shown.h"
#include "desk/desk.h"

enum {
	ROWS_DEFAULT = 50
};

static const struct arg_spec args[] = {
	{ "agent", ARG_TEXT,
	    .help = "only changes of this agent, or of "
		    "operator" },
	{ "account", ARG_ACCOUNT, .help = "only changes in this account" },
	{ "since", ARG_TEXT,
	    .help = "since this day (UTC) or time; 1h, 2d or 3w: since that "
		    "long ago" },
	{ "limit", ARG_COUNT, .help = "maximum number of rows", .min = 1,
	    .max = 100000, .def = "50" },
	{ 0 },
};

static const struct field rows[] = {
	CHANGES_SHOWN_FIELDS,
	{ 0 },
};

static const struct field result[] = {
	{ "changes", FIELD_OBJECTS, .help = "newest first", .sub = rows },
	{ 0 },
};

static int
changes_list_run(struct call *c, struct json *out, struct err *e)
{
	struct store_journal_query q = {
		.principal = args_text(c->args, "agent"),
		.limit = args_count(c->args, "limit", ROWS_DEFAULT),
	};
	struct store_journal *v = NULL;
	struct account_names names;
	size_t n = 0;

	if (account_name_id(c, &q.account, e) < 0 ||
	    changes_shown_since(c, &q.since_s, e) < 0 ||
	    store_journal_list(operate_store(c), c->arena, &q, &v, &n, e) < 0 ||
	    account_name_load(c, &names, e) < 0)
		return -1;
	json_open_array(out, "changes");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		changes_shown_put(out, c->arena, &v[i],
		    account_name(&names, v[i].account));
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_changes_list = {
	.name = "changes list",
	.shows = "emcli changes list",
	.summary = "List what agents changed of mail, newest first",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "change at@ agent< account< folder< to< done undone state",
	.run = changes_list_run,
};
