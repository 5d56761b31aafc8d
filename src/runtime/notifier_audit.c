/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line for each poll, and no word of a message.  When the file is long, the
 * last lines of it are kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/instance.h"
#include "runtime/notifier.h"

static struct str
notifier_audit_line(const struct notifier_row *r, struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_str(j, "poll_time_utc", clock_rfc3339(a, r->at_s));
	if (r->listed)
		json_put_int(j, "unread_count", (int64_t)r->unread);
	else
		json_put_null(j, "unread_count");
	json_put_str_or_null(j, "unread_digest", r->digest);
	json_put_text(j, "outcome", notifier_outcome(r->outcome));
	json_put_str_or_null(j, "request_id", r->request_id);
	json_close_object(j);
	return str_fmt(a, "%.*s\n", STR_ARG(json_text(j, a)));
}

static int
notifier_audit_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG,
	    "a poll of the notifier cannot be written down");
	return err_errno(e, what);
}

/* The last lines of a file of that length, without a part of one. */
static struct str
notifier_audit_tail(int fd, uint64_t size, struct arena *a)
{
	size_t n = size < LIMIT_NOTIFIER_AUDIT ? size : LIMIT_NOTIFIER_AUDIT;
	char *p = arena_array(a, n + 1, 1);
	ssize_t got = path_read_at(fd, p, n, size - n);
	size_t end = got > 0 ? (size_t)got : 0, at, lines = 0;

	while (end > 0 && p[end - 1] != '\n')
		end--;
	for (at = end; at > 0; at--)
		if (p[at - 1] == '\n' && ++lines == LIMIT_NOTIFIER_ROWS)
			break;
	/* After the line end that is one too many, or after a part. */
	if (at == 0 && size > n)
		while (at < end && p[at++] != '\n')
			;
	return (struct str){ p + at, end - at };
}

/* Open for writing at its end.  A killed writer may have left half a line. */
static int
notifier_audit_open(int folder, struct stat *st, struct err *e)
{
	int fd = openat(folder, NOTIFIER_AUDIT,
	    O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
	    0600);
	char last = '\n';

	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode) &&
	    fchmod(fd, 0600) == 0) {
		if (st->st_size > 0)
			(void)path_read_at(fd, &last, 1,
			    (uint64_t)st->st_size - 1);
		if (last == '\n' || path_write(fd, S("\n")) == 0)
			return fd;
	} else if (fd >= 0) {
		errno = EINVAL;
	}
	(void)notifier_audit_fail(e, "open");
	path_close(&fd);
	return -1;
}

int
notifier_audit(int session, const struct notifier_row *r, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close) int folder = instance_folder(session, true, e);
	CLEANUP(path_close) int fd = -1;
	struct str line = notifier_audit_line(r, a);
	struct stat st;

	if (folder < 0 || (fd = notifier_audit_open(folder, &st, e)) < 0)
		return -1;
	if ((uint64_t)st.st_size > LIMIT_NOTIFIER_AUDIT) {
		struct str kept =
		    notifier_audit_tail(fd, (uint64_t)st.st_size, a);

		return instance_put(folder, NOTIFIER_AUDIT,
		    str_fmt(a, "%.*s%.*s", STR_ARG(kept), STR_ARG(line)), e);
	}
	return path_write(fd, line) == 0 ? 0 : notifier_audit_fail(e, "write");
}
