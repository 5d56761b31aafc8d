/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the state of messages in another root's mailboxes: one change for all
 * messages of a mailbox that have the same state.
 */
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

/* A root that this program used has more state than its mailboxes. */
static bool
import_is_ours(const struct agentbox_root *from)
{
	struct stat st;

	return fstatat(from->dir, "emcli.sqlite", &st, AT_SYMLINK_NOFOLLOW) ==
	    0;
}

static int
import_read_state(struct agentbox_root *from, const struct agentbox_reg *reg,
    struct arena *a, struct agentbox_entries *out, struct err *e)
{
	CLEANUP(path_close) int box = -1;
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_want all = { 0 };

	if (import_is_ours(from))
		return agentbox_view_list(from, reg->address, &all, a, out,
		    NULL, e);
	box = agentbox_box_open(from, reg, e);
	if (box < 0 || db_box_open(&d, from, box, false, e) < 0)
		return -1;
	return db_port_state(&d, a, out, e);
}

static struct agentbox_change
import_change(const struct agentbox_entry *x)
{
	struct agentbox_change c = {
		.read = x->read ? AGENTBOX_YES : AGENTBOX_NO,
		.starred = x->starred ? AGENTBOX_YES : AGENTBOX_NO,
		.deleted = x->deleted ? AGENTBOX_YES : AGENTBOX_NO,
		.answered = x->answered ? AGENTBOX_YES : AGENTBOX_ANY,
		.archived = x->archived ? AGENTBOX_YES : AGENTBOX_ANY,
	};

	if (!x->archived && x->box.n > 0 && !str_eq(x->box, S("inbox")) &&
	    !str_eq(x->box, S("sent")) && !str_eq(x->box, S("drafts")) &&
	    agentbox_name_box(x->box))
		c.box = x->box;
	return c;
}

static bool
import_is_same(const struct agentbox_change *x, const struct agentbox_change *y)
{
	return x->read == y->read && x->starred == y->starred &&
	    x->deleted == y->deleted && x->answered == y->answered &&
	    x->archived == y->archived && str_eq(x->box, y->box);
}

/* Is it in the mailbox here, and can the change be made to it? */
static bool
import_is_here(struct db *d, const struct agentbox_reg *here,
    const struct agentbox_entry *x, struct arena *a)
{
	struct err none = { 0 };
	struct str box;

	return agentbox_name_message(x->id) &&
	    db_mail_box(d, here->id, x->id, a, &box, &none) == 1 &&
	    (!str_eq(box, S("sent")) ||
		(!x->archived && import_change(x).box.n == 0));
}

static int
import_one_state(struct agentbox_root *to, struct agentbox_root *from,
    const struct agentbox_reg *reg, const struct strs *new, struct arena *a,
    struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_entries l;
	struct agentbox_reg here;
	bool *done;

	if (import_read_state(from, reg, a, &l, e) < 0 ||
	    db_index_open(&d, to, false, e) < 0 ||
	    db_reg_active(&d, reg->address, a, &here, e) < 1)
		return -1;
	done = arena_array(a, l.n, sizeof(*done));
	for (size_t i = 0; i < l.n; i++)
		done[i] = (new != NULL && !str_among(new, l.v[i].id)) ||
		    !import_is_here(&d, &here, &l.v[i], a);
	for (size_t i = 0; i < l.n; i++) {
		struct agentbox_change c = import_change(&l.v[i]), other;
		struct strs ids = { 0 };

		for (size_t k = i; !done[i] && k < l.n && ids.n < LIMIT_UIDS;
		     k++) {
			other = import_change(&l.v[k]);
			if (done[k] || !import_is_same(&c, &other))
				continue;
			str_push(a, &ids, l.v[k].id);
			done[k] = k != i;
		}
		if (!done[i] &&
		    agentbox_state_change(to, reg->address, &ids, &c, e) < 0)
			return -1;
	}
	return 0;
}

int
agentbox_import_state(struct agentbox_root *to, struct agentbox_root *from,
    const struct agentbox_regs *regs, const struct strs *new, struct arena *a,
    struct err *e)
{
	for (size_t i = 0; i < regs->n; i++)
		if (import_one_state(to, from, &regs->v[i], new, a, e) < 0)
			return -1;
	return 0;
}
