/* emcli move: into another folder. */
#include "op/internal.h"
#include "op/organise.h"

static const struct arg_spec args[] = {
	ORGANISE_ARGS,
	{ "to", ARG_FOLDER, ARG_REQUIRED,
	    .help = "folder to move them to, as `folders` lists it" },
	ORGANISE_ARGS_END,
};

/* A mistake in its name must not make a folder. */
static int
move_target(struct call *c, struct str name, struct str *out, struct err *e)
{
	struct folders l = { 0 };

	if (mailbox_folders(c->mailbox, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		bool inbox = l.v[i].role == FOLDER_INBOX &&
		    str_eq_case(name, S("INBOX"));

		if (!l.v[i].selectable ||
		    (!inbox && !str_eq(l.v[i].name, name)))
			continue;
		*out = l.v[i].name;
		return 0;
	}
	(void)err_set(e, ERR_NOT_FOUND,
	    "there is no folder of that name to move messages to");
	return err_hint(e, "folders lists the folders");
}

static int
move_run(struct call *c, struct json *out, struct err *e)
{
	struct str to = { 0 };

	if (move_target(c, args_text(c->args, "to"), &to, e) < 0)
		return -1;
	return organise_move(c, to, out, e);
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
};
