/* SPDX-License-Identifier: Apache-2.0 */
/* emcli move: into another folder. */
#include "op/internal.h"
#include "op/organise.h"

static const struct arg_spec args[] = {
	ORGANISE_ARGS,
	{ "to", ARG_FOLDER, ARG_REQUIRED,
	    .help = "folder to move them to, as `folders` lists it" },
	ORGANISE_ARGS_END,
};

static const struct folder *
move_find(const struct folders *l, struct str name)
{
	for (size_t i = 0; i < l->n; i++) {
		bool inbox = l->v[i].role == FOLDER_INBOX &&
		    str_eq_case(name, S("INBOX"));

		if (l->v[i].selectable && (inbox || str_eq(l->v[i].name, name)))
			return &l->v[i];
	}
	return NULL;
}

static int
move_no_folder(const char *reason, const char *say, struct err *e)
{
	(void)err_set(e, ERR_NOT_FOUND, "%s", say);
	e->reason = reason;
	return err_hint(e, "folders lists the folders");
}

static int
move_run(struct call *c, struct json *out, struct err *e)
{
	struct folders l = { 0 };
	const struct folder *to;
	int r;

	/* Where nothing can be moved, a folder's name is not the mistake. */
	if (mailbox_organise_check(c->mailbox, args_text(c->args, "folder"),
		args_text(c->args, "to"), NULL, e) < 0 ||
	    mailbox_folders(c->mailbox, &l, e) < 0)
		return -1;
	/* A mistake in its name must not make a folder. */
	to = move_find(&l, args_text(c->args, "to"));
	if (to == NULL)
		return move_no_folder("target_folder_not_found",
		    "there is no folder of that name to move messages to", e);
	r = organise_move(c, to->name, out, e);
	if (r < 0 && e->kind == ERR_NOT_FOUND &&
	    move_find(&l, args_text(c->args, "folder")) == NULL)
		return move_no_folder("source_folder_not_found",
		    "there is no folder of that name to move messages from", e);
	return r;
}

const struct op op_move = {
	.name = "move",
	.summary = "Move messages into another folder",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-organize",
	.args = args,
	.result = organise_fields,
	.columns = ORGANISE_COLUMNS,
	.run = move_run,
	.put_change = organise_put,
};
