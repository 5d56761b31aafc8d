/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli outbox resolve: settles a message whose outcome is unknown.  A message
 * in Sent was sent.  Its absence proves little, because the copy is made only
 * after a send that is known to have succeeded; then the operator decides.
 * This never sends anything.
 */
#include "desk/desk.h"
#include "desk/outbox_shown.h"
#include "gate/outbox.h"
#include "store/outbox.h"

static const struct arg_spec args[] = {
	OUTBOX_SHOWN_ID,
	{ "sent", ARG_FLAG, .help = "it was sent" },
	{ "not_sent", ARG_FLAG,
	    .help =
		"it was not sent, and its idempotency key may be used again" },
	{ 0 },
};

static const struct field result[] = {
	{ "state", FIELD_TEXT, .help = "its state now" },
	{ 0 },
};

static int
outbox_resolve_settle(struct call *c, int64_t id, enum store_outbox_state to,
    const char *say, struct json *out, struct err *e)
{
	if (store_outbox_move(operate_store(c), id, STORE_OUTBOX_UNKNOWN, to,
		e) < 0)
		return -1;
	json_put_text(out, "state", store_outbox_word(to));
	gate_tell(c, "%s", say);
	c->note = str_of(say);
	return 0;
}

/* Looks for it in Sent, and reports the result; 1: found. */
static int
outbox_resolve_look(struct call *c, int64_t id)
{
	struct err e = { 0 };
	int r = outbox_look(operate_store(c), c->arena, id, &e);

	if (r == 0)
		gate_tell(c,
		    "its Message-ID is not in the account's Sent folder");
	else if (r < 0)
		gate_tell(c, "Sent could not be searched: %s", e.say);
	return r;
}

static int
outbox_resolve_run(struct call *c, struct json *out, struct err *e)
{
	int64_t id = args_count(c->args, "id", 0);
	bool sent = args_has(c->args, "sent");
	bool not_sent = args_has(c->args, "not_sent");
	struct store_outbox row = { 0 };
	int found;

	if (sent && not_sent)
		return err_set(e, ERR_USAGE,
		    "give --sent or --not-sent, not both");
	if (store_outbox_get(operate_store(c), c->arena, id, &row, e) < 0)
		return -1;
	if (row.state != STORE_OUTBOX_UNKNOWN)
		return err_set(e, ERR_USAGE,
		    "there is nothing to resolve: the message is %s",
		    store_outbox_word(row.state));
	found = outbox_resolve_look(c, id);
	if (found == 1 && !not_sent)
		return outbox_resolve_settle(c, id, STORE_OUTBOX_SENT,
		    "it is in Sent: the message was sent", out, e);
	/* Evidence outranks what the operator says. */
	if (found == 1)
		return err_set(e, ERR_USAGE,
		    "the message is in Sent, so it was sent");
	if (sent)
		return outbox_resolve_settle(c, id, STORE_OUTBOX_SENT,
		    "recorded: it was sent, as the operator says", out, e);
	if (not_sent)
		return outbox_resolve_settle(c, id, STORE_OUTBOX_FAILED,
		    "recorded: it was not sent, as the operator says", out, e);
	return err_set(e, ERR_UNKNOWN_OUTCOME,
	    "ask a recipient or look into the mail server's log, then give "
	    "--sent or --not-sent");
}

const struct op desk_outbox_resolve = {
	.name = "outbox resolve",
	.shows = "emcli outbox list",
	.summary = "Settle a send whose outcome is unknown",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.report = true,
	.args = args,
	.result = result,
	.run = outbox_resolve_run,
};
