/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repeated calls.  A caller whose key is already being sent waits for the
 * result instead of guessing.
 */
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

enum {
	LOOK_US = 50000
};

static int
outbox_again_find(struct outbox *o, struct str key, struct store_outbox *row,
    struct err *e)
{
	*row = (struct store_outbox){ 0 };
	return store_outbox_find(o->gate->store, o->arena, o->src->acct.id,
	    o->gate->principal, key, row, e);
}

int
outbox_again_wait(struct outbox *o, struct str key, struct store_outbox *row,
    struct err *e)
{
	int r = 1;

	while (row->state == STORE_OUTBOX_SENDING &&
	    clock_left_ms(o->src->view.deadline_ms) > 0) {
		(void)usleep(LOOK_US);
		r = outbox_again_find(o, key, row, e);
		if (r <= 0)
			break;
	}
	if (r == 0)
		return err_set(e, ERR_DB, "the outbox's row is gone");
	return r < 0 ? -1 : 0;
}

int
outbox_again_answer(struct outbox *o, const struct store_outbox *row,
    struct sent *out, struct err *e)
{
	outbox_state_tell(o->arena, row, out);
	out->again = true;
	if (row->state == STORE_OUTBOX_HELD)
		o->call->held = row->id;
	return outbox_state_error(row, e);
}

static int
outbox_again_conflict(struct err *e)
{
	(void)err_set(e, ERR_USAGE,
	    "another message was sent with this idempotency key");
	e->reason = "idempotency_conflict";
	return -1;
}

int
outbox_again(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e)
{
	struct store_outbox row;
	int r;

	*out = (struct sent){ 0 };
	if (m->key.n == 0)
		return 0;
	r = outbox_again_find(o, m->key, &row, e);
	if (r <= 0)
		return r;
	if (outbox_compose_files(o, m, e) < 0)
		return -1;
	if (!str_eq(row.request, outbox_digest_request(o)))
		return outbox_again_conflict(e);
	if (outbox_again_wait(o, m->key, &row, e) < 0)
		return -1;
	if (row.state == STORE_OUTBOX_REJECTED ||
	    row.state == STORE_OUTBOX_FAILED)
		return 0;
	return outbox_again_answer(o, &row, out, e) < 0 ? -1 : 1;
}
