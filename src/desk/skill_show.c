/* SPDX-License-Identifier: Apache-2.0 */
/* emcli skill show: the exact bytes that agents and hosts get. */
#include <errno.h>

#include "desk/desk.h"
#include "desk/skill_own.h"
#include "gate/setting.h"

static const struct arg_spec args[] = {
	{ "name", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "of the skill" },
	{ "path", ARG_TEXT,
	    .help = "one of its files, such as references/warnings.md" },
	{ 0 },
};

static int
skill_show_find(const struct call *c, struct str *out, struct err *e)
{
	struct str name = args_text(c->args, "name");
	struct str path = args_text(c->args, "path");
	const struct skill *s = skill_find(name);
	const struct skill_file *f;

	if (s == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no skill %.*s: see emcli skill list",
		    STR_ARG(setting_quote(c->arena, name)));
	*out = s->file;
	if (path.n == 0)
		return 0;
	f = skill_resource(s, path);
	if (f == NULL)
		return err_set(e, ERR_NOT_FOUND, "the skill has no such file");
	*out = f->text;
	return 0;
}

static int
skill_show_run(struct call *c, struct json *out, struct err *e)
{
	struct str text = { 0 };

	(void)out;
	skill_own_add(c);
	if (skill_show_find(c, &text, e) < 0)
		return -1;
	/* The reader may have read enough: `| head`. */
	if (operate_door(c)->write(text, false) == 0 || errno == EPIPE)
		return 0;
	(void)err_set(e, ERR_CONFIG, "standard output");
	return err_errno(e, "write");
}

const struct op desk_skill_show = {
	.name = "skill show",
	.summary = "Print a skill as agents get it",
	.effect = EFFECT_OPERATE,
	.args = args,
	.run = skill_show_run,
};
