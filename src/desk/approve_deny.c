/* SPDX-License-Identifier: Apache-2.0 */
/* emcli approve deny: refuses a waiting message for good. */
#include "desk/approve_text.h"
#include "desk/desk.h"
#include "store/outbox.h"

static const struct arg_spec args[] = {
	APPROVE_ID,
	{ 0 },
};

static const struct field result[] = {
	{ "denied", FIELD_INT, .help = "its number" },
	{ 0 },
};

static int
approve_deny_run(struct call *c, struct json *out, struct err *e)
{
	int64_t id = args_count(c->args, "id", 0);

	if (store_outbox_move(operate_store(c), id, STORE_OUTBOX_HELD,
		STORE_OUTBOX_DENIED, e) < 0)
		return -1;
	json_put_int(out, "denied", id);
	gate_tell(c, "denied %lld", (long long)id);
	return 0;
}

const struct op desk_approve_deny = {
	.name = "approve deny",
	.shows = "emcli approve list",
	.summary = "Deny a held message or change, for good",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = approve_deny_run,
};
