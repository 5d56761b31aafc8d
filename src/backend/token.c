/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets a token from outside, when it is needed.  A refused one is replaced
 * once: it may have been revoked early.
 */
#include "backend/internal.h"

int
backend_token(const struct backend_account *acct, struct err *e)
{
	if (acct->secret != NULL || acct->token == NULL)
		return 0;
	return acct->token(acct->token_ctx, false, e);
}

bool
backend_token_again(const struct backend_account *acct, struct err *e)
{
	struct err why = { 0 };

	if (acct->token == NULL)
		return false;
	if (acct->token(acct->token_ctx, true, &why) == 0) {
		*e = (struct err){ 0 };
		return true;
	}
	/* A revoked consent is more useful to report than a refused token. */
	if (why.kind == ERR_AUTH)
		*e = why;
	else if (why.kind != ERR_NONE)
		(void)err_because(e, "and there is no other token: %s",
		    why.say);
	return false;
}
