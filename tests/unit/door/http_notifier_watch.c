/* SPDX-License-Identifier: Apache-2.0 */
/* What inotify tells the notifier: of folders, and of one that a link names. */
#include "../rows.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "door/http/notifier_watch.h"

#define ROOT "%s/root/mailboxes/w@x.example"

/* A file is made and gets its name by a rename, or is made and removed. */
static const struct row {
	const char *why;
	const char *path; /* below the top */
	bool removed;
	unsigned want;
} rows[] = {
	{ "a message", "box/inbox/msg-1.md", false, NOTIFIER_WATCH_MAIL },
	{ "a message that is archived", "box/archive/msg-1.md", false, 0 },
	{ "a commit of the mailbox", "box/mailbox.sqlite-journal", true,
	    NOTIFIER_WATCH_COMMIT },
	{ "another file of the mailbox", "box/other-journal", true, 0 },
	{ "what a hook says", "session/activity.json", false,
	    NOTIFIER_WATCH_ACTIVITY },
	{ "another binding", "session/manifest.json", false,
	    NOTIFIER_WATCH_SETTINGS },
	{ "another file of the session", "session/session.json", false, 0 },
	{ "other settings", "session/gateway/notifier.json", false,
	    NOTIFIER_WATCH_SETTINGS },
	{ "its own state", "session/gateway/notifier-state.json", false, 0 },
};

struct place {
	char at[64];
	struct arena *a;
	struct notifier_watch w;
};

static int
wipe(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

/* The mailbox is in the root, or there is a link to it. */
static void
place_begin(struct place *p, bool linked)
{
	static const char *const made[] = { "session", "session/gateway",
		"root", "root/mailboxes", "box", "box/inbox", "box/archive" };
	const char *entry;

	(void)snprintf(p->at, sizeof(p->at), "/tmp/emcli-watch-XXXXXX");
	assert_non_null(mkdtemp(p->at));
	p->a = arena_open(1 << 20);
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		assert_int_equal(mkdir(str_fmt(p->a, "%s/%s", p->at, made[i]).p,
				     0700),
		    0);
	entry = str_fmt(p->a, ROOT, p->at).p;
	if (linked)
		assert_int_equal(symlink("../../box", entry), 0);
	else
		assert_int_equal(mkdir(entry, 0700), 0);
	notifier_watch_open(&p->w);
	assert_true(p->w.fd >= 0);
	notifier_watch_session(&p->w, str_fmt(p->a, "%s/session", p->at), p->a);
}

static void
place_end(struct place *p)
{
	path_close(&p->w.fd);
	(void)nftw(p->at, wipe, 16, FTW_DEPTH | FTW_PHYS);
	arena_close(&p->a);
}

static void
touch(struct place *p, const char *path, bool removed)
{
	const char *name = str_fmt(p->a, "%s/%s", p->at, path).p;
	const char *new = removed ? name : str_fmt(p->a, "%s/new", p->at).p;
	int fd = open(new, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	path_close(&fd);
	assert_int_equal(removed ? unlink(name) : rename(new, name), 0);
}

/* All that is to be read by now. */
static unsigned
seen(struct place *p)
{
	return notifier_watch_wait(&p->w, 0, 0);
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct place p = { 0 };
	struct binding b = { .transport = TRANSPORT_FILESYSTEM,
		.address = S("w@x.example") };

	/* By the link in the root, and by the path that it has itself. */
	for (int own = 0; own < 2; own++) {
		place_begin(&p, true);
		b.filesystem_root = str_fmt(p.a, "%s/root", p.at);
		b.mailbox_path =
		    own ? str_fmt(p.a, "%s/box", p.at) : (struct str){ 0 };
		notifier_watch_mail(&p.w, notifier_watch_inbox(&b, p.a), p.a);
		assert_int_equal(seen(&p), 0);
		touch(&p, r->path, r->removed);
		assert_int_equal(seen(&p), r->want);
		assert_int_equal(seen(&p), 0);
		place_end(&p);
	}
}

/* A mailbox in another root; the old one is not watched any more.  Watching it
 * again loses nothing. */
static void
another(void **state)
{
	struct place p = { 0 };
	struct binding b = { .transport = TRANSPORT_FILESYSTEM,
		.address = S("w@x.example") };
	struct str inbox;

	(void)state;
	place_begin(&p, false);
	b.filesystem_root = str_fmt(p.a, "%s/root", p.at);
	inbox = notifier_watch_inbox(&b, p.a);
	notifier_watch_mail(&p.w, inbox, p.a);
	assert_int_equal(p.w.inbox, -1); /* it is not there yet */
	assert_int_equal(mkdir(str_c(p.a, inbox), 0700), 0);
	notifier_watch_mail(&p.w, inbox, p.a);
	touch(&p, "root/mailboxes/w@x.example/inbox/a", false);
	notifier_watch_mail(&p.w, inbox, p.a);
	notifier_watch_session(&p.w, str_fmt(p.a, "%s/session", p.at), p.a);
	assert_int_equal(seen(&p), NOTIFIER_WATCH_MAIL);
	touch(&p, "root/mailboxes/w@x.example/inbox/aa", false);
	assert_int_equal(seen(&p), NOTIFIER_WATCH_MAIL);
	b.mailbox_path = str_fmt(p.a, "%s/box", p.at);
	notifier_watch_mail(&p.w, notifier_watch_inbox(&b, p.a), p.a);
	touch(&p, "root/mailboxes/w@x.example/inbox/b", false);
	assert_int_equal(seen(&p), 0);
	touch(&p, "box/inbox/b", false);
	assert_int_equal(seen(&p), NOTIFIER_WATCH_MAIL);
	b.transport = TRANSPORT_STALWART;
	assert_int_equal(notifier_watch_inbox(&b, p.a).n, 0);
	notifier_watch_mail(&p.w, S(""), p.a);
	touch(&p, "box/inbox/c", false);
	assert_int_equal(seen(&p), 0);
	place_end(&p);
}

/* Without inotify a wait ends, and nothing was seen. */
static void
blind(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct notifier_watch w = { .fd = -1,
		.session = -1,
		.gateway = -1,
		.box = -1,
		.inbox = -1,
		.beside = -1 };

	(void)state;
	notifier_watch_session(&w, S("/tmp"), a);
	notifier_watch_mail(&w, S("/tmp/inbox"), a);
	assert_int_equal(w.session, -1);
	assert_int_equal(notifier_watch_wait(&w, -1, 1), 0);
}

/* Another descriptor ends a wait, too, with inotify and without. */
static void
beside(void **state)
{
	struct notifier_watch w;
	int fd[2];

	(void)state;
	notifier_watch_open(&w);
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	w.beside = fd[0];
	assert_int_equal(notifier_watch_wait(&w, 0, 0), 0);
	path_close(&fd[1]);
	assert_int_equal(notifier_watch_wait(&w, -1, 60000),
	    NOTIFIER_WATCH_BESIDE);
	path_close(&w.fd);
	assert_int_equal(notifier_watch_wait(&w, -1, 60000),
	    NOTIFIER_WATCH_BESIDE);
	path_close(&fd[0]);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("another mailbox", another, NULL);
	rows_add("no inotify", blind, NULL);
	rows_add("another descriptor", beside, NULL);
	return cmocka_run_group_tests_name("door/http_notifier_watch",
	    rows_tests, NULL, NULL);
}
