/* SPDX-License-Identifier: Apache-2.0 */
/* The one folder of an archive. */
#include "backend/mbox/internal.h"

/* A file that is not an mbox is an error; in a folder it is skipped. */
static int
mbox_folder_refuse_alien(const struct mbox *m, struct err *e)
{
	if (m->dir >= 0 || m->index.head->files == 0 ||
	    (m->index.file[0].flags & MBOX_ALIEN) == 0)
		return 0;
	return err_set(e, ERR_CONFIG, "the archive is not an mbox");
}

int
mbox_folder(struct mbox *m, struct str folder, struct err *e)
{
	if (!str_eq_case(folder, S("INBOX")))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (mbox_refresh(m, e) < 0)
		return -1;
	return mbox_folder_refuse_alien(m, e);
}
