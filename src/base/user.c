/* SPDX-License-Identifier: Apache-2.0 */
#include "base/user.h"

#include <grp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int
user_become(const struct passwd *pw, struct err *e)
{
	int groups = pw->pw_name != NULL ? initgroups(pw->pw_name, pw->pw_gid)
					 : setgroups(0, NULL);

	if (groups < 0 || setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) < 0 ||
	    setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) < 0 ||
	    (pw->pw_dir != NULL && setenv("HOME", pw->pw_dir, 1) < 0)) {
		(void)err_set(e, ERR_CONFIG,
		    "emcli cannot become user %u: root needs the right to do "
		    "so",
		    (unsigned)pw->pw_uid);
		return err_errno(e, "setresuid");
	}
	/* The kernel forgot it with the user. */
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	return 0;
}
