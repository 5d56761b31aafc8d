/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli read-skill-resource: a file of a skill.  No file is opened: the
 * contents are compiled in and found by the names in load-skill's list, so a
 * path cannot lead elsewhere.
 */
#include "gate/grant.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_SKILL,
	{ "path", ARG_TEXT, ARG_REQUIRED,
	    .help = "as load_skill lists it in resources" },
	{ 0 },
};

static const struct field result[] = {
	{ "skill", FIELD_TEXT, .help = "its id" },
	{ "path", FIELD_TEXT, .help = "of the file" },
	{ "text", FIELD_TEXT, .help = "its text" },
	{ "digest", FIELD_TEXT, .help = "of the text" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
read_skill_resource_run(struct call *c, struct json *out, struct err *e)
{
	struct str path = args_text(c->args, "path");
	const struct skill_file *f;
	const struct skill *s;

	if (fields_skill(c, &s, e) < 0)
		return -1;
	f = skill_resource(s, path);
	if (f == NULL) {
		(void)err_set(e, ERR_NOT_FOUND,
		    "the skill %s has no such resource", s->name);
		return err_because(e, "requested: %.*s",
		    STR_ARG(str_first(path, 64)));
	}
	json_put_text(out, "skill", s->name);
	json_put_text(out, "path", f->path);
	json_put_str(out, "text", f->text);
	json_put_text(out, "digest", f->digest);
	return 0;
}

const struct op op_read_skill_resource = {
	.name = "read_skill_resource",
	.summary = "Read a file that comes with a skill",
	.effect = EFFECT_READ,
	.args = args,
	.result = result,
	.run = read_skill_resource_run,
};
