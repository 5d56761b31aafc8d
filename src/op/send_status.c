/* SPDX-License-Identifier: Apache-2.0 */
/* emcli send-status: the state of a send, for the agent that requested it. */
#include "gate/outbox.h"

#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT,
	    .help = "account it was sent from; optional if there is only one" },
	{ "id", ARG_COUNT, .help = "the id that send returned", .min = 1,
	    .max = UINT32_MAX },
	{ "idempotency_key", ARG_TEXT, .help = "the name it was sent under" },
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "id", FIELD_INT, .help = "of this send" },
	{ "state", FIELD_TEXT,
	    .help = "held, denied, expired, sending, sent, rejected, failed or "
		    "unknown_outcome" },
	{ "reason", FIELD_TEXT, .nullable = true,
	    .help = "why it is or was held" },
	{ "message_id", FIELD_TEXT, .help = "of the message" },
	{ "recipients", FIELD_OBJECTS, .help = "each address once",
	    .sub = fields_recipient },
	{ "copy", FIELD_TEXT,
	    .help = "the copy in Sent: none, saved or failed" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
send_status_run(struct call *c, struct json *out, struct err *e)
{
	struct str key = args_text(c->args, "idempotency_key");
	uint32_t id = args_count(c->args, "id", 0);
	struct sent sent;

	if ((id > 0) == (key.n > 0))
		return err_set(e, ERR_USAGE,
		    "name the send by id or by idempotency_key");
	if (fields_key(key, e) < 0 ||
	    outbox_state(c->outbox, id, key, &sent, e) < 0)
		return -1;
	json_put_int(out, "id", sent.id);
	json_put_text(out, "state", sent.state);
	json_put_text(out, "reason", sent.reason);
	json_put_str(out, "message_id", sent.message_id);
	fields_put_recipients(out, &sent);
	json_put_text(out, "copy", sent.copy);
	return 0;
}

const struct op op_send_status = {
	.name = "send_status",
	.summary = "Tell what became of a send",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_SUBMIT,
	.skill = "mail-send",
	.args = args,
	.result = result,
	.run = send_status_run,
};
