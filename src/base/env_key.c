/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources of a key: its variable, a file, a systemd credential.  A file that
 * others may read is refused, because a key in it is not secret.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/internal.h"
#include "base/limits.h"
#include "base/path.h"

/*
 * Takes the first value and overwrites every one in place: the kernel shows
 * this memory in /proc/self/environ, and a name may be there twice.
 */
int
env_key_variable(const char *name, struct secret **out, struct err *e)
{
	size_t n = strlen(name);
	bool too_long = false;

	for (char **v = environ; v != NULL && *v != NULL; v++) {
		char *value = *v + n + 1;
		size_t size;

		if (strncmp(*v, name, n) != 0 || (*v)[n] != '=')
			continue;
		size = strlen(value);
		if (size > LIMIT_SECRET)
			too_long = true;
		else if (size > 0 && *out == NULL)
			*out = secret_new(value, size);
		secret_wipe(value, size);
	}
	(void)unsetenv(name);
	if (too_long)
		return err_set(e, ERR_CONFIG, "%s is too long", name);
	return 0;
}

static int
env_key_unreadable(const char *name, const char *path, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the file named by %s cannot be read",
	    name);
	(void)err_errno(e, path);
	return err_hint(e,
	    "name a file that holds the key and that this user "
	    "may read");
}

int
env_key_guarded(int fd, const char *what, const char *path, const char *hint,
    struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0) {
		(void)err_set(e, ERR_CONFIG, "%s cannot be read", what);
		return err_errno(e, path);
	}
	/* Other rules protect a terminal. */
	if ((st.st_mode & 066) == 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode)))
		return 0;
	(void)err_set(e, ERR_CONFIG, "%s is open to others: chmod 600 it",
	    what);
	(void)err_because(e, "%s has mode %04o", path,
	    (unsigned)(st.st_mode & 07777));
	return err_hint(e, hint);
}

/*
 * systemd controls who may read a credential: it grants access to a service's
 * user by an ACL, which shows as group bits.
 */
static int
env_key_check(const char *name, const char *path, int fd, bool credential,
    struct err *e)
{
	char what[80];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return env_key_unreadable(name, path, e);
	if (!S_ISREG(st.st_mode)) {
		(void)err_set(e, ERR_CONFIG,
		    "the file named by %s is not a regular file", name);
		return err_because(e, "%s", path);
	}
	if (credential)
		return 0;
	(void)snprintf(what, sizeof(what), "the file named by %s", name);
	return env_key_guarded(fd, what, path,
	    "chmod 600 the file, and change the key if others may have read "
	    "it: emcli key rotate",
	    e);
}

/* 1 if there is a key, 0 if the credential does not exist, -1. */
static int
env_key_read_key(const char *name, const char *path, bool credential,
    struct secret **out, struct err *e)
{
	/* O_NONBLOCK: a pipe must not block before it is refused. */
	CLEANUP(path_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct err why = { 0 };

	if (fd < 0 && credential && errno == ENOENT)
		return 0;
	if (fd < 0)
		return env_key_unreadable(name, path, e);
	if (env_key_check(name, path, fd, credential, e) < 0)
		return -1;
	if (secret_read(fd, out, &why) < 0) {
		(void)err_set(e, ERR_CONFIG, "the file named by %s has no key",
		    name);
		return err_because(e, "%s: %s", path, why.say);
	}
	return 1;
}

int
env_key_read(const char *name, const char *path, struct secret **out,
    struct err *e)
{
	return env_key_read_key(name, path, false, out, e) < 0 ? -1 : 0;
}

/* The credential's path, or NULL if there are none. */
static char *
env_key_credential_path(const char *credential)
{
	const char *dir = getenv("CREDENTIALS_DIRECTORY");
	char *path;

	if (credential == NULL || dir == NULL || dir[0] != '/')
		return NULL;
	if (asprintf(&path, "%s/%s", dir, credential) < 0)
		err_bug("out of memory");
	return path;
}

int
env_key_file(const char *name, const char *credential, struct secret **key,
    enum env_from *from, char **file, struct err *e)
{
	const char *named = getenv(name);
	bool has_file = named != NULL && named[0] != '\0';
	char *path;
	int r;

	*from = *key != NULL ? ENV_VARIABLE : ENV_UNSET;
	if (*key != NULL)
		return 0;
	path = has_file ? strdup(named) : env_key_credential_path(credential);
	if (path == NULL && has_file)
		err_bug("out of memory");
	if (path == NULL)
		return 0;
	r = env_key_read_key(has_file ? name : credential, path, !has_file, key,
	    e);
	if (r <= 0) {
		free(path);
		return r;
	}
	*from = has_file ? ENV_FILE : ENV_CREDENTIAL;
	*file = path;
	return 0;
}
