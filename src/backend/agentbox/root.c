/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a root: checks it, creates it, and finishes interrupted changes. */
#include <errno.h>
#include <stdlib.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static void
root_new(const struct agentbox_use *use, struct agentbox_root **out)
{
	struct arena *a = arena_open(64 << 20);
	struct agentbox_root *r = arena_new(a, struct agentbox_root);

	r->a = a;
	r->use = *use;
	r->spare = arena_new(a, struct db_spare);
	r->dir = r->lock = r->read_box = -1;
	*out = r;
}

void
agentbox_root_close(struct agentbox_root **r)
{
	struct arena *a;

	if (*r == NULL)
		return;
	while ((*r)->depth > 0)
		agentbox_lock_drop(*r);
	db_read_close(*r);
	db_spare_close((*r)->spare);
	db_own_close(*r);
	path_close(&(*r)->dir);
	a = (*r)->a;
	*r = NULL;
	arena_close(&a); /* which it is in, too */
}

struct str
agentbox_root_path(const struct agentbox_root *r)
{
	return r->path;
}

const struct strs *
agentbox_root_notes(const struct agentbox_root *r)
{
	return &r->notes;
}

/* A root whose repair was killed would look as if nobody had a mailbox. */
static int
root_check_repaired(struct agentbox_root *r, struct err *e)
{
	struct db *own = db_own(r, e);
	struct str lost = { 0 };

	if (own == NULL || db_own_meta(own, AGENTBOX_LOST, r->a, &lost, e) < 0)
		return -1;
	return lost.n == 0
	    ? 0
	    : agentbox_layout_refuse(e, "root_stale",
		  "a repair of the mailbox root was interrupted: run mailbox "
		  "repair again");
}

/* Must anything be finished before the root is read?  1, 0, -1. */
static int
root_is_unfinished(struct agentbox_root *r, struct err *e)
{
	struct db *own = db_own(r, e);
	struct str kind, plan;
	int64_t seq;
	int got = own == NULL
	    ? -1
	    : db_own_row_next(own, 0, r->a, &seq, &kind, &plan, e);

	if (got == 0)
		got = agentbox_lock_is_left(r);
	return got != 0 ? got : agentbox_sweep_is_due(r, e);
}

static int
root_finish_now(struct agentbox_root *r, struct err *e)
{
	int n = agentbox_replay(r, e);

	if (n > 0)
		agentbox_layout_note(r,
		    "%d change%s that a process had begun and not finished "
		    "%s finished now",
		    n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
	return n < 0 ? -1 : agentbox_sweep(r, e);
}

/*
 * The process that holds the lock is about to finish it; no need to wait. A
 * change that cannot be finished now does not prevent reading.
 */
static int
root_finish(struct agentbox_root *r, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct err late = { 0 };
	int got = root_is_unfinished(r, e);

	if (got <= 0)
		return got;
	got = agentbox_lock_try(r, &locked, e);
	if (got <= 0)
		return got;
	if (root_finish_now(r, &late) < 0)
		agentbox_layout_note(r,
		    "something that a process left in the root cannot be "
		    "finished: %s",
		    late.say);
	return 0;
}

int
agentbox_root_plain(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;

	root_new(use, &r);
	if (agentbox_layout_root(r, path, e) < 0 ||
	    agentbox_layout_check(r, e) < 0)
		return -1;
	*out = r;
	r = NULL;
	return 0;
}

int
agentbox_root_other(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, unsigned *protocol, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;

	root_new(use, &r);
	if (agentbox_layout_root(r, path, e) < 0 ||
	    agentbox_layout_check_other(r, protocol, e) < 0)
		return -1;
	*out = r;
	r = NULL;
	return 0;
}

int
agentbox_root_open(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;

	if (agentbox_root_plain(path, use, &r, e) < 0 ||
	    root_check_repaired(r, e) < 0 || root_finish(r, e) < 0)
		return -1;
	*out = r;
	r = NULL;
	return 0;
}

/* The databases, and the operator's own mailbox. */
static int
root_fill(struct agentbox_root *r, struct err *e)
{
	static const struct agentbox_claim operator= {
		.address = SI(AGENTBOX_OPERATOR),
		.owner = SI(AGENTBOX_OPERATOR_PRINCIPAL),
		.display_name = SI("Houmao Operator"),
		.role = SI("system_operator"),
	};
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct agentbox_claimed got;
	struct db *own;
	{
		CLEANUP(db_stmt_close) struct db d = { 0 };

		if (db_index_open(&d, r, true, e) < 0)
			return -1;
	}
	own = db_own(r, e);
	if (own == NULL || root_check_repaired(r, e) < 0 ||
	    db_own_meta_put(own, "path", r->path, e) < 0 ||
	    root_finish_now(r, e) < 0 || agentbox_rules_put(r, e) < 0)
		return -1;
	return agentbox_register(r, &operator, a, &got, e);
}

static int
root_make(struct agentbox_root *r, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;

	if (agentbox_layout_make(r, e) < 0 ||
	    agentbox_lock_hold(r, &locked, e) < 0)
		return -1;
	if (agentbox_layout_check(r, e) < 0 || root_fill(r, e) < 0)
		return -1;
	return 0;
}

int
agentbox_root_make_as(const char *path, struct str shown,
    const struct agentbox_use *use, struct agentbox_root **out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;

	root_new(use, &r);
	if (path_mkdir(path, e) < 0 || agentbox_layout_root(r, path, e) < 0)
		return -1;
	if (shown.n > 0)
		r->shown = str_dup(r->a, shown);
	if (root_make(r, e) < 0)
		return -1;
	*out = r;
	r = NULL;
	return 0;
}

int
agentbox_root_make(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e)
{
	return agentbox_root_make_as(path, (struct str){ 0 }, use, out, e);
}
