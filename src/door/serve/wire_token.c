/* SPDX-License-Identifier: Apache-2.0 */
/* A wire makes the request for a token: it has the network, and no store. */
#include <unistd.h>

#include "base/clock.h"
#include "door/serve/token.h"

static void
serve_wire_token_tell(int keeper, const struct oauth_token *came)
{
	const struct serve_token t = { .what = SERVE_TOKEN_CAME,
		.lives_s = came->lives_s,
		.access = came->access,
		.refresh = came->refresh };
	struct serve_ask q = { .type = SERVE_ASK_TOKEN };
	int fd = came->access != NULL ? serve_token_put(&t) : -1;

	if (fd < 0)
		q.outcome = SERVE_FAILED;
	(void)serve_ask_send(keeper, &q, fd);
	if (fd >= 0)
		(void)close(fd);
}

int
serve_wire_token(int keeper, const struct serve_token *consent,
    const struct backend_account *acct, struct err *e)
{
	CLEANUP(oauth_token_done) struct oauth_token came = { 0 };
	const struct source_consent c = {
		.account = acct->name,
		.ca_file = acct->ca_file,
		.from = { .provider = consent->provider,
		    .issuer = consent->issuer,
		    .token_url = consent->token_url,
		    .basic = consent->basic },
		.id = consent->id,
		.secret = consent->secret,
		.refresh = consent->refresh,
	};
	int64_t until = clock_mono_ms() + LIMIT_OAUTH_STEP_MS;
	sigset_t before;
	int r;

	if (acct->deadline_ms < until)
		until = acct->deadline_ms;
	source_consent_hold(&before);
	r = source_consent_refresh(&c, until, &came, e);
	/* That the keeper is gone is found where its answer is read. */
	serve_wire_token_tell(keeper, &came);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}
