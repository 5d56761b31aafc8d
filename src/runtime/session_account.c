/* The second step: the mailbox is an account of the store. */
#include "runtime/session.h"

#define BACKEND "agentbox"

enum {
	NAME_MAX_BYTES = 60,
	NAME_TRIES = 100
};

static bool
session_account_is(const struct store_account *v, const struct session *x)
{
	return str_eq(v->backend, S(BACKEND)) &&
	    str_eq(v->path, x->state.root) &&
	    str_eq(v->from_addr, x->state.address);
}

/* The name of the account that is this mailbox, or else a free one. */
static int
session_account_choose(struct sessions *s, struct session *x, struct err *e)
{
	struct str base = x->manifest.mailbox.principal_id, name;
	struct store_account *v;
	struct strs names = { 0 };
	size_t n;

	if (store_account_list(s->store, s->a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		str_push(s->a, &names, v[i].name);
		if (session_account_is(&v[i], x)) {
			x->state.account = v[i].name;
			x->state.account_new = false;
			return 0;
		}
	}
	name = base = str_first(base, NAME_MAX_BYTES);
	for (int i = 2; str_among_case(&names, name); i++) {
		if (i > NAME_TRIES)
			return err_set(e, ERR_CONFIG,
			    "there is no free name for the account of the "
			    "mailbox: remove accounts, see emcli account list");
		name = str_fmt(s->a, "%.*s-%d", STR_ARG(base), i);
	}
	x->state.account = name;
	x->state.account_new = true;
	return 0;
}

int
session_account_do(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	/* Recipients are those of the root; who writes is registered there. */
	struct store_account v = {
		.backend = S(BACKEND),
		.mode = MODE_RW,
		.outbound = OUTBOUND_SEND,
		.organise = ORGANISE_ON,
		.path = x->state.root,
		.from_addr = x->state.address,
		.auth_type = S("password"),
		.attach_dir = x->state.attach_dir,
	};

	if (x->manifest.mailbox.transport == TRANSPORT_NONE)
		return 0;
	if (session_account_choose(s, x, e) < 0 ||
	    session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	v.name = x->state.account;
	return x->state.account_new ? store_account_add(s->store, &v, NULL, e)
				    : 0;
}

int
session_account_undo(struct sessions *s, const struct session *x, struct err *e)
{
	struct store_account v;
	struct err why = { 0 };

	if (!x->state.account_new)
		return 0;
	if (store_account_get(s->store, s->a, x->state.account, &v, &why) < 0) {
		if (why.kind == ERR_NOT_FOUND)
			return 0;
		*e = why;
		return -1;
	}
	/* Another of that name is the operator's. */
	return session_account_is(&v, x)
	    ? store_account_remove(s->store, v.name, e)
	    : 0;
}
