/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/activity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/session.h"

#define ACTIVITY "activity.json"
#define NEW ".activity.json."

static int
activity_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG,
	    "HOUMAO_MANIFEST_PATH does not name the manifest of a session "
	    "here");
	return err_errno(e, what);
}

/* The user's own folder, in which there is a session. */
static int
activity_open_folder(struct str manifest_path, struct arena *a, struct err *e)
{
	struct str file = S("/" MANIFEST_FILE);
	struct stat st;
	int fd;

	errno = EINVAL;
	if (!str_starts(manifest_path, S("/")) ||
	    manifest_path.n >= LIMIT_PATH || !str_ends(manifest_path, file))
		return activity_fail(e, "path");
	fd = open(str_c(a, str_first(manifest_path, manifest_path.n - file.n)),
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return activity_fail(e, "open");
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    fstatat(fd, SESSION_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode))
		return fd;
	(void)activity_fail(e, SESSION_FILE);
	path_close(&fd);
	return -1;
}

/* Whoever says something else at the same time has a file of another name; the
 * last one counts.  Nothing is lost when it does not reach the disk. */
int
activity_write(int folder, bool idle, struct arena *a, struct err *e)
{
	const char *name = str_fmt(a, NEW "%lld", (long long)getpid()).p;
	struct str text = str_fmt(a, "{\"state\":\"%s\",\"at_us\":%lld}\n",
	    idle ? "idle" : "busy", (long long)clock_now_us());
	CLEANUP(path_close) int fd = -1;

	(void)unlinkat(folder, name, 0);
	fd = openat(folder, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && fchmod(fd, 0600) == 0 && path_write(fd, text) == 0 &&
	    renameat(folder, name, folder, ACTIVITY) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "the session's state cannot be written");
	(void)err_errno(e, ACTIVITY);
	(void)unlinkat(folder, name, 0);
	return -1;
}

int
activity_say(struct str manifest_path, bool idle, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close) int fd = activity_open_folder(manifest_path, a, e);

	return fd < 0 ? -1 : activity_write(fd, idle, a, e);
}

bool
activity_read(int folder, struct arena *a, struct activity *out)
{
	CLEANUP(path_close)
	int fd = openat(folder, ACTIVITY,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v;
	struct err none = { 0 };
	struct str text, state;

	if (fd < 0 || path_read(fd, 4096, a, &text, &none) < 0 ||
	    json_parse_open(text, 4096, &d, &none) < 0)
		return false;
	v = json_parse_root(d);
	if (!json_parse_str(json_parse_member(v, "state"), &state) ||
	    !json_parse_int(json_parse_member(v, "at_us"), &out->at_us))
		return false;
	out->idle = str_eq(state, S("idle"));
	return out->idle || str_eq(state, S("busy"));
}

void
activity_drop(int folder)
{
	(void)unlinkat(folder, ACTIVITY, 0);
}
