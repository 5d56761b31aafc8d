/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox register: an address, and who may use it. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	MAILBOX_ARGS_ADDRESS,
	{ .name = "principal_id",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED,
	    .help = "whose mailbox it is" },
	{ .name = "mode",
	    .type = ARG_CHOICE,
	    .help = "if the address is another's: safe refuses, force removes "
		    "that mailbox, stash keeps it aside",
	    .choices = "safe|force|stash",
	    .def = "safe" },
	{ .name = "account_dir",
	    .type = ARG_PATH,
	    .help = "its folder, outside the root; default: in the root" },
	{ .name = "role", .type = ARG_TEXT, .help = "the owner's role" },
	AGREE_ARG_YES,
	{ 0 },
};

static const struct field result[] = {
	MAILBOX_ARGS_REG_FIELDS,
	{ "reused", FIELD_BOOL, .help = "it was registered like this before" },
	{ "replaced", FIELD_TEXT, .nullable = true,
	    .help = "the registration that it takes the place of" },
	{ "stashed", FIELD_TEXT, .nullable = true,
	    .help = "what that mailbox is called now, below mailboxes" },
	{ 0 },
};

static const struct {
	const char *name;
	enum agentbox_mode mode;
} modes[] = {
	{ "safe", AGENTBOX_SAFE },
	{ "force", AGENTBOX_FORCE },
	{ "stash", AGENTBOX_STASH },
};

/* A mailbox that force removes is named before it is. */
static int
mailbox_register_agree(struct call *c, const struct agentbox_claim *claim,
    struct err *e)
{
	if (claim->mode != AGENTBOX_FORCE)
		return 0;
	return agree(c,
	    str_fmt(c->arena,
		"register %.*s and remove the mailbox that another may have "
		"there",
		STR_ARG(claim->address)),
	    e);
}

static void
mailbox_register_say(struct call *c, const struct agentbox_claimed *got)
{
	gate_say(c, GATE_GOOD, "%.*s %s registered for %.*s",
	    STR_ARG(got->reg.address), got->reused ? "was already" : "is",
	    STR_ARG(got->reg.owner));
	if (got->stashed.n > 0)
		gate_say(c, GATE_NOTE,
		    "the former mailbox is put aside as %.*s",
		    STR_ARG(got->stashed));
}

static int
mailbox_register_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_claim claim = {
		.address = args_text(c->args, "address"),
		.owner = args_text(c->args, "principal_id"),
		.private_dir = args_text(c->args, "account_dir"),
		.role = args_text(c->args, "role"),
	};
	struct str mode = args_text(c->args, "mode");
	struct agentbox_claimed got = { 0 };
	struct root r = { 0 };
	int done;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (str_eq(mode, str_of(modes[i].name)))
			claim.mode = modes[i].mode;
	if (mailbox_register_agree(c, &claim, e) < 0)
		return -1;
	done = mailbox_args_open(c, false, &r, e);
	if (done == 0)
		done = root_register(&r, &claim, &got, e);
	mailbox_args_close(c, &r);
	if (done < 0)
		return -1;
	mailbox_args_put_reg(out, &got.reg);
	json_put_bool(out, "reused", got.reused);
	json_put_str_or_null(out, "replaced", got.replaced);
	json_put_str_or_null(out, "stashed", got.stashed);
	mailbox_register_say(c, &got);
	return 0;
}

const struct op desk_mailbox_register = {
	.name = "mailbox register",
	.summary = "Register an address in a mailbox root",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_register_run,
};
