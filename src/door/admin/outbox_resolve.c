/*
 * emcli outbox resolve: what became of a message whose outcome is unknown.  In
 * Sent it was sent; not there says little, for the copy is made after a send
 * that is known to have gone well, and then it takes the operator's word.
 * Nothing is ever sent again by this.
 */
#include "base/limits.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "gate/outbox.h"
#include "store/outbox.h"

const struct arg_spec admin_outbox_resolve_args[] = {
	{ .name = "id",
	    .type = ARG_COUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "number of the message",
	    .min = 1,
	    .max = UINT32_MAX },
	{ .name = "sent", .type = ARG_FLAG, .help = "it was sent" },
	{ .name = "not_sent",
	    .type = ARG_FLAG,
	    .help = "it was not sent, and its key may be used again" },
	{ 0 },
};

static int
settle(struct admin_call *c, int64_t id, enum store_outbox_state to,
    const char *say, struct err *e)
{
	if (store_outbox_move(c->store, id, STORE_OUTBOX_UNKNOWN, to, e) < 0)
		return -1;
	buf_fmt(c->out, "%s\n", say);
	c->done = str_of(say);
	return 0;
}

/* What looking gave, in words; 1: it is there. */
static int
look(struct admin_call *c, int64_t id)
{
	struct err e = { 0 };
	int r = outbox_look(c->store, c->arena, id, &e);

	if (r == 0)
		buf_text(c->out,
		    "its Message-ID is not in the account's Sent folder\n");
	else if (r < 0)
		buf_fmt(c->out, "Sent could not be looked at: %.*s\n",
		    STR_ARG(out_line(c->arena, str_of(e.say))));
	return r;
}

int
admin_outbox_resolve(struct admin_call *c, struct err *e)
{
	int64_t id = args_count(c->args, "id", 0);
	bool sent = args_has(c->args, "sent");
	bool not_sent = args_has(c->args, "not_sent");
	struct store_outbox row = { 0 };
	int found;

	if (sent && not_sent)
		return err_set(e, ERR_USAGE, "--sent or --not-sent, not both");
	if (store_outbox_get(c->store, c->arena, id, &row, e) < 0)
		return -1;
	if (row.state != STORE_OUTBOX_UNKNOWN)
		return err_set(e, ERR_USAGE,
		    "there is nothing to resolve: the message is %s",
		    store_outbox_word(row.state));
	found = look(c, id);
	if (found == 1 && !not_sent)
		return settle(c, id, STORE_OUTBOX_SENT,
		    "it is in Sent: the message was sent", e);
	/* What was seen is worth more than what somebody says. */
	if (found == 1)
		return err_set(e, ERR_USAGE,
		    "the message is in Sent, so it was sent");
	if (sent)
		return settle(c, id, STORE_OUTBOX_SENT,
		    "by the operator's word it was sent", e);
	if (not_sent)
		return settle(c, id, STORE_OUTBOX_FAILED,
		    "by the operator's word it was not sent", e);
	c->report = true;
	return err_set(e, ERR_UNKNOWN_OUTCOME,
	    "ask a recipient or the mail server's log, then say --sent or "
	    "--not-sent");
}
