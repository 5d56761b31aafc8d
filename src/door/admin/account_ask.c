/*
 * emcli account add with nothing but a name: the pages of emcli init that are
 * about an account, in a store that is there.
 */
#include "door/admin/account.h"
#include "door/admin/init.h"
#include "door/out.h"

static int
ask_pages(struct init *in, struct err *e)
{
	struct admin_call *c = in->c;
	struct flow *f = &in->flow;
	struct flow_hooks hooks = init_hooks;

	hooks.ctx = in;
	f->a = c->arena;
	f->path = out_line(f->a, str_of(c->env->db));
	/* No keys are to be made, and nothing is asked of other accounts. */
	f->there = f->has_admin = f->has_agent = true;
	f->person = f->look = true;
	if (flow_give(f, FLOW_ACCOUNT, args_text(c->args, "name"), e) < 0 ||
	    face_ask(f, !args_has(c->args, "no_tui"), &hooks, e) < 0 ||
	    init_write_account(in, e) < 0)
		return -1;
	account_add_tell(c, &in->acct, false, flow_list(f, FLOW_ALLOW_IN).n,
	    flow_list(f, FLOW_ALLOW_OUT).n);
	return flow_consents(f) ? init_consent(in, e) : 0;
}

int
account_ask(struct admin_call *c, struct err *e)
{
	struct init in = { .c = c, .store = c->store };
	int r = ask_pages(&in, e);

	flow_done(&in.flow);
	return r;
}
