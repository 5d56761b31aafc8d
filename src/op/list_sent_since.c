/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli list-sent-since: the account's own messages in a thread; whose turn is
 * it?
 */
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "id", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "kind:id, Message-ID or address" },
	{ "since", ARG_TEXT, ARG_REQUIRED,
	    .help = "only messages newer than this: 14d, 2w, 6h, 2026-06-21 or "
		    "RFC 3339" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	FIELDS_THREAD_ID,
	{ "messages", FIELD_OBJECTS,
	    .help = "sent by this account, oldest first",
	    .sub = fields_source_row },
	{ "truncated", FIELD_BOOL,
	    .help = "the thread is too long to read whole" },
	FIELDS_RESOLUTION,
	{ 0 },
};

static int
list_sent_since_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_thread_name name;
	struct mailbox_thread t;
	int64_t since;
	bool any = false;

	if (fields_source_since(c->args, &since, e) < 0 ||
	    thread_name_read(c->mailbox, args_text(c->args, "id"), &name, e) <
		0 ||
	    mailbox_thread(c->mailbox, &name, &t, e) < 0)
		return -1;
	for (size_t i = 0; i < t.n; i++)
		any = any || mailbox_thread_is_sent(c->mailbox, &t.v[i]);
	/*
	 * Callers decide whose turn it is from this, so a missing folder is an
	 * error, not an empty list.
	 */
	if (!any && mailbox_thread_sent_known(c->mailbox, e) < 0)
		return -1;
	fields_source_put_id(out, c->arena, "thread_id", &t.name);
	json_open_array(out, "messages");
	for (size_t i = 0; i < t.n; i++) {
		const struct mailbox_thread_message *x = &t.v[i];

		if (!mailbox_thread_is_sent(c->mailbox, x) ||
		    (x->dated && x->at_s <= since))
			continue;
		json_open_object(out, NULL);
		fields_source_put_row(out, c->arena, x);
		json_close_object(out);
	}
	json_close_array(out);
	json_put_bool(out, "truncated", t.over);
	return 0;
}

const struct op op_list_sent_since = {
	.name = "list_sent_since",
	.summary = "List what this account sent in a thread",
	.effect = EFFECT_READ,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	.serves = ROLE_LIST_SENT_SINCE,
	.args = args,
	.result = result,
	.run = list_sent_since_run,
};
