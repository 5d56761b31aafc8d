/* SPDX-License-Identifier: Apache-2.0 */
/* emcli list-skills: what can be loaded, one sentence each. */
#include "gate/grant.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = { { 0 } };

static const struct field skill[] = {
	{ "id", FIELD_TEXT, .help = "the argument of load_skill" },
	{ "label", FIELD_TEXT, .help = "for people" },
	{ "description", FIELD_TEXT,
	    .help = "what it does, and when to use it" },
	{ "active", FIELD_BOOL, .help = "is it loaded now?" },
	{ "tools", FIELD_INT, .help = "how many operations it has" },
	{ 0 },
};

static const struct field result[] = {
	{ "status", FIELD_TEXT, .help = "ok" },
	FIELDS_SCOPE,
	{ "skills", FIELD_OBJECTS, .help = "by id", .sub = skill },
	{ "usage", FIELD_TEXT, .help = "what to do with them" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
list_skills_put(struct call *c, struct json *out, const struct skill *s,
    struct err *e)
{
	bool may, live;
	int n = 0;

	if (gate_grant_may(c->gate, c->arena, s, &may, e) < 0)
		return -1;
	/* A skill that cannot be loaded is not listed. */
	if (!may)
		return 0;
	if (gate_grant_live(c->gate, c->arena, s, &live, e) < 0)
		return -1;
	while (s->ops[n] != NULL)
		n++;
	json_open_object(out, NULL);
	json_put_text(out, "id", s->name);
	json_put_text(out, "label", s->label);
	json_put_text(out, "description", s->description);
	json_put_bool(out, "active", live);
	json_put_int(out, "tools", n);
	json_close_object(out);
	return 0;
}

static int
list_skills_run(struct call *c, struct json *out, struct err *e)
{
	const struct skill *s;

	json_put_text(out, "status", "ok");
	fields_put_scope(out, c);
	json_open_array(out, "skills");
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		if (list_skills_put(c, out, s, e) < 0)
			return -1;
	json_close_array(out);
	json_put_str(out, "usage",
	    str_fmt(c->arena,
		"Call %.*sload_skill with a skill id before using "
		"skill-specific tools.",
		STR_ARG(gate_caller_prefix(c->gate))));
	return 0;
}

const struct op op_list_skills = {
	.name = "list_skills",
	.summary = "List the skills for mail (email, inbox) that can be "
		   "loaded",
	.effect = EFFECT_READ,
	.args = args,
	.result = result,
	.run = list_skills_run,
};
