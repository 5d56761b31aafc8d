/* SPDX-License-Identifier: Apache-2.0 */
/* emcli freeze-self: an agent stops itself, when something is wrong. */
#include "gate/freeze.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "why", ARG_TEXT, .help = "one line for the operator" },
	{ 0 },
};

static const struct field result[] = {
	{ "status", FIELD_TEXT, .help = "frozen" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
run_freeze_self(struct call *c, struct json *out, struct err *e)
{
	if (gate_freeze_self(c, args_text(c->args, "why"), e) < 0)
		return -1;
	json_put_text(out, "status", "frozen");
	return 0;
}

const struct op op_freeze_self = {
	.name = "freeze_self",
	.summary = "Stop this agent until the operator thaws it",
	.effect = EFFECT_STATE,
	.unfrozen = true,
	.args = args,
	.result = result,
	.run = run_freeze_self,
};
