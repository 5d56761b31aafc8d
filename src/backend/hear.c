/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a change in folders by inotify(7): each by its open descriptor,
 * so that no name can lead elsewhere.  A server of files tells of no change by
 * other machines, so only this machine's own file systems are listened to.
 */
#include "backend/hear.h"

#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "backend/internal.h"
#include "base/clock.h"
#include "base/path.h"

static bool
backend_hear_add(int fd, const struct backend_hear_folder *f)
{
	char path[64];

	if (f->fd < 0)
		return true;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", f->fd);
	return backend_local(f->fd) &&
	    inotify_add_watch(fd, path, f->mask | IN_ONLYDIR) >= 0;
}

/* A descriptor that tells of changes, or -1. */
static int
backend_hear_open(const struct backend_hear_folder *v, size_t n, struct err *e)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	for (size_t i = 0; i < n && fd >= 0; i++)
		if (!backend_hear_add(fd, &v[i]))
			path_close(&fd);
	if (fd < 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the system tells of no changes in this folder");
	return fd;
}

/* Does one of those that came count?  If some were lost, they may have. */
static bool
backend_hear_read(int fd, backend_hear_counts *counts)
{
	_Alignas(struct inotify_event) char b[8192];
	ssize_t n = read(fd, b, sizeof(b));

	for (size_t at = 0;
	     n > 0 && at + sizeof(struct inotify_event) <= (size_t)n;) {
		const struct inotify_event *ev =
		    (const struct inotify_event *)(const void *)(b + at);

		if ((ev->mask & (IN_Q_OVERFLOW | IN_IGNORED)) ||
		    counts(ev->mask, ev->len > 0 ? str_of(ev->name) : S("")))
			return true;
		at += sizeof(*ev) + ev->len;
	}
	return false;
}

int
backend_hear(const struct backend_hear_folder *v, size_t n,
    backend_hear_counts *counts, const struct backend_watch *w, bool *changed,
    struct err *e)
{
	CLEANUP(path_close) int fd = backend_hear_open(v, n, e);
	struct pollfd p = { fd, POLLIN, 0 };
	int left;

	*changed = false;
	if (fd < 0)
		return -1;
	if (w->ready != NULL && w->ready(w->ctx) != 0)
		return 0;
	while (!*changed && (left = clock_left_ms(w->until_ms)) > 0) {
		int r = poll(&p, 1, left);

		if (r < 0 && errno != EINTR) {
			(void)err_set(e, ERR_INTERNAL,
			    "the folder cannot be watched");
			return err_errno(e, "poll");
		}
		*changed =
		    r > 0 && (counts == NULL || backend_hear_read(fd, counts));
	}
	return 0;
}
