/* emcli outbox list and show: what was to leave, and how it stands. */
#include "store/outbox.h"
#include "door/admin/internal.h"

enum {
	ROWS_DEFAULT = 50
};

const struct arg_spec admin_outbox_list_args[] = {
	{ .name = "account", .type = ARG_ACCOUNT, .help = "only this account" },
	{ .name = "state",
	    .type = ARG_CHOICE,
	    .help = "only what stands so",
	    .choices = "held|denied|expired|sending|sent|rejected|failed|"
		       "unknown_outcome" },
	{ .name = "limit",
	    .type = ARG_COUNT,
	    .help = "how many rows at the most",
	    .min = 1,
	    .max = 100000,
	    .def = "50" },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

const struct arg_spec admin_outbox_show_args[] = {
	{ .name = "id",
	    .type = ARG_COUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "number of the message",
	    .min = 1,
	    .max = UINT32_MAX },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of text" },
	{ 0 },
};

/* STATES when none is asked for. */
static enum store_outbox_state
state_of(struct str word)
{
	int i = 0;

	while (i < STORE_OUTBOX_STATES &&
	    !str_eq(word,
		str_of(store_outbox_word((enum store_outbox_state)i))))
		i++;
	return (enum store_outbox_state)i;
}

int
admin_outbox_list(struct admin_call *c, struct err *e)
{
	struct store_account acct = { 0 };
	struct strs names;
	struct store_outbox *v;
	size_t n;

	if (args_has(c->args, "account") &&
	    store_account_get(c->store, c->arena, args_text(c->args, "account"),
		&acct, e) < 0)
		return -1;
	if (store_outbox_list(c->store, c->arena, acct.id,
		state_of(args_text(c->args, "state")),
		args_count(c->args, "limit", ROWS_DEFAULT), &v, &n, e) < 0 ||
	    admin_outbox_put_names(c, v, n, &names, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		admin_outbox_put_json(c, v, n, &names, false);
	else
		admin_outbox_put_table(c, v, n, &names);
	return 0;
}

int
admin_outbox_show(struct admin_call *c, struct err *e)
{
	struct store_outbox row = { 0 };
	struct strs names;

	if (store_outbox_get(c->store, c->arena, args_count(c->args, "id", 0),
		&row, e) < 0 ||
	    admin_outbox_put_names(c, &row, 1, &names, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		admin_outbox_put_json(c, &row, 1, &names, true);
	else
		admin_outbox_put_row(c, &row, names.v[0]);
	return 0;
}
