/* SPDX-License-Identifier: Apache-2.0 */
/* emcli thread-url: where a person can see a thread. */
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "id", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "kind:id, Message-ID or address" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	FIELDS_THREAD_ID,
	{ "url", FIELD_TEXT, .help = "for a person" },
	{ "url_kind", FIELD_TEXT,
	    .help = "archive or webmail; computed: derived from the message, "
		    "not verified; imap: of its first message, only for mail "
		    "programs" },
	FIELDS_RESOLUTION,
	{ 0 },
};

static int
thread_url_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_thread_address to;
	struct mailbox_thread_name name;
	struct mailbox_thread t;

	if (thread_name_read(c->mailbox, args_text(c->args, "id"), &name, e) <
		0 ||
	    mailbox_thread(c->mailbox, &name, &t, e) < 0 ||
	    mailbox_thread_url(c->mailbox, &t, true, &to, e) < 0)
		return -1;
	fields_source_put_id(out, c->arena, "thread_id", &t.name);
	json_put_str(out, "url", to.url);
	json_put_text(out, "url_kind", to.kind);
	return 0;
}

const struct op op_thread_url = {
	.name = "thread_url",
	.summary = "Give the address at which a person can see a thread",
	.effect = EFFECT_READ,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	.serves = ROLE_THREAD_URL,
	.args = args,
	.result = result,
	.run = thread_url_run,
};
