/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli account add with nothing but a name: the pages of emcli init that are
 * about an account, in a store that is there.
 */
#include "desk/account.h"
#include "desk/init.h"

int
account_ask(struct notes *n, struct json *out, struct err *e)
{
	struct call *c = n->c;
	struct init in = { .c = c, .notes = n, .store = operate_store(c) };
	struct flow *f = &in.flow;
	int r = -1;

	init_hooks_begin(&in);
	f->lines = args_has(c->args, "no_tui");
	/* No keys are to be made, and nothing is asked of other accounts. */
	f->there = f->has_admin = f->has_agent = true;
	f->asks = f->person = f->look = true;
	if (flow_give(f, FLOW_ACCOUNT, args_text(c->args, "name"), e) == 0 &&
	    operate_door(c)->form(f, e) == 0 &&
	    init_write_account(&in, e) == 0) {
		account_new_put(n, out, &in.acct, flow_list(f, FLOW_ALLOW_IN).n,
		    flow_list(f, FLOW_ALLOW_OUT).n);
		r = flow_consents(f) ? init_consent(&in, e) : 0;
	}
	flow_done(f);
	return r;
}
