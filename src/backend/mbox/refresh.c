/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the index still valid for the archive?  Reads again what has changed;
 * cache.c and build.c decide about the numbers.
 */
#include <fcntl.h>

#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "base/path.h"

/* The combined state of all files. */
static enum mbox_state
mbox_refresh_compare(struct mbox *m, const struct mbox_index *x,
    const struct mbox_sources *src)
{
	enum mbox_state all = MBOX_SAME;
	size_t at = 0;

	for (uint64_t i = 0; i < x->head->files; i++) {
		const struct mbox_source *s =
		    mbox_state_source(src, &x->file[i], &at);
		enum mbox_state one = mbox_state_of(m, &x->file[i], s);

		if (one == MBOX_CHANGED)
			return one;
		if (one == MBOX_GROWN)
			all = one;
	}
	return x->head->files == src->n ? all : MBOX_GROWN;
}

/* Maps the existing index; false: there is no usable one. */
static bool
mbox_refresh_load(struct mbox *m, struct mbox_index *out)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close) int fd = -1;

	if (m->cache < 0)
		return false;
	fd = openat(m->cache, str_c(a, mbox_cache_index(m, a)),
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && mbox_index_map(fd, out);
}

/* Uses the index if it is valid; otherwise returns what is to be done. */
static enum mbox_state
mbox_refresh_look(struct mbox *m, const struct mbox_sources *src,
    struct mbox_index *x)
{
	enum mbox_state state = MBOX_CHANGED;

	if (mbox_refresh_load(m, x))
		state = mbox_refresh_compare(m, x, src);
	if (state == MBOX_SAME) {
		mbox_index_done(&m->index);
		m->index = *x;
		*x = (struct mbox_index){ 0 };
	}
	return state;
}

/* Rows that are copied must be valid. */
static bool
mbox_refresh_is_sound(const struct mbox_index *x)
{
	for (uint64_t i = 0; i < x->head->rows; i++)
		if (mbox_index_row(x, i) == NULL)
			return false;
	return true;
}

static int
mbox_refresh_work(struct mbox *m, bool rebuild, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int lock = -1;
	CLEANUP(mbox_index_done) struct mbox_index x = { 0 };
	struct mbox_sources src;
	enum mbox_state state = MBOX_CHANGED;
	int r = MBOX_STALE;

	if (mbox_cache_open(m, e) < 0 || mbox_source_list(m, a, &src, e) < 0)
		return -1;
	if (!rebuild && mbox_refresh_look(m, &src, &x) == MBOX_SAME)
		return 0;
	mbox_index_done(&x);
	if (mbox_cache_lock(m, &lock, e) < 0)
		return -1;
	/* Another process may have been faster. */
	if (!rebuild)
		state = mbox_refresh_look(m, &src, &x);
	if (state == MBOX_SAME)
		return 0;
	if (state == MBOX_GROWN && mbox_refresh_is_sound(&x))
		r = mbox_build_index(m, &src, &x, e);
	if (r == MBOX_STALE)
		r = mbox_build_index(m, &src, NULL, e);
	if (r == MBOX_STALE)
		return err_set(e, ERR_LIMIT,
		    "the archive changes while it is read: call again");
	return r;
}

int
mbox_refresh(struct mbox *m, struct err *e)
{
	if (m->ready)
		return 0;
	if (mbox_refresh_work(m, false, e) < 0)
		return -1;
	m->ready = true;
	return 0;
}

int
mbox_refresh_again(struct mbox *m, struct err *e)
{
	path_close(&m->fd);
	if (m->rebuilt)
		return err_set(e, ERR_LIMIT,
		    "the archive changes while it is read: call again");
	m->rebuilt = true;
	return mbox_refresh_work(m, true, e);
}
