/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a message, from a file or standard input. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "door/agents/internal.h"
#include "ipc/ipc.h"

static int
body_missing(struct err *e)
{
	return err_set(e, ERR_USAGE,
	    "the message has no body: give --body-content, --body-file, or "
	    "text on standard input");
}

/* A writer that never ends is given up. */
static int
body_wait(int fd, int64_t deadline_ms, struct err *e)
{
	if (ipc_wait(fd, POLLIN, deadline_ms) > 0)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the body did not end within %d seconds: give --body-content, or a "
	    "file with --body-file",
	    LIMIT_AGENTS_STDIN_MS / 1000);
}

static int
body_read_all(int fd, struct arena *a, struct str *out, struct err *e)
{
	int64_t end = clock_mono_ms() + LIMIT_AGENTS_STDIN_MS;
	char part[16384];
	struct buf b;
	ssize_t n;

	buf_init(&b, a, LIMIT_AGENTBOX_BODY);
	do {
		if (body_wait(fd, end, e) < 0)
			return -1;
		n = read(fd, part, sizeof(part));
		if (n < 0 && errno != EINTR && errno != EAGAIN) {
			(void)err_set(e, ERR_CONFIG, "the body cannot be read");
			return err_errno(e, "read");
		}
		if (n > 0)
			buf_add(&b, part, (size_t)n);
	} while (n != 0 && !b.over);
	if (b.over)
		return err_set(e, ERR_LIMIT, "the body has more than %lu bytes",
		    LIMIT_AGENTBOX_BODY);
	*out = buf_view(&b);
	return 0;
}

/* A file, or a pipe that a shell made. */
static int
body_read_file(const char *path, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the file of --body-file cannot be opened");
		return err_errno(e, "open");
	}
	if (fstat(fd, &st) < 0 ||
	    !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)))
		return err_set(e, ERR_CONFIG, "--body-file is not a file");
	return body_read_all(fd, a, out, e);
}

int
agents_body_read(struct str file, struct arena *a, struct str *out,
    struct err *e)
{
	bool piped = file.n == 0 || str_eq(file, S("-"));

	if (file.n == 0 && isatty(STDIN_FILENO))
		return body_missing(e);
	if (str_has_char(file, '\0'))
		return err_set(e, ERR_USAGE, "--body-file contains a NUL byte");
	if ((piped ? body_read_all(STDIN_FILENO, a, out, e)
		   : body_read_file(str_c(a, file), a, out, e)) < 0)
		return -1;
	/* More likely forgotten than meant. */
	return piped && out->n == 0 ? body_missing(e) : 0;
}
