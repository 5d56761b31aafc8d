/* SPDX-License-Identifier: Apache-2.0 */
/* emcli credential revoke: a password that nobody knows; the mailbox stays. */
#include "desk/credential_args.h"
#include "desk/desk.h"

static int
credential_revoke_run(struct call *c, struct json *out, struct err *e)
{
	static const struct credential_args_verb verb = {
		.question = "lock the mailbox of",
		.change = stalwart_provision_revoke,
		.gone = true,
		.done = "revoked; the mailbox and its mail stay",
	};

	return credential_args_change(c, &verb, out, e);
}

const struct op desk_credential_revoke = {
	.name = "credential revoke",
	.summary = "Lock a mailbox on a server: nobody has its password",
	CREDENTIAL_ARGS_OP,
	.needs = NEED_RECORD,
	.run = credential_revoke_run,
};
