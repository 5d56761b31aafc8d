/* SPDX-License-Identifier: Apache-2.0 */
/* emcli changes: what this agent has changed. */
#include "base/clean.h"
#include "base/clock.h"
#include "gate/undo.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT,
	    .help = "account it is about; optional if there is only one" },
	{ "before", ARG_COUNT, .help = "only changes with lower numbers",
	    .min = 1, .max = UINT32_MAX },
	FIELDS_ARG_LIMIT,
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field change[] = {
	{ "change", FIELD_INT, .help = "its number" },
	{ "at", FIELD_TEXT, .help = "RFC 3339" },
	{ "kind", FIELD_TEXT, .help = "mark or move" },
	{ "folder", FIELD_TEXT, .nullable = true,
	    .help = "where the messages were; null: in several" },
	{ "to", FIELD_TEXT, .nullable = true, .help = "where they went" },
	{ "set", FIELD_TEXTS, .help = "flags and labels given" },
	{ "cleared", FIELD_TEXTS, .help = "and taken away" },
	{ "messages", FIELD_INT, .help = "how many it was asked for" },
	{ "done", FIELD_INT, .help = "how many were changed" },
	{ "copied", FIELD_INT, .optional = true,
	    .help = "how many are still in `folder`, and in `to` too" },
	{ "undone", FIELD_INT, .help = "how many of those were put back" },
	{ "undoes", FIELD_INT, .optional = true,
	    .help = "the change that this one took back" },
	{ "state", FIELD_TEXT, .help = "begun, done, partly, failed, undone" },
	{ 0 },
};

static const struct field held[] = {
	{ "id", FIELD_INT, .help = "its id, as the refusal had it" },
	{ "state", FIELD_TEXT,
	    .help = "held, denied, expired, or what became of it" },
	{ "what", FIELD_TEXT, .help = "what was asked for" },
	{ "change", FIELD_INT, .nullable = true,
	    .help = "the change that it became" },
	{ "expires", FIELD_TEXT, .nullable = true, .help = "RFC 3339" },
	{ 0 },
};

static const struct field result[] = {
	{ "changes", FIELD_OBJECTS, .help = "newest first", .sub = change },
	{ "held", FIELD_OBJECTS, .optional = true,
	    .help = "those that the operator was asked about, newest first",
	    .sub = held },
	FIELDS_WARNINGS,
	{ 0 },
};

static void
changes_put(struct call *c, struct json *out, const struct mailbox_change *ch)
{
	json_open_object(out, NULL);
	json_put_int(out, "change", ch->id);
	json_put_str(out, "at", clock_rfc3339(c->arena, ch->created_s));
	json_put_text(out, "kind", ch->move ? "move" : "mark");
	json_put_str_or_null(out, "folder", ch->folder);
	json_put_str_or_null(out, "to", ch->target);
	undo_say_marks(out, c->arena, "set", ch->set, &ch->add);
	undo_say_marks(out, c->arena, "cleared", ch->clear, &ch->drop);
	json_put_int(out, "messages", (int64_t)ch->n);
	json_put_int(out, "done", (int64_t)ch->done);
	json_put_int(out, "undone", (int64_t)ch->undone);
	if (ch->copied > 0)
		json_put_int(out, "copied", (int64_t)ch->copied);
	if (ch->undoes != 0)
		json_put_int(out, "undoes", ch->undoes);
	json_put_text(out, "state", ch->state);
	json_close_object(out);
}

/* Only on the first page. */
static int
changes_put_held(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_waiting *v = NULL;
	size_t n = 0;

	if (args_has(c->args, "before"))
		return 0;
	if (changes_held(c->mailbox, args_count(c->args, "limit", c->page), &v,
		&n, e) < 0)
		return -1;
	if (n == 0)
		return 0;
	json_open_array(out, "held");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		json_put_int(out, "id", v[i].id);
		json_put_text(out, "state", v[i].state);
		json_put_str(out, "what",
		    clean_text(c->arena, v[i].what, NULL));
		if (v[i].change > 0)
			json_put_int(out, "change", v[i].change);
		else
			json_put_null(out, "change");
		json_put_str_or_null(out, "expires",
		    v[i].expires_s > 0 ? clock_rfc3339(c->arena, v[i].expires_s)
				       : S(""));
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

static int
changes_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_change *v = NULL;
	size_t n = 0;

	if (changes_own(c->mailbox, args_count(c->args, "before", 0),
		args_count(c->args, "limit", c->page), &v, &n, e) < 0)
		return -1;
	json_open_array(out, "changes");
	for (size_t i = 0; i < n; i++)
		changes_put(c, out, &v[i]);
	json_close_array(out);
	return changes_put_held(c, out, e);
}

const struct op op_changes = {
	.name = "changes",
	.summary = "List what you changed: marks and moves",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-organize",
	.args = args,
	.result = result,
	.columns = "change at@ kind folder to messages done state",
	.run = changes_run,
};
