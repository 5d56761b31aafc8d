/* SPDX-License-Identifier: Apache-2.0 */
/* The copy of a password in a session's folder, made in one explicit step. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "runtime/credential.h"

static bool
credential_copy_is(const struct credential *x, const struct credential *y)
{
	return str_eq(x->login, y->login) &&
	    secret_eq(x->password, y->password);
}

/* Written again unless it is the same: the password may have been replaced. */
static int
credential_copy_write(int session, const struct credential *c, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close)
	int dir = place_folder(session, CREDENTIAL_COPIES, true, e);
	CLEANUP(credential_done) struct credential was = { 0 };
	struct credential copy = {
		.ref = c->ref,
		.login = c->login,
	};
	struct err unused = { 0 };

	if (dir < 0)
		return -1;
	if (fchmod(dir, 0700) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the session's folder of passwords is another user's");
		return err_errno(e, CREDENTIAL_COPIES);
	}
	if (credential_read(dir, c->ref, a, &was, &unused) == 0 &&
	    credential_copy_is(&was, c))
		return 0;
	return credential_write(dir, c->ref, &copy, c->password, a, e);
}

int
credential_copy(const struct place *p, struct str ref, int session,
    struct arena *a, struct credential *out, struct err *e)
{
	CLEANUP(path_close) int folder = -1;
	int r = credential_open(p, false, &folder, e);

	*out = (struct credential){ 0 };
	if (r == 0)
		r = credential_read(folder, ref, a, out, e);
	if (r > 0)
		return credential_missing(e,
		    "the mailbox's password is not on this machine any more");
	if (r < 0)
		return -1;
	return credential_copy_write(session, out, a, e);
}

int
credential_copy_drop(int session, struct arena *a, struct err *e)
{
	CLEANUP(path_close) int dir = path_dir_open(session, CREDENTIAL_COPIES);
	struct strs names;

	if (dir < 0)
		return 0;
	path_folder_drop(dir, ".new");
	if (credential_names(dir, a, &names, e) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++)
		if (credential_remove(dir, names.v[i], a, e) < 0)
			return -1;
	(void)unlinkat(session, CREDENTIAL_COPIES, AT_REMOVEDIR);
	return 0;
}
