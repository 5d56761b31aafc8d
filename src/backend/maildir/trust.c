/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a cached listing still valid?  Adding, removing or renaming a file changes
 * the folder's mtime and ctime, and nobody can set the ctime.  So while both
 * are unchanged, so is the folder; except for changes that follow so soon that
 * the clock has not advanced: times count only if they are well before the
 * start of the scan, on this machine's own file systems, and only while nobody
 * sets the clock.
 */
#include "backend/maildir/internal.h"

#define SECOND 1000000000LL
/* The coarsest timestamps: two seconds, of FAT. */
#define GRAIN (2 * SECOND)
/* Longer than Linux waits before the next time of a local file system. */
#define STEP (SECOND / 50)

static int64_t
maildir_trust_ns(const struct timespec *t)
{
	return (int64_t)t->tv_sec * SECOND + t->tv_nsec;
}

static bool
maildir_trust_look_at(int fd, struct maildir_half *out)
{
	struct stat st;

	*out = (struct maildir_half){ 0 };
	/* "Missing" is a valid state. */
	if (fd < 0)
		return true;
	if (fstat(fd, &st) < 0)
		return false;
	out->dev = st.st_dev;
	out->ino = st.st_ino;
	out->mtime_ns = maildir_trust_ns(&st.st_mtim);
	out->ctime_ns = maildir_trust_ns(&st.st_ctim);
	return backend_local(fd);
}

bool
maildir_trust_look(const struct maildir *m, struct maildir_view *out)
{
	struct timespec wall = { 0 }, boot = { 0 };
	bool cur, new;

	(void)clock_gettime(CLOCK_REALTIME, &wall);
	(void)clock_gettime(CLOCK_BOOTTIME, &boot);
	out->at_ns = maildir_trust_ns(&wall);
	out->ahead_ns = maildir_trust_ns(&wall) - maildir_trust_ns(&boot);
	cur = maildir_trust_look_at(m->cur, &out->half[0]);
	new = maildir_trust_look_at(m->new, &out->half[1]);
	return cur && new;
}

/* Did both halves last change more than that long ago? */
static bool
maildir_trust_is_older(const struct maildir_view *v, int64_t ns)
{
	for (int i = 0; i < 2; i++)
		if (v->half[i].mtime_ns > v->at_ns - ns ||
		    v->half[i].ctime_ns > v->at_ns - ns)
			return false;
	return true;
}

bool
maildir_trust_settled(const struct maildir_view *v)
{
	return maildir_trust_is_older(v, GRAIN);
}

bool
maildir_trust_dated(const struct maildir_view *v)
{
	return maildir_trust_is_older(v, STEP);
}

bool
maildir_trust_holds(const struct maildir_view *was,
    const struct maildir_view *is)
{
	int64_t set = is->ahead_ns - was->ahead_ns;

	/*
	 * A clock set back repeats earlier times; if by less than a grain, it
	 * stays behind all settled times.
	 */
	if (is->at_ns < was->at_ns || set > GRAIN / 2 || set < -GRAIN / 2)
		return false;
	return maildir_trust_settled(was) &&
	    memcmp(was->half, is->half, sizeof(was->half)) == 0;
}
