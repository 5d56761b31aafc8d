/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's caller. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "base/utf8.h"
#include "reader/internal.h"

/* -- what it reads --------------------------------------------------------- */

static struct str
reader_run_html(struct arena *a, struct str page, size_t max,
    struct html_found *found)
{
	struct reader_ask q = { .verb = READER_HTML,
		.bytes = page,
		.max = max,
		.utf8 = utf8_valid(page) };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	if (found != NULL)
		*found = r.found;
	return r.text;
}

/* The message that a reader has: where it is here, and which reader. */
static const char *kept;
static uint64_t kept_by;

static void
reader_run_message(struct arena *a, struct str raw, struct mime_message *out)
{
	struct reader_ask q = { .verb = READER_MESSAGE, .bytes = raw };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	*out = r.message;
	kept = q.bytes.p;
	kept_by = reader_get_has();
}

static void
reader_run_reading(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, struct mime_reading *out)
{
	struct reader_ask q = { .verb = READER_READING,
		.kept = kept == m->raw.p && kept_by != 0 &&
		    kept_by == reader_get_has(),
		.want = (int)want,
		.message = m };
	struct reader_answer r = { 0 };

	if (!q.kept)
		q.bytes = m->raw;
	kept = NULL;
	reader_ask_for(a, &q, &r);
	*out = r.reading;
}

static void
reader_run_calendar(struct arena *a, struct str bytes, struct str charset,
    const struct calendar_zones *z, struct calendar *out)
{
	struct reader_ask q = { .verb = READER_CALENDAR,
		.bytes = str_first(bytes, LIMIT_CALENDAR + 1),
		.label = charset,
		.zones = z != NULL,
		.load = z };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	*out = r.calendar;
}

static struct dkim_signature *
reader_run_dkim(struct arena *a, struct str raw, struct str from_domain,
    int64_t now_s, size_t *n, bool *bad)
{
	struct reader_ask q = { .verb = READER_DKIM,
		.bytes = raw,
		.domain = from_domain,
		.now_s = now_s };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	*n = r.n;
	*bad = r.yes;
	return r.signature;
}

static bool
reader_run_verify(struct arena *a, const struct dkim_signature *s,
    const struct strs *records)
{
	struct reader_ask q = { .verb = READER_VERIFY,
		.signature = *s,
		.records = *records };
	struct reader_answer r = { 0 };

	if (q.records.n > LIMIT_DKIM_RECORDS)
		q.records.n = LIMIT_DKIM_RECORDS;
	reader_ask_for(a, &q, &r);
	return r.yes;
}

static struct str
reader_run_charset(struct arena *a, const char *name, struct str bytes)
{
	struct reader_ask q = { .verb = READER_CHARSET,
		.bytes = bytes,
		.label = str_of(name) };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	return r.text;
}

static struct str
reader_run_decode(struct arena *a, struct str body, enum mime_encoding encoding)
{
	struct reader_ask q = { .verb = READER_DECODE,
		.bytes = body,
		.want = (int)encoding };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	return r.text;
}

static const struct mime_reader elsewhere = {
	.heads = reader_heads,
	.head = reader_heads_one,
	.decode = reader_run_decode,
	.message = reader_run_message,
	.reading = reader_run_reading,
	.calendar = reader_run_calendar,
	.dkim = reader_run_dkim,
	.verify = reader_run_verify,
	.charset = reader_run_charset,
};

/* -- where it comes from --------------------------------------------------- */

void
reader_run_load(void)
{
	charset_convert_ahead();
}

static int
reader_run_fail(struct err *e)
{
	(void)err_set(e, ERR_INTERNAL, "the process that reads cannot start");
	return err_errno(e, "reader");
}

/* In the child: of its parent it has only the socket. */
static _Noreturn void
reader_run_become(int fd, pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(fd, STDERR_FILENO + 1) < 0)
		_exit(1);
	(void)close_range(STDERR_FILENO + 2, ~0U, 0);
	reader_nursery(STDERR_FILENO + 1);
}

int
reader_run_start(struct sandbox_state *out, struct err *e)
{
	pid_t me = getpid(), pid;
	uint32_t told = 0;
	int fd[2];

	/* Messages: of several that ask none gets half an answer. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return reader_run_fail(e);
	pid = fork();
	if (pid == 0)
		reader_run_become(fd[1], me);
	path_close(&fd[1]);
	if (pid > 0 && reader_child_read(fd[0], &told, sizeof(told))) {
		reader_get_from(fd[0]);
		*out = sandbox_unpack(told);
		html_elsewhere(reader_run_html);
		mime_elsewhere(&elsewhere);
		return 0;
	}
	path_close(&fd[0]);
	return reader_run_fail(e);
}
