/* SPDX-License-Identifier: Apache-2.0 */
/* emcli undo: an agent takes back a change of its own. */
#include "gate/undo.h"
#include "op/internal.h"
#include "op/organise.h"

static const struct arg_spec args[] = {
	{ "change", ARG_COUNT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its number, as changes lists it", .min = 1,
	    .max = UINT32_MAX },
	{ "account", ARG_ACCOUNT,
	    .help = "account it is about; optional if there is only one" },
	ORGANISE_ARGS_END,
};

static const struct field left[] = {
	UNDO_LEFT_FIELDS,
	{ 0 },
};

static const struct field result[] = {
	{ "change", FIELD_INT, .nullable = true,
	    .help = "number of the undo, which can be undone too; null: "
		    "nothing was put back" },
	{ "undoes", FIELD_INT, .help = "number of the change" },
	{ "count", FIELD_INT,
	    .help = "messages put back, or with dry_run that would be" },
	{ "folder", FIELD_TEXT, .nullable = true,
	    .help = "where they are then" },
	{ "uids", FIELD_INTS,
	    .help = "of the messages, as the change named "
		    "them" },
	{ "new_uids", FIELD_INTS, .optional = true,
	    .help = "now in `folder`, in the order of uids; 0: not known" },
	{ "not_restored", FIELD_OBJECTS, .help = "messages left as they are",
	    .sub = left },
	{ "restored_before", FIELD_INT,
	    .help = "messages put back by an earlier undo" },
	{ "state", FIELD_TEXT,
	    .help = "of the change; undone: all of it was put back" },
	FIELDS_WARNINGS,
	{ 0 },
};

static void
undo_put_uids(struct json *out, const char *key, const uint32_t *uid, size_t n)
{
	json_open_array(out, key);
	for (size_t i = 0; i < n; i++)
		json_put_int(out, NULL, uid[i]);
	json_close_array(out);
}

static void
undo_put(struct json *out, const struct undone *u, bool dry)
{
	if (u->change != 0)
		json_put_int(out, "change", u->change);
	else
		json_put_null(out, "change");
	json_put_int(out, "undoes", u->undoes);
	json_put_int(out, "count", (int64_t)u->n);
	json_put_str_or_null(out, "folder", u->folder);
	undo_put_uids(out, "uids", u->uid, u->n);
	if (!dry)
		undo_put_uids(out, "new_uids", u->now, u->n);
	undo_say_left(out, u, false);
	json_put_int(out, "restored_before", (int64_t)u->before);
	json_put_text(out, "state", u->state);
}

static void
undo_tell(struct call *c, const struct undone *u, bool dry)
{
	if (u->n + u->lefts == 0 && u->before > 0)
		gate_tell(c, "change %lld is undone already",
		    (long long)u->undoes);
	else
		gate_tell(c, "%s %zu message%s of change %lld%s",
		    dry ? "would put back" : "put back", u->n,
		    u->n == 1 ? "" : "s", (long long)u->undoes,
		    u->lefts > 0 ? "; others are left as they are" : "");
}

static int
undo_call(struct call *c, struct json *out, struct err *e)
{
	bool dry = args_has(c->args, "dry_run");
	struct undone u;

	if (mailbox_undo(c->mailbox, args_count(c->args, "change", 0), dry, &u,
		e) < 0)
		return -1;
	undo_put(out, &u, dry);
	undo_tell(c, &u, dry);
	return 0;
}

const struct op op_undo = {
	.name = "undo",
	.summary = "Take back a change that you made",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.same = true,
	.skill = "mail-organize",
	.args = args,
	.result = result,
	.run = undo_call,
};
