/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mail in Maildirs on this machine: reading without changing anything, and
 * delivery between neighbouring mailboxes.
 *
 * An account's path is either a *site* or a Maildir:  - a site is a folder in
 * which each mailbox is a Maildir named by its
 *    address in canonical (lower-case) form: SITE/agent@example.org/{cur,new,
 *    tmp}.  The account's own is the one named by its From address;
 - if the path itself has cur/, new/ and tmp/, it is the account's own
 *    Maildir, whatever its name, and its parent folder is the site.
 *
 * INBOX is the Maildir itself; ".Sent" or ".Archive.2026" in it are the folders
 * "Sent" and "Archive.2026" (Maildir++, with names read as UTF-8).  Reading
 * moves no file from new/ to cur/ and sets no flag, so other programs do not
 * notice it: only `mark` and `move` do.  No name is trusted: everything below
 * the path is opened without following links.
 */
#include <errno.h>
#include <fcntl.h>

#include "backend/maildir/internal.h"
#include "backend/maildir/shift.h"
#include "base/clock.h"
#include "mime/address.h"

static bool
maildir_has_dir(int at, const char *name)
{
	struct stat st;

	return fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode);
}

static bool
is_maildir(int fd)
{
	return maildir_has_dir(fd, "cur") && maildir_has_dir(fd, "new") &&
	    maildir_has_dir(fd, "tmp");
}

/* The account's own Maildir in a site: the one named by its address. */
static int
maildir_open_in_site(struct maildir *m, struct arena *a, struct err *e)
{
	if (m->self.n == 0 || m->self.p[0] == '.' || str_has_char(m->self, '/'))
		return err_set(e, ERR_CONFIG,
		    "the account's address cannot name a Maildir");
	m->box = path_dir_open(m->site, str_c(a, m->self));
	if (m->box >= 0 && is_maildir(m->box))
		return 0;
	(void)err_set(e, ERR_CONFIG, "the account's Maildir does not exist");
	return err_because(e, "no Maildir below the path for %.*s",
	    STR_ARG(m->self));
}

static int
maildir_open_box(struct maildir *m, struct arena *a, struct err *e)
{
	struct str path = m->conn.acct->path;
	int fd;

	if (path.n == 0 || str_has_char(path, '\0'))
		return err_set(e, ERR_CONFIG,
		    "the account's path is not set or not valid");
	/* The operator named it, so a link is followed only here. */
	fd = open(str_c(a, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the account's mail folder cannot be opened");
		return err_errno(e, "open");
	}
	if (!is_maildir(fd)) {
		m->site = fd;
		return maildir_open_in_site(m, a, e);
	}
	m->box = fd;
	/* Only a delivery needs it; not every process may open it. */
	m->site = path_dir_open(fd, "..");
	return 0;
}

static void
maildir_close(struct conn *c)
{
	struct maildir *m = (struct maildir *)c;

	if (m == NULL)
		return;
	maildir_folder_close(m);
	path_close(&m->box);
	path_close(&m->site);
}

static int
maildir_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct maildir *m = arena_new(a, struct maildir);

	m->conn.be = &maildir_backend;
	m->conn.acct = acct;
	m->site = m->box = m->cur = m->new = -1;
	if (address_canonical(a, acct->from, &m->self, e) < 0)
		return err_set(e, ERR_CONFIG,
		    "the account's own address is not valid");
	if (maildir_open_box(m, a, e) < 0) {
		maildir_close(&m->conn);
		return -1;
	}
	*out = &m->conn;
	return 0;
}

static const char look_at_path[] =
    "check the folder that --path names: cur, new and tmp must be in it, or in "
    "a folder named after the account's address, and this user must be able to "
    "read them";

static int
maildir_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t start = clock_mono_ms();
	struct folder_state st = { 0 };
	struct conn *c = NULL;
	struct strs ids = { 0 };

	if (maildir_open(acct, a, &c, e) < 0 ||
	    maildir_read_ids(c, a, S("INBOX"), &st, &ids, e) < 0) {
		if (e->hint == NULL)
			(void)err_hint(e, look_at_path);
		backend_probe_fail(a, out, "maildir.path", start, e);
		maildir_close(c);
		return 0;
	}
	/*
	 * Without the number of messages: an agent must not count hidden mail.
	 */
	backend_probe_add(a, out, "maildir.path", true, start,
	    S("the Maildir is readable"));
	maildir_close(c);
	return 0;
}

const struct backend maildir_backend = {
	.name = "maildir",
	.caps = CAP_READ | CAP_SUBMIT | CAP_APPEND | CAP_DRAFT | CAP_LISTING |
	    CAP_WATCH | CAP_MARK | CAP_MOVE,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_FLAGGED,
	.keeps = KEEP_FROM | KEEP_PATH,
	.open = maildir_open,
	.close = maildir_close,
	.folders = maildir_folder_list,
	.find = maildir_find,
	.headers = maildir_read_headers,
	.body = maildir_read_body,
	.links = maildir_links,
	.scan = maildir_read_ids,
	.listing = maildir_read_listing,
	.submit = maildir_submit,
	.append = maildir_append,
	.drafts = maildir_draft_folder,
	.draft = maildir_draft,
	.mark = maildir_mark,
	.move = maildir_move,
	.watch = maildir_watch,
	.probe = maildir_probe,
};
