/* SPDX-License-Identifier: Apache-2.0 */
/* Which folders are refused as a root. */
#include <dirent.h>
#include <fcntl.h>

#include "backend/agentbox/internal.h"

static int
layout_check_version(struct agentbox_root *r, struct err *e)
{
	struct str text = { 0 };
	int got = agentbox_layout_read(r->dir, AGENTBOX_VERSION_FILE, 64, r->a,
	    &text, e);

	if (got < 0)
		return agentbox_layout_refuse(e, "root_protocol",
		    "the mailbox root has no readable protocol version");
	if (got == 0)
		return agentbox_layout_refuse(e, "root_protocol",
		    "the folder is no mailbox root: it has no protocol "
		    "version; make one with mailbox init");
	if (str_eq(str_trim(text), S("1")))
		return 0;
	if (str_eq(str_trim(text), S("3")))
		return agentbox_layout_refuse(e, "root_protocol",
		    "the mailbox root is of protocol 3; this program uses "
		    "protocol 1: copy it with mailbox import");
	return agentbox_layout_refuse(e, "root_protocol",
	    "the mailbox root is of a protocol this program does not know");
}

/* Only mailboxes, and mailboxes that were set aside, may be there. */
static int
layout_check_entries(struct agentbox_root *r, struct err *e)
{
	int fd = agentbox_layout_folder(r, "mailboxes", e);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	size_t n = 0;

	if (dir == NULL)
		return fd < 0 ? -1
			      : agentbox_layout_refuse(e, "root_stale",
				    "the mailboxes cannot be listed");
	while ((d = readdir(dir)) != NULL) {
		struct str s = str_of(d->d_name);

		if (str_eq(s, S(".")) || str_eq(s, S("..")))
			continue;
		if (!agentbox_name_address(s) && !agentbox_name_stashed(s))
			return agentbox_layout_refuse(e, "root_stale",
			    "the mailbox root holds entries that are no "
			    "mailboxes; it is of an earlier layout or damaged: "
			    "make a new root");
		if (++n > LIMIT_AGENTBOX_REGS)
			return err_set(e, ERR_LIMIT,
			    "the mailbox root has too many mailboxes");
	}
	return 0;
}

static int
layout_check_stale(struct agentbox_root *r, struct err *e)
{
	struct stat st;

	if (fstatat(r->dir, "locks/principals", &st, AT_SYMLINK_NOFOLLOW) == 0)
		return agentbox_layout_refuse(e, "root_stale",
		    "the mailbox root is of an earlier layout: make a new "
		    "root");
	return layout_check_entries(r, e);
}

int
agentbox_layout_check(struct agentbox_root *r, struct err *e)
{
	return layout_check_version(r, e) < 0 ? -1 : layout_check_stale(r, e);
}

int
agentbox_layout_check_other(struct agentbox_root *r, unsigned *protocol,
    struct err *e)
{
	struct str text = { 0 };

	if (agentbox_layout_read(r->dir, AGENTBOX_VERSION_FILE, 64, r->a, &text,
		e) == 1 &&
	    str_eq(str_trim(text), S("3"))) {
		*protocol = 3;
		return layout_check_stale(r, e);
	}
	*protocol = 1;
	return agentbox_layout_check(r, e);
}
