/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delivery into Maildirs of the same site, to all recipients or to none.  Three
 * rounds, each over all recipients: find the mailbox; write to tmp/ and sync;
 * rename into new/.  Only the last is visible, and it is undone if it fails in
 * the middle.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/random.h>
#include <time.h>

#include "backend/maildir/internal.h"
#include "mime/address.h"

/* One copy; recipients with the same mailbox share it. */
struct copy {
	struct str box;            /* the mailbox's canonical address */
	char name[MAILDIR_UNIQUE]; /* its file name; empty: nothing was written
				    */
	bool delivered;            /* it is in new/ */
	size_t same_as; /* an earlier recipient's index, or its own */
};

struct delivery {
	struct maildir *m;
	struct submission *s;
	struct copy *v; /* s->n of them */
	struct arena *a;
};

/* The folder `half` of a recipient's Maildir, or -1. */
static int
maildir_submit_open_half(const struct delivery *d, size_t i, const char *half)
{
	const struct maildir *m = d->m;
	struct str addr = d->v[i].box;
	CLEANUP(path_close) int box = -1;

	if (addr.n == 0 || addr.n > NAME_MAX || addr.p[0] == '.' ||
	    str_has_char(addr, '/') || str_has_char(addr, '\0'))
		return -1;
	/* Our own Maildir may have another name than its address. */
	if (str_eq(addr, m->self))
		return path_dir_open(m->box, half);
	box = path_dir_open(m->site, str_c(d->a, addr));
	return box >= 0 ? path_dir_open(box, half) : -1;
}

static bool
has_half(const struct delivery *d, size_t i, const char *half)
{
	CLEANUP(path_close) int fd = maildir_submit_open_half(d, i, half);

	return fd >= 0;
}

static void
maildir_submit_answer(struct delivery *d, size_t i, int code,
    const char *status)
{
	d->s->to[i].code = code;
	d->s->to[i].status = str_of(status);
}

/* Are Maildirs beside our own in reach, if the recipient's is one? */
static int
maildir_submit_reach(const struct delivery *d, size_t i, struct err *e)
{
	if (d->m->site >= 0 || str_eq(d->v[i].box, d->m->self))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "the folder above the account's Maildir cannot be opened; nothing "
	    "was sent");
	return err_hint(e,
	    "tell the operator to name that folder as the account's --path");
}

/* The first round: does every recipient have a mailbox here? */
static int
maildir_submit_find_boxes(struct delivery *d, struct err *e)
{
	bool refused = false;

	for (size_t i = 0; i < d->s->n; i++) {
		struct copy *c = &d->v[i];
		struct err ignored = { 0 };
		bool valid = false;

		if (backend_in_time(d->m->conn.acct, MAILDIR_LATE, e) < 0)
			return -1;
		c->same_as = i;
		valid = address_canonical(d->a, d->s->to[i].addr, &c->box,
			    &ignored) == 0;
		if (valid && maildir_submit_reach(d, i, e) < 0)
			return -1;
		if (!valid || !has_half(d, i, "tmp") ||
		    !has_half(d, i, "new") || !has_half(d, i, "cur")) {
			maildir_submit_answer(d, i, 550, "no such mailbox");
			refused = true;
			continue;
		}
		maildir_submit_answer(d, i, 250, "not sent");
		for (size_t k = 0; k < i && c->same_as == i; k++)
			if (str_eq(d->v[k].box, c->box))
				c->same_as = k;
	}
	if (refused)
		return err_set(e, ERR_REJECTED,
		    "a recipient has no mailbox here; nothing was sent");
	return 0;
}

/*
 * A unique file name: the time, which is the order of arrival, and 64 random
 * bits.  The host name, usual there, would only reveal where we run.
 */
int
maildir_submit_name(char out[MAILDIR_UNIQUE], struct err *e)
{
	struct timespec now;
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random) ||
	    clock_gettime(CLOCK_REALTIME, &now) < 0)
		return err_set(e, ERR_INTERNAL,
		    "the system gave no random bytes");
	(void)snprintf(out, MAILDIR_UNIQUE, "%lld.M%06ldP%ldR%016llx.emcli",
	    (long long)now.tv_sec, now.tv_nsec / 1000, (long)getpid(),
	    (unsigned long long)random);
	return 0;
}

int
maildir_submit_text(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		s = str_from(s, (size_t)n);
	}
	return 0;
}

/*
 * The lines of final delivery (RFC 5321 section 4.4, Return-Path).  Their line
 * ends are those of the message's first line.
 */
static struct str
maildir_submit_trace(const struct delivery *d, size_t i)
{
	struct str message = d->s->message;
	struct str line, rest;
	const char *end;

	(void)str_cut(message, '\n', &line, &rest);
	end = str_ends(line, S("\r")) ? "\r\n" : "\n";
	return str_fmt(d->a, "Return-Path: <%.*s>%sDelivered-To: %.*s%s",
	    STR_ARG(d->s->from), end, STR_ARG(d->v[i].box), end);
}

static int
maildir_submit_write_file(struct delivery *d, size_t i, int tmp)
{
	struct copy *c = &d->v[i];
	CLEANUP(path_close)
	int fd = openat(tmp, c->name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		c->name[0] = '\0';
		return -1;
	}
	/* Sets the mode again, in case the umask removed the owner's bits. */
	if (fchmod(fd, 0600) < 0 ||
	    maildir_submit_text(fd, maildir_submit_trace(d, i)) < 0 ||
	    maildir_submit_text(fd, d->s->message) < 0 || fsync(fd) < 0)
		return -1;
	return 0;
}

static int
maildir_submit_failed(struct delivery *d, size_t i, const char *what,
    struct err *e)
{
	int saved = errno;

	maildir_submit_answer(d, i, 451, "the mailbox cannot be written");
	(void)err_set(e, ERR_REJECTED,
	    "a mailbox cannot be written; nothing was sent");
	errno = saved;
	return err_errno(e, what);
}

/* The second round: everything is on disk, and still invisible. */
static int
maildir_submit_write_copies(struct delivery *d, struct err *e)
{
	for (size_t i = 0; i < d->s->n; i++) {
		CLEANUP(path_close) int tmp = -1;

		if (d->v[i].same_as != i)
			continue;
		if (backend_in_time(d->m->conn.acct, MAILDIR_LATE, e) < 0 ||
		    maildir_submit_name(d->v[i].name, e) < 0)
			return -1;
		tmp = maildir_submit_open_half(d, i, "tmp");
		if (tmp < 0) {
			d->v[i].name[0] = '\0';
			return maildir_submit_failed(d, i, "open tmp", e);
		}
		if (maildir_submit_write_file(d, i, tmp) < 0)
			return maildir_submit_failed(d, i, "write", e);
	}
	return 0;
}

/* The third round: one rename each. */
static int
maildir_submit_rename_copies(struct delivery *d, struct err *e)
{
	for (size_t i = 0; i < d->s->n; i++) {
		struct copy *c = &d->v[i];
		CLEANUP(path_close) int tmp = -1;
		CLEANUP(path_close) int new = -1;

		if (c->same_as != i)
			continue;
		tmp = maildir_submit_open_half(d, i, "tmp");
		new = maildir_submit_open_half(d, i, "new");
		if (tmp < 0 || new < 0 ||
		    renameat(tmp, c->name, new, c->name) < 0)
			return maildir_submit_failed(d, i, "rename", e);
		c->delivered = true;
		/* It is delivered even if its name is not on disk yet. */
		(void)fsync(new);
	}
	return 0;
}

/* Removes every copy; false if a reader already has one. */
static bool
maildir_submit_take_back(struct delivery *d)
{
	bool all = true;

	for (size_t i = 0; i < d->s->n; i++) {
		const struct copy *c = &d->v[i];
		CLEANUP(path_close) int fd = -1;

		if (c->name[0] == '\0')
			continue;
		fd = maildir_submit_open_half(d, i,
		    c->delivered ? "new" : "tmp");
		if ((fd < 0 || unlinkat(fd, c->name, 0) < 0) && c->delivered)
			all = false;
	}
	return all;
}

/* All recipients have the same result. */
static void
maildir_submit_answer_all(struct delivery *d, int code, const char *status)
{
	for (size_t i = 0; i < d->s->n; i++)
		maildir_submit_answer(d, i, code, status);
}

/* Characters that would end the Return-Path line early. */
static bool
maildir_submit_is_safe(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c <= ' ' || c == '<' || c == '>' || c == 0x7f)
			return false;
	}
	return true;
}

int
maildir_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	struct delivery d = {
		.m = (struct maildir *)c,
		.s = s,
		.a = a,
		.v = arena_array(a, s->n, sizeof(*d.v)),
	};

	if (s->n == 0 || s->n > LIMIT_RECIPIENTS)
		return err_set(e, ERR_USAGE, "no recipients, or too many");
	if (!maildir_submit_is_safe(s->from))
		return err_set(e, ERR_USAGE,
		    "the sender is not a mail address");
	if (maildir_submit_find_boxes(&d, e) < 0)
		return -1;
	if (maildir_submit_write_copies(&d, e) == 0 &&
	    backend_submit_look(s, e) == 0 &&
	    maildir_submit_rename_copies(&d, e) == 0) {
		maildir_submit_answer_all(&d, 250, "accepted");
		return 0;
	}
	if (maildir_submit_take_back(&d))
		return -1;
	maildir_submit_answer_all(&d, 0, "unknown");
	return err_set(e, ERR_UNKNOWN_OUTCOME,
	    "some recipients may have received the message, others not");
}
