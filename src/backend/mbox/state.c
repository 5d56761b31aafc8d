/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a file of the archive with its known state.  It is unchanged if size
 * and time of change are the same, and has grown if it is longer and the bytes
 * before its old end are still the same.
 */
#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "base/clock.h"
#include "base/path.h"

#define TAIL (64 << 10)
#define STILL_S 10 /* a writer does not pause longer than this */

bool
mbox_state_is_still(int64_t mtime_ns)
{
	int64_t age_s = clock_now() - mtime_ns / 1000000000;

	/* Ignore timestamps in the future. */
	return age_s >= STILL_S || age_s < -STILL_S;
}

bool
mbox_state_tail(int fd, uint64_t size, uint64_t *out)
{
	char p[TAIL];
	size_t n = size < TAIL ? (size_t)size : TAIL;

	if (path_read_at(fd, p, n, size - n) != (ssize_t)n)
		return false;
	*out = backend_sum(size, p, n);
	return true;
}

const struct mbox_source *
mbox_state_source(const struct mbox_sources *src, const struct mbox_file *f,
    size_t *at)
{
	struct str name = { f->name, f->name_n };

	/* Usually both are in the same order. */
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
mbox_state_has_tail(struct mbox *m, const struct mbox_file *f, struct str name)
{
	CLEANUP(path_close) int fd = -1;
	struct err e = { 0 };
	uint64_t sum;

	if (f->size == 0)
		return true;
	return mbox_source_open(m, name, &fd, &e) > 0 &&
	    mbox_state_tail(fd, f->size, &sum) && sum == f->tail_sum;
}

enum mbox_state
mbox_state_of(struct mbox *m, const struct mbox_file *f,
    const struct mbox_source *s)
{
	bool alien = (f->flags & MBOX_ALIEN) != 0;

	if (s == NULL)
		return MBOX_CHANGED;
	if (s->disk_n == f->disk_n && s->mtime_ns == f->mtime_ns) {
		if ((f->flags & MBOX_UNFINISHED) == 0 ||
		    !mbox_state_is_still(f->mtime_ns))
			return MBOX_SAME;
		return (f->flags & MBOX_PACKED) != 0 ? MBOX_CHANGED
						     : MBOX_GROWN;
	}
	if (alien || (f->flags & MBOX_PACKED) != 0 || s->disk_n <= f->disk_n)
		return MBOX_CHANGED;
	return mbox_state_has_tail(m, f, s->name) ? MBOX_GROWN : MBOX_CHANGED;
}
