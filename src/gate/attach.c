/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are sent with a message: only from the account's attach_dir, which
 * is one folder or several, opened so that links and ".." cannot lead out of
 * it.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

/* The recipient sees only the last part of the path. */
static struct str
attach_base_name(struct str path)
{
	for (size_t i = path.n; i-- > 0;)
		if (path.p[i] == '/')
			return str_from(path, i + 1);
	return path;
}

/*
 * A caller of another user may lack the right to it, and must not borrow ours.
 */
int
attach_is_callers(const struct args *args, struct str path, int fd,
    const char *what, struct err *e)
{
	const struct args_file *own = args_file(args, path);
	struct stat st;

	if (args->files == NULL)
		return 0;
	if (own->error != 0)
		return err_set(e, ERR_NOT_FOUND, "no such %s", what);
	if (fstat(fd, &st) == 0 && st.st_ino == own->inode &&
	    ((uint64_t)major(st.st_dev) << 32 | minor(st.st_dev)) ==
		own->device)
		return 0;
	(void)err_set(e, ERR_POLICY,
	    "refused by policy: below the folder for attachments that name is "
	    "another %s",
	    what);
	e->reason = "attach_dir";
	return -1;
}

/* A descriptor, or -1. */
static int
attach_open(struct arena *a, const struct args *args, struct str dirs,
    struct str path, struct err *e)
{
	int fd = path_among_open(a, dirs, path, e);

	if (fd >= 0 && attach_is_callers(args, path, fd, "file", e) < 0)
		path_close(&fd);
	return fd;
}

static int
attach_load_one(struct outbox *o, struct str dirs, struct str path, size_t room,
    struct compose_file *out, struct err *e)
{
	CLEANUP(path_close)
	int fd = attach_open(o->arena, o->call->args, dirs, path, e);

	if (fd < 0)
		return -1;
	out->name = attach_base_name(path);
	return path_read(fd, room, o->arena, &out->bytes, e);
}

int
attach_load(struct outbox *o, const struct strs *paths,
    struct compose_file **out, size_t *n, struct err *e)
{
	struct str dirs = o->src->acct.attach_dir;
	size_t room = LIMIT_OUTGOING;
	struct compose_file *files;

	*out = NULL;
	*n = 0;
	if (paths == NULL || paths->n == 0)
		return 0;
	if (dirs.n == 0) {
		(void)err_set(e, ERR_POLICY,
		    "refused by policy: this account sends no attachments");
		e->reason = "attach_dir";
		return -1;
	}
	if (o->call->args->files != NULL && o->call->args->files->none) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "the broker takes no files in a session: the caller must "
		    "have them open");
		return err_hint(e,
		    "send this message with the command: emcli send --attach");
	}
	if (paths->n > LIMIT_ATTACHMENTS)
		return err_set(e, ERR_LIMIT,
		    "at most %d attachments per message", LIMIT_ATTACHMENTS);
	files = arena_array(o->arena, paths->n, sizeof(*files));
	for (size_t i = 0; i < paths->n; i++) {
		if (attach_load_one(o, dirs, paths->v[i], room, &files[i], e) <
		    0)
			return -1;
		room -= files[i].bytes.n;
	}
	*out = files;
	*n = paths->n;
	return 0;
}

static int
attach_empty_text_file(const char *shown, struct err *e)
{
	(void)err_set(e, ERR_USAGE, "the file of %s-file is empty", shown);
	return err_hint(e,
	    "write the text into the file first, or give it with the option "
	    "itself");
}

static int
attach_own_missing(const char *shown, const char *why, struct err *e)
{
	(void)err_set(e, ERR_NOT_FOUND,
	    "the file of %s-file cannot be read: %s", shown, why);
	return err_hint(e,
	    "name a file with the text, or - for standard input");
}

/*
 * Without an attach_dir a text may come from any file that its caller can read:
 * a regular one, so that no process or device can be read by name.
 */
static int
attach_open_own(const char *path, const char *shown, struct err *e)
{
	struct stat st = { 0 };
	char byte;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const char *why = fd < 0 ? strerror(errno) : "it is not a regular file";

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (st.st_size > 0)
			return fd;
		/* Files in /proc report size 0, but are not empty. */
		if (pread(fd, &byte, 1, 0) == 0) {
			path_close(&fd);
			return attach_empty_text_file(shown, e);
		}
	}
	path_close(&fd);
	return attach_own_missing(shown, why, e);
}

/* The same by the caller, which read it with its own rights. */
static int
attach_text_read(const struct args *args, struct str path, const char *shown,
    struct str *bytes, struct err *e)
{
	const struct args_file *own = args_file(args, path);

	if (own->error != 0)
		return attach_own_missing(shown,
		    own->error > 0 ? strerror(own->error)
				   : "it is not a regular file",
		    e);
	*bytes = own->text;
	return 0;
}

static int
attach_text_load(struct arena *a, const struct args *args, struct str dirs,
    const struct arg *arg, struct str *bytes, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	if (dirs.n == 0 && args->files != NULL)
		return attach_text_read(args, arg->text.v[0], arg->shown, bytes,
		    e);
	if (dirs.n > 0)
		fd = attach_open(a, args, dirs, arg->text.v[0], e);
	else
		fd = attach_open_own(str_c(a, arg->text.v[0]), arg->shown, e);
	return fd < 0 ? -1 : path_read(fd, LIMIT_ARGV, a, bytes, e);
}

int
attach_text(struct arena *a, const struct args *args, struct str dirs,
    struct arg *arg, struct err *e)
{
	struct str bytes = { 0 };

	if (!arg->file)
		return 0;
	if (attach_text_load(a, args, dirs, arg, &bytes, e) < 0)
		return dirs.n > 0 && e->kind == ERR_NOT_FOUND
		    ? err_hint(e,
			  "name a file below the account's attach_dir by its "
			  "path there, or - for standard input")
		    : -1;
	if (bytes.n == 0)
		return attach_empty_text_file(arg->shown, e);
	if (!utf8_valid(bytes) || str_has_char(bytes, '\0'))
		return err_set(e, ERR_USAGE, "%s is not UTF-8 text",
		    arg->shown);
	arg->text.v[0] = bytes;
	arg->file = false;
	return 0;
}
