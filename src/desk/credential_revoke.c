/* emcli credential revoke: a password that nobody knows; the mailbox stays. */
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
credential_revoke_run(struct call *c, struct json *out, struct err *e)
{
	static const struct credential_args_verb verb = {
		.question = "Lock the mailbox of",
		.change = stalwart_provision_revoke,
		.gone = true,
		.done = "revoked; the mailbox and its mail stay",
	};

	return credential_args_change(c, &verb, out, e);
}

const struct op desk_credential_revoke = {
	.name = "credential revoke",
	.shows = "emcli credential list",
	.summary = "Lock a mailbox on a server: nobody has its password",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = credential_revoke_run,
};
