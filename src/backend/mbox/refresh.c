/*
 * Is the index still one of the archive?  A file is the same when size and
 * time of change are, and has grown when it is longer and what stood before
 * its old end still stands there.  Anything else is read anew; what then
 * becomes of the numbers is cache.c's and build.c's.
 */
#include <errno.h>
#include <fcntl.h>

#include "backend/mbox/internal.h"
#include "base/clock.h"
#include "base/path.h"

#define TAIL (64 << 10)
#define STILL_S 10 /* who writes to a file does not pause for longer */

bool
mbox_refresh_is_still(int64_t mtime_ns)
{
	int64_t age_s = clock_now() - mtime_ns / 1000000000;

	/* A time to come is no time. */
	return age_s >= STILL_S || age_s < -STILL_S;
}

bool
mbox_refresh_tail(int fd, uint64_t size, uint64_t *out)
{
	char p[TAIL];
	size_t n = size < TAIL ? (size_t)size : TAIL;

	if (path_read_at(fd, p, n, size - n) != (ssize_t)n)
		return false;
	*out = backend_sum(size, p, n);
	return true;
}

const struct mbox_source *
mbox_refresh_source(const struct mbox_sources *src, const struct mbox_file *f,
    size_t *at)
{
	struct str name = { f->name, f->name_n };

	/* Mostly both are in the same order. */
	for (size_t i = 0; i < src->n; i++) {
		const struct mbox_source *s = &src->v[(*at + i) % src->n];

		if (str_eq(s->name, name)) {
			*at = (size_t)(s - src->v) + 1;
			return s;
		}
	}
	return NULL;
}

static bool
has_tail(struct mbox *m, const struct mbox_file *f, struct str name)
{
	CLEANUP(path_close) int fd = -1;
	struct err e = { 0 };
	uint64_t sum;

	if (f->size == 0)
		return true;
	return mbox_source_open(m, name, &fd, &e) > 0 &&
	    mbox_refresh_tail(fd, f->size, &sum) && sum == f->tail_sum;
}

enum mbox_state
mbox_refresh_state(struct mbox *m, const struct mbox_file *f,
    const struct mbox_source *s)
{
	bool alien = (f->flags & MBOX_ALIEN) != 0;

	if (s == NULL)
		return MBOX_CHANGED;
	if (s->disk_n == f->disk_n && s->mtime_ns == f->mtime_ns) {
		if ((f->flags & MBOX_UNFINISHED) == 0 ||
		    !mbox_refresh_is_still(f->mtime_ns))
			return MBOX_SAME;
		return (f->flags & MBOX_PACKED) != 0 ? MBOX_CHANGED
						     : MBOX_GROWN;
	}
	if (alien || (f->flags & MBOX_PACKED) != 0 || s->disk_n <= f->disk_n)
		return MBOX_CHANGED;
	return has_tail(m, f, s->name) ? MBOX_GROWN : MBOX_CHANGED;
}

/* Of all files together. */
static enum mbox_state
compare(struct mbox *m, const struct mbox_index *x,
    const struct mbox_sources *src)
{
	enum mbox_state all = MBOX_SAME;
	size_t at = 0;

	for (uint64_t i = 0; i < x->head->files; i++) {
		const struct mbox_source *s =
		    mbox_refresh_source(src, &x->file[i], &at);
		enum mbox_state one = mbox_refresh_state(m, &x->file[i], s);

		if (one == MBOX_CHANGED)
			return one;
		if (one == MBOX_GROWN)
			all = one;
	}
	return x->head->files == src->n ? all : MBOX_GROWN;
}

/* Maps the index that is there; false: there is none to be used. */
static bool
load(struct mbox *m, struct mbox_index *out)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close) int fd = -1;

	if (m->cache < 0)
		return false;
	fd = openat(m->cache, str_c(a, mbox_cache_index(m, a)),
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && mbox_index_map(fd, out);
}

/* Takes the index as it is when it is good; what there is to do else. */
static enum mbox_state
look(struct mbox *m, const struct mbox_sources *src, struct mbox_index *x)
{
	enum mbox_state state = MBOX_CHANGED;

	if (load(m, x))
		state = compare(m, x, src);
	if (state == MBOX_SAME) {
		mbox_index_done(&m->index);
		m->index = *x;
		*x = (struct mbox_index){ 0 };
	}
	return state;
}

/* Rows that are copied must be good. */
static bool
is_sound(const struct mbox_index *x)
{
	for (uint64_t i = 0; i < x->head->rows; i++)
		if (mbox_index_row(x, i) == NULL)
			return false;
	return true;
}

static int
work(struct mbox *m, bool anew, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int lock = -1;
	CLEANUP(mbox_index_done) struct mbox_index x = { 0 };
	struct mbox_sources src;
	enum mbox_state state = MBOX_CHANGED;
	int r = MBOX_STALE;

	if (mbox_cache_open(m, e) < 0 || mbox_source_list(m, a, &src, e) < 0)
		return -1;
	if (!anew && look(m, &src, &x) == MBOX_SAME)
		return 0;
	mbox_index_done(&x);
	if (mbox_cache_lock(m, &lock, e) < 0)
		return -1;
	/* Somebody may have been quicker. */
	if (!anew)
		state = look(m, &src, &x);
	if (state == MBOX_SAME)
		return 0;
	if (state == MBOX_GROWN && is_sound(&x))
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
	if (work(m, false, e) < 0)
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
	return work(m, true, e);
}
