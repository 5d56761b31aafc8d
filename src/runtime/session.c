/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/session.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/path.h"
#include "runtime/root.h"

int
session_open(struct sessions *s, struct str root, bool make,
    struct store *store, struct arena *a, struct err *e)
{
	int r;

	*s = (struct sessions){ .a = a,
		.store = store,
		.place = { .fd = -1 },
		.fd = -1 };
	root_use(store, &s->use);
	r = place_open(&s->place, root, make, a, e);
	if (r != 0)
		return r;
	s->fd = place_folder(s->place.fd, "sessions", make, e);
	if (s->fd < 0 && !make && e->kind == ERR_NOT_FOUND) {
		*e = (struct err){ 0 };
		return 1;
	}
	return s->fd < 0 ? -1 : place_lock(s->fd, e);
}

void
session_close(struct sessions *s)
{
	path_close(&s->fd);
	place_close(&s->place);
}

int
session_folder(const struct sessions *s, const struct session *x, bool make,
    struct err *e)
{
	CLEANUP(path_close)
	int kind = place_folder(s->fd, str_c(s->a, x->backend), make, e);

	return kind < 0 ? -1 : place_folder(kind, str_c(s->a, x->id), make, e);
}

int
session_drop(struct sessions *s, const struct session *x, struct err *e)
{
	CLEANUP(path_close)
	int kind = place_folder(s->fd, str_c(s->a, x->backend), false, e);

	if (kind < 0)
		return -1;
	/* Out of sight first, so that no half of it is ever there. */
	if (renameat(kind, str_c(s->a, x->id), kind,
		str_fmt(s->a, PLACE_REMOVE "%.*s", STR_ARG(x->id)).p) < 0 &&
	    errno != ENOENT) {
		(void)err_set(e, ERR_CONFIG, "the session cannot be removed");
		return err_errno(e, "rename");
	}
	return place_sweep(kind, s->a, e);
}
