/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into another box.  A box is nothing but a name, and begins with its first
 * message.  What is put into "archive" counts as read, as it does for the
 * upstream program.
 */
#include "backend/agentbox/contract.h"

int
agentbox_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	struct agentbox_change change = { .box = to };

	(void)by;
	if (str_eq(to, S("INBOX")))
		change.box = S("inbox");
	else if (str_eq(to, S("inbox")) || !agentbox_name_box(to))
		return agentbox_folder_absent(e);
	if (str_eq(to, S("archive")))
		change.read = AGENTBOX_YES;
	if (agentbox_mark_change((struct agentbox *)c, a, folder, refs, &change,
		e) < 0)
		return -1;
	*moved = *refs;
	return 0;
}
