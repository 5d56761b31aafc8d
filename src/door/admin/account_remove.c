/* emcli account remove: says what goes, and does it after a yes. */
#include "door/admin/internal.h"
#include "door/prompt.h"
#include "source/source.h"

const struct arg_spec account_remove_args[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to remove" },
	{ .name = "yes", .type = ARG_FLAG, .help = "do not ask" },
	{ 0 },
};

/* What goes with the account, in words. */
static int
account_remove_tell_loss(struct admin_call *c, const struct store_account *acct,
    struct str *out, struct err *e)
{
	struct strs in = { 0 }, signed_in = { 0 }, to = { 0 };
	bool set[STORE_SEALED], sealed = false;

	if (store_list_get(c->store, c->arena, acct->id, STORE_LIST_IN, &in,
		e) < 0 ||
	    store_list_get(c->store, c->arena, acct->id, STORE_LIST_IN_DMARC,
		&signed_in, e) < 0 ||
	    store_list_get(c->store, c->arena, acct->id, STORE_LIST_OUT, &to,
		e) < 0 ||
	    store_account_sealed(c->store, acct->id, set, e) < 0)
		return -1;
	for (int i = 0; i < STORE_SEALED; i++)
		sealed = sealed || set[i];
	*out = str_fmt(c->arena,
	    "account %.*s, its %s, its whitelists (%zu and %zu entries) and "
	    "what agents have acked",
	    STR_ARG(acct->name), sealed ? "sealed credentials" : "settings",
	    in.n + signed_in.n, to.n);
	return 0;
}

int
account_remove(struct admin_call *c, struct err *e)
{
	struct str name = args_text(c->args, "name"), loss, question;
	struct store_account acct;
	struct source src;
	struct err unusable = { 0 };
	bool known;

	if (store_account_get(c->store, c->arena, name, &acct, e) < 0 ||
	    account_remove_tell_loss(c, &acct, &loss, e) < 0)
		return -1;
	if (!args_has(c->args, "yes")) {
		if (!prompt_possible())
			return err_set(e, ERR_USAGE,
			    "--yes is needed to remove %.*s", STR_ARG(loss));
		question =
		    str_fmt(c->arena, "Remove %.*s?  Type yes", STR_ARG(loss));
		if (!prompt_yes(str_c(c->arena, question)))
			return err_set(e, ERR_USAGE, "nothing was removed");
	}
	known =
	    source_resolve(c->store, c->arena, name, 0, &src, &unusable) == 0;
	if (store_account_remove(c->store, name, e) < 0)
		return -1;
	if (known)
		source_forget(c->store, c->arena, &src);
	buf_fmt(c->out, "removed %.*s; the audit log stays\n", STR_ARG(loss));
	c->done = loss;
	return 0;
}
