/* SPDX-License-Identifier: Apache-2.0 */
/* The folders for agents' homes and sessions. */
#include "runtime/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"

#define VARIABLE "HOUMAO_GLOBAL_RUNTIME_DIR"

static int
place_fail(struct err *e, const char *what, const char *detail)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	return err_errno(e, detail);
}

static int
place_choose(struct str given, struct arena *a, struct str *out, struct err *e)
{
	const char *set = getenv(VARIABLE), *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (given.n > 0) {
		*out = given;
		return 0;
	}
	if (set != NULL && set[0] != '\0') {
		*out = str_of(set);
		return set[0] == '/'
		    ? 0
		    : err_set(e, ERR_CONFIG,
			  VARIABLE " must be an absolute path");
	}
	/* A relative one is ignored: XDG Base Directory Specification. */
	if (config != NULL && config[0] == '/')
		*out = str_fmt(a, "%s/houmao/runtime", config);
	else if (home != NULL && home[0] == '/')
		*out = str_fmt(a, "%s/.config/houmao/runtime", home);
	else
		return err_set(e, ERR_CONFIG,
		    "HOME is not set: say --runtime-root DIR");
	return 0;
}

/* Whoever can write there controls what an agent is told. */
static int
place_check_owner(int fd, struct str name, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return place_fail(e, "a folder cannot be looked at", "fstat");
	if ((st.st_uid == geteuid() || st.st_uid == 0) &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	return err_set(e, ERR_CONFIG,
	    "others can write to the folder %.*s: chmod go-w",
	    STR_ARG(str_first(name, 100)));
}

int
place_open(struct place *p, struct str given, bool make, struct arena *a,
    struct err *e)
{
	char real[PATH_MAX];
	struct str at = { 0 };
	const char *path;

	*p = (struct place){ .fd = -1 };
	if (place_choose(given, a, &at, e) < 0)
		return -1;
	path = str_c(a, at);
	if (make && path_mkdir(path, e) < 0)
		return -1;
	if (realpath(path, real) == NULL) {
		if (errno == ENOENT && !make)
			return 1;
		return place_fail(e, "the runtime root cannot be opened", path);
	}
	p->root = str_dup(a, str_of(real));
	p->fd = open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (p->fd < 0)
		return place_fail(e, "the runtime root cannot be opened", real);
	return place_check_owner(p->fd, p->root, e);
}

void
place_close(struct place *p)
{
	path_close(&p->fd);
}

bool
place_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9');

		if (!plain && (i == 0 || !str_has_char(S("._-"), c)))
			return false;
	}
	return s.n > 0 && s.n <= PLACE_NAME_MAX;
}

int
place_make(int at, const char *name, bool sync)
{
	if (mkdirat(at, name, 0700) < 0)
		return errno == EEXIST ? 0 : -1;
	/* Sets the mode again: the umask may remove even the owner's bits. */
	if (fchmodat(at, name, 0700, 0) < 0)
		return -1;
	return sync ? fsync(at) : 0;
}

int
place_folder(int at, const char *name, bool make, struct err *e)
{
	int fd;

	if (make && place_make(at, name, true) < 0)
		return place_fail(e, "cannot make a folder", name);
	fd = path_dir_open(at, name);
	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "no such folder");
	if (fd < 0)
		return place_fail(e, "something else is where a folder belongs",
		    name);
	if (place_check_owner(fd, str_of(name), e) < 0)
		path_close(&fd);
	return fd;
}

int
place_lock(int folder, struct err *e)
{
	int64_t late = clock_mono_ms() + LIMIT_PLACE_LOCK_MS;

	while (flock(folder, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return place_fail(e, "a folder cannot be locked",
			    "flock");
		if (clock_left_ms(late) == 0)
			return err_set(e, ERR_LIMIT,
			    "another command has been changing this folder "
			    "for a while: try again later");
		(void)usleep(5000);
	}
	return 0;
}
