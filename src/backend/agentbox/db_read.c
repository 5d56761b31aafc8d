/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mailbox that is read.  A list of 50 messages asks for each of them, and
 * opening three databases takes longer than the answer.
 */
#include <fcntl.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

/* The two files of the upstream program, which its repair may replace. */
static bool
read_files_now(const struct agentbox_root *r, int box, struct stat out[2])
{
	return fstatat(r->dir, DB_INDEX, &out[0], AT_SYMLINK_NOFOLLOW) == 0 &&
	    fstatat(box, "mailbox.sqlite", &out[1], AT_SYMLINK_NOFOLLOW) == 0;
}

static bool
read_is_same(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino;
}

/* Is what is open still what the address means? */
static bool
read_is_current(struct agentbox_root *r, struct str address)
{
	struct err none = { 0 };
	struct stat is[2];

	return r->read != NULL && r->read->h != NULL &&
	    str_eq(r->read_reg.address, address) &&
	    read_files_now(r, r->read_box, is) &&
	    read_is_same(&is[0], &r->read_was[0]) &&
	    read_is_same(&is[1], &r->read_was[1]) &&
	    db_view_has(r->read, &r->read_reg, &none) == 1;
}

void
db_read_close(struct agentbox_root *r)
{
	if (r->read != NULL)
		db_stmt_close(r->read);
	path_close(&r->read_box);
}

static int
read_open(struct agentbox_root *r, struct str address, struct err *e)
{
	int got = agentbox_register_find(r, address, r->a, &r->read_reg, e);

	if (got == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "the address has no active registration");
	if (got < 0)
		return -1;
	r->read_box = agentbox_box_open(r, &r->read_reg, e);
	if (r->read_box < 0 || db_view_open(r->read, r, r->read_box, e) < 0)
		return -1;
	if (read_files_now(r, r->read_box, r->read_was))
		return 0;
	(void)err_set(e, ERR_DB, "a mailbox cannot be read");
	return err_errno(e, "its databases");
}

struct db *
db_read(struct agentbox_root *r, struct str address,
    const struct agentbox_reg **reg, struct err *e)
{
	if (!read_is_current(r, address)) {
		db_read_close(r);
		if (r->read == NULL)
			r->read = arena_new(r->a, struct db);
		if (read_open(r, address, e) < 0) {
			db_read_close(r);
			return NULL;
		}
	}
	*reg = &r->read_reg;
	return r->read;
}
