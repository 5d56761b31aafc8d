/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flow's answers as the arguments of `account add`, so that one piece of
 * code says what an account is, whoever asked for it.
 */
#include "desk/account.h"
#include "desk/init.h"

/*
 * Is the submission server the account's?  A provider's is, also while the
 * account only reads; a port without a server is only to be complained of.
 */
static bool
init_account_has_sending(const struct flow *f, enum flow_key k)
{
	if (f->given[k] && flow_asked(f, k))
		return true;
	if (flow_get(f, FLOW_SMTP_HOST).n == 0)
		return false;
	return flow_asked(f, k) ||
	    (flow_remote(f) && f->hint[FLOW_SMTP_HOST].n > 0);
}

static int
init_account_give(struct flow *f, struct args *args, const char *name,
    struct str v, struct err *e)
{
	struct arg *arg = args_find(args, str_of(name));

	if (arg == NULL)
		err_bug("account add takes no %s", name);
	return v.n > 0 ? args_add(args, f->a, arg, v, e) : 0;
}

static int
init_account_give_all(struct flow *f, struct args *args, struct err *e)
{
	for (int i = 0; i < SETTINGS; i++) {
		enum flow_key k = flow_of((enum setting_id)i);
		bool sending = k >= FLOW_SMTP_HOST && k <= FLOW_SMTP_SECURITY;

		if ((sending ? init_account_has_sending(f, k)
			     : flow_asked(f, k)) &&
		    init_account_give(f, args, flow_step[k].key, flow_get(f, k),
			e) < 0)
			return -1;
	}
	return 0;
}

/* Switches the provider's servers want, as long as they are its servers. */
static void
init_account_take_quirks(const struct provider *p, struct store_account *v)
{
	if (p == NULL || p->imap_host == NULL ||
	    !str_eq_case(v->imap_host, str_of(p->imap_host)))
		return;
	if (p->id_on)
		v->quirk_id = STORE_ID_ON;
	v->quirk_no_sasl_ir = p->no_sasl_ir;
	v->no_sent_copy = p->no_sent_copy;
}

int
init_account(struct init *in, struct args *args, struct store_account *out,
    struct err *e)
{
	struct flow *f = &in->flow;

	args_init(args, account_args_add, f->a);
	if (init_account_give(f, args, "name", flow_get(f, FLOW_ACCOUNT), e) <
		0 ||
	    init_account_give_all(f, args, e) < 0)
		return -1;
	if (args_check(args, f->a, e) < 0)
		return -1;
	*out = setting_new(flow_get(f, FLOW_ACCOUNT));
	if (setting_check_name(out->name, e) < 0 ||
	    setting_apply(f->a, args, out, e) < 0)
		return -1;
	account_new_derive(f->a, out);
	setting_defaults(out);
	init_account_take_quirks(in->provider, out);
	return setting_check(f->a, args, out, e);
}
