/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drafts: files in cur/ of a folder for them, with the flags D and S.  The
 * folder is never created: nobody would look for a draft there.
 */
#include <fcntl.h>

#include "backend/maildir/internal.h"

static int
maildir_draft_no_drafts(struct err *e, const char *say)
{
	(void)err_set(e, ERR_UNSUPPORTED, "%s", say);
	return err_hint(e,
	    "make a folder for drafts in the Maildir, or name one: emcli "
	    "account edit --drafts-folder");
}

/* The folder that the operator named, or the first with a usual name. */
static int
maildir_draft_choose(struct conn *c, struct arena *a, struct str *out,
    struct err *e)
{
	struct folders f = { 0 };

	*out = c->acct->drafts_folder;
	if (out->n > 0)
		return 0;
	if (maildir_folder_list(c, a, &f, e) < 0)
		return -1;
	for (size_t i = 0; i < f.n; i++) {
		if (f.v[i].role != FOLDER_DRAFTS)
			continue;
		*out = f.v[i].name;
		return 0;
	}
	return maildir_draft_no_drafts(e,
	    "the account has no folder for drafts");
}

static bool
maildir_draft_is_writable(int fd)
{
	return fd >= 0 && faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

int
maildir_draft_folder(struct conn *c, struct arena *a, struct str *folder,
    struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	CLEANUP(path_close) int dir = -1;
	CLEANUP(path_close) int tmp = -1;
	CLEANUP(path_close) int cur = -1;
	struct str chosen;

	if (maildir_draft_choose(c, a, &chosen, e) < 0)
		return -1;
	dir = maildir_folder_dir(m, chosen);
	if (dir >= 0) {
		tmp = path_dir_open(dir, "tmp");
		cur = path_dir_open(dir, "cur");
	}
	if (cur < 0)
		return maildir_draft_no_drafts(e,
		    "the account's drafts folder does not exist");
	if (!maildir_draft_is_writable(tmp) || !maildir_draft_is_writable(cur))
		return maildir_draft_no_drafts(e,
		    "the account's drafts folder is not writable");
	*folder = str_dup(a, chosen);
	return 0;
}

int
maildir_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	char id[MAILDIR_UNIQUE];

	/* Threads follow from References. */
	(void)thread;
	*out = (struct drafted){ 0 };
	if (maildir_append_file((struct maildir *)c, folder, message, "DS", id,
		e) < 0)
		return -1;
	out->id = str_dup(a, str_of(id));
	out->ref.id = out->id;
	return 0;
}
