/* After the account: its consent, and only then a test. */
#include "desk/consent.h"
#include "desk/desk.h"
#include "door/admin/init.h"
#include "door/out.h"

struct consenting {
	struct admin_call call; /* first: as if it were `account consent` */
	struct args args;
	struct init *in;
};

static int
init_consent_get(struct admin_call *c, struct err *e)
{
	struct consenting *x = (struct consenting *)c;
	struct flow *f = &x->in->flow;
	struct str text = flow_get(f, FLOW_CLIENT_ID);
	CLEANUP(secret_close)
	struct secret *id = secret_new(text.p, text.n);
	struct consent_ask ask = { .client_id = id,
		.client_secret = f->password };
	struct notes notes = { .c = c->call };
	struct store_account acct;

	if (flow_asked(f, FLOW_ISSUER)) {
		ask.issuer = flow_get(f, FLOW_ISSUER);
		ask.scope = flow_get(f, FLOW_SCOPE);
	}
	if (store_account_get(c->store, c->arena, flow_get(f, FLOW_ACCOUNT),
		&acct, e) < 0)
		return -1;
	return consent_get(&notes, c->store, &acct, &ask, e);
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
	senders_tell(&src, in->flow.a, in->c->out);
}

static int
init_consent_try_it(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	struct str name = flow_get(f, FLOW_ACCOUNT);
	struct source_trial what = { .names = { &name, 1 }, .submitter = true };
	struct source_health *h;
	size_t n;

	if (source_timeout(in->store, f->a, &what.timeout_ms, e) < 0 ||
	    source_probe(in->store, f->a, &what, &h, &n, e) < 0)
		return -1;
	for (size_t i = 0; n == 1 && i < h->probes.n; i++)
		buf_fmt(in->c->out, "%.*s\n",
		    STR_ARG(flow_text_probe(f->a, &h->probes.v[i])));
	if (n == 1)
		init_consent_look_at_senders(in, h);
	return 0;
}

int
init_consent(struct init *in, struct err *e)
{
	static const struct admin_command command = {
		.name = "account consent",
		.run = init_consent_get,
		.needs = ADMIN_CHANGE,
	};
	struct consenting x = { .call = *in->c, .in = in };
	struct store_keys keys = init_write_keys(in);
	struct arg *name;

	/* What is done is done, and said before the next thing begins. */
	if (out_write(STDOUT_FILENO, buf_view(in->c->out)) < 0)
		return err_set(e, ERR_INTERNAL, "the output cannot be written");
	buf_reset(in->c->out);
	if (in->store == NULL &&
	    store_enter(in->c->env->db, STORE_ADMIN, &keys, &in->store, e) < 0)
		return -1;
	args_init(&x.args, desk_account_consent.args, in->flow.a);
	name = args_find(&x.args, S("name"));
	if (args_add(&x.args, in->flow.a, name,
		flow_get(&in->flow, FLOW_ACCOUNT), e) < 0)
		return -1;
	x.call.args = &x.args;
	x.call.command = &command;
	x.call.store = in->store;
	if (record_run(&x.call, e) < 0) {
		if (e->hint == NULL)
			(void)err_hint(e,
			    "the account is kept: try again "
			    "with emcli account consent");
		return -1;
	}
	return init_consent_try_it(in, e);
}
