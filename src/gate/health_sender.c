/* SPDX-License-Identifier: Apache-2.0 */
/* How senders are authenticated, at what cost, and where they are not. */
#include "gate/health_report.h"
#include "gate/internal.h"

/* Entries whose senders are trusted by a From line, which anybody can write. */
static void
health_sender_trusting(struct health *h, const struct store_account *acct)
{
	struct health_line line = { .account = acct->name,
		.check = S("senders.from"),
		.ok = true,
		.note = true };

	line.say = S("only the From line of listed senders is compared, which "
		     "anybody can write");
	line.next = str_fmt(h->call->arena,
	    "emcli account edit %.*s checks whether proof is available; "
	    "emcli whitelist in add --auth dmarc requires it",
	    STR_ARG(acct->name));
	health_line_put(h, &line);
}

static void
health_sender_authenticated(struct health *h, const struct store_account *acct)
{
	struct health_line line = { .account = acct->name,
		.check = S("senders"),
		.ok = true };

	if (acct->authserv_id.n > 0) {
		line.say = str_fmt(h->call->arena,
		    "senders are authenticated by the word of %.*s",
		    STR_ARG(acct->authserv_id));
	} else {
		line.note = true;
		line.say = S("signatures are verified here, which costs a body "
			     "per message");
		line.next = S("let the mail server's word do, where it writes "
			      "Authentication-Results: emcli account edit "
			      "--authserv-id");
	}
	health_line_put(h, &line);
}

void
health_sender_account(struct health *h, const struct store_account *acct)
{
	struct store *s = h->call->gate->store;
	struct arena *a = h->call->arena;
	struct strs dmarc = { 0 }, plain = { 0 };
	struct err e = { 0 };

	if (store_list_get(s, a, acct->id, STORE_LIST_IN_DMARC, &dmarc, &e) <
		0 ||
	    store_list_get(s, a, acct->id, STORE_LIST_IN, &plain, &e) < 0) {
		struct health_line line = { .account = acct->name,
			.check = S("senders"),
			.say = str_dup(a, str_of(e.say)) };

		health_line_put(h, &line);
		return;
	}
	if (dmarc.n > 0)
		health_sender_authenticated(h, acct);
	if (acct->in_on && plain.n > 0)
		health_sender_trusting(h, acct);
}
