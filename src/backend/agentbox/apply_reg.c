/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performs a registration, or the end of one, from its journal row: moves the
 * old mailbox away, makes the new one, changes the rows, and removes the rest.
 * Each step first checks whether it is already done.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

struct apply_reg {
	struct agentbox_reg old, new;
	bool has_old, has_new;
	bool purge;       /* removes the old row, not only its projections */
	bool forget;      /* removes the old one's projections */
	bool clear;       /* the new mailbox starts without state */
	struct str aside; /* a name below mailboxes/ */
	struct str gone;  /* a name below staging/, removed at the end */
	struct str entry; /* what is moved there; empty: the address's */
};

static int
apply_reg_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG,
	    "the mailboxes of the root cannot be changed");
	return err_errno(e, what);
}

static int
apply_reg_read(const struct json_value *v, struct arena *a, struct apply_reg *p,
    struct err *e)
{
	struct str address;

	p->has_old = agentbox_plan_reg(v, "old", a, &p->old);
	p->has_new = agentbox_plan_reg(v, "new", a, &p->new);
	p->purge = agentbox_plan_flag(v, "purge");
	p->forget = agentbox_plan_flag(v, "forget");
	p->clear = agentbox_plan_flag(v, "clear");
	p->aside = agentbox_plan_text(v, "aside", a);
	p->gone = agentbox_plan_text(v, "gone", a);
	p->entry = agentbox_plan_text(v, "entry", a);
	address = p->has_new ? p->new.address : p->old.address;
	if ((!p->has_old && !p->has_new) ||
	    (p->aside.n > 0 &&
		(!agentbox_name_stashed(p->aside) ||
		    !str_starts(p->aside, address))) ||
	    (p->gone.n > 0 && !agentbox_name_stashed(p->gone)) ||
	    (p->entry.n > 0 &&
		(!agentbox_name_stashed(p->entry) ||
		    !str_starts(p->entry, address))))
		return agentbox_plan_broken(e, "a registration");
	return 0;
}

/* Moves an entry of mailboxes/ there, unless that name exists. */
static int
apply_reg_move(const struct agentbox_root *r, struct str entry,
    const char *folder, struct str name, struct arena *a, struct err *e)
{
	CLEANUP(path_close)
	int from = agentbox_layout_folder(r, "mailboxes", e);
	CLEANUP(path_close) int to = agentbox_layout_folder(r, folder, e);
	const char *new = str_c(a, name);
	struct stat st;

	if (from < 0 || to < 0)
		return -1;
	if (fstatat(to, new, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	if (renameat(from, str_c(a, entry), to, new) < 0 && errno != ENOENT)
		return apply_reg_fail(e, "rename");
	if (fsync(from) < 0 || fsync(to) < 0)
		return apply_reg_fail(e, "fsync");
	return 0;
}

/*
 * emcli.sqlite's rows for the address belong to the former mailbox and are
 * removed with it.
 */
static int
apply_reg_forget(struct agentbox_root *r, const struct apply_reg *p,
    struct err *e)
{
	struct db *own = db_own(r, e);

	if (own == NULL)
		return -1;
	if (p->aside.n > 0)
		return db_keep_rename(own, p->new.address, p->aside, e);
	return db_keep_forget(own, p->new.address, e);
}

/* A mailbox that already has its row may have mail, and is not cleared. */
static int
apply_reg_box(struct agentbox_root *r, const struct apply_reg *p, bool is_known,
    struct err *e)
{
	CLEANUP(path_close) int box = agentbox_box_make(r, &p->new, e);
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (box < 0 || db_box_open(&d, r, box, true, e) < 0)
		return -1;
	if (!p->clear || is_known)
		return 0;
	return db_box_clear(&d, e) < 0 ? -1 : apply_reg_forget(r, p, e);
}

/* Are the rows already changed?  Then the entry is the new mailbox's. */
static int
apply_reg_is_known(struct db *d, const struct apply_reg *p, struct arena *a,
    struct err *e)
{
	struct agentbox_reg got;
	int r;

	if (!p->has_new) {
		r = db_reg_id(d, p->old.id, a, &got, e);
		return r < 0 ? r : r == 0;
	}
	r = db_reg_active(d, p->new.address, a, &got, e);
	return r == 1 ? str_eq(got.id, p->new.id) : r;
}

static int
apply_reg_rows(struct db *d, struct apply_reg *p, struct arena *a,
    struct err *e)
{
	struct str by = p->old.replaced_by;
	struct agentbox_reg got;
	int known;

	if (db_stmt_begin(d, e) < 0)
		return -1;
	/*
	 * The old one first, since only one may be active; its replaced_by is
	 * set once the new one exists.
	 */
	p->old.replaced_by = (struct str){ 0 };
	if (p->has_old && (p->purge || p->forget) &&
	    db_reg_purge(d, p->old.id, p->purge, e) < 0)
		return -1;
	if (p->has_old && !p->purge && db_reg_put(d, &p->old, e) < 0)
		return -1;
	if (p->has_new) {
		known = db_reg_id(d, p->new.id, a, &got, e);
		if (known < 0 ||
		    (known == 1 ? db_reg_put(d, &p->new, e)
				: db_reg_add(d, &p->new, e)) < 0)
			return -1;
	}
	p->old.replaced_by = by;
	if (p->has_old && !p->purge && by.n > 0 &&
	    db_reg_put(d, &p->old, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

static int
apply_reg_do(struct agentbox_root *r, struct apply_reg *p, struct arena *a,
    struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	CLEANUP(path_close) int staging = -1;
	struct str address = p->has_new ? p->new.address : p->old.address;
	int known;

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	known = apply_reg_is_known(&d, p, a, e);
	if (known < 0)
		return -1;
	if (known == 0 && p->aside.n > 0 &&
	    apply_reg_move(r, address, "mailboxes", p->aside, a, e) < 0)
		return -1;
	if (known == 0 && p->gone.n > 0 &&
	    apply_reg_move(r, p->entry.n > 0 ? p->entry : address, "staging",
		p->gone, a, e) < 0)
		return -1;
	if (p->has_new && apply_reg_box(r, p, known == 1, e) < 0)
		return -1;
	if (apply_reg_rows(&d, p, a, e) < 0)
		return -1;
	if (p->gone.n == 0)
		return 0;
	staging = agentbox_layout_folder(r, "staging", e);
	if (staging < 0)
		return -1;
	return agentbox_layout_remove(staging, str_c(a, p->gone)) < 0
	    ? apply_reg_fail(e, "remove")
	    : 0;
}

int
agentbox_apply_reg(struct agentbox_root *r, struct str plan, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct apply_reg p = { 0 };

	if (json_parse_open(plan, AGENTBOX_PLAN, &doc, e) < 0)
		return agentbox_plan_broken(e, "not JSON");
	if (apply_reg_read(json_parse_root(doc), a, &p, e) < 0)
		return -1;
	return apply_reg_do(r, &p, a, e);
}
