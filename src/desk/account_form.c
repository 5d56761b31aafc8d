/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli account edit without options: the account as forms, each setting as it
 * stands.  What is answered otherwise becomes the options that say the same, so
 * that one piece of code changes accounts.
 */
#include "desk/account.h"
#include "desk/senders.h"

struct form {
	const struct call *c;
	struct store_account was;
	struct flow flow;
	struct senders senders;
};

bool
account_form_wanted(const struct args *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (args->v[i].text.n > 0 &&
		    !(args->v[i].spec->flags & ARG_POSITIONAL) &&
		    strcmp(args->v[i].spec->name, "no_tui") != 0)
			return false;
	return true;
}

int
account_form_into(struct arena *a, const struct args *args,
    struct store_account *v, struct err *e)
{
	if (args_has(args, "rename"))
		v->name = args_text(args, "rename");
	return setting_edit(a, args, v, e);
}

static void
account_form_fill(struct form *x)
{
	struct flow *f = &x->flow;

	f->hint[FLOW_ACCOUNT] = x->was.name;
	/* A text of several lines does not go into a line: its file is asked.
	 */
	for (int i = 0; i < SETTINGS; i++)
		if (account_setting[i].type != SETTING_SIGNATURE)
			f->hint[flow_of((enum setting_id)i)] =
			    setting_text(f->a, &account_setting[i], &x->was);
	if (x->was.has_password)
		f->hint[FLOW_PASSWORD] = S("set");
}

/* Is there an empty value?  A port without one goes with its server. */
static bool
can_clear(const struct arg_spec *s)
{
	return s->flags & ARG_EMPTY || s->type == ARG_TEXT;
}

/* What was answered, as options of account edit. */
static int
account_form_options(struct form *x, struct args *args, struct err *e)
{
	struct flow *f = &x->flow;

	args_init(args, account_args_edit, f->a);
	if (args_add(args, f->a, args_find(args, S("name")), x->was.name, e) <
	    0)
		return -1;
	for (int i = 0; i < FLOW_STEPS; i++) {
		enum flow_key k = (enum flow_key)i;
		const char *name =
		    k == FLOW_ACCOUNT ? "rename" : flow_step[k].key;
		struct arg *arg = args_find(args, str_of(name));
		struct str v = flow_asked(f, k) ? flow_get(f, k) : S("");

		if (arg == NULL || !flow_changed(f, k) ||
		    (v.n == 0 && !can_clear(arg->spec)))
			continue;
		if (args_add(args, f->a, arg, v, e) < 0)
			return -1;
	}
	return args_check(args, f->a, e);
}

/* The account as it will be. */
static int
account_form_result(struct form *x, struct store_account *out, struct err *e)
{
	struct args args;

	*out = x->was;
	if (account_form_options(x, &args, e) < 0)
		return -1;
	return account_form_into(x->flow.a, &args, out, e);
}

static int
account_form_settled(struct flow *f, enum flow_page at, struct err *e)
{
	struct form *x = f->ctx;
	struct store_account v;

	if (at == FLOW_PAGE_WHO && flow_changed(f, FLOW_ACCOUNT) &&
	    setting_check_new(operate_store(x->c), f->a,
		flow_get(f, FLOW_ACCOUNT), e) < 0)
		return -1;
	return account_form_result(x, &v, e);
}

/* With the password that is there, or a new one. */
static int
account_form_look(struct flow *f, enum flow_page at, struct flow_watch **w,
    struct err *e)
{
	struct form *x = f->ctx;
	struct store_account v;

	(void)at;
	*w = &x->senders.aside.watch;
	if (account_form_result(x, &v, e) < 0)
		return -1;
	if (f->password != NULL)
		return senders_begin(&x->senders, f->a, &v, f->password, e);
	return senders_begin_stored(&x->senders, f->a, operate_store(x->c), &v,
	    e);
}

static void
account_form_looked(struct flow *f, enum flow_page at)
{
	struct form *x = f->ctx;

	(void)at;
	senders_end(&x->senders, f);
}

int
account_form(const struct call *c, const struct store_account *was,
    struct args *args, struct secret **password, struct err *e)
{
	static const struct flow_hooks hooks = { account_form_settled,
		account_form_look, account_form_looked };
	struct form x = { .c = c, .was = *was };
	struct flow *f = &x.flow;
	int r;

	/* Nothing is tried: an account may be changed while it is away.  No
	 * keys are to be made. */
	*f = (struct flow){
		.a = c->arena,
		.step = flow_step,
		.hooks = &hooks,
		.ctx = &x,
		.asks = true,
		.lines = args_has(c->args, "no_tui"),
		.edit = true,
		.no_test = true,
		.look = true,
		.there = true,
		.has_admin = true,
		.has_agent = true,
	};
	account_form_fill(&x);
	r = operate_door(c)->form(f, e);
	if (r == 0)
		r = account_form_options(&x, args, e);
	if (r == 0) {
		*password = f->password;
		f->password = NULL;
	}
	flow_done(f);
	return r;
}
