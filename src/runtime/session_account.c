/* SPDX-License-Identifier: Apache-2.0 */
/* The second step: the mailbox is an account of the store. */
#include "runtime/session_credential.h"

#define BACKEND "agentbox"

enum {
	NAME_MAX_BYTES = 60,
	NAME_TRIES = 100
};

static bool
session_account_matches(const struct store_account *v,
    const struct session_box *b)
{
	if (!str_starts(b->root, S("/")))
		return str_eq(v->backend, S("jmap")) &&
		    str_eq(v->url, b->root) && str_eq(v->from_addr, b->address);
	return str_eq(v->backend, S(BACKEND)) && str_eq(v->path, b->root) &&
	    str_eq(v->from_addr, b->address);
}

int
session_account_name(struct sessions *s, const struct session_box *b,
    struct str base, struct str *name, bool *is_new, struct err *e)
{
	struct store_account *v;
	struct strs names = { 0 };
	size_t n;

	if (store_account_list(s->store, s->a, &v, &n, e) < 0)
		return -1;
	*is_new = false;
	for (size_t i = 0; i < n; i++) {
		str_push(s->a, &names, v[i].name);
		if (session_account_matches(&v[i], b)) {
			*name = v[i].name;
			return 0;
		}
	}
	base = *name = str_first(base, NAME_MAX_BYTES);
	for (int i = 2; str_among_case(&names, *name); i++) {
		if (i > NAME_TRIES)
			return err_set(e, ERR_CONFIG,
			    "there is no free name for the account of the "
			    "mailbox: remove accounts, see emcli account list");
		*name = str_fmt(s->a, "%.*s-%d", STR_ARG(base), i);
	}
	*is_new = true;
	return 0;
}

int
session_account_add(struct sessions *s, const struct session_box *b,
    struct str name, struct err *e)
{
	/*
	 * Recipients are those of the root; whoever writes is registered there.
	 * Programs write short texts, and the same one twice: nothing is
	 * refused as unfinished, since no verb of theirs can insist on it.
	 */
	const struct store_account v = {
		.name = name,
		.backend = S(BACKEND),
		.mode = MODE_RW,
		.outbound = OUTBOUND_SEND,
		.organise = ORGANISE_ON,
		.bound = STORE_BOUND_YES,
		.path = b->root,
		.from_addr = b->address,
		.auth_type = S("password"),
		.attach_dir = b->attach_dir,
		.no_unfinished_check = true,
	};

	return store_account_add(s->store, &v, NULL, e);
}

int
session_account_is(struct sessions *s, const struct session_box *b,
    struct str name, struct err *e)
{
	struct store_account v;
	struct err why = { 0 };

	if (store_account_get(s->store, s->a, name, &v, &why) == 0)
		return session_account_matches(&v, b);
	if (why.kind == ERR_NOT_FOUND)
		return 0;
	*e = why;
	return -1;
}

int
session_account_drop(struct sessions *s, const struct session_box *from,
    struct str name, struct err *e)
{
	int got = session_account_is(s, from, name, e);

	/* Another of that name is the operator's. */
	return got <= 0 ? got : store_account_remove(s->store, name, e);
}

static int
session_account_change(struct store_account *v, void *ctx, struct err *e)
{
	const struct session_box *to = ctx;

	(void)e;
	v->path = to->root;
	v->from_addr = to->address;
	return 0;
}

int
session_account_move(struct sessions *s, const struct session_box *from,
    const struct session_box *to, struct str name, struct err *e)
{
	struct session_box new = *to;
	const struct store_change change = { .change = session_account_change,
		.ctx = &new };
	int got = session_account_is(s, from, name, e);

	return got <= 0
	    ? got
	    : store_account_change(s->store, s->a, name, &change, e);
}

static int
session_account_mark(struct store_account *v, void *ctx, struct err *e)
{
	(void)ctx;
	(void)e;
	v->bound = STORE_BOUND_YES;
	return 0;
}

/* The operator starts a session whose mailbox is an account that was there. */
static int
session_account_bind(struct sessions *s, struct str name, struct err *e)
{
	const struct store_change change = { .change = session_account_mark };
	struct store_account v;

	if (store_account_get(s->store, s->a, name, &v, e) < 0)
		return -1;
	return v.bound == STORE_BOUND_YES
	    ? 0
	    : store_account_change(s->store, s->a, name, &change, e);
}

int
session_account_do(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	const struct session_box b = { x->state.root, x->state.address,
		x->state.attach_dir };

	if (x->manifest.mailbox.transport == TRANSPORT_NONE)
		return 0;
	if (session_account_name(s, &b, x->manifest.mailbox.principal_id,
		&x->state.account, &x->state.account_new, e) < 0 ||
	    session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	if (!x->state.account_new &&
	    session_account_bind(s, x->state.account, e) < 0)
		return -1;
	if (x->manifest.mailbox.transport == TRANSPORT_STALWART)
		return session_server_account(s, x, folder, e);
	return x->state.account_new
	    ? session_account_add(s, &b, x->state.account, e)
	    : 0;
}

int
session_account_undo(struct sessions *s, const struct session *x, struct err *e)
{
	const struct session_box b = { .root = x->state.root,
		.address = x->state.address };

	return x->state.account_new
	    ? session_account_drop(s, &b, x->state.account, e)
	    : 0;
}
