/* SPDX-License-Identifier: Apache-2.0 */
#include "base/trace.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/said.h"
#include "base/secret.h"

/* The first bytes of a file that emcli may write to. */
#define TRACE_HEAD "# emcli trace "

static struct {
	bool file_on, kept_on;
	int file, kept;
	int64_t since_ms;
} trace;

static void
trace_begin(void)
{
	if (!trace_on())
		trace.since_ms = clock_mono_ms();
}

/* One write(2) a line: processes that share a file do not mix theirs. */
static void
trace_write(int fd, const char *line, size_t n, off_t max)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_size < max && write(fd, line, n) < 0)
		return; /* the disk is full */
}

static int
trace_refuse(const char *why, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "EMCLI_TRACE: %s", why);
	return err_hint(e, "name a file that does not exist yet");
}

/* Refuses a file that is not a trace, so it keeps its content. */
static int
trace_check(int fd, struct err *e)
{
	char head[sizeof(TRACE_HEAD) - 1];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return trace_refuse("it is not a regular file", e);
	if (st.st_uid != geteuid() || st.st_nlink != 1 ||
	    (st.st_mode & 077) != 0)
		return trace_refuse("others own the file or have access to it",
		    e);
	n = path_read_at(fd, head, sizeof(head), 0);
	if (n != 0 &&
	    (n != sizeof(head) || memcmp(head, TRACE_HEAD, sizeof(head)) != 0))
		return trace_refuse("the file exists and is not a trace", e);
	return 0;
}

static void
trace_head(int fd)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4096);
	struct str when = clock_rfc3339(a, clock_now());
	char line[200];
	int n = snprintf(line, sizeof(line),
	    TRACE_HEAD "%.*s, emcli " EMCLI_VERSION
		       ", process %ld; milliseconds, process, peer, text\n",
	    STR_ARG(when), (long)getpid());

	if (n > 0 && (size_t)n < sizeof(line))
		trace_write(fd, line, (size_t)n, LIMIT_TRACE);
}

int
trace_open(const char *path, struct err *e)
{
	int fd = open(path,
	    O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
	    0600);

	if (fd < 0) {
		(void)trace_refuse("the file cannot be opened", e);
		return err_errno(e, path);
	}
	if (trace_check(fd, e) < 0) {
		(void)close(fd);
		return -1;
	}
	trace_begin();
	if (trace.file_on)
		(void)close(trace.file);
	trace.file = fd;
	trace.file_on = true;
	trace_head(fd);
	return 0;
}

int
trace_keep(struct err *e)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) < 0) {
		(void)err_set(e, ERR_INTERNAL,
		    "a trace cannot be kept in memory");
		return err_errno(e, "memfd_create");
	}
	trace_begin();
	if (trace.kept_on)
		(void)close(trace.kept);
	trace.kept = fd;
	trace.kept_on = true;
	return 0;
}

struct str
trace_kept(struct arena *a)
{
	char *text;
	ssize_t n;

	if (!trace.kept_on)
		return S("");
	text = arena_alloc(a, LIMIT_TRACE_KEPT + LIMIT_TRACE_LINE + 2);
	n = path_read_at(trace.kept, text,
	    LIMIT_TRACE_KEPT + LIMIT_TRACE_LINE + 2, 0);
	(void)close(trace.kept);
	trace.kept_on = false;
	return (struct str){ text, n > 0 ? (size_t)n : 0 };
}

void
trace_closed(void)
{
	trace.file_on = trace.kept_on = false;
}

bool
trace_on(void)
{
	return trace.file_on || trace.kept_on;
}

/* Checks only the words; the text before them is emcli's. */
static void
trace_clean(char *text, size_t room)
{
	size_t n = strlen(text);

	_Static_assert(LIMIT_TRACE_LINE <= SAID_LOOK, "all of it is looked at");

	/* A short secret is in any text by chance: see base/said.h. */
	if (secret_short_in_use() || said_secret((struct str){ text, n })) {
		(void)snprintf(text, room, "%s", SAID_HIDDEN);
		return;
	}
	/* Not earlier: a secret may contain such bytes. */
	for (size_t i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
}

void
trace_line(const char *who, char way, const char *fmt, ...)
{
	char line[LIMIT_TRACE_LINE + 2], *text;
	va_list ap;
	int n;

	if (!trace_on())
		return;
	n = snprintf(line, sizeof(line) / 2, "%7lld %ld %.300s %c ",
	    (long long)(clock_mono_ms() - trace.since_ms), (long)getpid(), who,
	    way);
	if (n < 0)
		return;
	text = line + n;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(line) - 1 - (size_t)n, fmt, ap);
	va_end(ap);
	trace_clean(text, sizeof(line) - 1 - (size_t)n);
	n = (int)strlen(line);
	line[n++] = '\n';
	if (trace.file_on)
		trace_write(trace.file, line, (size_t)n, LIMIT_TRACE);
	if (trace.kept_on)
		trace_write(trace.kept, line, (size_t)n, LIMIT_TRACE_KEPT);
	secret_wipe(line, sizeof(line));
}
