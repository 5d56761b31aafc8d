/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli skill export DIR: writes the skills as folders, for hosts that read
 * their own.  All files are checked before any is written, so that a folder
 * with somebody's changes is not half overwritten.
 */
#include <errno.h>
#include <sys/stat.h>

#include "desk/desk.h"
#include "desk/own_file.h"
#include "skill/skill.h"

static const struct arg_spec args[] = {
	{ "folder", ARG_PATH, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "folder for the skills' folders; made if it is missing" },
	{ "force", ARG_FLAG, .help = "overwrite changed files, too" },
	{ 0 },
};

static const struct field result[] = {
	{ "written", FIELD_INT, .help = "files that were written" },
	{ "unchanged", FIELD_INT, .help = "files that existed already" },
	{ 0 },
};

struct export
{
	struct call *c;
	struct str root;
	bool force;
	size_t written, same;
};

static int
skill_export_look(struct export *x, const char *path, struct str text,
    struct err *e)
{
	const struct own_file f = { .path = path,
		.text = text,
		.force = x->force };

	return own_file_is_there(&f, x->c->arena, e) < 0 ? -1 : 0;
}

/* Makes the folders below the root. */
static int
skill_export_make_folders(const struct export *x, const char *path,
    struct err *e)
{
	char *at = str_c(x->c->arena, str_of(path));

	for (size_t i = x->root.n + 1; at[i] != '\0'; i++) {
		if (at[i] != '/')
			continue;
		at[i] = '\0';
		if (mkdir(at, 0755) < 0 && errno != EEXIST)
			return own_file_fail(e, "cannot make a folder", at);
		at[i] = '/';
	}
	return 0;
}

static int
skill_export_put(struct export *x, const char *path, struct str text,
    struct err *e)
{
	const struct own_file f = { .path = path,
		.text = text,
		.force = x->force };
	int r = skill_export_make_folders(x, path, e);

	if (r == 0)
		r = own_file_put(&f, x->c->arena, e);
	if (r < 0)
		return -1;
	x->written += r == 1;
	x->same += r == 0;
	return 0;
}

/* Each file of a skill, by its path. */
static int
skill_export_each(struct export *x,
    int (*fn)(struct export *x, const char *path, struct str text,
	struct err *e),
    struct err *e)
{
	const struct skill *s;

	for (size_t i = 0; (s = skill_at(i)) != NULL; i++) {
		struct str dir =
		    str_fmt(x->c->arena, "%.*s/%s", STR_ARG(x->root), s->name);
		const struct skill_file *f = s->resources;

		if (s->ops[0] == NULL)
			continue;
		if (fn(x, str_fmt(x->c->arena, "%s/SKILL.md", dir.p).p, s->file,
			e) < 0)
			return -1;
		for (; f->path != NULL; f++)
			if (fn(x,
				str_fmt(x->c->arena, "%s/%s", dir.p, f->path).p,
				f->text, e) < 0)
				return -1;
	}
	return 0;
}

static int
skill_export_run(struct call *c, struct json *out, struct err *e)
{
	struct str root = args_text(c->args, "folder");
	struct export x = { .c = c, .force = args_has(c->args, "force") };

	while (root.n > 1 && root.p[root.n - 1] == '/')
		root.n--;
	x.root = str_of(str_c(c->arena, root));
	if (mkdir(x.root.p, 0755) < 0 && errno != EEXIST)
		return own_file_fail(e, "cannot make the folder", x.root.p);
	if (skill_export_each(&x, skill_export_look, e) < 0 ||
	    skill_export_each(&x, skill_export_put, e) < 0)
		return -1;
	json_put_int(out, "written", (int64_t)x.written);
	json_put_int(out, "unchanged", (int64_t)x.same);
	gate_tell(c, "%zu files written, %zu existed already", x.written,
	    x.same);
	return 0;
}

const struct op desk_skill_export = {
	.name = "skill export",
	.summary = "Write the skills as folders for agents' hosts",
	.effect = EFFECT_OPERATE,
	.needs = NEED_FILES,
	.args = args,
	.result = result,
	.run = skill_export_run,
};
