/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli account remove: says what will be deleted, and deletes it after a yes.
 */
#include "desk/agree.h"
#include "desk/desk.h"
#include "source/source.h"

static const struct arg_spec args[] = {
	{ "name", ARG_ACCOUNT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to remove" },
	AGREE_ARG_YES,
	{ 0 },
};

static const struct field result[] = {
	{ "removed", FIELD_TEXT, .help = "the account's name" },
	{ "whitelist_in", FIELD_INT, .help = "how many senders it listed" },
	{ "whitelist_out", FIELD_INT, .help = "how many recipients" },
	{ "credentials", FIELD_BOOL, .help = "whether any were sealed" },
	{ 0 },
};

/* What is deleted with the account. */
struct account_remove_loss {
	size_t in, out; /* entries of its lists */
	bool sealed;
	struct str say;
};

static int
account_remove_look(struct call *c, const struct store_account *acct,
    struct account_remove_loss *out, struct err *e)
{
	struct strs in = { 0 }, signed_in = { 0 }, to = { 0 };
	struct store *s = operate_store(c);
	bool set[STORE_SEALED];

	if (store_list_get(s, c->arena, acct->id, STORE_LIST_IN, &in, e) < 0 ||
	    store_list_get(s, c->arena, acct->id, STORE_LIST_IN_DMARC,
		&signed_in, e) < 0 ||
	    store_list_get(s, c->arena, acct->id, STORE_LIST_OUT, &to, e) < 0 ||
	    store_account_sealed(s, acct->id, set, e) < 0)
		return -1;
	for (int i = 0; i < STORE_SEALED; i++)
		out->sealed = out->sealed || set[i];
	out->in = in.n + signed_in.n;
	out->out = to.n;
	out->say = str_fmt(c->arena,
	    "account %.*s, its %s, its whitelists (%zu and %zu entries) and "
	    "what agents have acked",
	    STR_ARG(acct->name),
	    out->sealed ? "sealed credentials" : "settings", out->in, out->out);
	return 0;
}

static int
account_remove_run(struct call *c, struct json *out, struct err *e)
{
	struct str name = args_text(c->args, "name");
	struct account_remove_loss loss = { 0 };
	struct store *s = operate_store(c);
	struct store_account acct;
	struct err unusable = { 0 };
	struct source src;
	bool known;

	if (store_account_get(s, c->arena, name, &acct, e) < 0 ||
	    account_remove_look(c, &acct, &loss, e) < 0 ||
	    agree(c, str_fmt(c->arena, "remove %.*s", STR_ARG(loss.say)), e) <
		0)
		return -1;
	known = source_resolve(s, c->arena, name, 0, &src, &unusable) == 0;
	if (store_account_remove(s, name, e) < 0)
		return -1;
	if (known)
		source_forget(s, c->arena, &src);
	json_put_str(out, "removed", acct.name);
	json_put_int(out, "whitelist_in", (int64_t)loss.in);
	json_put_int(out, "whitelist_out", (int64_t)loss.out);
	json_put_bool(out, "credentials", loss.sealed);
	gate_say_line(c,
	    str_fmt(c->arena, "removed %.*s; the audit log stays",
		STR_ARG(loss.say)));
	c->note = loss.say;
	return 0;
}

const struct op desk_account_remove = {
	.name = "account remove",
	.shows = "emcli account list",
	.summary = "Remove an account and all that belongs to it",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = account_remove_run,
};
