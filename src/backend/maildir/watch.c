/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a change of a folder: in its two halves. */
#include <sys/inotify.h>

#include "backend/hear.h"
#include "backend/maildir/internal.h"

/* A message is to be read when it is whole, although it is then renamed. */
#define CHANGES                                                                \
	(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

int
maildir_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct maildir *m = (struct maildir *)c;

	(void)a;
	*changed = false;
	if (maildir_folder_open(m, w->folder, e) < 0)
		return -1;

	const struct backend_hear_folder halves[] = { { m->new, CHANGES },
		{ m->cur, CHANGES } };

	/* What changed does not matter, nor that some was lost. */
	return backend_hear(halves, 2, NULL, w, changed, e);
}
