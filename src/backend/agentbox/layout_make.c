/* SPDX-License-Identifier: Apache-2.0 */
/* Creates the missing folders of a root. */
#include <dirent.h>
#include <fcntl.h>

#include "backend/agentbox/internal.h"

static const char *const layout_folders[] = { "locks/addresses", "messages",
	"mailboxes", "attachments/managed", "staging", "rules/protocols" };

/* May this folder become a root?  Yes if it is one, empty, or unfinished. */
static int
layout_check_fresh(const struct agentbox_root *r, struct err *e)
{
	static const char *const known[] = { ".", "..", "locks", "messages",
		"mailboxes", "attachments", "staging", "rules" };
	CLEANUP(path_dir_close)
	DIR *dir = fdopendir(agentbox_layout_open(r->dir, "", false));
	const size_t n = sizeof(known) / sizeof(*known);
	const struct dirent *d;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		size_t i = 0;

		while (i < n && strcmp(known[i], d->d_name) != 0)
			i++;
		if (i == n)
			return agentbox_layout_refuse(e, "root_stale",
			    "the folder holds other files and is no mailbox "
			    "root: name an empty or a new one");
	}
	return 0;
}

int
agentbox_layout_make(struct agentbox_root *r, struct err *e)
{
	const size_t n = sizeof(layout_folders) / sizeof(*layout_folders);
	struct stat st;
	int made, fd = -1;

	made = fstatat(r->dir, AGENTBOX_VERSION_FILE, &st, AT_SYMLINK_NOFOLLOW);
	if ((made == 0 ? agentbox_layout_check(r, e)
		       : layout_check_fresh(r, e)) < 0)
		return -1;
	/* The upstream program's files are readable; ours are not. */
	if (fchmod(r->dir, 0700) < 0) {
		(void)err_set(e, ERR_CONFIG, "cannot make the mailbox root");
		return err_errno(e, "chmod");
	}
	for (size_t i = 0; i < n; i++) {
		fd = agentbox_layout_open(r->dir, layout_folders[i], true);
		if (fd < 0) {
			(void)err_set(e, ERR_CONFIG,
			    "cannot make the mailbox root");
			return err_errno(e, layout_folders[i]);
		}
		path_close(&fd);
	}
	/* Last: a root without it is unfinished. */
	return agentbox_layout_put(r, "", AGENTBOX_VERSION_FILE,
	    AGENTBOX_VERSION, e);
}
