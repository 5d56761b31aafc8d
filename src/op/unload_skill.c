/* SPDX-License-Identifier: Apache-2.0 */
/* emcli unload-skill: ends what load-skill gave, at once. */
#include "gate/grant.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_SKILL,
	{ "lease", ARG_TEXT, ARG_QUIET,
	    .help =
		"only this one; default: all that this agent has loaded here" },
	{ 0 },
};

static const struct field result[] = {
	{ "status", FIELD_TEXT, .help = "unloaded" },
	{ "skill", FIELD_TEXT, .help = "its id" },
	FIELDS_WARNINGS,
	{ 0 },
};

/* A skill that was not loaded is not an error. */
static int
unload_skill_run(struct call *c, struct json *out, struct err *e)
{
	const struct skill *s;
	size_t n;

	if (fields_skill(c, &s, e) < 0 ||
	    gate_grant_unload(c, s, args_text(c->args, "lease"), &n, e) < 0)
		return -1;
	json_put_text(out, "status", "unloaded");
	json_put_text(out, "skill", s->name);
	return 0;
}

const struct op op_unload_skill = {
	.name = "unload_skill",
	.summary = "Give back the lease of load_skill",
	.effect = EFFECT_STATE,
	.args = args,
	.result = result,
	.run = unload_skill_run,
};
