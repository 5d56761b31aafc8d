/* SPDX-License-Identifier: Apache-2.0 */
/* emcli audit list: requests and their outcomes. */
#include "desk/audit_time.h"
#include "desk/desk.h"
#include "store/audit.h"

enum {
	ROWS_DEFAULT = 50
};

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT, .help = "only this account" },
	{ "principal", ARG_TEXT,
	    .help = "only rows of this agent, or of operator" },
	{ "action", ARG_TEXT,
	    .help = "only this action, as send or account.edit" },
	{ "result", ARG_CHOICE, .help = "only rows with this outcome",
	    .choices = "allowed|blocked" },
	{ "since", ARG_TEXT,
	    .help = "rows since this day (UTC) or time; 1h, 2d or 3w: since "
		    "that long ago" },
	{ "until", ARG_TEXT,
	    .help = "rows up to this day (UTC) or time; 1h, 2d or 3w: up to "
		    "that long ago" },
	{ "limit", ARG_COUNT, .help = "maximum number of rows", .min = 1,
	    .max = 100000, .def = "50" },
	{ 0 },
};

static const struct field rows[] = {
	{ "id", FIELD_INT, .help = "the row's number" },
	{ "time", FIELD_TEXT, .help = "when it was asked" },
	{ "principal", FIELD_TEXT, .help = "the agent, or operator" },
	{ "account", FIELD_TEXT, .help = "the account, or empty" },
	{ "action", FIELD_TEXT, .help = "what was asked" },
	{ "target", FIELD_TEXT, .help = "what it was about" },
	{ "result", FIELD_TEXT, .help = "allowed or blocked" },
	{ "reason", FIELD_TEXT, .help = "the rule that blocked it" },
	{ "outcome", FIELD_TEXT, .help = "ok, or the error's code" },
	{ "detail", FIELD_TEXT, .help = "more, for the operator" },
	{ 0 },
};

static const struct field result[] = {
	{ "audit", FIELD_OBJECTS, .help = "the rows, newest first",
	    .sub = rows },
	{ 0 },
};

static void
audit_list_put(struct json *j, const struct store_audit *row)
{
	json_open_object(j, NULL);
	json_put_int(j, "id", row->id);
	json_put_str(j, "time", row->ts);
	json_put_str(j, "principal", row->principal);
	json_put_str(j, "account", row->account);
	json_put_str(j, "action", row->action);
	json_put_str(j, "target", row->target);
	json_put_str(j, "result", row->result);
	json_put_str(j, "reason", row->reason);
	json_put_str(j, "outcome", row->outcome);
	json_put_str(j, "detail", row->detail);
	json_close_object(j);
}

/* An account that has no rows and does not exist is a mistyped name. */
static int
audit_list_must_be_known(struct call *c, struct str account, struct err *e)
{
	struct store_audit_query q = { .account = account, .limit = 1 };
	struct store_account acct;
	struct store_audit *v;
	size_t n;

	if (account.n == 0 ||
	    store_account_get(operate_store(c), c->arena, account, &acct, e) ==
		0)
		return 0;
	if (e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	if (store_audit_list(operate_store(c), c->arena, &q, &v, &n, e) < 0)
		return -1;
	if (n > 0)
		return 0;
	return err_set(e, ERR_NOT_FOUND, "there is no such account");
}

static int
audit_list_run(struct call *c, struct json *out, struct err *e)
{
	struct store_audit_query q = {
		.account = args_text(c->args, "account"),
		.principal = args_text(c->args, "principal"),
		.action = args_text(c->args, "action"),
		.result = args_text(c->args, "result"),
		.limit = args_count(c->args, "limit", ROWS_DEFAULT),
	};
	struct store_audit *v;
	size_t n;

	if (audit_time(c, "since", false, &q.since, e) < 0 ||
	    audit_time(c, "until", true, &q.before, e) < 0 ||
	    audit_list_must_be_known(c, q.account, e) < 0 ||
	    store_audit_list(operate_store(c), c->arena, &q, &v, &n, e) < 0)
		return -1;
	json_open_array(out, "audit");
	for (size_t i = 0; i < n; i++)
		audit_list_put(out, &v[i]);
	json_close_array(out);
	return 0;
}

const struct op desk_audit_list = {
	.name = "audit list",
	.shows = "emcli audit list",
	.summary = "List what agents did, newest first",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "time principal< account< action< target< result reason< "
		   "outcome<",
	.run = audit_list_run,
};
