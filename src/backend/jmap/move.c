/*
 * Into another folder.  A message may be in several at once (RFC 8621 section
 * 2): only the one it is moved out of changes, and its id stays.  "archive" is
 * the folder for archived mail where no other has that name.
 */
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"

int
jmap_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, struct refs *moved, struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	struct jmap_change w = { .folder = folder, .refs = refs };
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
			w.to = str_c(a, box->id);
			r = jmap_change(j, a, &w, e);
		}
	} while (r == JMAP_STALE && jmap_session_again(j, e));
	if (r < 0)
		return -1;
	*moved = *refs;
	return 0;
}
