/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli skill validate: checks a folder against the rules of the format.
 * Without a folder: checks skills_dir, which has additional rules.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/limits.h"
#include "base/path.h"
#include "desk/desk.h"
#include "desk/skill_own.h"

static const struct arg_spec args[] = {
	{ "folder", ARG_PATH, ARG_POSITIONAL | ARG_MANY,
	    .help = "a skill's folder: it contains SKILL.md and has the "
		    "skill's name; default: all in the setting skills_dir" },
	{ 0 },
};

static const struct field looked[] = {
	{ "folder", FIELD_TEXT,
	    .help = "the folder as given, or in skills_dir" },
	{ "ok", FIELD_BOOL, .help = "is it a skill?" },
	{ "why", FIELD_TEXT, .nullable = true,
	    .help = "what is wrong with it" },
	{ 0 },
};

static const struct field result[] = {
	{ "folders", FIELD_OBJECTS, .help = "the folders checked",
	    .sub = looked },
	{ 0 },
};

static int
skill_validate_read_text(struct call *c, struct str dir, struct str *out,
    struct err *e)
{
	const char *path = str_fmt(c->arena, "%.*s/SKILL.md", STR_ARG(dir)).p;
	CLEANUP(path_close)
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "there is no readable SKILL.md");
		return err_errno(e, "open");
	}
	return path_read(fd, LIMIT_SKILL, c->arena, out, e);
}

static int
skill_validate_folder(struct call *c, struct str dir, struct err *e)
{
	struct skill_front front;
	struct str text = { 0 }, name;
	size_t at;

	while (dir.n > 1 && dir.p[dir.n - 1] == '/')
		dir.n--;
	for (at = dir.n; at > 0 && dir.p[at - 1] != '/'; at--)
		;
	name = str_from(dir, at);
	/* The real names of these folders are not known here. */
	if (str_eq(name, S(".")) || str_eq(name, S("..")))
		name = S("");
	if (skill_validate_read_text(c, dir, &text, e) < 0 ||
	    skill_front_read(text, name, c->arena, &front, e) < 0)
		return -1;
	if (front.body.n > LIMIT_SKILL_BODY)
		return err_set(e, ERR_LIMIT,
		    "the text is longer than %lu bytes, too long for a model",
		    LIMIT_SKILL_BODY);
	return 0;
}

/* why NULL: it is a skill. */
static void
skill_validate_tell(struct call *c, struct json *out, struct str folder,
    const char *why)
{
	json_open_object(out, NULL);
	json_put_str(out, "folder", folder);
	json_put_bool(out, "ok", why == NULL);
	json_put_text(out, "why", why);
	json_close_object(out);
	gate_say_line(c,
	    str_fmt(c->arena, "%.*s: %s", STR_ARG(folder),
		why != NULL ? why : "ok"));
}

/* Reads as agents' commands do: what they skip is an error here. */
static int
skill_validate_added(struct call *c, struct json *out, struct err *e)
{
	const struct skill_left *l;
	const struct skill *s;
	size_t good = 0, bad = 0;

	skill_own_add(c);
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++) {
		if (!s->added)
			continue;
		skill_validate_tell(c, out, str_of(s->name), NULL);
		good++;
	}
	for (; (l = skill_dir_left(bad)) != NULL; bad++)
		skill_validate_tell(c, out, str_of(l->name), l->why);
	if (bad > 0)
		return err_set(e, ERR_USAGE, "%zu of %zu are not skills", bad,
		    good + bad);
	if (good == 0)
		return err_set(e, ERR_USAGE,
		    "name a folder: skills_dir has none");
	return 0;
}

/* Checks all, and reports the errors of each. */
static int
skill_validate_named(struct call *c, const struct strs *dirs, struct json *out,
    struct err *e)
{
	size_t bad = 0;

	for (size_t i = 0; i < dirs->n; i++) {
		struct err why = { 0 };
		int r = skill_validate_folder(c, dirs->v[i], &why);

		skill_validate_tell(c, out, dirs->v[i], r < 0 ? why.say : NULL);
		bad += r < 0;
	}
	if (bad == 0)
		return 0;
	return err_set(e, ERR_USAGE, "%zu of %zu are not valid skills", bad,
	    dirs->n);
}

static int
skill_validate_run(struct call *c, struct json *out, struct err *e)
{
	const struct strs *dirs = args_list(c->args, "folder");
	int r;

	json_open_array(out, "folders");
	if (dirs->n == 0)
		r = skill_validate_added(c, out, e);
	else
		r = skill_validate_named(c, dirs, out, e);
	json_close_array(out);
	return r;
}

const struct op desk_skill_validate = {
	.name = "skill validate",
	.summary = "Check whether folders are valid skills",
	.effect = EFFECT_OPERATE,
	.report = true,
	.args = args,
	.result = result,
	.run = skill_validate_run,
};
