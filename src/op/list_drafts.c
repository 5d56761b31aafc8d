/* SPDX-License-Identifier: Apache-2.0 */
/* emcli list-drafts: drafts that wait for a person to send them. */
#include "op/fields_source.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "id", ARG_TEXT, ARG_POSITIONAL,
	    .help =
		"only of this thread: kind:id, a Message-ID, or its address" },
	FIELDS_ARGS_SOURCE,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "thread_id", FIELD_OBJECT, .optional = true,
	    .help = "the requested thread", .sub = fields_source_thread_id },
	{ "drafts", FIELD_OBJECTS, .help = "newest first",
	    .sub = fields_source_draft },
	{ "truncated", FIELD_BOOL, .help = "there are more" },
	FIELDS_RESOLUTION,
	{ 0 },
};

static void
list_drafts_put(struct json *j, struct arena *a,
    const struct mailbox_thread_message *x)
{
	json_open_object(j, NULL);
	fields_source_put_draft(j, a, x);
	json_close_object(j);
}

static int
list_drafts_of_thread(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_thread_messages l;
	struct mailbox_thread_name name;
	struct mailbox_thread t;

	if (thread_name_read(c->mailbox, args_text(c->args, "id"), &name, e) <
		0 ||
	    mailbox_thread(c->mailbox, &name, &t, e) < 0 ||
	    mailbox_thread_drafts_of(c->mailbox, &t, &l, e) < 0)
		return -1;
	fields_source_put_id(out, c->arena, "thread_id", &t.name);
	json_open_array(out, "drafts");
	for (size_t i = 0; i < l.n; i++)
		list_drafts_put(out, c->arena, &l.v[i]);
	json_close_array(out);
	json_put_bool(out, "truncated", t.over || l.over);
	return 0;
}

static int
list_drafts_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_thread_messages l;

	if (args_has(c->args, "id"))
		return list_drafts_of_thread(c, out, e);
	if (mailbox_thread_drafts(c->mailbox, &l, e) < 0)
		return -1;
	json_open_array(out, "drafts");
	for (size_t i = 0; i < l.n; i++)
		list_drafts_put(out, c->arena, &l.v[i]);
	json_close_array(out);
	json_put_bool(out, "truncated", l.over);
	return 0;
}

const struct op op_list_drafts = {
	.name = "list_drafts",
	.summary = "List drafts, of a thread or all",
	.effect = EFFECT_READ,
	.needs = NEED_SOURCE | NEED_READ,
	.skill = "mail-triage",
	.serves = ROLE_LIST_DRAFTS,
	.args = args,
	.result = result,
	.run = list_drafts_run,
};
