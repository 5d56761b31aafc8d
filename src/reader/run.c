/* The reader's caller. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "base/utf8.h"
#include "reader/internal.h"

/* -- a question and its answer --------------------------------------------- */

static void
reader_run_send(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			reader_get_lost();
		at += sent;
		n -= (size_t)sent;
	}
}

/* What is short goes in one piece: each wakes the reader. */
static void
reader_run_ask(int fd, struct arena *a, struct reader_ask *q)
{
	bool whole = q->bytes.n <= LIMIT_READER_WHOLE;
	struct reader_head head = { 0, q->bytes.n };
	struct buf b;
	struct carry c = { .to = &b, .a = a };

	buf_init(&b, a, LIMIT_READER_ASK);
	buf_add(&b, &head, sizeof(head));
	reader_verb_ask(&c, q);
	head.ask = b.n - sizeof(head);
	if (whole)
		buf_str(&b, q->bytes);
	/* What we ask is capped by our own rules. */
	if (b.over)
		reader_get_lost();
	memcpy(b.p, &head, sizeof(head));
	reader_run_send(fd, b.p, b.n);
	if (!whole)
		reader_run_send(fd, q->bytes.p, q->bytes.n);
}

/* The rules of a zone, as the caller's own `load` finds them. */
static void
reader_run_zone(int fd, const struct reader_ask *q, struct str name)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str rules = S("");
	bool there =
	    q->load != NULL && q->load->load(q->load->ctx, a, name, &rules);
	const struct reader_say back = { there, there ? rules.n : 0 };

	reader_run_send(fd, &back, sizeof(back));
	reader_run_send(fd, rules.p, (size_t)back.n);
}

static struct str
reader_run_read(int fd, struct arena *a, uint64_t n)
{
	char *p = arena_alloc(a, (size_t)n + 1);

	if (!reader_child_read(fd, p, (size_t)n))
		reader_get_lost();
	return (struct str){ p, (size_t)n };
}

/* The answer's bytes; it may ask for zones before. */
static struct str
reader_run_hear(int fd, const struct reader_ask *q, struct arena *a)
{
	struct reader_say say = { 0 };
	int zones = 0;

	for (;;) {
		if (!reader_child_read(fd, &say, sizeof(say)))
			reader_get_lost();
		if (say.kind == READER_ANSWER && say.n <= LIMIT_READER_REPLY)
			return reader_run_read(fd, a, say.n);
		if (say.kind != READER_ZONE || say.n > LIMIT_PATH ||
		    ++zones > LIMIT_READER_ZONES)
			reader_get_lost();
		reader_run_zone(fd, q, reader_run_read(fd, a, say.n));
	}
}

/* Asks, and checks what comes back. */
static void
reader_run(struct arena *a, struct reader_ask *q, struct reader_answer *r)
{
	struct carry c = { .a = a, .source = q->bytes };
	int fd = reader_get();

	if (q->bytes.p == NULL)
		q->bytes.p = "";
	if (q->bytes.n > LIMIT_MESSAGE)
		q->bytes.n = LIMIT_MESSAGE;
	if (q->verb == READER_READING)
		c.source = q->message->raw;
	reader_run_ask(fd, a, q);
	c.rest = reader_run_hear(fd, q, a);
	reader_verb_answer(&c, q, r);
	if (c.bad || c.rest.n > 0)
		reader_get_lost();
}

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

	reader_run(a, &q, &r);
	if (found != NULL)
		*found = r.found;
	return r.text;
}

/* The message that the reader has: where it is here. */
static const char *kept;

static void
reader_run_message(struct arena *a, struct str raw, struct mime_message *out)
{
	struct reader_ask q = { .verb = READER_MESSAGE, .bytes = raw };
	struct reader_answer r = { 0 };

	reader_run(a, &q, &r);
	*out = r.message;
	kept = q.bytes.p;
}

static void
reader_run_reading(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, struct mime_reading *out)
{
	struct reader_ask q = { .verb = READER_READING,
		.kept = kept == m->raw.p && reader_get_has(),
		.want = (int)want,
		.message = m };
	struct reader_answer r = { 0 };

	if (!q.kept)
		q.bytes = m->raw;
	kept = NULL;
	reader_run(a, &q, &r);
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

	reader_run(a, &q, &r);
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

	reader_run(a, &q, &r);
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
	reader_run(a, &q, &r);
	return r.yes;
}

static struct str
reader_run_charset(struct arena *a, const char *name, struct str bytes)
{
	struct reader_ask q = { .verb = READER_CHARSET,
		.bytes = bytes,
		.label = str_of(name) };
	struct reader_answer r = { 0 };

	reader_run(a, &q, &r);
	return r.text;
}

static const struct mime_reader elsewhere = {
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
	mime_charset_ahead();
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
