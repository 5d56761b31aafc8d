/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/session.h"

static const char *const backends[] = { MANIFEST_PLAIN, MANIFEST_TMUX };

static int
session_list_ids(int kind, struct arena *a, struct strs *ids, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	struct dirent *one;
	int fd = openat(kind, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (d = fdopendir(fd)) == NULL) {
		path_close(&fd);
		return err_set(e, ERR_CONFIG,
		    "the folder of sessions cannot be read");
	}
	while ((one = readdir(d)) != NULL) {
		if (!place_is_name(str_of(one->d_name)))
			continue;
		if (ids->n == LIMIT_SESSIONS)
			return err_set(e, ERR_LIMIT,
			    "there are over %d sessions", LIMIT_SESSIONS);
		str_push(a, ids, str_dup(a, str_of(one->d_name)));
	}
	return 0;
}

static enum session_is
session_list_state(const struct session_state *v)
{
	if (v->step == SESSION_STOPPED)
		return SESSION_IS_STOPPED;
	return process_is_alive(&v->process) ? SESSION_IS_RUNNING
					     : SESSION_IS_ENDED;
}

void
session_list_read(struct sessions *s, int folder, struct session *x)
{
	struct err why = { 0 };

	if (session_file_read(folder, s->a, &x->state, &why) < 0) {
		x->is = SESSION_IS_DAMAGED;
		x->why = str_fmt(s->a, "%s", why.say);
		return;
	}
	x->is = session_list_state(&x->state);
	/* An interrupted start may have none yet. */
	if (x->state.step < SESSION_STARTED)
		return;
	if (manifest_read(folder, s->a, &x->manifest, &why) == 0)
		return;
	x->is = SESSION_IS_DAMAGED;
	x->why = str_fmt(s->a, "%s", why.say);
}

/* 1; 0: it is not one of ours. */
static int
session_list_one(struct sessions *s, int kind, struct session *x)
{
	CLEANUP(path_close) int fd = -1;
	struct err why = { 0 };

	x->path = str_fmt(s->a, "%.*s/sessions/%.*s/%.*s",
	    STR_ARG(s->place.root), STR_ARG(x->backend), STR_ARG(x->id));
	x->manifest_path =
	    str_fmt(s->a, "%.*s/" MANIFEST_FILE, STR_ARG(x->path));
	fd = place_folder(kind, str_c(s->a, x->id), false, &why);
	if (fd < 0) {
		x->is = SESSION_IS_DAMAGED;
		x->why = str_fmt(s->a, "%s", why.say);
		return 1;
	}
	if (faccessat(fd, SESSION_FILE, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	    errno == ENOENT)
		return 0;
	session_list_read(s, fd, x);
	return 1;
}

static int
session_list_compare(const void *p, const void *q)
{
	const struct session *x = p, *y = q;

	return str_cmp(x->id, y->id);
}

static int
session_list_kind(struct sessions *s, const char *backend, struct session **v,
    size_t *n, struct err *e)
{
	struct err why = { 0 };
	CLEANUP(path_close)
	int kind = place_folder(s->fd, backend, false, &why);
	struct session *all;
	struct strs ids = { 0 };

	if (kind < 0 && why.kind == ERR_NOT_FOUND)
		return 0;
	if (kind < 0) {
		*e = why;
		return -1;
	}
	/* Folders that were not whole yet, or not any more. */
	if (place_sweep(kind, s->a, e) < 0 ||
	    session_list_ids(kind, s->a, &ids, e) < 0)
		return -1;
	all = arena_array(s->a, *n + ids.n, sizeof(*all));
	for (size_t i = 0; i < *n; i++)
		all[i] = (*v)[i];
	for (size_t i = 0; i < ids.n; i++) {
		all[*n] = (struct session){ .id = ids.v[i],
			.backend = str_of(backend) };
		*n += (size_t)session_list_one(s, kind, &all[*n]);
	}
	*v = all;
	return 0;
}

int
session_list(struct sessions *s, struct session **out, size_t *n, struct err *e)
{
	*out = NULL;
	*n = 0;
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (session_list_kind(s, backends[i], out, n, e) < 0)
			return -1;
	if (*n > 1)
		qsort(*out, *n, sizeof(**out), session_list_compare);
	return 0;
}

int
session_list_find(struct sessions *s, struct str id, struct str agent,
    struct session *out, struct err *e)
{
	const struct session *found = NULL;
	struct session *v;
	size_t n, hits = 0, running = 0;

	if (session_list(s, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		bool runs = v[i].is == SESSION_IS_RUNNING;

		if (id.n > 0 ? !str_eq(v[i].id, id)
			     : !str_eq(v[i].manifest.agent, agent))
			continue;
		hits++;
		running += runs;
		if (found == NULL || runs)
			found = &v[i];
	}
	if (found == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such session: see emcli session list");
	if (hits > 1 && running != 1)
		return err_set(e, ERR_USAGE,
		    "the agent has %zu sessions: name one by its id, as emcli "
		    "session list has it",
		    hits);
	*out = *found;
	return 0;
}
