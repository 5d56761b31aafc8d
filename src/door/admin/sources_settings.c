/*
 * The settings of a declaration, as if `account edit` had been given them.
 * Where an account's mail is, and who reads it, is no file's to say: that is
 * only compared.
 */
#include "door/admin/account.h"
#include "door/admin/sources.h"

/* The setting that a key of the file means, or NULL. */
static const struct setting *
sources_settings_find(struct str key)
{
	for (int i = 0; i < SETTINGS; i++)
		if (account_setting[i].declared != NULL &&
		    str_eq(str_of(account_setting[i].declared), key))
			return &account_setting[i];
	return NULL;
}

/* Puts one into an account; ERR_USAGE when it does not go there. */
static int
sources_settings_apply(const struct admin_call *c, const struct setting *k,
    struct str value, struct store_account *v, struct err *e)
{
	struct args args;
	struct admin_call edit = *c;

	args_init(&args, account_args_edit, c->arena);
	if (args_add(&args, c->arena, args_find(&args, S("name")), v->name, e) <
		0 ||
	    args_add(&args, c->arena, args_find(&args, str_of(k->name)), value,
		e) < 0 ||
	    args_check(&args, c->arena, e) < 0)
		return -1;
	edit.args = &args;
	return account_edit_into(&edit, v, e);
}

static bool
sources_settings_is_same(struct arena *a, const struct store_account *x,
    const struct store_account *y)
{
	struct buf b;

	buf_init(&b, a, 1 << 20);
	account_edit_diff(a, x, y, &b);
	return b.n == 0;
}

/* One setting of one account: into *v, or a remark. */
static void
sources_settings_judge_one(struct admin_call *c, struct declare *d,
    const struct declare_setting *s, struct store_account *v)
{
	const struct setting *k = sources_settings_find(s->key);
	struct store_account w = *v;
	struct err e = { 0 };
	int r;

	if (k == NULL)
		return;
	r = sources_settings_apply(c, k, s->value, &w, &e);
	if (k->compared &&
	    (r < 0 || !sources_settings_is_same(c->arena, v, &w)))
		declare_remark(c->arena, d, DECLARE_WARNING, s->line,
		    "%.*s is not what the account \"%.*s\" has, which is kept: "
		    "emcli account edit",
		    STR_ARG(s->key), STR_ARG(v->name));
	else if (r < 0)
		declare_remark(c->arena, d, DECLARE_ERROR, s->line,
		    "%.*s of the account \"%.*s\": %s", STR_ARG(s->key),
		    STR_ARG(v->name), e.say);
	else if (!k->compared)
		*v = w;
}

int
sources_settings_judge(struct admin_call *c, struct declare *d,
    const struct role_source *all, const size_t *to, struct err *e)
{
	bool used[LIMIT_SETTINGS] = { false };

	for (size_t i = 0; i < d->n && d->errors == 0; i++) {
		const struct role_source *account = &all[to[i]];
		struct store_account v;

		if (store_account_get(c->store, c->arena, account->name, &v,
			e) < 0)
			return -1;
		for (size_t k = 0; k < d->settings; k++) {
			const struct declare_setting *s = &d->setting[k];

			if (!declare_setting_is_of(s, &d->v[i], account))
				continue;
			used[k] = true;
			sources_settings_judge_one(c, d, s, &v);
		}
	}
	for (size_t k = 0; k < d->settings && d->errors == 0; k++) {
		const struct declare_setting *s = &d->setting[k];

		if (sources_settings_find(s->key) == NULL)
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
	struct admin_call *c;
	const struct declare *d;
	const struct declare_row *row;
	const struct role_source *account;
	struct buf *told;
};

static int
sources_settings_change(struct store_account *v, void *ctx, struct err *e)
{
	const struct change *x = ctx;
	const struct store_account was = *v;
	struct buf b;

	for (size_t k = 0; k < x->d->settings; k++) {
		const struct declare_setting *s = &x->d->setting[k];
		const struct setting *key = sources_settings_find(s->key);

		if (key == NULL || key->compared ||
		    !declare_setting_is_of(s, x->row, x->account))
			continue;
		if (sources_settings_apply(x->c, key, s->value, v, e) < 0)
			return -1;
	}
	buf_init(&b, x->c->arena, 1 << 20);
	account_edit_diff(x->c->arena, &was, v, &b);
	if (b.n > 0)
		buf_fmt(x->told, "%.*s:\n%.*s", STR_ARG(v->name),
		    STR_ARG(buf_view(&b)));
	return 0;
}

int
sources_settings_keep(struct admin_call *c, const struct declare *d,
    const struct role_source *all, const size_t *to, struct buf *told,
    struct err *e)
{
	for (size_t i = 0; i < d->n && d->settings > 0; i++) {
		const struct role_source *account = &all[to[i]];
		struct change x = { c, d, &d->v[i], account, told };
		const struct store_change ch = { .change =
						     sources_settings_change,
			.ctx = &x };

		if (store_account_change(c->store, c->arena, account->name, &ch,
			e) < 0)
			return -1;
	}
	return 0;
}
