/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a home.  The folder of homes is locked during a build, so an entry
 * with a build's temporary name is from a killed one.  A new home gets its name
 * last, after its manifest: if the build is killed before that, readers see
 * neither, and the next build removes the rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/home.h"

#define NEW_MANIFEST ".emcli-new"

static int
home_fail(struct err *e, const char *what, const char *detail)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	return err_errno(e, detail);
}

/* "codex-20260408-101112Z-0a1b2c3d" */
static struct str
home_make_id(struct arena *a, const struct home_host *host)
{
	struct clock_date d = clock_date(clock_now());
	unsigned char raw[4];

	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
		err_bug("getrandom");
	return str_fmt(a, "%s-%04d%02d%02d-%02d%02d%02dZ-%.*s", host->name,
	    d.year, d.month, d.day, d.hour, d.minute, d.second,
	    STR_ARG(str_hex_dup(a, raw, sizeof(raw))));
}

/* -- beginning ------------------------------------------------------------ */

static const char *
home_manifest_name(const struct home *h)
{
	return str_fmt(h->a, "%.*s.yaml", STR_ARG(h->id)).p;
}

static int
home_open_folders(struct home *h, struct err *e)
{
	h->homes = place_folder(h->place.fd, "homes", true, e);
	if (h->homes < 0 || place_lock(h->homes, e) < 0)
		return -1;
	h->manifests = place_folder(h->place.fd, "manifests", true, e);
	return h->manifests < 0 ? -1 : 0;
}

/* Removes what killed builds and removals left, with their manifests. */
static int
home_sweep(struct home *h, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	struct dirent *one;
	int fd = openat(h->homes, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return home_fail(e, "the folder of homes cannot be read",
		    "open");
	d = fdopendir(fd);
	if (d == NULL)
		err_bug("fdopendir");
	while ((one = readdir(d)) != NULL) {
		struct str id = str_of(one->d_name);
		struct stat st;

		if (str_starts(id, S(PLACE_BUILD)))
			id = str_from(id, sizeof(PLACE_BUILD) - 1);
		else if (str_starts(id, S(PLACE_REMOVE)))
			id = str_from(id, sizeof(PLACE_REMOVE) - 1);
		else
			continue;
		if (place_is_name(id) &&
		    fstatat(h->homes, str_c(h->a, id), &st,
			AT_SYMLINK_NOFOLLOW) < 0 &&
		    errno == ENOENT)
			(void)unlinkat(h->manifests,
			    str_fmt(h->a, "%.*s.yaml", STR_ARG(id)).p, 0);
	}
	return place_sweep(h->homes, h->a, e);
}

/* An existing home must be reused on purpose, and be one of ours. */
static int
home_find_old(struct home *h, bool reuse, struct err *e)
{
	struct stat st;

	if (fstatat(h->homes, str_c(h->a, h->id), &st, AT_SYMLINK_NOFOLLOW) <
	    0) {
		if (errno == ENOENT)
			return 0;
		return home_fail(e, "the home cannot be looked at", "stat");
	}
	if (!reuse)
		return err_set(e, ERR_USAGE,
		    "there is a home %.*s: --reuse builds into it",
		    STR_ARG(h->id));
	h->old = place_folder(h->homes, str_c(h->a, h->id), false, e);
	if (h->old < 0)
		return -1;
	return fchmod(h->old, 0700) < 0
	    ? home_fail(e, "the home cannot be closed to others", "chmod")
	    : 0;
}

int
home_begin(struct home *h, const struct home_host *host,
    const struct home_name *name, struct arena *a, struct err *e)
{
	*h = (struct home){ .a = a, .host = host, .place = { .fd = -1 } };
	h->homes = h->manifests = h->old = -1;
	if (name->reuse && name->id.n == 0)
		return err_set(e, ERR_USAGE,
		    "--reuse needs the home's name: say --home-id ID");
	if (name->id.n > 0 && !place_is_name(name->id))
		return err_set(e, ERR_USAGE,
		    "--home-id: at most %d of A-Z a-z 0-9 . _ -, and a letter "
		    "or digit first",
		    PLACE_NAME_MAX);
	h->id = name->id.n > 0 ? name->id : home_make_id(a, host);
	if (place_open(&h->place, name->root, true, a, e) < 0 ||
	    home_open_folders(h, e) < 0 || home_sweep(h, e) < 0)
		return -1;
	h->path = str_fmt(a, "%.*s/homes/%.*s", STR_ARG(h->place.root),
	    STR_ARG(h->id));
	h->manifest = str_fmt(a, "%.*s/manifests/%.*s.yaml",
	    STR_ARG(h->place.root), STR_ARG(h->id));
	return home_find_old(h, name->reuse, e);
}

void
home_end(struct home *h)
{
	path_close(&h->old);
	path_close(&h->manifests);
	path_close(&h->homes);
	place_close(&h->place);
}

/* -- writing -------------------------------------------------------------- */

static int
home_put_manifest(struct home *h, struct str text, struct err *e)
{
	(void)unlinkat(h->manifests, NEW_MANIFEST, 0);
	if (path_folder_new(h->manifests, NEW_MANIFEST, text, e) != 0 ||
	    fchmodat(h->manifests, NEW_MANIFEST, 0600, 0) < 0 ||
	    renameat(h->manifests, NEW_MANIFEST, h->manifests,
		home_manifest_name(h)) < 0 ||
	    fsync(h->manifests) < 0)
		return home_fail(e, "the home's manifest cannot be written",
		    "write");
	return 0;
}

/* The same as before if nothing changed, so that nothing is written. */
static int
home_make_manifest(struct home *h, struct brain *b, bool same, struct str *out,
    bool *there, struct err *e)
{
	struct home_entry was;
	struct err none = { 0 };

	b->tool = str_of(h->host->name);
	b->skills = h->skills;
	b->root = h->place.root;
	b->home_id = h->id;
	b->home_path = h->path;
	b->variable = str_of(h->host->variable);
	b->executable = str_of(h->host->executable);
	*there = false;
	if (same && home_list_find(b->root, h->id, h->a, &was, &none) == 0 &&
	    was.state == HOME_READY) {
		b->built_at = was.brain.built_at;
		if (brain_write(b, h->a, out, e) < 0)
			return -1;
		*there = str_eq(*out, was.text);
	}
	if (*there)
		return 0;
	b->built_at = clock_rfc3339(h->a, clock_now());
	return brain_write(b, h->a, out, e);
}

static int
home_commit_new(struct home *h, struct str manifest, struct err *e)
{
	const char *staged =
	    str_fmt(h->a, PLACE_BUILD "%.*s", STR_ARG(h->id)).p;
	CLEANUP(path_close) int fd = place_folder(h->homes, staged, true, e);

	if (fd < 0)
		return -1;
	if (home_put_files(h, fd, e) < 0)
		return -1;
	/*
	 * One sync for the whole home: syncing each file takes ten times as
	 * long.
	 */
	if (syncfs(fd) < 0)
		return home_fail(e, "the home cannot be written", "syncfs");
	if (home_put_manifest(h, manifest, e) < 0)
		return -1;
	if (renameat2(h->homes, staged, h->homes, str_c(h->a, h->id),
		RENAME_NOREPLACE) < 0 ||
	    fsync(h->homes) < 0)
		return home_fail(e, "the home cannot get its name", "rename");
	return 0;
}

static int
home_commit_old(struct home *h, struct str manifest, struct err *e)
{
	if (home_put_files(h, h->old, e) < 0 || fsync(h->old) < 0)
		return -1;
	return home_put_manifest(h, manifest, e);
}

/* Is everything up to date?  Marks old skills for removal. */
static int
home_look(struct home *h, bool *same, struct err *e)
{
	*same = false;
	if (h->old < 0)
		return 0;
	/* Impossible requests are refused before anything is changed. */
	project_look(h);
	if (home_put_look(h, h->old, e) < 0 || project_settle(h, e) < 0)
		return -1;
	*same = true;
	for (size_t i = 0; i < h->files; i++)
		*same = *same && h->file[i].same;
	return 0;
}

int
home_commit(struct home *h, struct brain *b, struct err *e)
{
	struct err late = { 0 };
	struct str manifest;
	bool same, there;
	int r = 0;

	if (home_look(h, &same, e) < 0 ||
	    home_make_manifest(h, b, same, &manifest, &there, e) < 0)
		return -1;
	if (!there)
		r = h->old < 0 ? home_commit_new(h, manifest, e)
			       : home_commit_old(h, manifest, e);
	/* The remains of a failed build, and old skills. */
	if (home_sweep(h, &late) < 0 && r == 0)
		*e = late;
	return r < 0 || late.kind != ERR_NONE ? -1 : 0;
}

/* -- removing ------------------------------------------------------------- */

/* Renamed first, so that a half-removed home is never visible. */
static int
home_take_away(struct home *h, struct err *e)
{
	const char *gone = str_fmt(h->a, PLACE_REMOVE "%.*s", STR_ARG(h->id)).p;
	bool home = renameat(h->homes, str_c(h->a, h->id), h->homes, gone) == 0;
	bool manifest;

	if (!home && errno != ENOENT)
		return home_fail(e, "the home cannot be removed", "rename");
	manifest = unlinkat(h->manifests, home_manifest_name(h), 0) == 0;
	if (!manifest && errno != ENOENT)
		return home_fail(e, "the home's manifest cannot be removed",
		    "unlink");
	if (!home && !manifest)
		return err_set(e, ERR_NOT_FOUND, "there is no such home");
	if (fsync(h->homes) < 0 || fsync(h->manifests) < 0)
		return home_fail(e, "the home cannot be removed", "fsync");
	return home_sweep(h, e);
}

int
home_remove(struct str root, struct str id, struct arena *a, struct err *e)
{
	struct home h = { .a = a, .id = id, .place = { .fd = -1 } };
	int r;

	h.homes = h.manifests = h.old = -1;
	r = place_is_name(id) ? place_open(&h.place, root, false, a, e) : 1;
	if (r > 0)
		r = err_set(e, ERR_NOT_FOUND, "there is no such home");
	else if (r == 0 && (r = home_open_folders(&h, e)) == 0)
		r = home_take_away(&h, e);
	home_end(&h);
	return r;
}
