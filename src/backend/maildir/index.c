/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of the open folder: read, or loaded from the cache (listing.c) if
 * nothing has changed since (trust.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "backend/maildir/internal.h"

/*
 * How many times the folder is read again for one file that was renamed.  Each
 * message of a list has its own: another program may rename them all while they
 * are read.
 */
#define RESCANS 8

void
maildir_index_drop(struct maildir *m)
{
	arena_close(&m->index.a);
	maildir_listing_drop(&m->index.kept);
	m->index = (struct maildir_index){ 0 };
	m->facts.whole = false;
}

int
maildir_index_read(struct maildir *m, struct err *e)
{
	maildir_index_drop(m);
	if (maildir_scan(m, e) == 0)
		return 0;
	maildir_index_drop(m);
	return -1;
}

bool
maildir_index_known(struct maildir *m)
{
	struct maildir_listing kept = { 0 };
	struct maildir_index *x = &m->index;
	struct maildir_view is;

	if (!maildir_trust_look(m, &is))
		return false;
	if (x->a != NULL && x->quiet && maildir_trust_holds(&x->view, &is))
		return true;
	if (!maildir_listing_load(m, &kept))
		return false;
	if (!maildir_trust_holds(&kept.head->view, &is)) {
		maildir_listing_drop(&kept);
		return false;
	}
	maildir_index_drop(m);
	x->a = arena_open(LIMIT_ARENA);
	x->kept = kept;
	x->n = kept.head->n;
	x->view = kept.head->view;
	x->quiet = true;
	return true;
}

int
maildir_index_need(struct maildir *m, struct err *e)
{
	if (m->index.a != NULL || maildir_index_known(m))
		return 0;
	return maildir_index_read(m, e);
}

int
maildir_index_whole(struct maildir *m, struct err *e)
{
	struct maildir_index *x = &m->index;

	if (x->kept.head == NULL || x->v != NULL)
		return 0;
	x->v = arena_array(x->a, x->n, sizeof(*x->v));
	for (size_t i = 0; i < x->n; i++)
		if (!maildir_listing_at(&x->kept, i, &x->v[i]))
			return maildir_index_read(m, e);
	return 0;
}

int
maildir_index_get(const struct maildir *m, struct str id,
    struct maildir_file *out)
{
	const struct maildir_index *x = &m->index;
	size_t lo = 0, hi = x->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c;

		if (x->v != NULL)
			*out = x->v[mid];
		else if (!maildir_listing_at(&x->kept, mid, out))
			return -1;
		c = str_cmp(out->id, id);
		if (c == 0)
			return 1;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

unsigned
maildir_index_flags(const struct maildir *m, struct str id, bool *draft)
{
	struct maildir_file f;

	*draft = false;
	return maildir_index_get(m, id, &f) > 0 ? maildir_flag_read(&f, draft)
						: 0;
}

int
maildir_index_order(struct maildir *m, struct arena *a, struct strs *ids,
    struct str *digest, struct err *e)
{
	const struct maildir_file *v;
	size_t n = m->index.n;

	*ids = (struct strs){ 0 };
	ids->v = arena_array(a, n, sizeof(*ids->v));
	if (m->index.kept.head != NULL) {
		if (maildir_listing_order(&m->index.kept, a, ids)) {
			*digest = maildir_listing_digest(&m->index.kept, a);
			return 0;
		}
		if (maildir_index_read(m, e) < 0)
			return -1;
		return maildir_index_order(m, a, ids, digest, e);
	}
	v = maildir_scan_order(m);
	for (size_t i = 0; i < n; i++)
		ids->v[ids->n++] = str_dup(a, v[i].id);
	*digest = maildir_listing_save(m, v, a);
	return 0;
}

/*
 * Opens a file of the index: 1; 0 if that is impossible, and *moved if its name
 * no longer exists.  A link, a device, or an unreadable file is not a message:
 * one of them must not break the whole list.
 */
int
maildir_index_open(const struct maildir *m, const struct maildir_file *f,
    int *fd, struct stat *st, bool *moved, struct err *e)
{
	char name[NAME_MAX + 1] = "";

	*moved = false;
	memcpy(name, f->name.p, f->name.n);
	*fd = openat(f->in_new ? m->new : m->cur, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0) {
		*moved = errno == ENOENT;
		if (*moved || errno == ELOOP || errno == EACCES ||
		    errno == ENXIO)
			return 0;
		(void)err_set(e, ERR_CONFIG, "a message cannot be read");
		return err_errno(e, "open");
	}
	if (fstat(*fd, st) == 0 && S_ISREG(st->st_mode))
		return 1;
	path_close(fd);
	return 0;
}

int
maildir_index_file(struct maildir *m, struct str id, int *fd, struct stat *st,
    struct err *e)
{
	struct maildir_file f;
	unsigned tries = 0;
	bool moved;
	int r, found;

	*fd = -1;
	if (id.n == 0 || id.p[0] == '.' || str_has_char(id, '/'))
		return 0;
	if (backend_in_time(m->conn.acct, MAILDIR_LATE, e) < 0 ||
	    maildir_index_need(m, e) < 0)
		return -1;
	for (;;) {
		found = maildir_index_get(m, id, &f);
		/* A file missing in this call's last scan does not exist. */
		moved = found < 0 || !m->rescanned;
		r = 0;
		if (found > 0)
			r = maildir_index_open(m, &f, fd, st, &moved, e);
		if (r != 0 || !moved || tries++ >= RESCANS)
			return r;
		m->rescanned = true;
		if (backend_in_time(m->conn.acct, MAILDIR_LATE, e) < 0 ||
		    maildir_index_read(m, e) < 0)
			return -1;
	}
}
