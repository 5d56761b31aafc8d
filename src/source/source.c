/* SPDX-License-Identifier: Apache-2.0 */
/* Common to every source: its credentials while in use, its deadline. */
#include "source/source.h"

#include "base/limits.h"
#include "store/keeper.h"

bool
source_by_token(const struct backend_account *acct, bool has_password)
{
	return acct->oauth && !has_password && acct->username.n > 0;
}

int
source_unseal(struct store *s, struct source *src, struct err *e)
{
	/* There the connection comes logged in, or there is none. */
	if (src->secret != NULL || src->view.wire != NULL ||
	    store_open_is_served(s))
		return 0;
	if (!src->acct.has_password) {
		/* Fetched only for a login: token.c */
		if (source_by_token(&src->view, false)) {
			src->store = s;
			src->view.token = source_token_ask;
			src->view.token_ctx = src;
		}
		return 0;
	}
	if (store_account_secret(s, src->acct.id, STORE_PASSWORD, &src->secret,
		e) < 0)
		return -1;
	src->view.secret = src->secret;
	return 0;
}

void
source_done(struct source *src)
{
	src->view.secret = NULL;
	src->view.token = NULL;
	secret_close(&src->secret);
}
