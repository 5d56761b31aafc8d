/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags of messages.  A file in new/ that gets one moves to cur/, as every
 * program that takes a message from there does.
 *
 * All of them change or none: each message is found before the first is
 * renamed.  If one vanishes meanwhile, or the folder does not let it be
 * renamed, the others get the flags back that they had.  That ends where
 * another program holds on to them; the error says so.
 */
#include <errno.h>

#include "backend/maildir/shift.h"

struct marking {
	struct maildir *m;
	const struct refs *refs;
	unsigned set, clear;
	unsigned *had; /* the flags of each that was changed */
};

/* One message; *had its flags before. */
static int
maildir_mark_one(struct maildir *m, struct str id, unsigned set, unsigned clear,
    unsigned *had, struct err *e)
{
	for (int i = 0; i < MAILDIR_SHIFTS; i++) {
		char name[NAME_MAX + 1];
		struct maildir_file f;
		bool draft;
		int r = maildir_shift_find(m, id, &f, e);

		if (r <= 0)
			return r < 0 ? -1 : maildir_shift_absent(e);
		*had = maildir_flag_read(&f, &draft);
		r = maildir_flag_name(&f, set, clear, name, e);
		if (r <= 0)
			return r;
		r = maildir_shift(m, &f, m->cur, name);
		if (r != 0)
			return r > 0 ? 0 : maildir_shift_failed(e, errno);
	}
	return maildir_shift_restless(e);
}

/* Can each name have the flags? */
static int
maildir_mark_look(const struct marking *k, struct err *e)
{
	for (size_t i = 0; i < k->refs->n; i++) {
		char name[NAME_MAX + 1];
		struct maildir_file f;
		int r = maildir_shift_find(k->m, k->refs->v[i].id, &f, e);

		if (r <= 0)
			return r < 0 ? -1 : maildir_shift_absent(e);
		if (maildir_flag_name(&f, k->set, k->clear, name, e) < 0)
			return -1;
	}
	return 0;
}

/* The first n as they were. */
static void
maildir_mark_back(const struct marking *k, size_t n, struct err *e)
{
	unsigned ours = k->set | k->clear, now;
	struct err why = { 0 };
	bool all = true;

	maildir_index_drop(k->m);
	while (n-- > 0)
		all = maildir_mark_one(k->m, k->refs->v[n].id, k->had[n] & ours,
			  ~k->had[n] & ours, &now, &why) == 0 &&
		    all;
	if (!all)
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "some messages were changed, and could not be changed "
		    "back");
}

int
maildir_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct marking k = { .m = m,
		.refs = refs,
		.set = change->set,
		.clear = change->clear,
		.had = arena_array(a, refs->n, sizeof(*k.had)) };
	int r = 0;

	if (maildir_folder_open(m, folder, e) < 0 || maildir_mark_look(&k, e))
		return -1;
	for (size_t i = 0; i < refs->n && r == 0; i++) {
		r = maildir_mark_one(m, refs->v[i].id, k.set, k.clear,
		    &k.had[i], e);
		if (r < 0)
			maildir_mark_back(&k, i, e);
	}
	maildir_shift_end(m);
	return r;
}
