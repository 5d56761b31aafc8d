/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account export: accounts as a text, without secrets. */
#include "desk/account_text.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ "name", ARG_ACCOUNT, ARG_MANY | ARG_POSITIONAL,
	    .help = "account to export; default: all" },
	DOCUMENT_ARG_OUTPUT,
	{ 0 },
};

static const char *const note[] = {
	"Accounts of emcli, without passwords, tokens and whitelists.",
	"emcli account import FILE reads it; \"secrets\" says what an account",
	"needs after that.  Whitelists are in emcli policy export.",
	NULL,
};

/* What it had where it comes from. */
static int
account_export_put_secrets(struct document_put *d, int64_t id, struct err *e)
{
	bool set[STORE_SEALED] = { false };

	if (store_account_sealed(operate_store(d->c), id, set, e) < 0)
		return -1;
	if (!set[STORE_PASSWORD] && !set[STORE_OAUTH_REFRESH_TOKEN])
		return 0;
	yaml_put_list(d->y, "secrets");
	if (set[STORE_PASSWORD])
		yaml_put_word(d->y, NULL, S("password"));
	if (set[STORE_OAUTH_REFRESH_TOKEN])
		yaml_put_word(d->y, NULL, S("consent"));
	yaml_put_end(d->y);
	return 0;
}

static int
account_export_put(struct document_put *d, const struct store_account *v,
    struct err *e)
{
	struct store_oauth oauth;

	if (store_oauth_get(operate_store(d->c), d->c->arena, v->id, &oauth,
		e) < 0)
		return -1;
	yaml_put_map(d->y, str_c(d->c->arena, v->name));
	account_text_put(d, v, false);
	account_text_put_oauth(d, &oauth);
	if (account_export_put_secrets(d, v->id, e) < 0)
		return -1;
	yaml_put_end(d->y);
	return 0;
}

/* A session registers its agent's own mailbox, and gives it a credential. */
static int
account_export_check(const struct store_account *v, struct err *e)
{
	if (v->bound != STORE_BOUND_YES)
		return 0;
	return err_set(e, ERR_USAGE,
	    "%.*s is the mailbox of an agent's session, which makes it: it "
	    "cannot be exported",
	    STR_ARG(v->name));
}

/* Those that are named, or all but those of sessions; in their order. */
static int
account_export_choose(struct call *c, struct store_account **out, size_t *n,
    struct err *e)
{
	const struct strs *given = args_list(c->args, "name");
	size_t kept = 0;

	if (given->n > 0) {
		*out = arena_array(c->arena, given->n, sizeof(**out));
		for (*n = 0; *n < given->n; (*n)++)
			if (store_account_get(operate_store(c), c->arena,
				given->v[*n], &(*out)[*n], e) < 0 ||
			    account_export_check(&(*out)[*n], e) < 0)
				return -1;
		return 0;
	}
	if (store_account_list(operate_store(c), c->arena, out, n, e) < 0)
		return -1;
	for (size_t i = 0; i < *n; i++)
		if ((*out)[i].bound != STORE_BOUND_YES)
			(*out)[kept++] = (*out)[i];
	if (kept < *n)
		operate_note(c,
		    "emcli: left out %zu mailbox%s of agents' sessions",
		    *n - kept, *n - kept == 1 ? "" : "es");
	*n = kept;
	return 0;
}

static int
account_export_run(struct call *c, struct json *out, struct err *e)
{
	struct document_put d = { 0 };
	struct store_account *v;
	size_t n;

	(void)out;
	if (account_export_choose(c, &v, &n, e) < 0)
		return -1;
	document_put_begin(c, DOCUMENT_ACCOUNTS, note, &d);
	yaml_put_map(d.y, "accounts");
	for (size_t i = 0; i < n; i++)
		if (account_export_put(&d, &v[i], e) < 0)
			return -1;
	yaml_put_end(d.y);
	return document_put_end(&d, e);
}

const struct op desk_account_export = {
	.name = "account export",
	.shows = "emcli account list",
	.summary = "Print accounts as a text without secrets",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.run = account_export_run,
};
