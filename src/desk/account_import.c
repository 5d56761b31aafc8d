/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account import: the accounts of a document, all of them or none. */
#include "desk/account_import.h"
#include "desk/desk.h"
#include "store/whole.h"

static const struct arg_spec args[] = {
	DOCUMENT_ARG_FILE,
	{ "replace", ARG_FLAG,
	    .help = "also change accounts that exist to what the file says" },
	DOCUMENT_ARG_DRY_RUN,
	{ 0 },
};

static const struct field needs[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "secret", FIELD_TEXT, .help = "password or consent" },
	{ "command", FIELD_TEXT, .help = "the command that gives it" },
	{ 0 },
};

static const struct field result[] = {
	{ "dry_run", FIELD_BOOL, .help = "was nothing changed?" },
	{ "changes", FIELD_OBJECTS, .help = "what is different",
	    .sub = plan_fields },
	{ "needs", FIELD_OBJECTS, .help = "what accounts need before they work",
	    .sub = needs },
	{ 0 },
};

/* In one transaction; a dry run is undone at its end. */
static int
account_import_all(struct store *s, void *ctx, struct err *e)
{
	struct account_import *im = ctx;
	const struct yaml_node *at = NULL;

	while ((at = document_next(&im->d, im->accounts, at)) != NULL)
		if (account_import_one(im, s, at, e) < 0)
			return -1;
	if (plan_check(&im->plan, e) < 0)
		return -1;
	im->dry = args_has(im->c->args, "dry_run");
	return im->dry ? -1 : 0;
}

static void
account_import_put_needs(struct account_import *im, struct json *out,
    const struct strs *names, const char *secret)
{
	struct call *c = im->c;

	for (size_t i = 0; i < names->n; i++) {
		struct str name = names->v[i];
		struct str say = names == &im->passwords
		    ? str_fmt(c->arena,
			  "emcli account edit %.*s --password-file FILE",
			  STR_ARG(name))
		    : str_fmt(c->arena, "emcli account consent %.*s",
			  STR_ARG(name));

		json_open_object(out, NULL);
		json_put_str(out, "account", name);
		json_put_text(out, "secret", secret);
		json_put_str(out, "command", say);
		json_close_object(out);
		gate_tell(c, "%.*s needs a %s:", STR_ARG(name), secret);
		gate_say(c, GATE_NEXT, "%.*s", STR_ARG(say));
	}
}

static void
account_import_tell(struct account_import *im, struct json *out)
{
	struct str text = plan_text(&im->plan);

	json_put_bool(out, "dry_run", im->dry);
	plan_to_json(&im->plan, out);
	gate_say_text(im->c,
	    im->plan.n > 0 ? text : S("nothing is different\n"));
	im->c->note = plan_note(&im->plan);
	json_open_array(out, "needs");
	account_import_put_needs(im, out, &im->passwords, "password");
	account_import_put_needs(im, out, &im->consents, "consent");
	json_close_array(out);
	if (im->dry)
		gate_tell(im->c, "dry run: nothing was changed");
}

static int
account_import_run(struct call *c, struct json *out, struct err *e)
{
	struct str top[] = { S("emcli"), S("version"), S("accounts") };
	const struct strs known = { top, sizeof(top) / sizeof(top[0]) };
	struct account_import im = { .c = c, .plan = { .a = c->arena } };

	if (document_read(c, DOCUMENT_ACCOUNTS, &im.d, e) < 0 ||
	    document_check_keys(&im.d, document_root(&im.d), &known, e) < 0)
		return -1;
	im.accounts = document_member(&im.d, document_root(&im.d), "accounts");
	if (im.accounts == NULL)
		return err_set(e, ERR_USAGE, "the file has no accounts");
	if (document_need(im.accounts, YAML_KIND_MAP, e) < 0 ||
	    (store_whole_change(operate_store(c), account_import_all, &im, e) <
		    0 &&
		!im.dry))
		return -1;
	account_import_tell(&im, out);
	return 0;
}

const struct op desk_account_import = {
	.name = "account import",
	.shows = "emcli account list",
	.summary = "Add the accounts of a text, all of them or none",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = account_import_run,
};
