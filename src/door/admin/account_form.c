/*
 * emcli account edit without options: the account as forms, each setting as it
 * stands.  What is answered otherwise becomes the options that say the same, so
 * that one piece of code changes accounts.
 */
#include "door/admin/account.h"
#include "door/admin/face.h"
#include "door/admin/senders.h"

struct form {
	struct admin_call *c;
	struct store_account was;
	struct flow flow;
	struct senders senders;
};

bool
account_form_wanted(const struct admin_call *c)
{
	for (size_t i = 0; i < c->args->n; i++)
		if (c->args->v[i].text.n > 0 &&
		    !(c->args->v[i].spec->flags & ARG_POSITIONAL) &&
		    strcmp(c->args->v[i].spec->name, "no_tui") != 0)
			return false;
	return true;
}

static void
account_form_fill(struct form *x)
{
	struct flow *f = &x->flow;

	f->hint[FLOW_ACCOUNT] = x->was.name;
	for (int i = 0; i < SETTINGS; i++)
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

static int
account_form_settled(void *ctx, struct flow *f, enum flow_page at,
    struct err *e)
{
	struct form *x = ctx;
	struct admin_call c = *x->c;
	struct store_account v = x->was;
	struct args args;

	if (at == FLOW_PAGE_WHO && flow_changed(f, FLOW_ACCOUNT) &&
	    setting_check_new(c.store, f->a, flow_get(f, FLOW_ACCOUNT), e) < 0)
		return -1;
	c.args = &args;
	if (account_form_options(x, &args, e) < 0)
		return -1;
	return account_edit_into(&c, &v, e);
}

/* The account as it will be, with the password that is there or a new one. */
static int
account_form_look(void *ctx, struct flow *f, enum flow_page at,
    struct flow_watch **w, struct err *e)
{
	struct form *x = ctx;
	struct admin_call c = *x->c;
	struct store_account v = x->was;
	struct args args;

	(void)at;
	*w = &x->senders.aside.watch;
	c.args = &args;
	if (account_form_options(x, &args, e) < 0 ||
	    account_edit_into(&c, &v, e) < 0)
		return -1;
	if (f->password != NULL)
		return senders_begin(&x->senders, f->a, &v, f->password, e);
	return senders_begin_stored(&x->senders, f->a, c.store, &v, e);
}

static void
account_form_looked(void *ctx, struct flow *f, enum flow_page at)
{
	struct form *x = ctx;

	(void)at;
	senders_end(&x->senders, f);
}

int
account_form(struct admin_call *c, const struct store_account *was,
    struct secret **password, struct err *e)
{
	struct form x = { .c = c, .was = *was };
	struct flow *f = &x.flow;
	const struct flow_hooks hooks = { &x, account_form_settled,
		account_form_look, account_form_looked };
	struct args *args = arena_new(c->arena, struct args);
	int r;

	/* Nothing is tried: an account may be changed while it is away. */
	f->a = c->arena;
	f->edit = f->no_test = f->look = true;
	/* No keys are to be made. */
	f->there = f->has_admin = f->has_agent = true;
	account_form_fill(&x);
	r = face_ask(f, !args_has(c->args, "no_tui"), &hooks, e);
	if (r == 0)
		r = account_form_options(&x, args, e);
	if (r == 0) {
		c->args = args;
		*password = f->password;
		f->password = NULL;
	}
	flow_done(f);
	return r;
}
