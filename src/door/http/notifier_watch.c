/* SPDX-License-Identifier: Apache-2.0 */
#include "door/http/notifier_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "runtime/instance.h"
#include "runtime/manifest.h"
#include "runtime/notifier.h"

#define ALL                                                                    \
	(NOTIFIER_WATCH_MAIL | NOTIFIER_WATCH_COMMIT |                         \
	    NOTIFIER_WATCH_ACTIVITY | NOTIFIER_WATCH_SETTINGS)
#define JOURNAL "mailbox.sqlite-journal" /* is removed by a commit */

void
notifier_watch_open(struct notifier_watch *w)
{
	*w = (struct notifier_watch){ .fd = inotify_init1(
					  IN_CLOEXEC | IN_NONBLOCK),
		.session = -1,
		.gateway = -1,
		.box = -1,
		.inbox = -1,
		.beside = -1 };
}

struct str
notifier_watch_inbox(const struct binding *b, struct arena *a)
{
	if (b->transport != TRANSPORT_FILESYSTEM)
		return S("");
	if (b->mailbox_path.n > 0)
		return str_fmt(a, "%.*s/inbox", STR_ARG(b->mailbox_path));
	return str_fmt(a, "%.*s/mailboxes/%.*s/inbox",
	    STR_ARG(b->filesystem_root), STR_ARG(b->address));
}

/* The same folder has the same number again. */
static void
notifier_watch_one(const struct notifier_watch *w, int *wd, struct str path,
    uint32_t what, struct arena *a)
{
	int was = *wd;

	if (w->fd < 0)
		return;
	*wd = path.n > 0
	    ? inotify_add_watch(w->fd, str_c(a, path), what | IN_ONLYDIR)
	    : -1;
	if (was >= 0 && was != *wd)
		(void)inotify_rm_watch(w->fd, was);
}

void
notifier_watch_session(struct notifier_watch *w, struct str session,
    struct arena *a)
{
	notifier_watch_one(w, &w->session, session, IN_MOVED_TO, a);
	notifier_watch_one(w, &w->gateway,
	    str_fmt(a, "%.*s/" INSTANCE_FOLDER, STR_ARG(session)), IN_MOVED_TO,
	    a);
}

void
notifier_watch_mail(struct notifier_watch *w, struct str inbox, struct arena *a)
{
	struct str box = S("");

	if (inbox.n > 0)
		box = str_first(inbox, inbox.n - (sizeof("/inbox") - 1));
	notifier_watch_one(w, &w->box, box, IN_DELETE, a);
	notifier_watch_one(w, &w->inbox, inbox, IN_CREATE | IN_MOVED_TO, a);
}

static unsigned
notifier_watch_meaning(const struct notifier_watch *w,
    const struct inotify_event *ev)
{
	struct str name = ev->len > 0 ? str_of(ev->name) : S("");

	if (ev->mask & IN_Q_OVERFLOW)
		return ALL;
	if (ev->wd == w->inbox && (ev->mask & (IN_CREATE | IN_MOVED_TO)))
		return NOTIFIER_WATCH_MAIL;
	if (ev->wd == w->box && str_eq(name, S(JOURNAL)))
		return NOTIFIER_WATCH_COMMIT;
	if (ev->wd == w->session && str_eq(name, S("activity.json")))
		return NOTIFIER_WATCH_ACTIVITY;
	if ((ev->wd == w->session && str_eq(name, S(MANIFEST_FILE))) ||
	    (ev->wd == w->gateway && str_eq(name, S(NOTIFIER_SETTINGS))))
		return NOTIFIER_WATCH_SETTINGS;
	return 0;
}

static unsigned
notifier_watch_read(const struct notifier_watch *w)
{
	_Alignas(struct inotify_event) char b[8192];
	ssize_t n = read(w->fd, b, sizeof(b));
	unsigned seen = 0;

	for (size_t at = 0;
	     n > 0 && at + sizeof(struct inotify_event) <= (size_t)n;) {
		const struct inotify_event *ev =
		    (const struct inotify_event *)(const void *)(b + at);

		seen |= notifier_watch_meaning(w, ev);
		at += sizeof(*ev) + ev->len;
	}
	return seen;
}

unsigned
notifier_watch_wait(struct notifier_watch *w, int timeout_ms, int blind_ms)
{
	/* One that is -1 is ignored. */
	struct pollfd p[] = { { .fd = w->fd, .events = POLLIN },
		{ .fd = w->beside, .events = POLLIN } };
	unsigned seen = 0;

	if ((w->fd < 0 || w->gateway < 0 || w->session < 0) &&
	    (timeout_ms < 0 || timeout_ms > blind_ms))
		timeout_ms = blind_ms;
	if (poll(p, 2, timeout_ms) <= 0)
		return 0;
	if (p[0].revents != 0)
		seen |= notifier_watch_read(w);
	if (p[1].revents != 0)
		seen |= NOTIFIER_WATCH_BESIDE;
	return seen;
}
