/* SPDX-License-Identifier: Apache-2.0 */
/* emcli outbox list: outgoing messages and their states. */
#include "desk/account_name.h"
#include "desk/desk.h"
#include "desk/outbox_shown.h"

enum {
	ROWS_DEFAULT = 50
};

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT, .help = "only this account" },
	{ "state", ARG_CHOICE, .help = "only messages in this state",
	    .choices = "held|denied|expired|sending|sent|rejected|failed|"
		       "unknown_outcome" },
	{ "limit", ARG_COUNT, .help = "maximum number of rows", .min = 1,
	    .max = 100000, .def = "50" },
	{ 0 },
};

static const struct field rows[] = {
	OUTBOX_SHOWN_FIELDS,
	{ 0 },
};

static const struct field result[] = {
	{ "outbox", FIELD_OBJECTS, .help = "the rows, newest first",
	    .sub = rows },
	{ 0 },
};

/* The state of that name; STATES: none. */
static enum store_outbox_state
outbox_list_state(struct str word)
{
	int i = 0;

	while (i < STORE_OUTBOX_STATES &&
	    !str_eq(word,
		str_of(store_outbox_word((enum store_outbox_state)i))))
		i++;
	return (enum store_outbox_state)i;
}

static int
outbox_list_run(struct call *c, struct json *out, struct err *e)
{
	struct account_names names;
	struct store_outbox *v;
	int64_t account;
	size_t n;

	if (account_name_id(c, &account, e) < 0 ||
	    store_outbox_list(operate_store(c), c->arena, account,
		outbox_list_state(args_text(c->args, "state")), false,
		args_count(c->args, "limit", ROWS_DEFAULT), &v, &n, e) < 0 ||
	    account_name_load(c, &names, e) < 0)
		return -1;
	json_open_array(out, "outbox");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		outbox_shown_put(out, c->arena, &v[i],
		    account_name(&names, v[i].account));
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_outbox_list = {
	.name = "outbox list",
	.shows = "emcli outbox list",
	.summary = "List the messages of the outbox, newest first",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "id created=TIME@ principal< account state reason< copy "
		   "recipients=TO<",
	.run = outbox_list_run,
};
