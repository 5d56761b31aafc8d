/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages move into another folder of the same Maildir, each by one rename(2)
 * from half to half: what is new stays new.  A message keeps its id, unless the
 * other folder has a message with that id; then it gets a new one, of the same
 * time.
 *
 * All of them move or none: each is found before the first is renamed.  If one
 * vanishes meanwhile, or a folder does not let it be renamed, the others are
 * moved back.  That ends where another program holds on to them or has moved
 * them on; the error says so.
 */
#include <errno.h>
#include <stdio.h>

#include "backend/maildir/shift.h"

/* Has the folder a message with that id? */
static int
maildir_move_has(struct maildir *m, struct str id, struct err *e)
{
	struct maildir_file f;
	int r;

	if (maildir_index_need(m, e) < 0)
		return -1;
	r = maildir_index_get(m, id, &f);
	if (r >= 0)
		return r;
	return maildir_index_read(m, e) < 0 ? -1 : maildir_index_get(m, id, &f);
}

/* A new id for a message that arrived then. */
static int
maildir_move_id(struct arena *a, const struct maildir_file *f, struct str *id,
    struct err *e)
{
	char unique[MAILDIR_UNIQUE];
	struct str secs, rest;

	if (maildir_submit_name(unique, e) < 0)
		return -1;
	(void)str_cut(str_of(unique), '.', &secs, &rest);
	*id =
	    str_fmt(a, "%llu.%.*s", (unsigned long long)f->secs, STR_ARG(rest));
	return 0;
}

/* The name in the half *half of the other folder. */
static int
maildir_move_name(const struct maildir *to, const struct maildir_file *f,
    struct str id, int *half, char out[NAME_MAX + 1], struct err *e)
{
	struct str info = maildir_flag_info(f);
	int n;

	*half = f->in_new && to->new >= 0 ? to->new : to->cur;
	if (f->in_new && *half == to->cur && info.n == 0)
		info = S(":2,");
	n = snprintf(out, NAME_MAX + 1, "%.*s%.*s", STR_ARG(id), STR_ARG(info));
	if (n > NAME_MAX)
		return err_set(e, ERR_UNSUPPORTED,
		    "the name of a message's file is too long");
	return 0;
}

/* One message; *id becomes the one that it has there. */
static int
maildir_move_one(struct maildir *from, struct maildir *to, struct arena *a,
    struct str was, struct str *id, struct err *e)
{
	int taken = maildir_move_has(to, was, e);

	*id = was;
	if (taken < 0)
		return -1;
	for (int i = 0; i < MAILDIR_SHIFTS; i++) {
		char name[NAME_MAX + 1];
		struct maildir_file f;
		int half, r = maildir_shift_find(from, was, &f, e);

		if (r <= 0)
			return r < 0 ? -1 : maildir_shift_absent(e);
		if ((taken && maildir_move_id(a, &f, id, e) < 0) ||
		    maildir_move_name(to, &f, *id, &half, name, e) < 0)
			return -1;
		r = maildir_shift(from, &f, half, name);
		if (r > 0)
			return 0;
		taken = r < 0 && errno == EEXIST;
		if (r < 0 && !taken)
			return maildir_shift_failed(e, errno);
	}
	return maildir_shift_restless(e);
}

/* The first n were moved: they move back. */
static void
maildir_move_back(struct maildir *from, struct maildir *to, struct arena *a,
    const struct refs *refs, const struct refs *moved, size_t n, struct err *e)
{
	struct err why = { 0 };
	bool all = true;
	struct str id;

	/* What was read of both is old. */
	maildir_index_drop(from);
	maildir_index_drop(to);
	while (n-- > 0)
		all = maildir_move_one(to, from, a, moved->v[n].id, &id,
			  &why) == 0 &&
		    str_eq(id, refs->v[n].id) && all;
	if (!all)
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "some messages were moved, and could not be moved back");
}

static int
maildir_move_each(struct maildir *from, struct maildir *to, struct arena *a,
    const struct refs *refs, struct refs *moved, struct err *e)
{
	for (; moved->n < refs->n; moved->n++) {
		struct str id;

		if (maildir_move_one(from, to, a, refs->v[moved->n].id, &id,
			e) < 0) {
			maildir_move_back(from, to, a, refs, moved, moved->n,
			    e);
			return -1;
		}
		moved->v[moved->n].id = str_dup(a, id);
	}
	return 0;
}

static bool
maildir_move_is_same(const struct maildir *x, const struct maildir *y)
{
	struct stat s, t;

	return fstat(x->cur, &s) == 0 && fstat(y->cur, &t) == 0 &&
	    s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

int
maildir_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct maildir there = { .conn = m->conn,
		.site = -1,
		.box = m->box,
		.cur = -1,
		.new = -1 };
	int r = -1;

	(void)by;
	*moved = (struct refs){ arena_array(a, refs->n, sizeof(*moved->v)), 0 };
	if (maildir_folder_open(m, folder, e) == 0 &&
	    maildir_folder_open(&there, to, e) == 0 &&
	    maildir_shift_all(m, refs, e) == 0) {
		if (maildir_move_is_same(m, &there)) {
			*moved = *refs;
			r = 0;
		} else {
			r = maildir_move_each(m, &there, a, refs, moved, e);
			maildir_shift_end(m);
			maildir_shift_end(&there);
		}
	}
	maildir_folder_close(&there);
	return r;
}
