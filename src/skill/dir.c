/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operator's own skills: a folder of folders, each with a SKILL.md in the
 * format of agentskills.io, and texts below references/.  They differ from
 * emcli's in their rights: allowed-tools names existing operations, and a grant
 * of such a skill covers those that its holder could have had without it.
 * Content that others control is not read: links, and folders that others can
 * write.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "skill/internal.h"
#include "store/outbox.h"

enum {
	FILES = 32,
	OPS = 64,
	NAME_SHOWN = 64
};

/* A process reads them once. */
static struct {
	struct arena *a;
	struct skill_left left[SKILL_ADDED];
	size_t lefts;
} added;

static const char *
skill_dir_digest_of(struct str text)
{
	struct str hex = store_digest_file(added.a, text);

	return str_fmt(added.a, "sha256:%.*s", STR_ARG(hex)).p;
}

const struct skill_left *
skill_dir_left(size_t i)
{
	return i < added.lefts ? &added.left[i] : NULL;
}

/*
 * A folder's name may be anything: characters that are not letters become "?".
 */
static void
skill_dir_leave(struct str name, const struct err *why)
{
	char *shown = str_c(added.a, str_first(name, NAME_SHOWN));

	for (char *p = shown; *p != '\0'; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	added.left[added.lefts++] = (struct skill_left){
		.name = shown,
		.why = str_fmt(added.a, "%s", why->say).p,
	};
}

/* Owned by this user or root: its writers tell models what to do. */
static int
skill_dir_trusted(int fd, const char *what, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_set(e, ERR_CONFIG, "%s cannot be checked", what);
	if (!path_trust_is(&st, geteuid()))
		return err_set(e, ERR_CONFIG,
		    "others can write to %s: chmod go-w", what);
	return 0;
}

static int
skill_dir_by_text(const void *x, const void *y)
{
	const struct str *a = x, *b = y;

	return str_cmp(*a, *b);
}

/* The names in it except hidden ones, sorted; at most `max`. */
static int
skill_dir_names(const char *dir, struct str path, size_t max, struct strs *out,
    struct err *e)
{
	int fd = path_folder_open(dir, path, e);
	struct dirent *d;
	DIR *list;

	if (fd < 0)
		return -1;
	if (skill_dir_trusted(fd, "the folder of skills", e) < 0) {
		path_close(&fd);
		return -1;
	}
	list = fdopendir(fd);
	if (list == NULL)
		err_bug("fdopendir");
	while (out->n <= max && (d = readdir(list)) != NULL)
		if (d->d_name[0] != '.')
			str_push(added.a, out,
			    str_dup(added.a, str_of(d->d_name)));
	(void)closedir(list);
	if (out->n > max)
		return err_set(e, ERR_LIMIT, "there are more than %zu files",
		    max);
	if (out->n > 0)
		qsort(out->v, out->n, sizeof(*out->v), skill_dir_by_text);
	return 0;
}

static int
skill_dir_read_file(const char *dir, struct str path, struct str *out,
    struct err *e)
{
	CLEANUP(path_close) int fd = path_open_beneath(dir, path, e);

	if (fd < 0 || skill_dir_trusted(fd, "a file", e) < 0)
		return -1;
	return path_read(fd, LIMIT_SKILL, added.a, out, e);
}

/* Texts below references/; a skill may have none. */
static int
skill_dir_read_references(const char *dir, struct skill *s, struct err *e)
{
	struct skill_file *v = arena_array(added.a, FILES + 1, sizeof(*v));
	struct strs list = { 0 };
	struct err none = { 0 };

	s->resources = v;
	if (skill_dir_names(dir, str_fmt(added.a, "%s/references", s->name),
		FILES, &list, &none) < 0) {
		if (none.kind == ERR_NOT_FOUND)
			return 0;
		*e = none;
		return -1;
	}
	for (size_t i = 0; i < list.n; i++) {
		struct str path =
		    str_fmt(added.a, "references/%.*s", STR_ARG(list.v[i]));

		if (skill_dir_read_file(dir,
			str_fmt(added.a, "%s/%s", s->name, path.p), &v[i].text,
			e) < 0)
			return -1;
		if (!utf8_valid(v[i].text) || !utf8_valid(path))
			return err_set(e, ERR_USAGE,
			    "a file of references/ is not UTF-8");
		v[i].path = path.p;
		v[i].digest = skill_dir_digest_of(v[i].text);
	}
	return 0;
}

/* By allowed-tools; each must be an operation of one of emcli's skills. */
static int
skill_dir_read_ops(struct skill *s, struct str tools, struct err *e)
{
	const char **v = arena_array(added.a, OPS + 1, sizeof(*v));
	struct str one;
	size_t n = 0;

	s->ops = v;
	while (tools.n > 0) {
		(void)str_cut(tools, ' ', &one, &tools);
		if (one.n == 0)
			continue;
		if (skill_of_op(one) == NULL)
			return err_set(e, ERR_USAGE,
			    "allowed-tools: %.*s is not an operation",
			    STR_ARG(str_first(one, 40)));
		if (skill_has_op(s, one))
			continue;
		if (n == OPS)
			return err_set(e, ERR_LIMIT, "too many allowed-tools");
		v[n++] = str_c(added.a, one);
	}
	if (n == 0)
		return err_set(e, ERR_USAGE,
		    "allowed-tools names no operation");
	return 0;
}

static int
skill_dir_read_skill(const char *dir, struct str name, struct skill *s,
    struct err *e)
{
	CLEANUP(path_close) int folder = path_folder_open(dir, name, e);
	struct skill_front f;

	*s = (struct skill){ .name = str_c(added.a, name), .added = true };
	if (folder < 0 || skill_dir_trusted(folder, "its folder", e) < 0 ||
	    skill_dir_read_file(dir, str_fmt(added.a, "%s/SKILL.md", s->name),
		&s->file, e) < 0 ||
	    skill_front_read(s->file, name, added.a, &f, e) < 0 ||
	    skill_dir_read_ops(s, f.tools, e) < 0 ||
	    skill_dir_read_references(dir, s, e) < 0)
		return -1;
	if (f.body.n > LIMIT_SKILL_BODY)
		return err_set(e, ERR_LIMIT,
		    "the text is too long for a model");
	if (skill_find(name) != NULL)
		return err_set(e, ERR_USAGE, "a skill with that name exists");
	s->label = str_c(added.a, f.label);
	s->description = str_c(added.a, f.description);
	s->body = f.body;
	s->digest = skill_dir_digest_of(s->file);
	return 0;
}

int
skill_dir_load(const char *dir, bool strict, struct err *e)
{
	struct strs list = { 0 };
	struct skill s;
	struct err why;

	arena_close(&added.a);
	skill_added_clear();
	added.lefts = 0;
	if (dir == NULL)
		return 0;
	added.a = arena_open(LIMIT_MESSAGE);
	if (skill_dir_names(dir, S("."), SKILL_ADDED, &list, e) < 0)
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		why = (struct err){ 0 };
		if (skill_dir_read_skill(dir, list.v[i], &s, &why) == 0)
			skill_added_put(&s);
		else if (strict)
			return err_set(e, ERR_USAGE, "%.*s: %s",
			    STR_ARG(str_first(list.v[i], NAME_SHOWN)), why.say);
		else
			skill_dir_leave(list.v[i], &why);
	}
	return 0;
}
