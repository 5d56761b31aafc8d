/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a session in tmux, and what is left there of one. */
#include <unistd.h>

#include "base/path.h"
#include "runtime/pane.h"
#include "runtime/session.h"
#include "runtime/tmux.h"

#define MANIFEST "HOUMAO_MANIFEST_PATH"

/* "HOUMAO-writer-0a1b2c3d": tmux allows neither "." nor ":" in it. */
struct str
session_pane_name(struct arena *a, struct str agent, struct str id)
{
	struct str tail = str_from(id, id.n > 8 ? id.n - 8 : 0);
	char *name = str_c(a, agent.n > 0 ? agent : S("agent"));

	for (char *c = name; *c != '\0'; c++)
		if (*c == '.' || *c == ':')
			*c = '_';
	return str_fmt(a, NAME_PREFIX "%s-%.*s", name, STR_ARG(tail));
}

int
session_pane_find(struct str name, struct str manifest_path, struct arena *a,
    struct str *id, struct err *e)
{
	struct str at;
	int r = tmux_find(name, a, id, e);

	if (r == 0)
		r = tmux_variable(*id, MANIFEST, a, &at, e);
	if (r != 0)
		return r;
	return str_eq(at, manifest_path) ? 0 : 1;
}

int
session_pane_end(struct sessions *s, const struct session *x, struct err *e)
{
	struct str id;
	int r;

	if (x->state.tmux.n == 0 || !tmux_is_there(s->a))
		return 0;
	r = session_pane_find(x->state.tmux, x->manifest_path, s->a, &id, e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	return tmux_end(id, s->a, e);
}

static int
session_pane_start(struct sessions *s, const struct session *x,
    const struct process_plan *p, struct err *e)
{
	struct tmux_plan t = {
		.name = x->state.tmux,
		.workdir = p->workdir,
	};
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));

	if (n <= 0 || (size_t)n == sizeof(self))
		return err_set(e, ERR_CONFIG, "it is unknown where emcli is");
	str_push(s->a, &t.environment,
	    str_fmt(s->a, MANIFEST "=%.*s", STR_ARG(x->manifest_path)));
	if (x->manifest.agent_id.n > 0)
		str_push(s->a, &t.environment,
		    str_fmt(s->a, "HOUMAO_AGENT_ID=%.*s",
			STR_ARG(x->manifest.agent_id)));
	str_push(s->a, &t.command,
	    str_dup(s->a, (struct str){ self, (size_t)n }));
	str_push(s->a, &t.command, S("session"));
	str_push(s->a, &t.command, S("pane"));
	str_push(s->a, &t.command, x->path);
	return tmux_start(&t, s->a, e);
}

static int
session_pane_hand_over(struct sessions *s, struct session *x, int folder,
    int listening, const struct process_plan *p, struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct process who;
	struct str id;
	int64_t pid;

	if (session_pane_start(s, x, p, e) < 0)
		return -1;
	fd = pane_accept(listening, e);
	if (fd < 0)
		return -1;
	if (tmux_find(x->state.tmux, s->a, &id, e) != 0 ||
	    tmux_pid(id, s->a, &pid, e) < 0 || !process_of(pid, s->a, &who))
		return err_set(e, ERR_CONFIG,
		    "the session's terminal has gone away");
	if (session_file_started(folder, &x->state, &who, s->a, e) < 0)
		return -1;
	return pane_send(fd, p, s->a, e);
}

int
session_pane_launch(struct sessions *s, struct session *x, int folder,
    const struct process_plan *p, struct err *e)
{
	CLEANUP(path_close) int listening = -1;
	struct err late = { 0 };
	int r;

	/* One whose program has ended may still be there. */
	if (session_pane_end(s, x, e) < 0)
		return -1;
	listening = pane_listen(folder, e);
	if (listening < 0)
		return -1;
	r = session_pane_hand_over(s, x, folder, listening, p, e);
	pane_drop(folder);
	if (r < 0 && session_pane_end(s, x, &late) < 0)
		str_push(s->a, &s->notes,
		    str_fmt(s->a, "what is left in tmux of session %.*s: %s",
			STR_ARG(x->id), late.say));
	return r;
}
