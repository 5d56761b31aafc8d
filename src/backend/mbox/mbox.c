/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives of mail in mbox files: mboxo, mboxrd, mboxcl and mboxcl2, plain or
 * compressed.  An account's path is a file, or a folder whose files are one
 * archive, in the order of their names.  The archive is never written or
 * locked; data about it is stored beside the store.
 *
 * There is one folder, INBOX.  An archive only grows, at its end or by files,
 * so a message's uid is its number in order of arrival; if the archive turns
 * out to be a different one, UIDVALIDITY changes.
 */
#include <errno.h>
#include <fcntl.h>

#include "backend/mbox/internal.h"
#include "base/clock.h"
#include "base/path.h"

static void
mbox_close(struct conn *c)
{
	struct mbox *m = (struct mbox *)c;

	if (m == NULL)
		return;
	mbox_index_done(&m->index);
	path_close(&m->fd);
	path_close(&m->cache);
	path_close(&m->dir);
}

static int
mbox_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct mbox *m = arena_new(a, struct mbox);

	m->conn.be = &mbox_backend;
	m->conn.acct = acct;
	m->dir = m->cache = m->fd = -1;
	if (acct->path.n == 0 || str_has_char(acct->path, '\0'))
		return err_set(e, ERR_CONFIG,
		    "the account's path is not set or not valid");
	m->path = str_c(a, acct->path);
	m->key = backend_cache_name(a, &m->conn, S(""), "");
	m->dir = open(m->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (m->dir < 0 && errno != ENOTDIR) {
		(void)err_set(e, ERR_CONFIG, "the archive cannot be opened");
		return err_errno(e, "open");
	}
	*out = &m->conn;
	return 0;
}

static int
mbox_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	(void)c, (void)e;
	out->v = arena_new(a, struct folder);
	out->n = 1;
	out->v[0] = (struct folder){
		.name = S("INBOX"),
		.selectable = true,
		.role = FOLDER_INBOX,
	};
	return 0;
}

static const char look_at_path[] =
    "check --path: it must name an mbox file, or a folder of them, that this "
    "user can read";

/* The kinds of the files, for the operator; no numbers of messages. */
static void
mbox_probe_files(const struct mbox *m, struct arena *a, struct probes *out,
    int64_t start)
{
	uint64_t refused = 0;
	bool damaged = false, alien = false;

	for (uint64_t i = 0; m->ready && i < m->index.head->files; i++) {
		const struct mbox_file *f = &m->index.file[i];

		refused += f->refused;
		damaged = damaged || (f->flags & MBOX_DAMAGED) != 0;
		alien = alien || (f->flags & MBOX_ALIEN) != 0;
	}
	if (damaged)
		backend_probe_note(a, out, "mbox.files", start,
		    S("a compressed file is truncated"),
		    "get the file again from its source");
	if (alien)
		backend_probe_note(a, out, "mbox.files", start,
		    S("files in the folder that are not mbox are skipped"),
		    NULL);
	if (refused > 0)
		backend_probe_note(a, out, "mbox.separators", start,
		    S("some lines look like the start of a message and were "
		      "read as text"),
		    NULL);
}

static int
mbox_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t start = clock_mono_ms();
	struct conn *c = NULL;

	(void)mbox_open(acct, a, &c, e);
	if (c == NULL || mbox_folder((struct mbox *)c, S("INBOX"), e) < 0) {
		if (e->hint == NULL && e->kind == ERR_CONFIG)
			(void)err_hint(e, look_at_path);
		backend_probe_fail(a, out, "mbox.path", start, e);
		mbox_close(c);
		return 0;
	}
	/*
	 * Without the number of messages: an agent must not count hidden mail.
	 */
	backend_probe_add(a, out, "mbox.path", true, start,
	    S("the archive is readable"));
	mbox_probe_files((struct mbox *)c, a, out, start);
	mbox_close(c);
	return 0;
}

const struct backend mbox_backend = {
	.name = "mbox",
	.caps = CAP_READ | CAP_UIDS,
	.keeps = KEEP_PATH,
	.open = mbox_open,
	.close = mbox_close,
	.folders = mbox_folders,
	.find = mbox_find,
	.headers = mbox_read_headers,
	.body = mbox_read_body,
	.links = mbox_links,
	.probe = mbox_probe,
};
