/* SPDX-License-Identifier: Apache-2.0 */
/* Does a password open the mailbox?  Asked as an agent's account asks. */
#include "backend/backend.h"
#include "runtime/stalwart.h"

int
stalwart_login(const struct binding *b, const struct secret *password,
    int64_t deadline_ms, bool *archive, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct backend *be = backend_find(S("jmap"));
	const struct backend_account acct = {
		.name = S("login"),
		.from = b->address,
		.username = b->login_identity,
		.secret = password,
		.url = b->jmap_url,
		.deadline_ms = deadline_ms,
	};
	struct folders l = { 0 };
	struct conn *c = NULL;
	bool inbox = false;
	int r = be->open(&acct, a, &c, e);

	if (r == 0)
		r = be->folders(c, a, &l, e);
	be->close(c);
	if (r < 0)
		return -1;
	*archive = false;
	for (size_t i = 0; i < l.n; i++) {
		inbox = inbox || l.v[i].role == FOLDER_INBOX;
		*archive = *archive || l.v[i].role == FOLDER_ARCHIVE;
	}
	return inbox ? 0
		     : err_set(e, ERR_CONFIG,
			   "the account has no inbox on the mail server");
}
