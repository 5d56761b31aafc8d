/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/find.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/tmux.h"

#define VARIABLE_MANIFEST "HOUMAO_MANIFEST_PATH"
#define VARIABLE_AGENT "HOUMAO_AGENT_ID"

enum {
	SHOWN = 3 /* sessions that an error names */
};

void
find_close(struct find *f)
{
	path_close(&f->folder);
}

/* -- one session ----------------------------------------------------------- */

static bool
find_is_guarded(const struct stat *st)
{
	return (st->st_uid == geteuid() || st->st_uid == 0) &&
	    !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Whoever can write there says which mailbox an agent has. */
static int
find_check_owner(int folder, struct err *e)
{
	struct stat st;

	if (fstat(folder, &st) < 0 || !find_is_guarded(&st))
		return err_set(e, ERR_CONFIG,
		    "others can write to the session's folder, so its manifest "
		    "is not believed: chmod go-w");
	if (fstatat(folder, MANIFEST_FILE, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such session");
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_CONFIG,
		    "the session's manifest is not a file");
	if (!find_is_guarded(&st))
		return err_set(e, ERR_CONFIG,
		    "others can write to the session's manifest, so it is not "
		    "believed: chmod go-w");
	return 0;
}

static int
find_load(struct arena *a, struct find *f, struct err *e)
{
	struct err why = { 0 };

	if (find_check_owner(f->folder, e) < 0 ||
	    manifest_read(f->folder, a, &f->manifest, e) < 0)
		return -1;
	f->manifest_path = str_fmt(a, "%.*s/" MANIFEST_FILE, STR_ARG(f->path));
	f->ours = session_file_read(f->folder, a, &f->state, &why) == 0;
	/* One of another program has none. */
	if (f->ours || why.kind == ERR_NOT_FOUND)
		return 0;
	*e = why;
	return -1;
}

static int
find_open(struct str path, struct arena *a, struct find *f, struct err *e)
{
	f->path = str_dup(a, path);
	f->folder = path_folder_open("/", path, e);
	if (f->folder < 0 && e->kind == ERR_POLICY)
		return err_set(e, ERR_CONFIG,
		    "the path of the session's manifest leads over a link: say "
		    "the real one");
	if (f->folder < 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such session");
	return find_load(a, f, e);
}

/* By the path of its manifest. */
static int
find_open_manifest(struct str path, const char *named, struct arena *a,
    struct find *f, struct err *e)
{
	static const char file[] = "/" MANIFEST_FILE;

	if (!str_starts(path, S("/")) || !str_ends(path, str_of(file)) ||
	    path.n >= LIMIT_PATH || str_has_char(path, '\0'))
		return err_set(e, ERR_USAGE,
		    "%s takes the absolute path of a session's " MANIFEST_FILE,
		    named);
	return find_open(str_first(path, path.n - strlen(file)), a, f, e);
}

/* -- all of them ----------------------------------------------------------- */

struct find_matches {
	const struct find_by *by;
	struct arena *a;
	struct strs all, running; /* paths of folders */
	size_t seen;
};

static int
find_names(int at, struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	struct dirent *one;
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (d = fdopendir(fd)) == NULL) {
		path_close(&fd);
		return err_set(e, ERR_CONFIG,
		    "the folder of sessions cannot be read");
	}
	while ((one = readdir(d)) != NULL) {
		if (!place_is_name(str_of(one->d_name)))
			continue;
		if (out->n == LIMIT_SESSIONS)
			return err_set(e, ERR_LIMIT,
			    "there are over %d sessions", LIMIT_SESSIONS);
		str_push(a, out, str_dup(a, str_of(one->d_name)));
	}
	return 0;
}

static bool
find_is_meant(const struct find_by *by, const struct manifest *m)
{
	return by->agent_name.n > 0 ? str_eq(m->agent, by->agent_name)
				    : str_eq(m->agent_id, by->agent_id);
}

/* One that cannot be read is nobody's. */
static void
find_look(struct find_matches *x, int kind, const char *id, struct str path)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16UL << 20);
	struct err none = { 0 };
	CLEANUP(find_close)
	struct find f = { .folder = place_folder(kind, id, false, &none),
		.path = path };

	if (f.folder < 0 || find_load(a, &f, &none) < 0 ||
	    !find_is_meant(x->by, &f.manifest))
		return;
	str_push(x->a, &x->all, path);
	if (f.ours && f.state.step != SESSION_STOPPED &&
	    process_is_alive(&f.state.process))
		str_push(x->a, &x->running, path);
}

static int
find_look_through(struct find_matches *x, struct str root, int sessions,
    struct err *e)
{
	struct strs kinds = { 0 };

	if (find_names(sessions, x->a, &kinds, e) < 0)
		return -1;
	for (size_t i = 0; i < kinds.n; i++) {
		struct err none = { 0 };
		CLEANUP(path_close)
		int kind = place_folder(sessions, kinds.v[i].p, false, &none);
		struct strs ids = { 0 };

		if (kind < 0)
			continue;
		if (find_names(kind, x->a, &ids, e) < 0)
			return -1;
		for (size_t k = 0; k < ids.n; k++)
			find_look(x, kind, ids.v[k].p,
			    str_fmt(x->a, "%.*s/sessions/%s/%s", STR_ARG(root),
				kinds.v[i].p, ids.v[k].p));
	}
	return 0;
}

/* The last name of a path. */
static struct str
find_id(struct str path)
{
	for (size_t i = path.n; i-- > 0;)
		if (path.p[i] == '/')
			return str_from(path, i + 1);
	return path;
}

static int
find_ambiguous(const struct find_matches *x, struct err *e)
{
	const struct strs *l = x->running.n > 1 ? &x->running : &x->all;
	struct buf b;

	buf_init(&b, x->a, 1 << 10);
	for (size_t i = 0; i < l->n && i < SHOWN; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? ", " : "",
		    STR_ARG(find_id(l->v[i])));
	return err_set(e, ERR_USAGE,
	    "%zu sessions match: %.*s%s: say --manifest-path", l->n,
	    STR_ARG(buf_view(&b)), l->n > SHOWN ? ", ..." : "");
}

static int
find_agent(const struct find_by *by, struct arena *a, struct find *f,
    struct err *e)
{
	CLEANUP(place_close) struct place place = { .fd = -1 };
	CLEANUP(path_close) int sessions = -1;
	struct find_matches x = { .by = by, .a = a };
	int r = place_open(&place, by->runtime_root, false, a, e);

	if (r < 0)
		return -1;
	if (r == 0)
		sessions = place_folder(place.fd, "sessions", false, e);
	if (r == 0 && sessions < 0 && e->kind != ERR_NOT_FOUND)
		return -1;
	if (sessions >= 0 && find_look_through(&x, place.root, sessions, e) < 0)
		return -1;
	if (x.all.n == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "the agent has no session: see emcli session list");
	if (x.all.n > 1 && x.running.n != 1)
		return find_ambiguous(&x, e);
	return find_open(x.running.n == 1 ? x.running.v[0] : x.all.v[0], a, f,
	    e);
}

/* -- which ----------------------------------------------------------------- */

static struct str
find_variable(const struct find_by *by, const char *name)
{
	return str_of(by->env(name));
}

/* What the session in tmux says that the caller is in; or empty. */
static struct str
find_in_tmux(const struct find_by *by, struct arena *a)
{
	struct err none = { 0 };
	struct str path = { 0 };

	if (find_variable(by, "TMUX").n == 0 ||
	    tmux_variable(S(""), VARIABLE_MANIFEST, a, &path, &none) != 0)
		return S("");
	return path;
}

static int
find_own(const struct find_by *by, struct arena *a, struct find *f,
    struct err *e)
{
	struct str path = find_variable(by, VARIABLE_MANIFEST);
	struct find_by id = { .agent_id = find_variable(by, VARIABLE_AGENT),
		.runtime_root = by->runtime_root };

	if (path.n == 0)
		path = find_in_tmux(by, a);
	if (path.n > 0)
		return find_open_manifest(path, VARIABLE_MANIFEST, a, f, e);
	if (id.agent_id.n > 0)
		return find_agent(&id, a, f, e);
	return err_set(e, ERR_USAGE,
	    "this is no agent's session: name one with --agent-name, "
	    "--agent-id or --manifest-path");
}

int
find_session(const struct find_by *by, struct arena *a, struct find *out,
    struct err *e)
{
	int named = (by->agent_name.n > 0) + (by->agent_id.n > 0) +
	    (by->manifest_path.n > 0);

	*out = (struct find){ .folder = -1 };
	if (named > 1)
		return err_set(e, ERR_USAGE,
		    "--agent-name, --agent-id and --manifest-path exclude each "
		    "other");
	if (by->manifest_path.n > 0)
		return find_open_manifest(by->manifest_path, "--manifest-path",
		    a, out, e);
	return named > 0 ? find_agent(by, a, out, e) : find_own(by, a, out, e);
}
