/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peak FILE COMMAND...: runs it, ends it on SIGTERM, and writes the most memory
 * that it, or a process it waited for, ever had into FILE, in bytes.  A program
 * of its own, since a process begins with the peak of who made it.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void
end(int n)
{
	(void)n;
	(void)kill(child, SIGTERM);
}

int
main(int argc, char **argv)
{
	struct rusage used;
	FILE *out;

	if (argc < 3)
		return 2;
	child = fork();
	if (child == 0) {
		(void)execvp(argv[2], argv + 2);
		_exit(127);
	}
	(void)signal(SIGTERM, end);
	while (wait4(child, NULL, 0, &used) < 0)
		;
	out = fopen(argv[1], "w");
	if (out == NULL)
		return 1;
	(void)fprintf(out, "%ld\n", used.ru_maxrss * 1024);
	return fclose(out) != 0;
}
