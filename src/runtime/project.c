/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skills in a home.  Those for an agent's own mailbox are always there, so that
 * no role must explain how to read mail.  A skill is its whole folder: other
 * content in it is removed, and up-to-date files are not written again.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/home.h"
#include "skill/skill.h"

/* Older skills of other programs, which our two skills replace. */
static const char *const merged[] = {
	"houmao-email-via-agent-gateway",
	"houmao-email-via-filesystem",
	"houmao-email-via-stalwart",
	"mailbox/houmao-email-via-agent-gateway",
	"mailbox/houmao-email-via-filesystem",
	"mailbox/houmao-email-via-stalwart",
};

enum {
	MERGED = sizeof(merged) / sizeof(merged[0]),
	ABOUT_MAX = 4096
};

/* The folder of a skill, relative to the home. */
static struct str
project_folder(const struct home *h, struct str name)
{
	return str_fmt(h->a, "%s/%.*s", h->host->skills, STR_ARG(name));
}

static bool
project_is_ours(struct str name)
{
	const struct skill *s;

	for (size_t i = 0; (s = skill_home_at(i)) != NULL; i++)
		if (str_eq(str_of(s->name), name))
			return true;
	return false;
}

/* YAML's double-quoted scalar is the same as JSON's string for a text. */
static void
project_put_quoted(struct buf *b, const char *key, struct str s)
{
	struct json *j = json_new(b->a);
	struct str list;

	json_open_array(j, NULL);
	json_put_str(j, NULL, s);
	json_close_array(j);
	list = json_text(j, b->a);
	buf_fmt(b, "  %s: %.*s\n", key, (int)list.n - 2, list.p + 1);
}

/* How Codex displays it. */
static struct str
project_about(const struct home *h, const struct skill *s)
{
	struct str all = str_of(s->description), first = str_first(all, 0);
	struct buf b;

	buf_init(&b, h->a, ABOUT_MAX);
	buf_text(&b, "interface:\n");
	project_put_quoted(&b, "display_name", str_of(s->label));
	while (first.n < all.n && !str_has_char(S(",:"), all.p[first.n]))
		first.n++;
	project_put_quoted(&b, "short_description", first);
	project_put_quoted(&b, "default_prompt",
	    str_fmt(h->a, "Use $%s.", s->name));
	return buf_view(&b);
}

static int
project_one(struct home *h, const struct skill *s, struct err *e)
{
	struct str dir = project_folder(h, str_of(s->name));
	struct str inside = str_fmt(h->a, "%.*s/", STR_ARG(dir));
	const struct skill_file *f = s->resources;

	for (size_t i = 0; i < h->files; i++)
		if (str_starts(h->file[i].path, inside))
			return err_set(e, ERR_USAGE,
			    "the skill %s is emcli's own: take it out of the "
			    "setup folder",
			    s->name);
	if (home_plan_put(h, str_fmt(h->a, "%.*sSKILL.md", STR_ARG(inside)),
		s->file, e) < 0)
		return -1;
	for (; f->path != NULL; f++)
		if (home_plan_put(h,
			str_fmt(h->a, "%.*s%s", STR_ARG(inside), f->path),
			f->text, e) < 0)
			return -1;
	if (h->host->about != NULL &&
	    home_plan_put(h,
		str_fmt(h->a, "%.*s%s", STR_ARG(inside), h->host->about),
		project_about(h, s), e) < 0)
		return -1;
	str_push(h->a, &h->skills, str_of(s->name));
	return 0;
}

int
project_ours(struct home *h, struct err *e)
{
	const struct skill *s;

	for (size_t i = 0; (s = skill_home_at(i)) != NULL; i++)
		if (project_one(h, s, e) < 0)
			return -1;
	return 0;
}

/* The last segment of a folder's path. */
static int
project_name(struct home *h, struct str dir, struct str *whole,
    struct str *name, struct err *e)
{
	char real[PATH_MAX];

	if (realpath(str_c(h->a, dir), real) == NULL) {
		(void)err_set(e, ERR_USAGE, "there is no skill's folder %.*s",
		    STR_ARG(str_first(dir, 100)));
		return err_errno(e, "realpath");
	}
	*whole = str_dup(h->a, str_of(real));
	*name = *whole;
	for (size_t i = 0; i < whole->n; i++)
		if (whole->p[i] == '/')
			*name = str_from(*whole, i + 1);
	return 0;
}

static int
project_check(struct home *h, struct str dir, struct str name, struct err *e)
{
	struct skill_front front;
	struct err why = { 0 };
	struct str text;
	int fd = path_open_beneath(str_c(h->a, dir), S("SKILL.md"), &why);
	int r;

	if (fd < 0)
		return err_set(e, ERR_USAGE,
		    "%.*s: there is no readable SKILL.md",
		    STR_ARG(str_first(name, 64)));
	r = path_read(fd, LIMIT_SKILL, h->a, &text, &why);
	path_close(&fd);
	if (r < 0 || skill_front_read(text, name, h->a, &front, &why) < 0)
		return err_set(e, ERR_USAGE, "%.*s/SKILL.md: %s",
		    STR_ARG(str_first(name, 64)), why.say);
	if (project_is_ours(name))
		return err_set(e, ERR_USAGE,
		    "the skill %.*s is emcli's own and always there",
		    STR_ARG(name));
	if (str_among(&h->skills, name))
		return err_set(e, ERR_USAGE, "the skill %.*s is given twice",
		    STR_ARG(name));
	return 0;
}

int
project_skill(struct home *h, struct str dir, struct err *e)
{
	struct str whole = { 0 }, name = { 0 };

	if (project_name(h, dir, &whole, &name, e) < 0 ||
	    project_check(h, whole, name, e) < 0)
		return -1;
	str_push(h->a, &h->skills, name);
	return home_tree_add(h,
	    str_fmt(h->a, "the skill %.*s", STR_ARG(name)).p, whole,
	    project_folder(h, name), e);
}

/* Does the folder contain anything that does not belong there? */
static bool
project_is_mixed(struct home *h, struct str path)
{
	struct home there = { .a = h->a, .host = h->host };
	struct err e = { 0 };

	if (home_tree_add(&there, "the home",
		str_fmt(h->a, "%.*s/%.*s", STR_ARG(h->path), STR_ARG(path)),
		path, &e) < 0)
		return true;
	for (size_t i = 0; i < there.files; i++)
		if (there.file[i].kind != HOME_FOLDER &&
		    !home_plan_has(h, there.file[i].path))
			return true;
	return false;
}

void
project_look(struct home *h)
{
	for (size_t i = 0; i < h->skills.n; i++) {
		struct str path = project_folder(h, h->skills.v[i]);

		if (project_is_mixed(h, path))
			str_push(h->a, &h->stale, path);
	}
	for (size_t i = 0; i < MERGED; i++) {
		struct str path = project_folder(h, str_of(merged[i]));

		if (!home_plan_has(h,
			str_fmt(h->a, "%.*s/SKILL.md", STR_ARG(path))))
			str_push(h->a, &h->stale, path);
	}
}

static int
project_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "an old skill cannot be taken away");
	return err_errno(e, what);
}

/* Moves it out of the home, to be removed with the remains of builds. */
static int
project_move_away(struct home *h, struct str path, struct err *e)
{
	static unsigned n;
	CLEANUP(path_close) int at = fcntl(h->old, F_DUPFD_CLOEXEC, 0);
	struct str part, rest = path;
	char to[64];

	while (str_cut(rest, '/', &part, &rest)) {
		int next = path_dir_open(at, str_c(h->a, part));

		if (next < 0)
			return errno == ENOENT ? 0 : project_fail(e, "open");
		path_close(&at);
		at = next;
	}
	(void)snprintf(to, sizeof(to), PLACE_REMOVE "skill-%u", n++);
	if (renameat(at, str_c(h->a, part), h->homes, to) < 0 &&
	    errno != ENOENT)
		return project_fail(e, "rename");
	return 0;
}

int
project_settle(struct home *h, struct err *e)
{
	for (size_t i = 0; i < h->stale.n; i++)
		if (project_move_away(h, h->stale.v[i], e) < 0)
			return -1;
	return 0;
}
