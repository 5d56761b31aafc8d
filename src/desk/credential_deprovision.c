/* emcli credential deprovision: the one command that deletes an account there.
 */
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
credential_deprovision_run(struct call *c, struct json *out, struct err *e)
{
	static const struct credential_args_verb verb = {
		.question =
		    "Delete on the server, with all mail, the account of",
		.change = stalwart_provision_delete,
		.gone = true,
		.done = "deleted on the server",
	};

	return credential_args_change(c, &verb, out, e);
}

const struct op desk_credential_deprovision = {
	.name = "credential deprovision",
	.shows = "emcli credential list",
	.summary = "Delete a mailbox on a server with all its mail",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = credential_deprovision_run,
};
