/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mailbox on a server as an account of the store, with the password sealed in
 * it.
 */
#include "base/ascii.h"
#include "runtime/session_credential.h"

/* "@agents.example.test", as lists keep it. */
static struct str
session_server_domain(struct arena *a, struct str address)
{
	struct str local, domain;
	struct buf b;

	(void)str_cut(address, '@', &local, &domain);
	buf_init(&b, a, domain.n + 1);
	buf_char(&b, '@');
	for (size_t i = 0; i < domain.n; i++)
		buf_char(&b, ascii_lower(domain.p[i]));
	return buf_view(&b);
}

/*
 * On a server anybody can be written to, so a new account may write to its own
 * domain alone.  The list is on from the start: without the entry, nothing
 * leaves.  Nothing is refused as unfinished, as in session_account_add().
 */
static int
session_server_add(struct sessions *s, const struct session *x,
    const struct secret *password, struct err *e)
{
	const struct binding *b = &x->manifest.mailbox;
	struct str own = session_server_domain(s->a, b->address);
	const struct strs entries = { &own, 1 };
	const struct store_account v = {
		.name = x->state.account,
		.backend = S("jmap"),
		.mode = MODE_RW,
		.outbound = OUTBOUND_SEND,
		.organise = ORGANISE_ON,
		.bound = STORE_BOUND_YES,
		.out_on = true,
		.url = b->jmap_url,
		.username = b->login_identity,
		.from_addr = b->address,
		.auth_type = S("password"),
		.attach_dir = x->state.attach_dir,
		.no_unfinished_check = true,
	};
	struct store_account made;

	if (store_account_add(s->store, &v, password, e) < 0 ||
	    store_account_get(s->store, s->a, v.name, &made, e) < 0)
		return -1;
	return store_list_add(s->store, made.id, STORE_LIST_OUT, &entries, e);
}

int
session_server_account(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	CLEANUP(credential_done) struct credential c = { 0 };
	struct str account;

	if (credential_copy(&s->place, x->manifest.mailbox.credential_ref,
		folder, s->a, &c, e) < 0)
		return -1;
	return x->state.account_new
	    ? session_server_add(s, x, c.password, e)
	    : session_credential_seal(s->store, &x->manifest.mailbox,
		  c.password, s->a, &account, e);
}
