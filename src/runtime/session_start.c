/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A start in steps.  Before each one session.json says that it begins, and what
 * it will have to undo; so a start that fails and one that was killed are
 * undone in the same way, and as often as it takes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "runtime/session.h"

/* "local_process-20260408-101112Z-0a1b2c3d" */
static struct str
session_start_id(struct arena *a, struct str backend)
{
	struct clock_date d = clock_date(clock_now());
	unsigned char raw[4];

	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
		err_bug("getrandom");
	return str_fmt(a, "%.*s-%04d%02d%02d-%02d%02d%02dZ-%.*s",
	    STR_ARG(backend), d.year, d.month, d.day, d.hour, d.minute,
	    d.second, STR_ARG(str_hex_dup(a, raw, sizeof(raw))));
}

/* A folder under another name, which gets its own when session.json is in it.
 */
static int
session_start_folder(struct sessions *s, const struct session *x, struct err *e)
{
	CLEANUP(path_close)
	int kind = place_folder(s->fd, str_c(s->a, x->backend), true, e);
	const char *staged =
	    str_fmt(s->a, PLACE_BUILD "%.*s", STR_ARG(x->id)).p;
	int fd = kind < 0 ? -1 : place_folder(kind, staged, true, e);

	if (fd < 0)
		return -1;
	if (session_file_write(fd, &x->state, s->a, e) == 0) {
		if (renameat2(kind, staged, kind, str_c(s->a, x->id),
			RENAME_NOREPLACE) == 0 &&
		    fsync(kind) == 0)
			return fd;
		(void)err_set(e, ERR_CONFIG, "the session cannot be made");
		(void)err_errno(e, "rename");
	}
	path_close(&fd);
	return -1;
}

static int
session_start_manifest(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	struct binding *b = &x->manifest.mailbox;

	if (session_mailbox_check(s, b, e) < 0)
		return -1;
	if (b->transport != TRANSPORT_NONE &&
	    version_next(s->a, clock_now_us(), S(""), &b->bindings_version, e) <
		0)
		return -1;
	x->manifest.session_id = x->id;
	x->manifest.created_at = clock_rfc3339(s->a, clock_now());
	if (manifest_create(folder, &x->manifest, s->a, e) < 0)
		return -1;
	/* As it is read from now on. */
	return manifest_read(folder, s->a, &x->manifest, e);
}

struct session_start_step {
	enum session_step step;
	int (*make)(struct sessions *s, struct session *x, int folder,
	    struct err *e); /* NULL: the last one, session_launch() */
	int (*undo)(struct sessions *s, const struct session *x,
	    struct err *e); /* NULL: it goes with the folder */
};

static const struct session_start_step start_steps[] = {
	{ SESSION_MAILBOX, session_mailbox_do, session_mailbox_undo },
	{ SESSION_ACCOUNT, session_account_do, session_account_undo },
	{ SESSION_MANIFEST, session_start_manifest, NULL },
	{ SESSION_GATEWAY, session_gateway_do, session_gateway_undo },
	{ SESSION_LAUNCH, NULL, session_pane_end },
};

#define STEPS (sizeof(start_steps) / sizeof(start_steps[0]))

int
session_start_undo(struct sessions *s, const struct session *x, struct err *e)
{
	for (size_t i = STEPS; i-- > 0;)
		if (x->state.step >= start_steps[i].step &&
		    start_steps[i].undo != NULL &&
		    start_steps[i].undo(s, x, e) < 0)
			return -1;
	return 0;
}

static int
session_start_run(struct sessions *s, const struct session_plan *p,
    struct session *x, int folder, struct err *e)
{
	for (size_t i = 0; start_steps[i].make != NULL; i++) {
		x->state.step = start_steps[i].step;
		if (session_file_write(folder, &x->state, s->a, e) < 0 ||
		    start_steps[i].make(s, x, folder, e) < 0)
			return -1;
	}
	x->state.step = SESSION_LAUNCH;
	if (session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	return session_launch(s, x, folder, p->program, e);
}

/* The error that is told is the start's; what is left is undone later. */
static void
session_start_fail(struct sessions *s, struct session *x, int folder)
{
	struct err why = { 0 };

	/* A launch that failed may have written that it was done. */
	if (x->state.step >= SESSION_STARTED) {
		x->state.step = SESSION_LAUNCH;
		(void)session_file_write(folder, &x->state, s->a, &why);
	}
	if (session_start_undo(s, x, &why) == 0 &&
	    session_drop(s, x, &why) == 0)
		return;
	str_push(s->a, &s->notes,
	    str_fmt(s->a,
		"what the start began cannot be undone now, and is by the next "
		"session command: %s",
		why.say));
}

int
session_start(struct sessions *s, const struct session_plan *p,
    struct session *out, struct err *e)
{
	CLEANUP(path_close) int folder = -1;
	bool tmux = p->way == SESSION_TMUX;
	struct session x = {
		.backend = tmux ? S(MANIFEST_TMUX) : S(MANIFEST_PLAIN),
		.manifest = p->manifest,
		.foreground = p->way == SESSION_FOREGROUND,
		.state = { .step = SESSION_MAILBOX,
		    .attach_dir = p->attach_dir },
	};

	x.id = session_start_id(s->a, x.backend);
	if (tmux)
		x.state.tmux = x.manifest.tmux =
		    session_pane_name(s->a, x.manifest.agent, x.id);
	x.path = str_fmt(s->a, "%.*s/sessions/%.*s/%.*s",
	    STR_ARG(s->place.root), STR_ARG(x.backend), STR_ARG(x.id));
	x.manifest_path = str_fmt(s->a, "%.*s/" MANIFEST_FILE, STR_ARG(x.path));
	folder = session_start_folder(s, &x, e);
	if (folder < 0)
		return -1;
	if (session_start_run(s, p, &x, folder, e) < 0) {
		session_start_fail(s, &x, folder);
		return -1;
	}
	*out = x;
	return 0;
}
