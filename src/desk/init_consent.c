/* SPDX-License-Identifier: Apache-2.0 */
/* After the account: its consent, and only then a test. */
#include "desk/consent.h"
#include "desk/desk.h"
#include "desk/init.h"

static int
init_consent_get(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	struct str text = flow_get(f, FLOW_CLIENT_ID);
	CLEANUP(secret_close)
	struct secret *id = secret_new(text.p, text.n);
	struct consent_ask ask = { .client_id = id,
		.client_secret = f->password };
	struct store_account acct;

	if (flow_asked(f, FLOW_ISSUER)) {
		ask.issuer = flow_get(f, FLOW_ISSUER);
		ask.scope = flow_get(f, FLOW_SCOPE);
	}
	if (store_account_get(in->store, f->a, flow_get(f, FLOW_ACCOUNT), &acct,
		e) < 0)
		return -1;
	return consent_get(in->notes, in->store, &acct, &ask, e);
}

/* On record as `account consent` is. */
static int
init_consent_recorded(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	int64_t audit = 0;
	struct args args;

	args_init(&args, desk_account_consent.args, f->a);
	if (args_add(&args, f->a, args_find(&args, S("name")),
		flow_get(f, FLOW_ACCOUNT), e) < 0 ||
	    operate_record(in->store, f->a, desk_account_consent.name, &args,
		&audit, e) < 0)
		return -1;
	(void)init_consent_get(in, e);
	operate_recorded(in->store, audit, S(""), e);
	return e->kind == ERR_NONE ? 0 : -1;
}

/* Now that its mail can be read. */
static void
init_consent_look_at_senders(struct init *in, const struct source_health *h)
{
	CLEANUP(source_done) struct source src = { 0 };
	struct err none = { 0 };

	for (size_t i = 0; i < h->probes.n; i++)
		if (!h->probes.v[i].ok)
			return;
	if (h->acct.in_dmarc || h->acct.authserv_id.n > 0 ||
	    source_resolve(in->store, in->flow.a, h->acct.name, 0, &src,
		&none) < 0 ||
	    source_unseal(in->store, &src, &none) < 0)
		return;
	senders_tell(in->c, &src);
}

static int
init_consent_try_it(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	struct str name = flow_get(f, FLOW_ACCOUNT);
	struct source_trial what = { .names = { &name, 1 }, .whole = true };
	struct source_health *h;
	size_t n;

	if (store_setting_timeout(in->store, &what.timeout_ms, e) < 0 ||
	    source_probe(in->store, f->a, &what, &h, &n, e) < 0)
		return -1;
	for (size_t i = 0; n == 1 && i < h->probes.n; i++)
		gate_say_line(in->c, flow_probe(f->a, &h->probes.v[i]));
	if (n == 1)
		init_consent_look_at_senders(in, h);
	return 0;
}

int
init_consent(struct init *in, struct err *e)
{
	struct store_keys keys = init_write_keys(in);

	/* What is done is done, and said before the next thing begins. */
	if (operate_show(in->c, e) < 0 ||
	    (in->store == NULL &&
		store_enter(operate_env(in->c)->db, STORE_ADMIN, &keys,
		    &in->store, e) < 0))
		return -1;
	if (init_consent_recorded(in, e) < 0) {
		if (e->hint == NULL)
			(void)err_hint(e,
			    "the account is kept: try again "
			    "with emcli account consent");
		return -1;
	}
	return init_consent_try_it(in, e);
}
