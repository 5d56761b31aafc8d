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
	FLOW_USERNAME };
static const enum flow_key sending[] = { FLOW_SMTP_HOST, FLOW_SMTP_PORT,
	FLOW_SMTP_SECURITY };

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
give_all(struct flow *f, struct args *args, const enum flow_key *k, size_t n,
    struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (flow_asked(f, k[i]) &&
		    give(f, args, flow_step[k[i]].key, flow_get(f, k[i]), e) <
			0)
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
	bool sends =
	    flow_asked(f, FLOW_SMTP_HOST) && flow_get(f, FLOW_SMTP_HOST).n > 0;

	args_init(args, account_args_add, f->a);
	if (give(f, args, "name", flow_get(f, FLOW_ACCOUNT), e) < 0 ||
	    give_all(f, args, same, sizeof(same) / sizeof(same[0]), e) < 0)
		return -1;
	if (sends &&
	    give_all(f, args, sending, sizeof(sending) / sizeof(sending[0]),
		e) < 0)
		return -1;
	if (args_check(args, f->a, e) < 0)
		return -1;
	c.args = args;
	*out = (struct store_account){
		.name = flow_get(f, FLOW_ACCOUNT),
		.backend = S("imap"),
		.auth_type = S("password"),
		.outbound = OUTBOUND_SEND,
	};
	if (account_check_name(out->name, e) < 0 ||
	    account_apply(&c, out, e) < 0)
		return -1;
	account_apply_defaults(out);
	take_quirks(in->provider, out);
	return account_check(&c, out, e);
}
