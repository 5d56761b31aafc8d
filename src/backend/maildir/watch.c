/*
 * Waiting for a change of a folder by inotify(7): on its two halves, each by
 * its open descriptor, so that no name can lead elsewhere.  A server of files
 * tells of no change by other machines, so only this machine's own file systems
 * are watched.
 */
#include "backend/watch.h"

#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>

#include "backend/maildir/internal.h"
#include "base/clock.h"

/* A message is to be read when it is whole, although it is then renamed. */
#define CHANGES                                                                \
	(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

static bool
maildir_watch_add(int fd, int half)
{
	char path[64];

	/* Without new/ there is nothing to watch. */
	if (half < 0)
		return true;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", half);
	return inotify_add_watch(fd, path, CHANGES | IN_ONLYDIR) >= 0;
}

/* A descriptor that tells of changes, or -1. */
static int
maildir_watch_open(const struct maildir *m, struct err *e)
{
	struct maildir_view now;
	int fd = -1;

	if (maildir_trust_look(m, &now))
		fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (fd >= 0 && maildir_watch_add(fd, m->new) &&
	    maildir_watch_add(fd, m->cur))
		return fd;
	path_close(&fd);
	return err_set(e, ERR_UNSUPPORTED,
	    "the system tells of no changes in this folder");
}

int
maildir_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	CLEANUP(path_close) int fd = -1;
	struct pollfd p = { .events = POLLIN };
	int left;

	(void)a;
	*changed = false;
	if (maildir_folder_open(m, w->folder, e) < 0)
		return -1;
	fd = maildir_watch_open(m, e);
	if (fd < 0)
		return -1;
	if (w->ready != NULL && w->ready(w->ctx) != 0)
		return 0;
	p.fd = fd;
	while (!*changed && (left = clock_left_ms(w->until_ms)) > 0) {
		int r = poll(&p, 1, left);

		if (r < 0 && errno != EINTR) {
			(void)err_set(e, ERR_INTERNAL,
			    "the folder cannot be watched");
			return err_errno(e, "poll");
		}
		/* What it says does not matter, nor that some was lost. */
		*changed = r > 0;
	}
	return 0;
}
