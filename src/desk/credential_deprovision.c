/* SPDX-License-Identifier: Apache-2.0 */
/* emcli credential deprovision: the one command that deletes an account there.
 */
#include "desk/credential_args.h"
#include "desk/desk.h"

static int
credential_deprovision_run(struct call *c, struct json *out, struct err *e)
{
	static const struct credential_args_verb verb = {
		.question =
		    "delete on the server, with all mail, the account of",
		.change = stalwart_provision_delete,
		.gone = true,
		.done = "deleted on the server",
	};

	return credential_args_change(c, &verb, out, e);
}

const struct op desk_credential_deprovision = {
	.name = "credential deprovision",
	.summary = "Delete a mailbox on a server with all its mail",
	CREDENTIAL_ARGS_OP,
	.needs = NEED_RECORD,
	.run = credential_deprovision_run,
};
