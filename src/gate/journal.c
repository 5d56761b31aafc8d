/* SPDX-License-Identifier: Apache-2.0 */
/* A change is written down, made, looked at, and settled. */
#include <time.h>

#include "base/clock.h"
#include "gate/journal.h"

int
journal_await(struct mailbox *m, int64_t id, struct err *e)
{
	static const struct timespec moment = { .tv_nsec = 10000000 };
	int lives;

	while ((lives = store_journal_lives(m->gate->store, id, e)) == 1) {
		if (clock_left_ms(m->src->view.deadline_ms) == 0)
			return 0;
		(void)nanosleep(&moment, NULL);
	}
	return lives < 0 ? -1 : 1;
}

int
journal_begin(struct mailbox *m, const struct mailbox_set *set,
    struct store_journal *row, struct err *e)
{
	row->folder = set->folder;
	row->uidvalidity = set->uidvalidity;
	row->n = set->mails.n;
	row->v = arena_array(m->arena, row->n, sizeof(*row->v));
	for (size_t i = 0; i < row->n; i++) {
		const struct mail *mail = &set->mails.v[i];
		struct store_journal_message *v = &row->v[i];

		*v = (struct store_journal_message){
			.uid = set->refs.v[i].uid,
			.id = set->refs.v[i].id,
			.folder = set->folder.n > 0 ? S("") : mail->folder,
			.message_id = mail->env.message_id,
			.flags = mail->flags,
			.labels = mail->labels,
			.places = mail->places,
		};
		journal_message_digest(mail, v->digest);
	}
	while (journal_write(m, row, e) < 0) {
		struct err none = { 0 };

		if (row->behind == 0 ||
		    journal_await(m, row->behind, &none) <= 0)
			return -1;
		*e = none;
	}
	return 0;
}

int
journal_write(struct mailbox *m, struct store_journal *row, struct err *e)
{
	row->account = m->src->acct.id;
	row->principal = m->gate->principal;
	row->audit = m->call->audit;
	return store_journal_begin(m->gate->store, row,
	    m->gate->operates == NULL ? m->src->acct.limit_organise : 0, e);
}

enum store_journal_state
journal_state(const struct store_journal *row, bool copies)
{
	size_t done = 0;

	for (size_t i = 0; i < row->n; i++) {
		done += row->v[i].done;
		copies = copies || store_journal_is_copied(&row->v[i]);
	}
	if (done == row->n)
		return STORE_JOURNAL_DONE;
	/* "failed" is what certainly changed nothing. */
	return done > 0 || copies ? STORE_JOURNAL_PARTLY : STORE_JOURNAL_FAILED;
}

/* After these a backend has changed nothing. */
static bool
journal_is_refusal(const struct err *e)
{
	return e->kind == ERR_NOT_FOUND || e->kind == ERR_USAGE ||
	    e->kind == ERR_UNSUPPORTED || e->kind == ERR_POLICY;
}

/* Without CAP_UIDS a uid is the number in the folder that was left. */
static void
journal_take_told(const struct mailbox *m, struct store_journal *row,
    const struct refs *moved)
{
	bool uids = (m->src->be->caps & CAP_UIDS) != 0;

	for (size_t i = 0; i < row->n; i++) {
		row->v[i].done = true;
		if (moved == NULL || i >= moved->n)
			continue;
		row->v[i].new_uid = uids ? moved->v[i].uid : 0;
		row->v[i].new_id = moved->v[i].id;
	}
}

/*
 * What it told is taken for true if it is true of some of the messages; undoing
 * looks at each again.
 */
static int
journal_learn(struct mailbox *m, struct store_journal *row, int r,
    const struct refs *moved, const struct err *why, struct err *e)
{
	struct err none = { 0 };

	if (r < 0)
		return journal_is_lost(why) ? -1 : journal_look(m, row, e);
	journal_take_told(m, row, moved);
	/* If it cannot be asked, it has said yes. */
	return journal_look_sample(m, row, &none) == 0 ? journal_look(m, row, e)
						       : 0;
}

static int
journal_unknown(struct err *e)
{
	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the server accepted the change, and what it did is not known yet");
	return err_hint(e, "changes says later what became of it");
}

int
journal_end(struct mailbox *m, struct store_journal *row, int r,
    const struct refs *moved, struct err *e)
{
	struct err late = { 0 };

	if (r == 0 || !journal_is_refusal(e))
		return journal_finish(m, row, r, moved, e);
	(void)store_journal_settle_none(m->gate->store, row, &late);
	row->id = 0;
	return r;
}

int
journal_finish(struct mailbox *m, struct store_journal *row, int r,
    const struct refs *moved, struct err *e)
{
	const bool copies = store_journal_has_copies(row);
	struct err late = { 0 };

	if (journal_learn(m, row, r, moved, e, &late) < 0) {
		store_journal_settle_not(m->gate->store, row);
		return r < 0 ? r : journal_unknown(e);
	}
	row->state = journal_state(row, copies);
	if (row->move)
		journal_follow(m, row);
	/* Unwritten, it is begun, and settled by the next call. */
	(void)store_journal_settle(m->gate->store, row, row->state, &late);
	if (r == 0 && row->state == STORE_JOURNAL_FAILED)
		return err_set(e, ERR_REJECTED,
		    "the server accepted the change but did not make it");
	return r;
}
