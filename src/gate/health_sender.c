/* Whether senders can be told, and at what cost. */
#include "gate/internal.h"

void
health_sender_account(struct health *h, const struct store_account *acct)
{
	struct health_line line = { .account = acct->name,
		.check = S("senders"),
		.ok = true };
	struct strs entries = { 0 };
	struct err e = { 0 };

	if (store_list_get(h->call->gate->store, h->call->arena, acct->id,
		STORE_LIST_IN_DMARC, &entries, &e) < 0) {
		line.ok = false;
		line.say = str_dup(h->call->arena, str_of(e.say));
		health_put(h, &line);
		return;
	}
	if (entries.n == 0)
		return;
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
	health_put(h, &line);
}
