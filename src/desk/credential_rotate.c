/* SPDX-License-Identifier: Apache-2.0 */
/* emcli credential rotate: another password, on the server and here. */
#include "desk/credential_args.h"
#include "desk/desk.h"

static int
credential_rotate_run(struct call *c, struct json *out, struct err *e)
{
	static const struct credential_args_verb verb = {
		.question = "replace the password of",
		.change = stalwart_provision_rotate,
		.gone = false,
		.done = "replaced",
	};

	return credential_args_change(c, &verb, out, e);
}

const struct op desk_credential_rotate = {
	.name = "credential rotate",
	.summary = "Give an agent's mailbox on a server another password",
	CREDENTIAL_ARGS_OP,
	.needs = NEED_RECORD,
	.run = credential_rotate_run,
};
