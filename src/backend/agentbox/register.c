/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registration: compares the claim for an address with the root, and writes the
 * result as one journal row (apply_reg.c performs it).
 */
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "base/clock.h"

struct register_plan {
	struct agentbox_reg old, new;
	bool has_old;
	bool forget, clear;
	struct str aside, gone;
};

static bool
register_is_same(const struct agentbox_reg *x, const struct agentbox_reg *y)
{
	return str_eq(x->address, y->address) && str_eq(x->owner, y->owner) &&
	    x->is_private == y->is_private &&
	    (!x->is_private || str_eq(x->path, y->path));
}

static void
register_wanted(const struct agentbox_root *r, const struct agentbox_claim *c,
    struct arena *a, struct agentbox_reg *out)
{
	struct str entry = str_fmt(a, "%.*s/mailboxes/%.*s", STR_ARG(r->shown),
	    STR_ARG(c->address));

	*out = (struct agentbox_reg){
		.id = agentbox_name_new(a, "reg-", 16),
		.address = str_dup(a, c->address),
		.owner = str_dup(a, c->owner),
		.status = AGENTBOX_ACTIVE,
		.is_private = c->private_dir.n > 0,
		.path =
		    c->private_dir.n > 0 ? str_dup(a, c->private_dir) : entry,
		.entry = entry,
		.display_name = str_dup(a, c->display_name),
		.manifest_hint = str_dup(a, c->manifest_hint),
		.role = str_dup(a, c->role),
		.created = clock_rfc3339(a, clock_now()),
	};
}

/* No other mailbox may have that private folder. */
static int
register_check_private(struct db *d, const struct agentbox_reg *want,
    struct arena *a, struct err *e)
{
	struct agentbox_reg got;
	int r;

	if (!want->is_private)
		return 0;
	r = db_reg_private(d, want->path, a, &got, e);
	if (r < 0 || r == 0 || str_eq(got.address, want->address))
		return r < 0 ? -1 : 0;
	return agentbox_register_check_refuse(e, ERR_CONFIG,
	    "registration_conflict",
	    "the private folder is already the mailbox of another address");
}

/* The registration that the new one replaces: 1, 0, -1. */
static int
register_former(struct db *d, const struct agentbox_reg *want, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	int r = db_reg_active(d, want->address, a, out, e);

	return r != 0 ? r : db_reg_claims(d, want->entry, a, out, e);
}

/* Does that name exist, and is it not empty? */
static bool
register_is_used(const struct agentbox_root *r, struct str address,
    struct arena *a)
{
	static const char *const boxes[] = { "inbox", "sent", "archive",
		"drafts" };
	struct str rel = str_fmt(a, "mailboxes/%.*s", STR_ARG(address));
	CLEANUP(path_close) int fd = agentbox_layout_open(r->dir, rel.p, false);

	if (fd < 0)
		return errno != ENOENT;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(*boxes); i++) {
		int box = path_dir_open(fd, boxes[i]);
		CLEANUP(path_dir_close)
		DIR *dir = box < 0 ? NULL : fdopendir(box);
		const struct dirent *f;

		while (dir != NULL && (f = readdir(dir)) != NULL)
			if (f->d_name[0] != '.')
				return true;
	}
	return false;
}

static struct str
register_aside(struct str address, struct arena *a)
{
	struct str p = str_fmt(a, "%.*s--", STR_ARG(address));

	return agentbox_name_new(a, p.p, 16);
}

/* Replaces the former one. */
static void
register_displace(const struct agentbox_claim *c, struct register_plan *p,
    struct arena *a)
{
	struct str name = register_aside(c->address, a);

	p->old.replaced_by = p->new.id;
	if (p->old.deactivated.n == 0)
		p->old.deactivated = p->new.created;
	if (c->mode == AGENTBOX_FORCE) {
		p->old.status = AGENTBOX_INACTIVE;
		p->forget = true;
		p->gone = name;
		return;
	}
	p->old.status = AGENTBOX_STASHED;
	p->aside = name;
	p->old.entry =
	    str_fmt(a, "%.*s/%.*s", (int)(p->new.entry.n - c->address.n - 1),
		p->new.entry.p, STR_ARG(name));
	if (!p->old.is_private)
		p->old.path = p->old.entry;
}

/* 1: the plan is to keep an existing registration; 0: a new one; -1. */
static int
register_choose(const struct agentbox_root *r, struct db *d,
    const struct agentbox_claim *c, struct register_plan *p, struct arena *a,
    struct err *e)
{
	int got;

	register_wanted(r, c, a, &p->new);
	if (register_check_private(d, &p->new, a, e) < 0)
		return -1;
	got = register_former(d, &p->new, a, &p->old, e);
	if (got < 0)
		return -1;
	if (got == 1 && p->old.status != AGENTBOX_STASHED &&
	    register_is_same(&p->old, &p->new)) {
		p->new.id = p->old.id;
		p->new.created = p->old.created;
		return 1;
	}
	p->clear = !p->new.is_private;
	if (got == 1 && c->mode == AGENTBOX_SAFE)
		return agentbox_register_check_refuse(e, ERR_CONFIG,
		    "registration_conflict",
		    "the address has another registration; --mode force or "
		    "--mode stash takes its place");
	p->has_old = got == 1;
	if (p->has_old)
		register_displace(c, p, a);
	else if (register_is_used(r, c->address, a))
		p->aside = register_aside(c->address, a);
	return 0;
}

static int
register_write(struct agentbox_root *r, const struct register_plan *p,
    struct arena *a, struct err *e)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	agentbox_plan_put_reg(j, "new", &p->new);
	if (p->has_old)
		agentbox_plan_put_reg(j, "old", &p->old);
	json_put_bool(j, "forget", p->forget);
	json_put_bool(j, "clear", p->clear);
	json_put_str(j, "aside", p->aside);
	json_put_str(j, "gone", p->gone);
	json_close_object(j);
	return agentbox_replay_new(r, "register", json_text(j, a), NULL, NULL,
		   e) == 0
	    ? 0
	    : -1;
}

static int
register_decide(struct agentbox_root *r, const struct agentbox_claim *c,
    struct register_plan *p, struct arena *a, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	return register_choose(r, &d, c, p, a, e);
}

int
agentbox_register(struct agentbox_root *r, const struct agentbox_claim *c,
    struct arena *a, struct agentbox_claimed *out, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct register_plan p = { 0 };
	int kept;

	if (agentbox_register_check(r, c, e) < 0 ||
	    agentbox_lock_hold(r, &locked, e) < 0)
		return -1;
	kept = register_decide(r, c, &p, a, e);
	if (kept < 0 || register_write(r, &p, a, e) < 0)
		return -1;
	*out = (struct agentbox_claimed){ .reg = p.new,
		.reused = kept == 1,
		.replaced = p.has_old ? p.old.id : (struct str){ 0 },
		.stashed = p.aside };
	return 0;
}

static int
register_end_plan(struct agentbox_root *r, struct str address, bool purge,
    struct arena *a, struct json *j, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_reg reg;
	int got;

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	got = db_reg_active(&d, address, a, &reg, e);
	if (got < 0)
		return -1;
	if (got == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "the address has no active registration");
	reg.status = AGENTBOX_INACTIVE;
	reg.deactivated = clock_rfc3339(a, clock_now());
	json_open_object(j, NULL);
	agentbox_plan_put_reg(j, "old", &reg);
	json_put_bool(j, "purge", purge);
	if (purge)
		json_put_str(j, "gone", register_aside(address, a));
	json_close_object(j);
	return 0;
}

int
agentbox_register_end(struct agentbox_root *r, struct str address, bool purge,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct json *j = json_new(a);

	if (str_eq(address, S(AGENTBOX_OPERATOR)))
		return agentbox_register_check_refuse(e, ERR_POLICY, "reserved",
		    "the operator's mailbox stays registered");
	if (agentbox_lock_hold(r, &locked, e) < 0)
		return -1;
	if (register_end_plan(r, address, purge, a, j, e) < 0)
		return -1;
	return agentbox_replay_new(r, "register", json_text(j, a), NULL, NULL,
		   e) == 0
	    ? 0
	    : -1;
}

int
agentbox_register_find(struct agentbox_root *r, struct str address,
    struct arena *a, struct agentbox_reg *out, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	return db_reg_active(&d, address, a, out, e);
}

int
agentbox_register_list(struct agentbox_root *r, struct arena *a,
    struct agentbox_regs *out, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	return db_index_open(&d, r, false, e) < 0 ? -1
						  : db_reg_list(&d, a, out, e);
}
