/* emcli credential rotate: another password, on the server and here. */
#include "desk/credential_args.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	CREDENTIAL_ARGS_REF,
	CREDENTIAL_ARGS_YES,
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field result[] = {
	CREDENTIAL_ARGS_FIELDS,
	{ 0 },
};

static int
credential_rotate_run(struct call *c, struct json *out, struct err *e)
{
	static const struct credential_args_verb verb = {
		.question = "Replace the password of",
		.change = stalwart_provision_rotate,
		.gone = false,
		.done = "replaced",
	};

	return credential_args_change(c, &verb, out, e);
}

const struct op desk_credential_rotate = {
	.name = "credential rotate",
	.shows = "emcli credential list",
	.summary = "Give an agent's mailbox on a server another password",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = credential_rotate_run,
};
