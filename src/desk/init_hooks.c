/* SPDX-License-Identifier: Apache-2.0 */
/* What emcli init does between the pages: keys, checks, the test. */
#include "base/limits.h"
#include "desk/account.h"
#include "desk/init.h"
#include "desk/key.h"

/* A key that exists in this process and on the screen, and nowhere else. */
static int
init_hooks_make_key(struct secret **out, struct err *e)
{
	char text[KEY_TEXT];
	int r = *out == NULL ? key_make(text, e) : 1;

	if (r == 0)
		*out = secret_new(text, KEY_TEXT - 1);
	secret_wipe(text, sizeof(text));
	return r < 0 ? -1 : 0;
}

static int
init_hooks_make_keys(struct flow *f, struct err *e)
{
	if (!flow_asked(f, FLOW_MAKE_KEYS) ||
	    !str_eq(flow_get(f, FLOW_MAKE_KEYS), S("yes")))
		return 0;
	if (!f->has_admin && init_hooks_make_key(&f->admin, e) < 0)
		return -1;
	return f->has_agent ? 0 : init_hooks_make_key(&f->agent, e);
}

/* A password is not to be sent as the secret of an OAuth client. */
static void
init_hooks_same_secret(struct init *in)
{
	bool oauth = flow_consents(&in->flow);

	if (oauth != in->oauth)
		flow_put_password(&in->flow, NULL);
	in->oauth = oauth;
}

static int
init_hooks_settled(struct flow *f, enum flow_page at, struct err *e)
{
	struct init *in = f->ctx;
	struct store_account acct;
	struct args args;

	switch (at) {
	case FLOW_PAGE_BEGIN:
		return init_hooks_make_keys(f, e);
	case FLOW_PAGE_SHOW:
		if (str_eq(flow_get(f, FLOW_KEPT), S("yes")))
			return 0;
		return err_set(e, ERR_USAGE,
		    "without the keys the database cannot be opened again");
	case FLOW_PAGE_WHO:
		if (setting_check_new(in->store, f->a,
			flow_get(f, FLOW_ACCOUNT), e) < 0)
			return -1;
		if (flow_remote(f))
			init_find_known(in);
		return 0;
	case FLOW_PAGE_SERVERS:
		init_hooks_same_secret(in);
		return init_account(in, &args, &acct, e);
	case FLOW_PAGE_POLICY:
	case FLOW_PAGE_SENDING:
	case FLOW_PAGE_LOGIN:
	case FLOW_PAGE_SENDERS:
		return init_account(in, &args, &acct, e);
	case FLOW_PAGE_FIND:
	case FLOW_PAGE_QUIRKS:
	case FLOW_PAGE_SOURCE:
	case FLOW_PAGE_TEST:
	case FLOW_PAGE_FAILED:
	case FLOW_PAGE_LOOK:
	case FLOW_PAGE_CONFIRM:
	case FLOW_PAGE_END:
		break;
	}
	return 0;
}

static bool
read_more(struct flow_watch *w)
{
	return source_attempt_read(w->ctx);
}

static int
init_hooks_test(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	struct store_account acct;
	struct args args;
	int64_t timeout = LIMIT_TIMEOUT_MS;

	if (init_account(in, &args, &acct, e) < 0 ||
	    (in->store != NULL &&
		store_setting_timeout(in->store, &timeout, e) < 0) ||
	    source_attempt_start(&acct, f->password, f->a, timeout,
		&in->attempt, e) < 0)
		return -1;
	in->watch = (struct flow_watch){
		.fd = source_attempt_fd(in->attempt),
		.read = read_more,
		.ctx = in->attempt,
		.probes = source_attempt_lines(in->attempt),
	};
	return 0;
}

static int
init_hooks_look(struct init *in, struct err *e)
{
	struct flow *f = &in->flow;
	struct store_account acct;
	struct args args;

	if (init_account(in, &args, &acct, e) < 0)
		return -1;
	return senders_begin(&in->senders, f->a, &acct, f->password, e);
}

static int
init_hooks_work(struct flow *f, enum flow_page at, struct flow_watch **w,
    struct err *e)
{
	struct init *in = f->ctx;

	if (at == FLOW_PAGE_FIND) {
		*w = &in->aside.watch;
		return init_find_begin(in, e);
	}
	if (at == FLOW_PAGE_LOOK) {
		*w = &in->senders.aside.watch;
		return init_hooks_look(in, e);
	}
	*w = &in->watch;
	return init_hooks_test(in, e);
}

static void
init_hooks_end(struct flow *f, enum flow_page at)
{
	struct init *in = f->ctx;

	if (at == FLOW_PAGE_FIND)
		init_find_end(in);
	else if (at == FLOW_PAGE_LOOK)
		senders_end(&in->senders, f);
	else
		source_attempt_end(&in->attempt, &f->probes);
}

void
init_hooks_begin(struct init *in)
{
	static const struct flow_hooks hooks = { init_hooks_settled,
		init_hooks_work, init_hooks_end };

	in->flow = (struct flow){
		.a = in->c->arena,
		.step = flow_step,
		.hooks = &hooks,
		.ctx = in,
		.path = str_of(operate_env(in->c)->db),
	};
}
