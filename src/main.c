/* SPDX-License-Identifier: Apache-2.0 */
/* argv to a door; the environment's keys are taken before anything else. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>

#include "base/lookup.h"
#include "door/door.h"

/*
 * A descriptor closed by the caller would be the next file we open, and a
 * reply written to "stdout" would land in the database.  What is put in its
 * place cannot be used in that direction, so that writing still fails.
 */
static void
main_hold_standard_fds(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			err_bug("descriptor %d cannot be held", fd);
}

/* Freed memory is used again in a moment: the system would have to clear it. */
static void
main_keep_memory(void)
{
#ifdef __GLIBC__
	(void)mallopt(M_TRIM_THRESHOLD, 16 << 20);
	(void)mallopt(M_TOP_PAD, 256 << 10);
	(void)mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

int
main(int argc, char **argv)
{
	struct env env = { 0 };
	struct err e = { 0 };
	int taken = env_take(&env, &e);
	int status;

	main_keep_memory();
	main_hold_standard_fds();
	lookup_begin();
	/* A reader that went away is a failed write, not a death. */
	(void)signal(SIGPIPE, SIG_IGN);
	/* Whoever started emcli may ignore it: no end of a child would be seen.
	 */
	(void)signal(SIGCHLD, SIG_DFL);
	status =
	    door_main(argc, argv, &env, taken < 0 ? &e : NULL, EMCLI_COMMIT);
	env_done(&env);
	return status;
}
