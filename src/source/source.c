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

int
source_timeout(struct store *s, struct arena *a, int64_t *out, struct err *e)
{
	struct str text;
	uint32_t seconds;
	int r = store_setting_get(s, a, S("timeout_seconds"), &text, e);

	if (r < 0)
		return -1;
	*out = LIMIT_TIMEOUT_MS;
	if (r == 1 && str_to_u32(text, 3600, &seconds) && seconds > 0)
		*out = (int64_t)seconds * 1000;
	return 0;
}
