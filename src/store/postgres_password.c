/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The systemd credential with passwords.  systemd may let a service's user read
 * it by an ACL, which shows as group bits: libpq would refuse the file, so it
 * is given a copy in memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/secret.h"
#include "store/postgres.h"

enum {
	PASSWORD_MOST = 64 << 10
};

static int
postgres_password_bad(const char *why, struct err *e)
{
	(void)err_set(e, ERR_CONFIG,
	    "the credential emcli-pgpass cannot be used: %s", why);
	return err_hint(e,
	    "name a file in the format of ~/.pgpass with LoadCredential= in "
	    "the service");
}

/* To where libpq reads it. */
static int
postgres_password_copy(int from, int to)
{
	char part[4096];
	ssize_t n;
	size_t all = 0;
	int r = -1;

	while ((n = read(from, part, sizeof(part))) > 0) {
		all += (size_t)n;
		if (all > PASSWORD_MOST || write(to, part, (size_t)n) != n)
			break;
	}
	if (n == 0)
		r = 0;
	secret_wipe(part, sizeof(part));
	return r;
}

int
postgres_password_open(int *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const char *dir = getenv("CREDENTIALS_DIRECTORY");
	const char *named = getenv("PGPASSFILE");
	CLEANUP(path_close) int fd = -1;
	struct stat st;

	*out = -1;
	if (dir == NULL || dir[0] != '/' || (named != NULL && named[0] != '\0'))
		return 0;
	/* O_NONBLOCK: a pipe must not block before it is refused. */
	fd = open(str_fmt(a, "%s/emcli-pgpass", dir).p,
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT
		    ? 0
		    : postgres_password_bad("it cannot be read", e);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return postgres_password_bad("it is not a regular file", e);
	*out = memfd_create("emcli-pgpass", MFD_CLOEXEC);
	if (*out < 0 || fchmod(*out, 0600) < 0)
		return postgres_password_bad("no memory", e);
	if (postgres_password_copy(fd, *out) < 0)
		return postgres_password_bad("it has more than 64 KB", e);
	return 0;
}
