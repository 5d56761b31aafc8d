/*
 * Writing it down, at the very end and all at once: nobody who is interrupted
 * before has changed anything, and who is interrupted now finds all or nothing.
 */
#include <signal.h>

#include "door/admin/init.h"
#include "gate/rules.h"
#include "store/whole.h"

struct adding {
	struct admin_call call; /* first: as if it were `emcli account add` */
	struct init *in;
	struct args args;
	struct store_account acct;
};

struct store_keys
init_write_keys(const struct init *in)
{
	const struct env *env = in->c->env;
	const struct flow *f = &in->flow;

	return (struct store_keys){
		.admin = f->admin != NULL ? f->admin : env->admin_key,
		.agent = f->agent != NULL ? f->agent : env->agent_key,
	};
}

static int
init_write_add_list(struct admin_call *c, struct flow *f, enum flow_key list,
    enum store_list which, struct err *e)
{
	struct strs given = flow_list(f, list), entries = { 0 };
	struct store_account acct;

	if (!flow_asked(f, list) || given.n == 0)
		return 0;
	for (size_t i = 0; i < given.n; i++) {
		struct str entry;

		if (rules_entry(f->a, given.v[i], &entry, e) < 0)
			return -1;
		str_push(f->a, &entries, entry);
	}
	if (store_account_get(c->store, f->a, flow_get(f, FLOW_ACCOUNT), &acct,
		e) < 0)
		return -1;
	return store_list_add(c->store, acct.id, which, &entries, e);
}

static int
init_write_add(struct admin_call *c, struct err *e)
{
	struct adding *x = (struct adding *)c;
	struct flow *f = &x->in->flow;
	bool oauth = str_eq(x->acct.auth_type, S("oauth2"));

	if (store_account_add(c->store, &x->acct, oauth ? NULL : f->password,
		e) < 0 ||
	    init_write_add_list(c, f, FLOW_ALLOW_IN,
		x->acct.in_dmarc ? STORE_LIST_IN_DMARC : STORE_LIST_IN, e) < 0)
		return -1;
	return init_write_add_list(c, f, FLOW_ALLOW_OUT, STORE_LIST_OUT, e);
}

static const struct admin_command add_command = {
	.name = "account add",
	.run = init_write_add,
	.needs = ADMIN_CHANGE,
};

static int
init_write_add_recorded(struct store *s, void *ctx, struct err *e)
{
	struct adding *x = ctx;

	x->call.store = s;
	return record_run(&x->call, e);
}

static int
init_write_add_unrecorded(struct store *s, void *ctx, struct err *e)
{
	struct adding *x = ctx;

	x->call.store = s;
	return init_write_add(&x->call, e);
}

static int
write_new(struct adding *x, const struct store_keys *keys, struct err *e)
{
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	CLEANUP(store_close) struct store *s = NULL;
	bool made;

	if (store_whole_begin(x->in->c->env->db, &w, e) < 0 ||
	    store_init(w.draft, keys, &made, e) < 0 ||
	    store_enter(w.draft, STORE_ADMIN, keys, &s, e) < 0 ||
	    store_whole_change(s, init_write_add_recorded, x, e) < 0)
		return -1;
	/* Closing brings what is in the write-ahead log into the file. */
	store_close(&s);
	return store_whole_publish(&w, e);
}

/* A signal waits until there is nothing to leave half made. */
static void
init_write_hold_signals(sigset_t *old)
{
	static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		(void)sigaddset(&set, held[i]);
	(void)sigprocmask(SIG_BLOCK, &set, old);
}

int
init_write(struct init *in, bool *made, struct err *e)
{
	struct store_keys keys = init_write_keys(in);
	struct adding x = { .in = in, .call = *in->c };
	sigset_t old;
	int r;

	if (init_account(in, &x.args, &x.acct, e) < 0)
		return -1;
	x.call.args = &x.args;
	x.call.command = &add_command;
	in->acct = x.acct;
	*made = in->store == NULL;
	init_write_hold_signals(&old);
	if (in->store != NULL)
		r = store_whole_change(in->store, init_write_add_recorded, &x,
		    e);
	else
		r = write_new(&x, &keys, e);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	return r;
}

int
init_write_account(struct init *in, struct err *e)
{
	struct adding x = { .in = in, .call = *in->c };

	if (init_account(in, &x.args, &x.acct, e) < 0)
		return -1;
	in->acct = x.acct;
	return store_whole_change(in->store, init_write_add_unrecorded, &x, e);
}
