/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags of messages: keywords, and the folder for archived mail.  Labels are
 * keywords too, which have no case: a server tells them in lower case.
 */
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"

/* Put away is moved to the folder for it; and back into the inbox. */
static int
jmap_mark_plan(struct jmap *j, struct arena *a,
    const struct flag_change *change, struct jmap_change *w, struct err *e)
{
	const struct jmap_box *archive, *inbox;
	int r;

	w->set = change->set & ~(unsigned)FLAG_ARCHIVED;
	w->clear = change->clear & ~(unsigned)FLAG_ARCHIVED;
	for (size_t i = 0; i < change->add.n; i++)
		str_push(a, &w->add, str_lower(a, change->add.v[i]));
	for (size_t i = 0; i < change->drop.n; i++)
		str_push(a, &w->drop, str_lower(a, change->drop.v[i]));
	if (!((change->set | change->clear) & FLAG_ARCHIVED))
		return 0;
	r = jmap_archive_need(j, &archive, e);
	if (r < 0)
		return r;
	inbox = jmap_folder_role(j, FOLDER_INBOX);
	if (inbox == NULL)
		return err_set(e, ERR_UNSUPPORTED, "the account has no inbox");
	w->to = str_c(a, change->set & FLAG_ARCHIVED ? archive->id : inbox->id);
	w->only_from =
	    change->set & FLAG_ARCHIVED ? NULL : str_c(a, archive->id);
	return 0;
}

int
jmap_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	struct jmap_change w = { .folder = folder, .refs = refs };
	int r;

	if (backend_label_check(change, e) < 0)
		return -1;
	do {
		w.add = w.drop = (struct strs){ 0 };
		r = jmap_mark_plan(j, a, change, &w, e);
		if (r == 0)
			r = jmap_change(j, a, &w, e);
	} while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}
