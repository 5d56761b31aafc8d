/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_SITE_H
#define TESTS_CONFORM_SITE_H

/*
 * What is behind the backend under test.  Servers are started and filled
 * by who calls us and told in the environment:
 *
 *   CONFORM_BACKEND        imap, smtp, maildir (the default: on a throw-away
 *                          site made here)
 *   CONFORM_HOST, _PORT, _USER, _PASSWORD_FILE, _CA
 *   CONFORM_FROM, _TO      addresses mail goes from and to
 *   CONFORM_REFUSED        one the store refuses
 *   CONFORM_PATH, _CACHE   an archive that has one folder, and our own
 *   CONFORM_URL            of a service, in place of a host
 *   CONFORM_OAUTH          what is in the password file is an access token
 *   CONFORM_INBOX, _EMPTY  what those folders are called there
 *   CONFORM_MOVE           a folder to move into
 *   CONFORM_COPIES         it copies what it moves, and removes the originals
 *   CONFORM_ONE_FROM       it finds no second From field of a message
 *   CONFORM_MADE           the store keeps no bytes of a message as it came
 *   CONFORM_WIRED          through backend/wired: each connection is a child's
 */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/wired/wired.h"
#include "base/clock.h"
#include "base/limits.h"
#include "mail.h"

#define TIMEOUT_MS 20000

struct site {
	const struct backend *be;
	struct backend_account acct;
	struct secret *secret;
	const char *to, *refused;
	struct str inbox, empty;
	bool one_folder; /* there is no Empty */
	bool made;       /* its messages are made of records: CONFORM_MADE */
	char root[64];   /* of our own Maildirs, or empty */
};

static struct site site;

static const char *
site_env(const char *name, const char *def)
{
	const char *v = getenv(name);

	return v != NULL ? v : def;
}

static void
site_mkdir(const char *box)
{
	static const char *const half[] = { "", "/cur", "/new", "/tmp" };
	char path[256];

	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s%s", site.root, box,
		    half[i]);
		if (mkdir(path, 0700) < 0)
			abort();
	}
}

/* In turns a message that was seen and one that is new. */
static void
site_deliver(size_t i)
{
	struct timespec when[2] = { { .tv_sec = mails[i].day_s },
		{ .tv_sec = mails[i].day_s } };
	char path[256];
	size_t n = strlen(mails[i].raw);
	int fd;

	(void)snprintf(path, sizeof(path),
	    i % 2 == 0 ? "%s/agent@lab.example/cur/178200000%zu.M1P1.lab:2,S"
		       : "%s/agent@lab.example/new/178200000%zu.M1P1.lab",
	    site.root, i);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, mails[i].raw, n) != (ssize_t)n ||
	    futimens(fd, when) < 0)
		abort();
	(void)close(fd);
}

static void
site_make_maildir(void)
{
	(void)snprintf(site.root, sizeof(site.root),
	    "/tmp/emcli-conform-XXXXXX");
	if (mkdtemp(site.root) == NULL)
		abort();
	site_mkdir("agent@lab.example");
	site_mkdir("agent@lab.example/.Empty");
	site_mkdir("agent@lab.example/.Kept");
	site_mkdir("agent@lab.example/.Drafts");
	site_mkdir("agent@lab.example/.Archive");
	site_mkdir("agent@lab.example/.Trash");
	site_mkdir("bob@lab.example");
	for (size_t i = 0; i < MAILS; i++)
		site_deliver(i);
	site.acct.path = str_of(site.root);
	(void)setenv("CONFORM_MOVE", "Archive", 0);
}

/* A process that has the connection, and nothing else of ours. */
static int
site_lend(void *ctx, const char *backend, const struct backend_account *acct,
    enum wired_use use, struct err *e)
{
	struct backend_account own = *acct;
	struct arena *its = arena_open(LIMIT_ARENA);
	struct conn *c = NULL;
	const struct wired_lease l = { .be = backend_find(str_of(backend)),
		.acct = &own,
		.conn = &c,
		.arena = its,
		.tests = use == WIRED_USE_TEST,
		.fd = 3 };
	int fd[2];

	(void)ctx;
	own.wire = NULL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
		abort();
	if (fork() == 0) {
		(void)dup2(fd[1], l.fd);
		(void)close_range(l.fd + 1, ~0U, 0);
		_exit(wired_serve(&l, e) < 0);
	}
	arena_close(&its);
	(void)close(fd[1]);
	return fd[0];
}

static const struct backend_wire site_wire = { .lend = site_lend };

static void
site_make_wired(void)
{
	(void)signal(SIGCHLD, SIG_IGN);
	if (site.secret != NULL)
		secret_inherit(site.secret, true);
	site.be = wired_of(site.be);
	site.acct.wire = &site_wire;
}

static void
site_make(void)
{
	uint16_t port = (uint16_t)atoi(site_env("CONFORM_PORT", "0"));
	const char *file = site_env("CONFORM_PASSWORD_FILE", NULL);
	struct err e = { 0 };
	int fd;

	site.be = backend_find(str_of(site_env("CONFORM_BACKEND", "maildir")));
	if (site.be == NULL)
		abort();
	site.to = site_env("CONFORM_TO", "bob@lab.example");
	site.inbox = str_of(site_env("CONFORM_INBOX", "INBOX"));
	site.empty = str_of(site_env("CONFORM_EMPTY", "Empty"));
	site.refused = site_env("CONFORM_REFUSED", "nobody@lab.example");
	site.acct = (struct backend_account){
		.name = S("conform"),
		.from = str_of(site_env("CONFORM_FROM", "agent@lab.example")),
		.username = str_of(site_env("CONFORM_USER", "")),
		.imap_host = str_of(site_env("CONFORM_HOST", "")),
		.smtp_host = str_of(site_env("CONFORM_HOST", "")),
		.imap_port = port,
		.smtp_port = port,
		.ca_file = str_of(site_env("CONFORM_CA", "")),
		.path = str_of(site_env("CONFORM_PATH", "")),
		.url = str_of(site_env("CONFORM_URL", "")),
		.list = str_of(site_env("CONFORM_LIST", "")),
		.oauth = getenv("CONFORM_OAUTH") != NULL,
		.cache_dir = str_of(site_env("CONFORM_CACHE", "")),
	};
	if (file != NULL) {
		fd = open(file, O_RDONLY);
		if (fd < 0 || secret_read(fd, &site.secret, &e) < 0)
			abort();
		(void)close(fd);
		site.acct.secret = site.secret;
	}
	site.one_folder = site.acct.path.n > 0;
	site.made = getenv("CONFORM_MADE") != NULL;
	if (site.acct.imap_host.n == 0 && site.acct.url.n == 0 &&
	    !site.one_folder)
		site_make_maildir();
	if (getenv("CONFORM_WIRED") != NULL)
		site_make_wired();
}

static int
site_remove(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st, (void)type, (void)f;
	return remove(path);
}

static void
site_unmake(void)
{
	secret_close(&site.secret);
	if (site.root[0] != '\0')
		(void)nftw(site.root, site_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Every file below the agent's box in a line: what looking must not change. */
static size_t site_files;
static uint64_t site_sum;
static bool site_renames; /* files had other names meanwhile */

static int
site_note(const char *path, const struct stat *st, int type, struct FTW *f)
{
	uint64_t h = (uint64_t)st->st_mtim.tv_nsec ^
	    (uint64_t)st->st_mtim.tv_sec << 20 ^ (uint64_t)st->st_size;

	(void)f;
	if (site_renames && type == FTW_D)
		h = 0;
	/* Where a test puts something. */
	if (strstr(path, "/.Kept") != NULL || strstr(path, "/.Drafts") != NULL)
		return 0;
	for (; *path != '\0'; path++)
		h = (h ^ (unsigned char)*path) * 1099511628211U;
	site_sum += h;
	site_files++;
	return 0;
}

/* A number that is another as soon as a file was renamed or written; with
 * site_renames only if it has another name or other bytes now. */
static uint64_t
site_state(void)
{
	char box[128];

	if (site.root[0] == '\0')
		return 0;
	(void)snprintf(box, sizeof(box), "%s/agent@lab.example", site.root);
	site_files = 0;
	site_sum = 0;
	(void)nftw(box, site_note, 16, FTW_PHYS);
	return site_sum + site_files;
}

#endif
