/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of a declaration, applied as by `account edit`.  A file must not
 * decide where an account's mail is and who reads it: these settings are only
 * compared.
 */
#include "desk/source_import.h"

#include "gate/operate.h"
#include "gate/setting_args.h"
#include "store/store.h"

/* The setting that a key of the file means, or NULL. */
static const struct setting *
source_import_settings_find(struct str key)
{
	for (int i = 0; i < SETTINGS; i++)
		if (account_setting[i].declared != NULL &&
		    str_eq(str_of(account_setting[i].declared), key))
			return &account_setting[i];
	return NULL;
}

/* The same form as in `account edit`. */
static struct arg_spec
source_import_settings_spec(const struct setting *s)
{
	return (struct arg_spec)SETTING_ARGS_EDIT(s->name, s->type, s->choices,
	    s->means);
}

/* Sets one in an account; ERR_USAGE if it does not belong there. */
static int
source_import_settings_apply(struct arena *a, const struct setting *k,
    struct str value, struct store_account *v, struct err *e)
{
	struct arg_spec table[SETTINGS + 1] = { { 0 } };
	struct args args;

	for (int i = 0; i < SETTINGS; i++)
		table[i] = source_import_settings_spec(&account_setting[i]);
	args_init(&args, table, a);
	if (args_add(&args, a, args_find(&args, str_of(k->name)), value, e) <
		0 ||
	    args_check(&args, a, e) < 0)
		return -1;
	return setting_edit(a, &args, v, e);
}

/* One setting of one account: into *v, or a remark. */
static void
source_import_settings_judge_one(struct arena *a, struct declare *d,
    const struct declare_setting *s, struct store_account *v)
{
	const struct setting *k = source_import_settings_find(s->key);
	struct setting_change unused[SETTING_CHANGES];
	struct store_account w = *v;
	struct err e = { 0 };
	int r;

	if (k == NULL)
		return;
	r = source_import_settings_apply(a, k, s->value, &w, &e);
	if (k->compared &&
	    (r < 0 || setting_edit_changes(a, v, &w, unused) > 0))
		declare_remark(a, d, DECLARE_WARNING, s->line,
		    "%.*s is not what the account \"%.*s\" has, which is kept: "
		    "emcli account edit",
		    STR_ARG(s->key), STR_ARG(v->name));
	else if (r < 0)
		declare_remark(a, d, DECLARE_ERROR, s->line,
		    "%.*s of the account \"%.*s\": %s", STR_ARG(s->key),
		    STR_ARG(v->name), e.say);
	else if (!k->compared)
		*v = w;
}

int
source_import_settings_judge(struct call *c, struct declare *d,
    const struct role_source *all, const size_t *to, struct err *e)
{
	bool used[LIMIT_SETTINGS] = { false };

	for (size_t i = 0; i < d->n && d->errors == 0; i++) {
		const struct role_source *account = &all[to[i]];
		struct store_account v;

		if (store_account_get(operate_store(c), c->arena, account->name,
			&v, e) < 0)
			return -1;
		for (size_t k = 0; k < d->settings; k++) {
			const struct declare_setting *s = &d->setting[k];

			if (!declare_setting_is_of(s, &d->v[i], account))
				continue;
			used[k] = true;
			source_import_settings_judge_one(c->arena, d, s, &v);
		}
	}
	for (size_t k = 0; k < d->settings && d->errors == 0; k++) {
		const struct declare_setting *s = &d->setting[k];

		if (source_import_settings_find(s->key) == NULL)
			declare_remark(c->arena, d, DECLARE_NOTE, s->line,
			    "%.*s is not used", STR_ARG(s->key));
		else if (!used[k])
			declare_remark(c->arena, d, DECLARE_WARNING, s->line,
			    "no source that is declared is \"%.*s\"",
			    STR_ARG(s->backend));
	}
	return 0;
}

struct change {
	struct arena *a;
	const struct declare *d;
	const struct declare_row *row;
	const struct role_source *account;
	struct source_import_changes *out;
};

static void
source_import_settings_add(const struct change *x, struct str account,
    const struct setting_change *changes, size_t n)
{
	struct source_import_changes *out = x->out;

	out->v = arena_grow(x->a, out->v, out->n * sizeof(*out->v),
	    (out->n + n) * sizeof(*out->v));
	for (size_t i = 0; i < n; i++)
		out->v[out->n++] =
		    (struct source_import_change){ account, changes[i] };
}

static int
source_import_settings_change(struct store_account *v, void *ctx, struct err *e)
{
	const struct change *x = ctx;
	const struct store_account was = *v;
	struct setting_change changes[SETTING_CHANGES];

	for (size_t k = 0; k < x->d->settings; k++) {
		const struct declare_setting *s = &x->d->setting[k];
		const struct setting *key = source_import_settings_find(s->key);

		if (key == NULL || key->compared ||
		    !declare_setting_is_of(s, x->row, x->account))
			continue;
		if (source_import_settings_apply(x->a, key, s->value, v, e) < 0)
			return -1;
	}
	source_import_settings_add(x, x->account->name, changes,
	    setting_edit_changes(x->a, &was, v, changes));
	return 0;
}

int
source_import_settings_keep(struct call *c, const struct declare *d,
    const struct role_source *all, const size_t *to,
    struct source_import_changes *out, struct err *e)
{
	for (size_t i = 0; i < d->n && d->settings > 0; i++) {
		const struct role_source *account = &all[to[i]];
		struct change x = { c->arena, d, &d->v[i], account, out };
		const struct store_change ch = {
			.change = source_import_settings_change,
			.ctx = &x
		};

		if (store_account_change(operate_store(c), c->arena,
			account->name, &ch, e) < 0)
			return -1;
	}
	return 0;
}
