/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a send: its row in words and as an error. */
#include "gate/internal.h"
#include "gate/outbox_post.h"

/* send_status knows messages alone. */
#define OUTBOX_STATE_LATER                                                     \
	"do not make it again: go on, and ask changes later; see emcli "       \
	"approve list"

static const char *const copies[] = {
	[STORE_COPY_NONE] = "none",
	[STORE_COPY_SAVED] = "saved",
	[STORE_COPY_FAILED] = "failed",
};

/* Why a row is held, as a static text: err.reason must outlive every arena. */
static const char *
outbox_state_reason(struct str s)
{
	static const char *const known[] = { "approval", "taint", "secret" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (str_eq(s, str_of(known[i])))
			return known[i];
	return s.n > 0 ? "approval" : NULL;
}

void
outbox_state_tell(struct arena *a, const struct store_outbox *row,
    struct sent *out)
{
	struct recipient *to = arena_array(a, row->n, sizeof(*to));

	for (size_t i = 0; i < row->n; i++) {
		to[i].addr = row->rcpt[i].address;
		to[i].code = row->rcpt[i].code;
		to[i].status = row->rcpt[i].status;
		if (to[i].status.n == 0)
			to[i].status = S("not sent");
	}
	out->id = row->id;
	out->state = store_outbox_word(row->state);
	out->reason = outbox_state_reason(row->reason);
	out->message_id = row->message_id;
	out->to = to;
	out->n = row->n;
	out->copy = copies[row->copy];
	out->expires_s = row->expires_s + row->frozen_s;
}

static int
outbox_state_refused(struct err *e, const char *why, const char *say)
{
	(void)err_set(e, ERR_POLICY, "%s", say);
	e->reason = why;
	return -1;
}

int
outbox_state_error(const struct store_outbox *row, struct err *e)
{
	const bool change = row->change != NULL;

	switch (row->state) {
	case STORE_OUTBOX_SENT:
		return 0;
	case STORE_OUTBOX_HELD:
		(void)err_set(e, ERR_APPROVAL,
		    "the %s waits for the operator's approval",
		    change ? "change" : "message");
		e->reason = outbox_state_reason(row->reason);
		return change ? err_hint(e, OUTBOX_STATE_LATER) : -1;
	case STORE_OUTBOX_DENIED:
		return outbox_state_refused(e, "denied",
		    change ? "the operator did not approve the change"
			   : "the operator did not approve the message");
	case STORE_OUTBOX_EXPIRED:
		return outbox_state_refused(e, "expired",
		    change ? "nobody approved the change in time"
			   : "nobody approved the message in time");
	case STORE_OUTBOX_REJECTED:
		return err_set(e, ERR_REJECTED,
		    "the mail server refused the message; nothing was sent");
	case STORE_OUTBOX_FAILED:
		if (change)
			return err_set(e, ERR_REJECTED,
			    "the change was approved and could not be made; "
			    "nothing was changed");
		return err_set(e, ERR_NETWORK,
		    "the server could not be reached; nothing was sent");
	case STORE_OUTBOX_SENDING:
		return err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the message is being sent by an earlier call");
	case STORE_OUTBOX_UNKNOWN:
	case STORE_OUTBOX_STATES:
		break;
	}
	return err_set(e, ERR_UNKNOWN_OUTCOME,
	    "an earlier call gave the message to the server, and it is "
	    "unknown whether it was sent");
}

static int
outbox_state_unknown(struct err *e)
{
	(void)err_set(e, ERR_NOT_FOUND, "there is no such message");
	return err_hint(e,
	    "use the id that send returned, as the same agent: a message "
	    "belongs to the agent that sent it");
}

int
outbox_state(struct outbox *o, int64_t id, struct str key, struct sent *out,
    struct err *e)
{
	struct store_outbox row = { 0 };
	struct store *s = o->gate->store;
	int r;

	*out = (struct sent){ 0 };
	if (id > 0)
		r = store_outbox_get(s, o->arena, id, &row, e) < 0
		    ? (e->kind == ERR_NOT_FOUND ? 0 : -1)
		    : 1;
	else
		r = store_outbox_find(s, o->arena, o->src->acct.id,
		    o->gate->principal, key, &row, e);
	if (r < 0)
		return -1;
	/* Rows of others count as missing: the same text. */
	if (r == 0 || row.change != NULL || row.account != o->src->acct.id ||
	    !str_eq(row.principal, o->gate->principal))
		return outbox_state_unknown(e);
	outbox_state_tell(o->arena, &row, out);
	return 0;
}
