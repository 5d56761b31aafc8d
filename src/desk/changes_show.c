/* SPDX-License-Identifier: Apache-2.0 */
/* emcli changes show: one change, message by message. */
#include "desk/account_name.h"
#include "desk/changes_shown.h"
#include "desk/desk.h"
#include "gate/undo.h"

static const struct arg_spec args[] = {
	{ "change", ARG_COUNT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its number, as changes list shows it", .min = 1,
	    .max = UINT32_MAX },
	{ 0 },
};

static const struct field message[] = {
	{ "uid", FIELD_INT, .help = "its uid before, or 0" },
	{ "new_uid", FIELD_INT, .help = "where it was moved, or 0: not known" },
	{ "message_id", FIELD_TEXT, .help = "the Message-ID, or empty" },
	{ "flags", FIELD_TEXTS, .help = "flags and labels before" },
	{ "done", FIELD_BOOL, .help = "was it changed?" },
	{ "undone", FIELD_BOOL, .help = "was that put back?" },
	{ 0 },
};

static const struct field result[] = {
	CHANGES_SHOWN_FIELDS,
	{ "list", FIELD_OBJECTS, .help = "its messages", .sub = message },
	{ 0 },
};

static void
changes_show_put_message(struct call *c, struct json *out,
    const struct store_journal_message *v)
{
	json_open_object(out, NULL);
	json_put_int(out, "uid", v->uid);
	json_put_int(out, "new_uid", v->new_uid);
	json_put_str(out, "message_id", v->message_id);
	undo_say_marks(out, c->arena, "flags", v->flags, &v->labels);
	json_put_bool(out, "done", v->done);
	json_put_bool(out, "undone", v->undone);
	json_close_object(out);
}

static void
changes_show_tell(struct call *c, const struct store_journal *row,
    struct str account)
{
	gate_say_above(c,
	    str_fmt(c->arena,
		"change %lld of %.*s in %.*s: %s%s%.*s%s%.*s; %zu of %zu, %s",
		(long long)row->id, STR_ARG(row->principal), STR_ARG(account),
		row->move ? "move" : "mark", row->folder.n > 0 ? " from " : "",
		STR_ARG(row->folder), row->target.n > 0 ? " to " : "",
		STR_ARG(row->target), row->done, row->n,
		store_journal_word(row->state)));
	if (row->undoes != 0)
		gate_say_above(c,
		    str_fmt(c->arena, "it took back change %lld",
			(long long)row->undoes));
}

static int
changes_show_run(struct call *c, struct json *out, struct err *e)
{
	struct account_names names;
	struct store_journal row;
	struct str account;

	if (store_journal_get(operate_store(c), c->arena,
		args_count(c->args, "change", 0), &row, e) < 0 ||
	    account_name_load(c, &names, e) < 0)
		return -1;
	account = account_name(&names, row.account);
	changes_shown_put(out, c->arena, &row, account);
	json_open_array(out, "list");
	for (size_t i = 0; i < row.n; i++)
		changes_show_put_message(c, out, &row.v[i]);
	json_close_array(out);
	changes_show_tell(c, &row, account);
	return 0;
}

const struct op desk_changes_show = {
	.name = "changes show",
	.shows = "emcli changes list",
	.summary = "Show one change of mail, message by message",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "uid new_uid message_id< flags< done! undone!",
	.run = changes_show_run,
};
