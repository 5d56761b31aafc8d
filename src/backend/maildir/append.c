/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends a message to one of our folders: written to tmp/, synced, and linked
 * into cur/ under a name with its flags.
 */
#include <errno.h>
#include <fcntl.h>

#include "backend/maildir/internal.h"

struct halves {
	int tmp, cur;
	const char *name, *flags;
};

static int
maildir_append_write_file(const struct halves *h, struct str message)
{
	CLEANUP(path_close)
	int fd = openat(h->tmp, h->name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	/* Sets the mode again: the umask may remove even the owner's bits. */
	if (fd < 0 || fchmod(fd, 0600) < 0 ||
	    maildir_submit_text(fd, message) < 0 || fsync(fd) < 0)
		return -1;
	return 0;
}

static int
maildir_append_put(const struct halves *h, struct str message, struct err *e)
{
	char flagged[MAILDIR_UNIQUE + 8];
	int saved;

	(void)snprintf(flagged, sizeof(flagged), "%s:2,%s", h->name, h->flags);
	/* A link, not a rename: it never replaces another file. */
	if (maildir_append_write_file(h, message) == 0 &&
	    linkat(h->tmp, h->name, h->cur, flagged, 0) == 0) {
		(void)unlinkat(h->tmp, h->name, 0);
		(void)fsync(h->cur);
		return 0;
	}
	saved = errno;
	(void)unlinkat(h->tmp, h->name, 0);
	(void)err_set(e, ERR_CONFIG, "the folder cannot be written");
	errno = saved;
	return err_errno(e, "append");
}

int
maildir_append_file(struct maildir *m, struct str folder, struct str message,
    const char *flags, char id[MAILDIR_UNIQUE], struct err *e)
{
	CLEANUP(path_close) int dir = maildir_folder_dir(m, folder);
	CLEANUP(path_close) int tmp = -1;
	CLEANUP(path_close) int cur = -1;
	struct halves h = { .name = id, .flags = flags };

	if (dir >= 0) {
		tmp = path_dir_open(dir, "tmp");
		cur = path_dir_open(dir, "cur");
	}
	if (tmp < 0 || cur < 0)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	h.tmp = tmp;
	h.cur = cur;
	if (backend_in_time(m->conn.acct, MAILDIR_LATE, e) < 0 ||
	    maildir_submit_name(id, e) < 0)
		return -1;
	/* The cached state of the open folder may be out of date now. */
	maildir_index_drop(m);
	return maildir_append_put(&h, message, e);
}

int
maildir_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	char id[MAILDIR_UNIQUE];

	(void)a;
	return maildir_append_file((struct maildir *)c, folder, message, "S",
	    id, e);
}
