/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes what a sweep put aside, and the mailboxes of registrations that
 * ended.  A mailbox goes by a journal row, like every change of registrations.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/clean.h"
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

struct clean {
	struct agentbox_root *r;
	const struct agentbox_clean *want;
	struct arena *a;
	struct agentbox_cleaned *out;
};

static int
clean_quarantine(struct clean *p, struct err *e)
{
	CLEANUP(path_close)
	int staging = agentbox_layout_folder(p->r, "staging", e);

	if (staging < 0)
		return -1;
	p->out->quarantined = agentbox_look_quarantined(p->r);
	if (p->want->look_only ||
	    agentbox_layout_remove(staging, "quarantine") == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "the quarantined files cannot be removed");
	return err_errno(e, "staging/quarantine");
}

static void
clean_locks(struct clean *p)
{
	struct strs left;

	agentbox_lock_left(p->r, p->a, &left);
	p->out->locks = p->want->look_only ? left.n : agentbox_lock_sweep(p->r);
}

/* The row, the projections, the folder, and what we know of it. */
static int
clean_mailbox(struct clean *p, const struct agentbox_reg *reg, struct str entry,
    struct err *e)
{
	struct json *j = json_new(p->a);
	struct db *own;
	struct str aside = str_fmt(p->a, "%.*s--", STR_ARG(reg->address));

	json_open_object(j, NULL);
	agentbox_plan_put_reg(j, "old", reg);
	json_put_bool(j, "purge", true);
	json_put_str(j, "gone", agentbox_name_new(p->a, aside.p, 16));
	if (reg->status == AGENTBOX_STASHED)
		json_put_str(j, "entry", entry);
	json_close_object(j);
	if (agentbox_replay_new(p->r, "register", json_text(j, p->a), NULL,
		NULL, e) != 0)
		return -1;
	own = db_own(p->r, e);
	return own == NULL ? -1 : db_keep_forget(own, entry, e);
}

static bool
clean_is_wanted(const struct clean *p, const struct agentbox_regs *l,
    const struct agentbox_reg *reg, struct str entry)
{
	if (reg->status == AGENTBOX_STASHED)
		return p->want->stashed && agentbox_name_stashed(entry) &&
		    str_starts(entry, reg->address);
	if (reg->status != AGENTBOX_INACTIVE || !p->want->inactive)
		return false;
	/* The folder is the active one's. */
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].status == AGENTBOX_ACTIVE &&
		    str_eq(l->v[i].address, reg->address))
			return false;
	return true;
}

static int
clean_mailboxes(struct clean *p, struct err *e)
{
	struct agentbox_regs l;

	if (agentbox_register_list(p->r, p->a, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		const struct agentbox_reg *reg = &l.v[i];
		struct str entry = agentbox_box_name(reg);

		if (!clean_is_wanted(p, &l, reg, entry) ||
		    (p->want->only != NULL && !str_among(p->want->only, entry)))
			continue;
		if (!str_among(&p->out->mailboxes, entry))
			str_push(p->a, &p->out->mailboxes, entry);
		if (!p->want->look_only && clean_mailbox(p, reg, entry, e) < 0)
			return -1;
	}
	return 0;
}

int
agentbox_clean(struct agentbox_root *r, const struct agentbox_clean *c,
    struct arena *a, struct agentbox_cleaned *out, struct err *e)
{
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct clean p = { .r = r, .want = c, .a = a, .out = out };

	*out = (struct agentbox_cleaned){ 0 };
	if (!c->look_only &&
	    (agentbox_lock_hold(r, &locked, e) < 0 ||
		agentbox_replay(r, e) < 0))
		return -1;
	clean_locks(&p);
	if (clean_quarantine(&p, e) < 0)
		return -1;
	return clean_mailboxes(&p, e);
}
