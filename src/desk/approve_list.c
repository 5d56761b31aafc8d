/* SPDX-License-Identifier: Apache-2.0 */
/* emcli approve list: messages and changes that wait for the operator. */
#include "base/clock.h"
#include "desk/account_name.h"
#include "desk/desk.h"
#include "gate/changes.h"
#include "store/outbox.h"

enum {
	ROWS_MAX = 10000
};

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT, .help = "only this account" },
	{ 0 },
};

static const struct field held[] = {
	{ "id", FIELD_INT, .help = "its number" },
	{ "account", FIELD_TEXT, .help = "the account it leaves from" },
	{ "agent", FIELD_TEXT, .help = "who sends it" },
	{ "reason", FIELD_TEXT, .help = "why it waits" },
	{ "change", FIELD_TEXT, .nullable = true,
	    .help = "of a change of mail: what would be done" },
	{ "recipients", FIELD_TEXTS, .help = "its recipients" },
	{ "bytes", FIELD_INT, .help = "its size" },
	{ "created", FIELD_TEXT, .help = "when it was sent" },
	{ "expires", FIELD_TEXT, .help = "when it expires" },
	{ 0 },
};

static const struct field result[] = {
	{ "held", FIELD_OBJECTS, .help = "held messages, newest first",
	    .sub = held },
	{ 0 },
};

static void
approve_list_put(struct json *j, struct arena *a, const struct store_outbox *v,
    struct str account)
{
	struct mailbox_change ch;
	struct str what = { 0 };

	if (v->change != NULL) {
		changes_tell(v->change, &ch);
		what = changes_text(a, &ch);
	}
	json_open_object(j, NULL);
	json_put_int(j, "id", v->id);
	json_put_str(j, "account", account);
	json_put_str(j, "agent", v->principal);
	json_put_str(j, "reason", v->reason);
	json_put_str_or_null(j, "change", what);
	json_open_array(j, "recipients");
	for (size_t k = 0; k < v->n; k++)
		json_put_str(j, NULL, v->rcpt[k].address);
	json_close_array(j);
	json_put_int(j, "bytes", (int64_t)v->bytes);
	json_put_str(j, "created", clock_rfc3339(a, v->created_s));
	json_put_str(j, "expires",
	    clock_rfc3339(a, v->expires_s + v->frozen_s));
	json_close_object(j);
}

static int
approve_list_run(struct call *c, struct json *out, struct err *e)
{
	struct account_names names;
	struct store_outbox *v;
	int64_t account;
	size_t n;

	if (account_name_id(c, &account, e) < 0 ||
	    store_outbox_list(operate_store(c), c->arena, account,
		STORE_OUTBOX_HELD, true, ROWS_MAX, &v, &n, e) < 0 ||
	    account_name_load(c, &names, e) < 0)
		return -1;
	json_open_array(out, "held");
	for (size_t i = 0; i < n; i++)
		approve_list_put(out, c->arena, &v[i],
		    account_name(&names, v[i].account));
	json_close_array(out);
	return 0;
}

const struct op desk_approve_list = {
	.name = "approve list",
	.shows = "emcli approve list",
	.summary = "List what waits for approval, newest first",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns =
	    "id account agent reason recipients=TO< change<?- bytes expires@",
	.run = approve_list_run,
};
