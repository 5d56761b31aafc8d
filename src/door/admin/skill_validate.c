/*
 * emcli skill validate: is a folder a skill, by the rules of the format?  And
 * without one: what is in skills_dir, which has rules of its own besides.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/path.h"
#include "door/admin/skill.h"
#include "door/out.h"

const struct arg_spec admin_skill_validate_args[] = {
	{ .name = "folder",
	    .type = ARG_PATH,
	    .flags = ARG_POSITIONAL | ARG_MANY,
	    .help = "of a skill: SKILL.md lies in it, and it has its name; "
		    "without any, those of the setting skills_dir" },
	{ 0 },
};

static int
read_one(struct admin_call *c, struct str dir, struct str *out, struct err *e)
{
	const char *path = str_fmt(c->arena, "%.*s/SKILL.md", STR_ARG(dir)).p;
	CLEANUP(path_close)
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "there is no SKILL.md to read");
		return err_errno(e, "open");
	}
	return path_read(fd, LIMIT_SKILL, c->arena, out, e);
}

static int
validate(struct admin_call *c, struct str dir, struct err *e)
{
	struct skill_front front;
	struct str text = { 0 }, name;
	size_t at;

	while (dir.n > 1 && dir.p[dir.n - 1] == '/')
		dir.n--;
	for (at = dir.n; at > 0 && dir.p[at - 1] != '/'; at--)
		;
	name = str_from(dir, at);
	/* What these are called cannot be told from here. */
	if (str_eq(name, S(".")) || str_eq(name, S("..")))
		name = S("");
	if (read_one(c, dir, &text, e) < 0 ||
	    skill_front_read(text, name, c->arena, &front, e) < 0)
		return -1;
	if (front.body.n > LIMIT_SKILL_BODY)
		return err_set(e, ERR_LIMIT,
		    "the text is over %lu bytes, too long for a model",
		    LIMIT_SKILL_BODY);
	return 0;
}

/* As agents' commands read them: what is left out there is wrong here. */
static int
validate_added(struct admin_call *c, struct err *e)
{
	const struct skill_left *l;
	const struct skill *s;
	size_t good = 0, bad = 0;

	admin_skill_load(c);
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++) {
		if (!s->added)
			continue;
		buf_fmt(c->out, "%s: ok\n", s->name);
		good++;
	}
	for (; (l = skill_dir_left(bad)) != NULL; bad++)
		buf_fmt(c->out, "%s: %s\n", l->name, l->why);
	c->report = true;
	if (bad > 0)
		return err_set(e, ERR_USAGE, "%zu of %zu are no skills", bad,
		    good + bad);
	if (good == 0)
		return err_set(e, ERR_USAGE,
		    "name a folder: there is none in skills_dir");
	return 0;
}

/* All are looked at, and what is wrong said of each. */
int
admin_skill_validate(struct admin_call *c, struct err *e)
{
	const struct strs *dirs = args_list(c->args, "folder");
	size_t bad = 0;

	if (dirs->n == 0)
		return validate_added(c, e);
	for (size_t i = 0; i < dirs->n; i++) {
		struct str shown = out_line(c->arena, dirs->v[i]);
		struct err why = { 0 };

		if (validate(c, dirs->v[i], &why) == 0) {
			buf_fmt(c->out, "%.*s: ok\n", STR_ARG(shown));
			continue;
		}
		bad++;
		buf_fmt(c->out, "%.*s: %s\n", STR_ARG(shown), why.say);
	}
	c->report = true;
	if (bad == 0)
		return 0;
	return err_set(e, ERR_USAGE, "%zu of %zu are no valid skills", bad,
	    dirs->n);
}
