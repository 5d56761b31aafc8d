/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli undo: takes back what agents changed of mail.  It works whatever the
 * account's mode and --organise are now, and while agents are frozen.
 */
#include "gate/undo.h"

#include "desk/account_name.h"
#include "desk/changes_shown.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ "change", ARG_COUNT, ARG_POSITIONAL,
	    .help = "its number, as changes list shows it", .min = 1,
	    .max = UINT32_MAX },
	{ "agent", ARG_TEXT, .help = "instead: all changes of this agent" },
	{ "account", ARG_ACCOUNT, .help = "all changes in this account" },
	{ "since", ARG_TEXT,
	    .help = "with agent or account: since this day (UTC) or time; 1h, "
		    "2d or 3w: since that long ago" },
	{ "dry_run", ARG_FLAG,
	    .help = "change nothing; show what would be put back" },
	{ 0 },
};

static const struct field message[] = {
	UNDO_LEFT_FIELDS,
	{ "message_id", FIELD_TEXT, .help = "the Message-ID, or empty" },
	{ 0 },
};

static const struct field row[] = {
	{ "undoes", FIELD_INT, .help = "number of the change" },
	{ "change", FIELD_INT, .nullable = true,
	    .help = "number of the undo; null: nothing was put back" },
	{ "agent", FIELD_TEXT, .help = "whose change it was" },
	{ "account", FIELD_TEXT, .help = "in which account" },
	{ "kind", FIELD_TEXT, .help = "mark or move" },
	{ "folder", FIELD_TEXT,
	    .help = "where the messages are then, or "
		    "empty: in several" },
	{ "count", FIELD_INT,
	    .help = "messages put back, or with dry_run that would be" },
	{ "restored_before", FIELD_INT,
	    .help = "messages put back by an earlier undo" },
	{ "not_restored", FIELD_OBJECTS, .help = "messages left as they are",
	    .sub = message },
	{ "left", FIELD_INT, .help = "how many those are" },
	{ "state", FIELD_TEXT,
	    .help = "of the change; undone: all of it was put back" },
	{ 0 },
};

static const struct field result[] = {
	{ "undone", FIELD_OBJECTS, .help = "the changes, newest first",
	    .sub = row },
	{ 0 },
};

static int
undo_wanted(struct call *c, struct undo_want *w, struct err *e)
{
	bool one = args_has(c->args, "change");
	bool some = args_has(c->args, "agent") || args_has(c->args, "account");

	*w = (struct undo_want){
		.id = args_count(c->args, "change", 0),
		.agent = args_text(c->args, "agent"),
		.dry = args_has(c->args, "dry_run"),
	};
	if (one ? some || args_has(c->args, "since")
		: !some || !args_has(c->args, "since"))
		return err_set(e, ERR_USAGE,
		    "give the number of one change, or --since with --agent, "
		    "--account or both");
	if (account_name_id(c, &w->account, e) < 0)
		return -1;
	return changes_shown_since(c, &w->since_s, e);
}

static void
undo_put(struct json *out, const struct undone *u, struct str account)
{
	json_open_object(out, NULL);
	json_put_int(out, "undoes", u->undoes);
	if (u->change != 0)
		json_put_int(out, "change", u->change);
	else
		json_put_null(out, "change");
	json_put_str(out, "agent", u->agent);
	json_put_str(out, "account", account);
	json_put_text(out, "kind", u->move ? "move" : "mark");
	json_put_str(out, "folder", u->folder);
	json_put_int(out, "count", (int64_t)u->n);
	json_put_int(out, "restored_before", (int64_t)u->before);
	undo_say_left(out, u, true);
	json_put_int(out, "left", (int64_t)u->lefts);
	json_put_text(out, "state", u->state);
	json_close_object(out);
}

static void
undo_tell(struct call *c, const struct undone *v, size_t n, bool dry)
{
	size_t back = 0, left = 0;

	for (size_t i = 0; i < n; i++) {
		back += v[i].n;
		left += v[i].lefts;
		if (v[i].n + v[i].lefts == 0 && v[i].before > 0)
			gate_tell(c, "change %lld is undone already",
			    (long long)v[i].undoes);
	}
	gate_tell(c, "%s %zu message%s of %zu change%s; left as they are: %zu",
	    dry ? "would put back" : "put back", back, back == 1 ? "" : "s", n,
	    n == 1 ? "" : "s", left);
	c->note = str_fmt(c->arena, "%s: changes %zu, messages %zu, left %zu",
	    dry ? "dry run" : "undone", n, back, left);
}

static int
undo_run_call(struct call *c, struct json *out, struct err *e)
{
	struct account_names names;
	struct undone *v = NULL;
	struct undo_want w;
	size_t n = 0;
	int r;

	if (undo_wanted(c, &w, e) < 0 || account_name_load(c, &names, e) < 0)
		return -1;
	r = undo_operate(c, &w, &v, &n, e);
	/* What was done before an error is told too. */
	if (r < 0 && n == 0)
		return -1;
	json_open_array(out, "undone");
	for (size_t i = 0; i < n; i++)
		undo_put(out, &v[i], account_name(&names, v[i].account));
	json_close_array(out);
	undo_tell(c, v, n, w.dry);
	return r;
}

const struct op desk_undo = {
	.name = "undo",
	.shows = "emcli changes list",
	.summary = "Take back what agents changed of mail",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.report = true,
	.args = args,
	.result = result,
	.columns = "undoes change?- agent< account< kind folder< count left "
		   "state",
	.run = undo_run_call,
};
