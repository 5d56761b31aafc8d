/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a folder, in order of arrival.  A scan reads only names: 10^5
 * messages are 10^5 directory entries and no stat(2), except for files whose
 * names contain no time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "backend/maildir/internal.h"

/* A busy mailbox may change during a scan; repeat it at most this often. */
#define SCANS 3

static int
maildir_scan_by_id(const void *x, const void *y)
{
	const struct maildir_file *f = x, *g = y;
	int c = str_cmp(f->id, g->id);

	if (c != 0)
		return c;
	return f->seq < g->seq ? -1 : f->seq > g->seq;
}

static int
maildir_scan_by_arrival(const void *x, const void *y)
{
	const struct maildir_file *f = x, *g = y;

	if (f->secs != g->secs)
		return f->secs < g->secs ? -1 : 1;
	if (f->mtime_ns != g->mtime_ns)
		return f->mtime_ns < g->mtime_ns ? -1 : 1;
	return str_cmp(f->id, g->id);
}

/*
 * "1782037200.M5P1.host:2,S" arrived at 1782037200; false: the name has no
 * time.
 */
static bool
maildir_scan_secs_of(struct str id, uint64_t *out)
{
	size_t n = 0;

	while (n < id.n && id.p[n] >= '0' && id.p[n] <= '9')
		n++;
	return str_to_u64(str_first(id, n), UINT64_MAX, out);
}

static int
maildir_scan_stat_file(const struct maildir *m, const struct maildir_file *f,
    struct stat *st)
{
	char name[NAME_MAX + 1] = "";

	memcpy(name, f->name.p, f->name.n);
	return fstatat(f->in_new ? m->new : m->cur, name, st,
	    AT_SYMLINK_NOFOLLOW);
}

static int64_t
maildir_scan_mtime_ns(const struct stat *st)
{
	/*
	 * Order is lost beyond the years that an int64 of nanoseconds can
	 * represent.
	 */
	if (st->st_mtim.tv_sec < 0 || st->st_mtim.tv_sec > 9000000000)
		return 0;
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static int
maildir_scan_add(struct maildir *m, const char *entry, bool in_new,
    struct err *e)
{
	struct maildir_index *x = &m->index;
	struct str name = str_of(entry), id, flags;
	struct maildir_file *f;
	struct stat st;

	(void)str_cut(name, ':', &id, &flags);
	if (id.n == 0 || name.n > NAME_MAX)
		return 0;
	if (x->n >= LIMIT_MAILDIR_FILES)
		return err_set(e, ERR_LIMIT, "the folder has too many files");
	x->v = arena_more(x->a, x->v, x->n, sizeof(*x->v));
	f = &x->v[x->n];
	f->name = str_dup(x->a, name);
	f->id = str_first(f->name, id.n);
	f->in_new = in_new;
	f->mtime_ns = 0;
	f->seq = x->n;
	if (!maildir_scan_secs_of(f->id, &f->secs)) {
		if (maildir_scan_stat_file(m, f, &st) < 0)
			return 0;
		f->mtime_ns = maildir_scan_mtime_ns(&st);
		f->secs = (uint64_t)f->mtime_ns / 1000000000;
	}
	x->n++;
	return 0;
}

/* A regular file, according to the directory. */
static bool
maildir_scan_is_file(int at, const struct dirent *d)
{
	struct stat st;

	if (d->d_name[0] == '.')
		return false;
	if (d->d_type != DT_UNKNOWN)
		return d->d_type == DT_REG;
	return fstatat(at, d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode);
}

/* Adds the files of one half of the folder. */
static int
maildir_scan_read_half(struct maildir *m, int half, bool in_new, struct err *e)
{
	CLEANUP(path_dir_close) DIR *dir = NULL;
	const struct dirent *d;
	unsigned n = 0;
	int fd;

	if (half < 0)
		return 0;
	/* A separate descriptor: reading moves the position. */
	fd = path_dir_open(half, ".");
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (dir == NULL) {
		path_close(&fd);
		(void)err_set(e, ERR_CONFIG, "the folder cannot be read");
		return err_errno(e, "opendir");
	}
	while ((d = readdir(dir)) != NULL) {
		if (n++ % 1024 == 0 &&
		    backend_in_time(m->conn.acct, MAILDIR_LATE, e) < 0)
			return -1;
		if (maildir_scan_is_file(half, d) &&
		    maildir_scan_add(m, d->d_name, in_new, e) < 0)
			return -1;
	}
	return 0;
}

/* Sorts by id and keeps the last file seen for each. */
static void
maildir_scan_settle(struct maildir_index *x)
{
	size_t n = 0;

	if (x->n == 0)
		return;
	qsort(x->v, x->n, sizeof(*x->v), maildir_scan_by_id);
	for (size_t i = 0; i < x->n; i++) {
		if (n > 0 && str_eq(x->v[n - 1].id, x->v[i].id))
			n--;
		x->v[n++] = x->v[i];
	}
	x->n = n;
}

int
maildir_scan(struct maildir *m, struct err *e)
{
	struct maildir_view before, after;
	bool dated;

	m->index.a = arena_open(LIMIT_ARENA);
	/*
	 * readdir(3) may skip a file that is renamed meanwhile, and the store
	 * would number it as new.  So if the folder changed, or changed so
	 * shortly before that one more change would have the same time, it is
	 * read again and the files of both scans count.  new/ comes first: a
	 * file moves from new/ to cur/, never back.
	 */
	for (int i = 0; i < SCANS; i++) {
		dated = maildir_trust_look(m, &before);
		if (maildir_scan_read_half(m, m->new, true, e) < 0 ||
		    maildir_scan_read_half(m, m->cur, false, e) < 0)
			return -1;
		(void)maildir_trust_look(m, &after);
		if (maildir_trust_dated(&before) &&
		    memcmp(before.half, after.half, sizeof(before.half)) == 0) {
			/*
			 * Two scans may also include files that vanished in
			 * between.
			 */
			m->index.quiet = dated && i == 0;
			break;
		}
	}
	maildir_scan_settle(&m->index);
	/* Taken before the scan, so later arrivals are not included. */
	m->index.view = before;
	return 0;
}

/* Reads the mtime if names do not determine the order: was that necessary? */
static bool
maildir_scan_break_ties(const struct maildir *m, struct maildir_file *v,
    size_t n)
{
	bool any = false;
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		bool tie = (i > 0 && v[i - 1].secs == v[i].secs) ||
		    (i + 1 < n && v[i + 1].secs == v[i].secs);

		any = any || tie;
		if (tie && v[i].mtime_ns == 0 &&
		    maildir_scan_stat_file(m, &v[i], &st) == 0)
			v[i].mtime_ns = maildir_scan_mtime_ns(&st);
	}
	return any;
}

const struct maildir_file *
maildir_scan_order(struct maildir *m)
{
	size_t n = m->index.n;
	struct maildir_file *v = arena_array(m->index.a, n, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		v[i] = m->index.v[i];
		v[i].seq = i;
	}
	if (n == 0)
		return v;
	qsort(v, n, sizeof(*v), maildir_scan_by_arrival);
	if (maildir_scan_break_ties(m, v, n))
		qsort(v, n, sizeof(*v), maildir_scan_by_arrival);
	return v;
}
