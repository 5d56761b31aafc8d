/* SPDX-License-Identifier: Apache-2.0 */
/* The existing homes, by their manifests. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/home.h"
#include "skill/skill.h"

#define SUFFIX ".yaml"

static int
home_list_by_id(const void *x, const void *y)
{
	const struct str *a = x, *b = y;

	return str_cmp(*a, *b);
}

/* The home's name of every manifest, sorted. */
static int
home_list_ids(int manifests, struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	int fd = openat(manifests, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *one;

	if (fd < 0)
		return err_set(e, ERR_CONFIG, "the homes cannot be listed");
	d = fdopendir(fd);
	if (d == NULL)
		err_bug("fdopendir");
	while ((one = readdir(d)) != NULL) {
		struct str name = str_of(one->d_name);

		if (!str_ends(name, S(SUFFIX)))
			continue;
		name.n -= sizeof(SUFFIX) - 1;
		if (!place_is_name(name))
			continue;
		if (out->n == LIMIT_HOMES)
			return err_set(e, ERR_LIMIT,
			    "there are more than %d homes", LIMIT_HOMES);
		str_push(a, out, str_dup(a, name));
	}
	if (out->n > 0)
		qsort(out->v, out->n, sizeof(*out->v), home_list_by_id);
	return 0;
}

static int
home_list_read_manifest(int manifests, struct arena *a, struct home_entry *out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd =
	    openat(manifests, str_fmt(a, "%.*s" SUFFIX, STR_ARG(out->id)).p,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "there is no such home");
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return err_set(e, ERR_CONFIG, "the manifest cannot be read");
	if (path_read(fd, LIMIT_HOME_MANIFEST, a, &out->text, e) < 0)
		return -1;
	return brain_read(out->text, a, &out->brain, e);
}

/* A build or removal that is still running or was killed. */
static bool
home_list_is_passing(int homes, struct str id, struct arena *a)
{
	static const char *const before[] = { "", PLACE_BUILD, PLACE_REMOVE };
	bool there[3];
	struct stat st;

	for (size_t i = 0; i < 3; i++)
		there[i] = fstatat(homes,
			       str_fmt(a, "%s%.*s", before[i], STR_ARG(id)).p,
			       &st, AT_SYMLINK_NOFOLLOW) == 0;
	return !there[0] && (there[1] || there[2]);
}

/* Skills that the program reads instead of ours. */
static void
home_list_rivals(int homes, struct arena *a, struct home_entry *h)
{
	const struct home_host *host = host_table_find(h->brain.tool);
	const struct skill *s;
	struct stat st;

	if (host == NULL || host->rival == NULL)
		return;
	for (size_t i = 0; (s = skill_home_at(i)) != NULL; i++) {
		struct str at = str_fmt(a, "%s/%s", host->rival, s->name);

		if (fstatat(homes,
			str_fmt(a, "%.*s/%.*s", STR_ARG(h->id), STR_ARG(at)).p,
			&st, AT_SYMLINK_NOFOLLOW) == 0)
			str_push(a, &h->brain.warnings,
			    str_fmt(a,
				"%s is read instead of the one in %s: remove "
				"it",
				at.p, host->skills));
	}
}

static int
home_list_read(const struct place *p, int manifests, struct str id,
    struct arena *a, struct home_entry *out, struct err *e)
{
	struct err why = { 0 };
	struct stat st;
	int homes;

	*out = (struct home_entry){
		.id = id,
		.path = str_fmt(a, "%.*s/homes/%.*s", STR_ARG(p->root),
		    STR_ARG(id)),
		.manifest = str_fmt(a, "%.*s/manifests/%.*s" SUFFIX,
		    STR_ARG(p->root), STR_ARG(id)),
		.state = HOME_READY,
	};
	if (home_list_read_manifest(manifests, a, out, &why) < 0) {
		if (why.kind == ERR_NOT_FOUND)
			return err_set(e, ERR_NOT_FOUND, "%s", why.say);
		out->state = HOME_DAMAGED;
		out->why = str_fmt(a, "%s", why.say);
	}
	homes = place_folder(p->fd, "homes", false, &why);
	if (homes >= 0 && home_list_is_passing(homes, id, a)) {
		path_close(&homes);
		return err_set(e, ERR_NOT_FOUND, "there is no such home");
	}
	if (homes < 0 ||
	    fstatat(homes, str_c(a, id), &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISDIR(st.st_mode)) {
		out->state = HOME_MISSING;
		out->why = S("the folder is not there");
	} else {
		home_list_rivals(homes, a, out);
	}
	path_close(&homes);
	return 0;
}

int
home_list(struct str root, struct arena *a, struct home_entry **out, size_t *n,
    struct err *e)
{
	CLEANUP(place_close) struct place p = { .fd = -1 };
	CLEANUP(path_close) int manifests = -1;
	struct err why = { 0 };
	struct strs ids = { 0 };
	int r = place_open(&p, root, false, a, e);

	*n = 0;
	*out = NULL;
	if (r != 0)
		return r < 0 ? -1 : 0;
	manifests = place_folder(p.fd, "manifests", false, &why);
	if (manifests < 0 && why.kind == ERR_NOT_FOUND)
		return 0;
	if (manifests < 0) {
		*e = why;
		return -1;
	}
	if (home_list_ids(manifests, a, &ids, e) < 0)
		return -1;
	*out = arena_array(a, ids.n, sizeof(**out));
	for (size_t i = 0; i < ids.n; i++) {
		why = (struct err){ 0 };
		/* One that was removed meanwhile is skipped. */
		if (home_list_read(&p, manifests, ids.v[i], a, &(*out)[*n],
			&why) == 0)
			(*n)++;
	}
	return 0;
}

int
home_list_find(struct str root, struct str id, struct arena *a,
    struct home_entry *out, struct err *e)
{
	CLEANUP(place_close) struct place p = { .fd = -1 };
	CLEANUP(path_close) int manifests = -1;
	struct err why = { 0 };
	int r = place_is_name(id) ? place_open(&p, root, false, a, e) : 1;

	if (r < 0)
		return -1;
	if (r == 0)
		manifests = place_folder(p.fd, "manifests", false, &why);
	if (r != 0 || (manifests < 0 && why.kind == ERR_NOT_FOUND))
		return err_set(e, ERR_NOT_FOUND, "there is no such home");
	if (manifests < 0) {
		*e = why;
		return -1;
	}
	return home_list_read(&p, manifests, id, a, out, e);
}
