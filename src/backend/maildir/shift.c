/* SPDX-License-Identifier: Apache-2.0 */
#include "backend/maildir/shift.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int
maildir_shift_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

int
maildir_shift_restless(struct err *e)
{
	return err_set(e, ERR_LIMIT,
	    "another program renames the messages all the time: try again");
}

int
maildir_shift_find(struct maildir *m, struct str id, struct maildir_file *out,
    struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct stat st;
	int found = maildir_index_file(m, id, &fd, &st, e);

	return found > 0 ? maildir_index_get(m, id, out) : found;
}

int
maildir_shift_all(struct maildir *m, const struct refs *refs, struct err *e)
{
	struct maildir_file f;
	int found;

	for (size_t i = 0; i < refs->n; i++) {
		found = maildir_shift_find(m, refs->v[i].id, &f, e);
		if (found <= 0)
			return found < 0 ? -1 : maildir_shift_absent(e);
	}
	return 0;
}

/*
 * Where the file system cannot refuse to replace a file, it is looked whether
 * there is one.  Its name has an id that no other message has.
 */
static int
maildir_shift_plain(int at, const char *from, int to, const char *name)
{
	struct stat st;

	if (fstatat(to, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return -1;
	}
	if (errno != ENOENT)
		return -1;
	return renameat(at, from, to, name);
}

int
maildir_shift(const struct maildir *m, const struct maildir_file *f, int to,
    const char *name)
{
	char from[NAME_MAX + 1] = "";
	int at = f->in_new ? m->new : m->cur, r;

	memcpy(from, f->name.p, f->name.n);
	r = renameat2(at, from, to, name, RENAME_NOREPLACE);
	if (r < 0 && (errno == EINVAL || errno == ENOSYS))
		r = maildir_shift_plain(at, from, to, name);
	if (r == 0)
		return 1;
	return errno == ENOENT ? 0 : -1;
}

int
maildir_shift_failed(struct err *e, int why)
{
	if (why == EXDEV)
		return err_set(e, ERR_UNSUPPORTED,
		    "the folders are on different file systems");
	(void)err_set(e, ERR_CONFIG, "the folder cannot be changed");
	if (why == EACCES || why == EPERM || why == EROFS)
		(void)err_hint(e,
		    "tell the operator: this user must be able to write in the "
		    "Maildir's folders");
	errno = why;
	return err_errno(e, "rename");
}

void
maildir_shift_end(struct maildir *m)
{
	(void)fsync(m->cur);
	if (m->new >= 0)
		(void)fsync(m->new);
	maildir_index_drop(m);
}
