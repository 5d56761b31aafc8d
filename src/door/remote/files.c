/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that arguments name.  This process opens them, with its own rights, and
 * the broker compares: a file leaves only if both may.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/path.h"
#include "door/remote/internal.h"

/* A descriptor of a regular file; -1: *error is errno, or -1 for another kind.
 */
static int
remote_files_open(const char *path, int *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	*error = fd < 0 ? errno : 0;
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		path_close(&fd);
		*error = -1;
	}
	return fd;
}

/* The text too: without an attach_dir, it may come from any file. */
static int
remote_files_read(int fd, struct arena *a, struct json *list, struct err *e)
{
	struct str text;

	if (path_read(fd, LIMIT_ARGV, a, &text, e) < 0)
		return -1;
	json_put_str(list, "text", text);
	return 0;
}

static int
remote_files_add(const struct arg *arg, size_t at, struct arena *a,
    struct remote_files *out, struct err *e)
{
	int error, fd;

	if (out->with.n == LIMIT_PASSED)
		return err_set(e, ERR_LIMIT, "at most %d files per call",
		    LIMIT_PASSED);
	fd = remote_files_open(str_c(a, arg->text.v[at]), &error);
	if (fd >= 0)
		out->with.fd[out->with.n++] = fd;
	json_open_object(out->list, NULL);
	json_put_text(out->list, "arg", arg->spec->name);
	json_put_int(out->list, "at", (int64_t)at);
	if (error != 0)
		json_put_int(out->list, "error", error);
	if (fd >= 0 && arg->file && remote_files_read(fd, a, out->list, e) < 0)
		return -1;
	json_close_object(out->list);
	return 0;
}

/*
 * A folder to save into, if there is one of that name: the value may be another
 * word.  It stays here; the broker compares which it is.
 */
static void
remote_files_add_folder(const struct arg *arg, struct arena *a,
    struct remote_files *out)
{
	struct stat st;
	int fd;

	if (arg->text.n != 1 || out->folder >= 0)
		return;
	fd = open(str_c(a, arg->text.v[0]), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0) {
		path_close(&fd);
		return;
	}
	out->folder = fd;
	json_open_object(out->list, NULL);
	json_put_text(out->list, "arg", arg->spec->name);
	json_put_int(out->list, "at", 0);
	json_put_int(out->list, "device",
	    (int64_t)((uint64_t)major(st.st_dev) << 32 | minor(st.st_dev)));
	json_put_int(out->list, "inode", (int64_t)st.st_ino);
	json_close_object(out->list);
}

int
remote_files(const struct args *args, struct arena *a, struct remote_files *out,
    struct err *e)
{
	out->list = json_new(a);
	json_open_array(out->list, NULL);
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		if (arg->spec->flags & ARG_SAVES)
			remote_files_add_folder(arg, a, out);
		if (!arg->file && !(arg->spec->flags & ARG_FILE))
			continue;
		for (size_t k = 0; k < arg->text.n; k++)
			if (remote_files_add(arg, k, a, out, e) < 0)
				return -1;
	}
	json_close_array(out->list);
	return 0;
}
