/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into another folder.  A message may be in several at once (RFC 8621 section
 * 2): only the one it is moved out of changes, and its id stays.  "archive" is
 * the folder for archived mail where no other has that name.
 */
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"

static int
jmap_move_with(struct jmap *j, struct arena *a, struct jmap_change *w,
    struct str to, struct err *e)
{
	const struct jmap_box *box = NULL;
	int r;

	do {
		r = jmap_folder_need_fresh(j, e);
		if (r == 0)
			r = jmap_folder_find(j, to, &box, e);
		if (r == -1 && e->kind == ERR_NOT_FOUND &&
		    str_eq(to, S("archive"))) {
			*e = (struct err){ 0 };
			r = jmap_archive_need(j, &box, e);
		}
		if (r == 0 && box != NULL) {
			w->to = str_c(a, box->id);
			r = jmap_change(j, a, w, e);
		}
	} while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}

int
jmap_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	struct jmap_change w = { .folder = folder, .refs = refs };

	(void)by;
	if (jmap_move_with((struct jmap *)c, a, &w, to, e) < 0)
		return -1;
	*moved = *refs;
	return 0;
}

int
jmap_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e)
{
	struct jmap_change w = { .folder = folder, .refs = refs, .was = was };

	return jmap_move_with((struct jmap *)c, a, &w, to, e);
}
