/*
 * The flow's answers as the arguments of `account add`, so that one piece of
 * code says what an account is, whoever asked for it.
 */
#include "door/admin/account.h"
#include "door/admin/init.h"

/* Options of `account add` that are answered by the flow's own key. */
static const enum flow_key same[] = { FLOW_BACKEND, FLOW_FROM, FLOW_MODE,
	FLOW_PATH, FLOW_URL, FLOW_IMAP_HOST, FLOW_IMAP_PORT, FLOW_IMAP_SECURITY,
	FLOW_AUTH, FLOW_CA, FLOW_WHITELIST_IN, FLOW_WHITELIST_OUT,
	FLOW_USERNAME, FLOW_AUTHSERV_ID, FLOW_WHITELIST_AUTH };
static const enum flow_key sending[] = { FLOW_SMTP_HOST, FLOW_SMTP_PORT,
	FLOW_SMTP_SECURITY };

/*
 * Is it the account's?  A provider's submission server is, also while the
 * account only reads; a port without a server is only to be complained of.
 */
static bool
has_sending(const struct flow *f, enum flow_key k)
{
	if (f->given[k] && flow_asked(f, k))
		return true;
	if (flow_get(f, FLOW_SMTP_HOST).n == 0)
		return false;
	return flow_asked(f, k) ||
	    (flow_remote(f) && f->hint[FLOW_SMTP_HOST].n > 0);
}

static int
give(struct flow *f, struct args *args, const char *name, struct str v,
    struct err *e)
{
	struct arg *arg = args_find(args, str_of(name));

	if (arg == NULL)
		err_bug("account add takes no %s", name);
	return v.n > 0 ? args_add(args, f->a, arg, v, e) : 0;
}

static int
give_all(struct flow *f, struct args *args, struct err *e)
{
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (flow_asked(f, same[i]) &&
		    give(f, args, flow_step[same[i]].key, flow_get(f, same[i]),
			e) < 0)
			return -1;
	for (size_t i = 0; i < sizeof(sending) / sizeof(sending[0]); i++)
		if (has_sending(f, sending[i]) &&
		    give(f, args, flow_step[sending[i]].key,
			flow_get(f, sending[i]), e) < 0)
			return -1;
	return 0;
}

/* Switches the provider's servers want, as long as they are its servers. */
static void
take_quirks(const struct provider *p, struct store_account *v)
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
	struct admin_call c = *in->c;

	args_init(args, account_args_add, f->a);
	if (give(f, args, "name", flow_get(f, FLOW_ACCOUNT), e) < 0 ||
	    give_all(f, args, e) < 0)
		return -1;
	if (args_check(args, f->a, e) < 0)
		return -1;
	c.args = args;
	*out = account_new(flow_get(f, FLOW_ACCOUNT));
	if (account_check_name(out->name, e) < 0 ||
	    account_apply(&c, out, e) < 0)
		return -1;
	account_new_derive(f->a, out);
	account_apply_defaults(out);
	take_quirks(in->provider, out);
	return account_check(&c, out, e);
}
