/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing it down, at the very end and all at once: nobody who is interrupted
 * before has changed anything, and who is interrupted now finds all or nothing.
 */
#include <signal.h>

#include "desk/init.h"
#include "gate/rules.h"
#include "store/whole.h"

/* As `emcli account add` does it. */
struct adding {
	struct init *in;
	struct args args;
	struct store_account acct;
};

struct store_keys
init_write_keys(const struct init *in)
{
	const struct env *env = operate_env(in->c);
	const struct flow *f = &in->flow;

	return (struct store_keys){
		.admin = f->admin != NULL ? f->admin : env->admin_key,
		.agent = f->agent != NULL ? f->agent : env->agent_key,
	};
}

static int
init_write_add_list(struct store *s, struct flow *f, enum flow_key list,
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
	if (store_account_get(s, f->a, flow_get(f, FLOW_ACCOUNT), &acct, e) < 0)
		return -1;
	return store_list_add(s, acct.id, which, &entries, e);
}

static int
init_write_add(struct store *s, void *ctx, struct err *e)
{
	struct adding *x = ctx;
	struct flow *f = &x->in->flow;
	bool oauth = str_eq(x->acct.auth_type, S("oauth2"));

	if (store_account_add(s, &x->acct, oauth ? NULL : f->password, e) < 0 ||
	    init_write_add_list(s, f, FLOW_ALLOW_IN,
		x->acct.in_dmarc ? STORE_LIST_IN_DMARC : STORE_LIST_IN, e) < 0)
		return -1;
	return init_write_add_list(s, f, FLOW_ALLOW_OUT, STORE_LIST_OUT, e);
}

static int
init_write_add_recorded(struct store *s, void *ctx, struct err *e)
{
	struct adding *x = ctx;
	int64_t audit = 0;

	if (operate_record(s, x->in->flow.a, "account add", &x->args, &audit,
		e) < 0)
		return -1;
	(void)init_write_add(s, x, e);
	operate_recorded(s, audit, S(""), e);
	return e->kind == ERR_NONE ? 0 : -1;
}

static int
write_new(struct adding *x, const struct store_keys *keys, struct err *e)
{
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	CLEANUP(store_close) struct store *s = NULL;
	bool made;

	if (store_whole_begin(operate_env(x->in->c)->db, &w, e) < 0 ||
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

static int
init_write_begin(struct adding *x, struct err *e)
{
	struct init *in = x->in;

	if (init_account(in, &x->args, &x->acct, e) < 0)
		return -1;
	in->acct = x->acct;
	in->acct.has_password = in->flow.password != NULL &&
	    !str_eq(x->acct.auth_type, S("oauth2"));
	return 0;
}

int
init_write(struct init *in, bool *made, struct err *e)
{
	struct store_keys keys = init_write_keys(in);
	struct adding x = { .in = in };
	sigset_t old;
	int r;

	if (init_write_begin(&x, e) < 0)
		return -1;
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
	struct adding x = { .in = in };

	if (init_write_begin(&x, e) < 0)
		return -1;
	return store_whole_change(in->store, init_write_add, &x, e);
}
