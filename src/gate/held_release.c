/* SPDX-License-Identifier: Apache-2.0 */
/* The operator has agreed: the messages are looked at again, and changed. */
#include "base/clock.h"
#include "gate/held.h"
#include "gate/rules.h"

/* The same text for a message that is gone and one that is hidden. */
static int
held_release_gone(struct err *e)
{
	(void)err_set(e, ERR_POLICY,
	    "a message of the change is not there any more, or another has its "
	    "number; nothing was changed");
	e->reason = "changed";
	return -1;
}

/* All of them, still the same, and visible to the agent. */
static int
held_release_look(struct mailbox *m, const struct store_journal *what,
    const struct held_messages *messages, struct mailbox_set *set,
    struct err *e)
{
	unsigned char digest[STORE_JOURNAL_DIGEST];

	if (mailbox_choose(m, what->folder, messages->uid, messages->n, set,
		e) < 0)
		return e->kind == ERR_NOT_FOUND ? held_release_gone(e) : -1;
	if (set->uidvalidity != what->uidvalidity)
		return held_release_gone(e);
	for (size_t i = 0; i < messages->n; i++) {
		journal_message_digest(&set->mails.v[i], digest);
		if (!str_eq(messages->digest[i],
			str_hex_dup(m->arena, digest, sizeof(digest))))
			return held_release_gone(e);
	}
	return 0;
}

/* What the agent's call would have told. */
static void
held_release_tell(struct call *by, const struct call *made)
{
	by->detail = made->detail;
	by->blocked = made->blocked;
	if (made->note.n > 0)
		gate_note(by, made->note);
	for (int i = 0; i < WARNINGS; i++)
		gate_warn(by, (enum warning)i, made->warned[i]);
}

static int
held_release_make(struct call *by, struct store *s, const struct env *env,
    struct str account, const struct store_outbox *row,
    struct mailbox_change *out, struct err *e)
{
	CLEANUP(rules_close) struct policy_rules rules = { 0 };
	CLEANUP(source_done) struct source src = { 0 };
	struct gate g = { .store = s, .env = env, .principal = row->principal };
	struct args args = { 0 };
	struct arena *a = by->arena;
	struct call c = { .gate = &g,
		.args = &args,
		.arena = a,
		.audit = by->audit };
	struct mailbox m = { .gate = &g,
		.call = &c,
		.arena = a,
		.src = &src,
		.rules = &rules };
	struct store_journal what = *row->change;
	struct held_messages messages;
	struct mailbox_set set;
	int64_t timeout;
	int r;

	what.id = 0;
	what.approval = row->id;
	what.approved = row->digest;
	if (held_read(a, row, &messages, e) < 0 ||
	    store_setting_timeout(s, &timeout, e) < 0 ||
	    source_resolve(s, a, account, clock_mono_ms() + timeout, &src, e) <
		0)
		return -1;
	source_wire(&src, a);
	if (rules_load(s, a, &src.acct, &rules, e) < 0)
		return -1;
	r = held_release_look(&m, &what, &messages, &set, e);
	if (r == 0)
		r = mailbox_organise_release(&m, &set, &what, out, e);
	mailbox_close(&m);
	held_release_tell(by, &c);
	return r;
}

int
held_release(struct call *by, struct store *s, const struct env *env,
    int64_t id, struct str digest, struct mailbox_change *out, struct err *e)
{
	struct arena *a = by->arena;
	struct store_account acct = { 0 };
	struct store_outbox row = { 0 };
	struct str found;

	*out = (struct mailbox_change){ 0 };
	if (store_outbox_get(s, a, id, &row, e) < 0)
		return -1;
	if (row.change == NULL || row.state != STORE_OUTBOX_HELD)
		return err_set(e, ERR_NOT_FOUND,
		    "no such change waits for approval: it is %s",
		    row.change == NULL ? "a message"
				       : store_outbox_change_word(&row));
	if (outbox_release_digest(s, a, &row, &acct, &found, e) < 0)
		return -1;
	if (!str_eq(found, digest))
		return outbox_release_changed(e,
		    "it is not the digest that was approved");
	return held_release_make(by, s, env, acct.name, &row, out, e);
}
