/* SPDX-License-Identifier: Apache-2.0 */
/* In the terminal: emcli, before it is the session's program. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "ipc/ipc.h"
#include "runtime/pane.h"

/* What tmux says of the terminal, and nobody else knows. */
static const char *const terminal[] = { "TERM", "TMUX", "TMUX_PANE" };

enum {
	TERMINAL = sizeof(terminal) / sizeof(terminal[0])
};

static int
pane_run_connect(struct str folder, struct arena *a, struct err *e)
{
	CLEANUP(path_close)
	int dir = open(str_c(a, folder),
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct err why = { 0 };
	int fd = dir < 0 ? -1 : ipc_connect(dir, PANE_SOCKET, &why);

	if (fd >= 0 && ipc_connect_hurry(fd, LIMIT_PANE_MS) == 0)
		return fd;
	path_close(&fd);
	(void)err_set(e, ERR_CONFIG,
	    "no command starts this session: see emcli session start");
	return err_because(e, "%s", why.say);
}

static bool
pane_run_is_terminal(struct str line)
{
	struct str name, rest;

	(void)str_cut(line, '=', &name, &rest);
	for (size_t i = 0; i < TERMINAL; i++)
		if (str_eq(name, str_of(terminal[i])))
			return true;
	return false;
}

/* False: it is cut off, so the command gave up. */
static bool
pane_run_parse(struct str text, struct arena *a, struct process_plan *p)
{
	struct str count, one;
	uint64_t n;

	if (!str_cut(text, '\0', &p->executable, &text) ||
	    !str_cut(text, '\0', &p->workdir, &text) ||
	    !str_cut(text, '\0', &count, &text) ||
	    !str_to_u64(count, LIMIT_PANE_TEXT, &n) ||
	    !str_cut(text, '\0', &p->name, &text))
		return false;
	for (; n > 0; n--) {
		if (!str_cut(text, '\0', &one, &text))
			return false;
		str_push(a, &p->args, one);
	}
	do {
		if (!str_cut(text, '\0', &one, &text))
			return false;
		if (one.n > 0 && !pane_run_is_terminal(one))
			str_push(a, &p->environment, one);
	} while (one.n > 0);
	for (size_t i = 0; i < TERMINAL; i++)
		if (getenv(terminal[i]) != NULL)
			str_push(a, &p->environment,
			    str_fmt(a, "%s=%s", terminal[i],
				getenv(terminal[i])));
	return true;
}

int
pane_run(struct str folder, struct arena *a, struct err *e)
{
	CLEANUP(path_close) int fd = pane_run_connect(folder, a, e);
	struct process_plan p = { 0 };
	struct str text;
	int why;

	if (fd < 0 || path_read(fd, LIMIT_PANE_TEXT, a, &text, e) < 0)
		return -1;
	if (!pane_run_parse(text, a, &p))
		return err_set(e, ERR_CONFIG,
		    "the command that starts this session gave up");
	(void)process_become(&p, a, e);
	why = errno != 0 ? errno : EIO;
	(void)!write(fd, &why, sizeof(why));
	return -1;
}
