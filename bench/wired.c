/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs that a backend is in another process: a page of 50 rows and a
 * message of 50 MiB from a Maildir, here and over a socket; microseconds, the
 * median of many, and the peak of the other process in MiB.  Built and run by
 * bench/wired.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/wired/wired.h"
#include "base/clock.h"
#include "base/limits.h"

#define MANY 2000
#define TIMES 201
#define PAGE 50
#define LONG (50UL << 20)

static void
put_mail(const char *root, int i, size_t body)
{
	char path[300];
	FILE *f;

	(void)snprintf(path, sizeof(path),
	    "%s/a@b.example/cur/17820%05d.M1.h:2,S", root, i);
	f = fopen(path, "w");
	if (f == NULL)
		exit(1);
	(void)fprintf(f,
	    "Received: from x.example by y.example; Mon, 1 Jun 2026 10:00:00 "
	    "+0000\r\n"
	    "From: Ann <ann%d@example.net>\r\nTo: a@b.example\r\n"
	    "Subject: message %d\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\n"
	    "Message-ID: <%d@example.net>\r\n\r\n",
	    i, i, i);
	for (size_t n = 0; n < body; n += 64)
		(void)fprintf(f, "%062d\r\n", 0);
	(void)fclose(f);
}

static int
lend(void *ctx, const char *name, const struct backend_account *a,
    enum wired_use use, struct err *e)
{
	struct backend_account own = *a;
	struct conn *c = NULL;
	struct rusage used;
	int fd[2];

	(void)ctx, (void)use;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		exit(1);
	if (fork() == 0) {
		const struct wired_lease l = { .fd = fd[1],
			.be = backend_find(str_of(name)),
			.acct = &own,
			.conn = &c,
			.arena = arena_open(LIMIT_ARENA) };

		(void)close(fd[0]);
		if (wired_serve(&l, e) < 0)
			exit(1);
		(void)getrusage(RUSAGE_SELF, &used);
		(void)printf("  other process: peak %ld MiB\n",
		    used.ru_maxrss >> 10);
		exit(0);
	}
	(void)close(fd[1]);
	return fd[0];
}

static int
by_time(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static void
good(int r, const struct err *e)
{
	if (r == 0)
		return;
	(void)fprintf(stderr, "%s (%s)\n", e->say, e->detail);
	exit(1);
}

/* One of the two: here, or in another process. */
struct side {
	const char *name;
	const struct backend *be;
	struct backend_account account;
	struct conn *c;
	int64_t took[TIMES];
};

static int64_t
find_page(struct side *s)
{
	const struct query q = { .folder = S("INBOX") };
	struct arena *a = arena_open(LIMIT_ARENA);
	struct folder_state st = { 0 };
	int64_t since = clock_now_us();
	struct rows rows = { 0 };
	struct err e = { 0 };

	good(s->be->find(s->c, a, &q, PAGE, &st, &rows, &e), &e);
	since = clock_now_us() - since;
	arena_close(&a);
	return since;
}

/* The oldest is the long one. */
static int64_t
get_long(struct side *s)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct folder_state st = { 0 };
	struct strs ids = { 0 };
	struct ref long_one = { 0 };
	struct err e = { 0 };
	struct str raw = S("");
	int64_t since;

	good(s->be->scan(s->c, a, S("INBOX"), &st, &ids, &e), &e);
	long_one.id = ids.v[ids.n - 1];
	since = clock_now_us();
	good(s->be->body(s->c, a, S("INBOX"), &long_one, LIMIT_MESSAGE, &raw,
		 &e),
	    &e);
	since = clock_now_us() - since;
	if (raw.n < LONG)
		exit(1);
	arena_close(&a);
	return since;
}

/* In turns, so that what else the machine does is of both. */
static void
measure(struct side side[2], const char *what, int times,
    int64_t (*fn)(struct side *s))
{
	for (int i = 0; i < times; i++)
		for (int k = 0; k < 2; k++)
			side[k].took[i] = fn(&side[k]);
	for (int k = 0; k < 2; k++) {
		qsort(side[k].took, (size_t)times, sizeof(int64_t), by_time);
		(void)printf("%s, %s: %lld us, at best %lld\n", what,
		    side[k].name, (long long)side[k].took[times / 2],
		    (long long)side[k].took[0]);
	}
}

int
main(void)
{
	const struct backend *be = backend_find(S("maildir"));
	const struct backend_wire wire = { .lend = lend };
	char root[] = "/tmp/emcli-bench-XXXXXX", path[300];
	const char *const dirs[] = { "", "/cur", "/new", "/tmp" };
	struct side side[2] = { { .name = "here", .be = be },
		{ .name = "in another process", .be = wired_of(be) } };
	struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };

	if (mkdtemp(root) == NULL)
		return 1;
	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof(path), "%s/a@b.example%s", root,
		    dirs[i]);
		(void)mkdir(path, 0700);
	}
	for (int i = 0; i < MANY; i++)
		put_mail(root, i, i == MANY - 1 ? LONG : 2000);
	for (int k = 0; k < 2; k++) {
		side[k].account = (struct backend_account){ .name = S("a"),
			.from = S("a@b.example"),
			.path = str_of(root),
			.deadline_ms = clock_mono_ms() + 600000,
			.wire = k == 1 ? &wire : NULL };
		good(side[k].be->open(&side[k].account, a, &side[k].c, &e), &e);
	}
	measure(side, "50 rows", TIMES, find_page);
	measure(side, "50 MiB", 5, get_long);
	(void)fflush(stdout);
	side[1].be->close(side[1].c);
	while (wait(NULL) > 0)
		;
	(void)printf("%s can be removed\n", root);
	return 0;
}
